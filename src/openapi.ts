import { type Layer, withServedPage } from './contract/resource/http.ts'
import { whenReady } from './convention/awaitable.ts'
import { type OpenApiDocument, writerFor } from './openapi/document.ts'
import type { OpenApiOptions } from './openapi/options.ts'
import type { OpenApiSource } from './openapi/source.ts'
import { jsonType } from './wire/body.ts'
import { documentFor } from './wire/document.ts'
import { withDocuments } from './wire/home.ts'

export type { Layer } from './contract/resource/http.ts'
export { type OpenApiDocument, toOpenApi } from './openapi/document.ts'
export type {
  OpenApiInfo,
  OpenApiOptions,
  OpenApiSecurity,
  OpenApiServer,
} from './openapi/options.ts'
export type { OpenApiSource } from './openapi/source.ts'
export { type Document, documentAt } from './wire/document.ts'

/**
 * Makes a layer that serves the OpenAPI document of a service as `application/json`:
 * `layers: [openApiAt('/openapi.json', registry, { info: … })]`. The first request makes the
 * document, and gets 500 if a validator's JSON Schema fails. Home documents name the path.
 *
 * Without the option `servers`, the document's server is the prefix of the host: `/api`. Behind a
 * proxy that cuts off a prefix, pass `servers`.
 *
 * @param path Below the prefix of a host.
 * @throws {TypeError} At once, for an invalid path, source or option.
 */
export function openApiAt(path: string, source: OpenApiSource, options: OpenApiOptions): Layer {
  const write = writerFor(source, options)
  let document: OpenApiDocument | undefined
  const serveDocument = documentFor(path, ({ base }) => {
    document ??= write()
    const servers = options.servers ?? [{ url: base || '/' }]
    return { type: jsonType, body: { ...document, servers } }
  })
  const layer: Layer = (request, answer, addressed) =>
    whenReady(serveDocument(request, answer, addressed), (response) =>
      withDocuments(response, { openapi: `${request.base ?? ''}${path}` }),
    )
  return withServedPage(layer, { title: 'OpenAPI', path })
}

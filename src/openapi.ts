import type { Layer } from './model/http.ts'
import { toOpenApi } from './openapi/document.ts'
import type { OpenApiOptions } from './openapi/options.ts'
import type { OpenApiSource } from './openapi/source.ts'
import { jsonType } from './wire/body.ts'
import { documentAt } from './wire/document.ts'

export type { Layer } from './model/http.ts'
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
 * `layers: [openApiAt('/openapi.json', registry, { info: … })]`.
 *
 * Without the option `servers`, the document's server is relative to its own URL, and so includes
 * a host's prefix.
 *
 * @param path Below the prefix of a host.
 * @throws {TypeError} At once, for an invalid path, and as {@link toOpenApi}.
 */
export function openApiAt(path: string, source: OpenApiSource, options: OpenApiOptions): Layer {
  const layer = documentAt(path, () => ({ type: jsonType, body: document }))
  // A program without types may leave out the options.
  const { servers = [{ url: upFrom(path) }] }: Partial<OpenApiOptions> = Object(options)
  const document = toOpenApi(source, { ...options, servers })
  return layer
}

// RFC 3986 §5.2.4: `/openapi.json` → `.`, `/docs/openapi.json` → `..`.
function upFrom(path: string): string {
  const depth = path.split('/').length - 2
  return depth === 0 ? '.' : Array(depth).fill('..').join('/')
}

import type { Layer } from './model/layer.ts'
import { toOpenApi } from './openapi/document.ts'
import type { OpenApiOptions } from './openapi/options.ts'
import type { OpenApiSource } from './openapi/source.ts'
import { jsonType } from './wire/body.ts'
import { documentAt } from './wire/document.ts'

export type { Layer } from './model/layer.ts'
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
 * Makes a layer that serves the OpenAPI document of a service: `layers: [openApiAt('/openapi.json', registry, { info: … })]`.
 *
 * It is `application/json`, which every tool and browser reads. Its server is where it is read from, with the prefix of whatever
 * host is in between, unless `servers` says where.
 *
 * @param path As clients write it, below the prefix of a host.
 * @throws {TypeError} For a path that is none, and as {@link toOpenApi}; at once and not with the first request.
 */
export function openApiAt(path: string, source: OpenApiSource, options: OpenApiOptions): Layer {
  const layer = documentAt(path, () => ({ type: jsonType, body: document }))
  // Programs without types may have forgotten the options.
  const { servers = [{ url: upFrom(path) }] }: Partial<OpenApiOptions> = Object(options)
  const document = toOpenApi(source, { ...options, servers })
  return layer
}

// RFC 3986 §5.2.4: `/openapi.json` is in `.`, `/docs/openapi.json` below `..`.
function upFrom(path: string): string {
  const depth = path.split('/').length - 2
  return depth === 0 ? '.' : Array(depth).fill('..').join('/')
}

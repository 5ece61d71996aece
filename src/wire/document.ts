import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { Layer } from '../model/layer.ts'
import { problem, quote } from '../model/problem.ts'
import { jsonType } from './body.ts'

/** Something that is served as it is, whoever asks. */
export interface Document {
  /** The media type: `text/css; charset=utf-8`. */
  readonly type: string
  /** A value where the type is JSON, else the text. */
  readonly body: unknown
  /** Further header fields, by lower-case name. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
}

const allow = 'GET, HEAD, OPTIONS'

/**
 * Makes a layer that serves a document at a path of its own, beside the api: `documentAt('/openapi.json', …)`.
 * It is made with the first request for it.
 *
 * @param path As clients write it, below the prefix of a host.
 * @throws {TypeError} For a path that is none.
 */
export function documentAt(path: string, make: () => Document): Layer {
  if (!/^(?:\/[\w~.!$&'()*+,;=:@-]+)+$/.test(path)) {
    throw new TypeError(`"${path}" is no path of a document: write it like "/openapi.json".`)
  }
  let document: Document | undefined
  return (request, answer) => {
    if (pathOf(request) !== path) return answer(request)
    document ??= make()
    return give(document, request.method)
  }
}

/** The path of a request's target, without its query. */
export function pathOf({ url }: HttpRequest): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

function give({ type, body, headers }: Document, method: string): HttpResponse {
  if (method === 'OPTIONS') {
    return { status: 200, headers: { allow, 'content-type': jsonType }, body: { type } }
  }
  if (method !== 'GET' && method !== 'HEAD') {
    throw problem('method_not_allowed', `${quote(method)} is not allowed here: use ${allow}`, {
      allow,
    })
  }
  return { status: 200, headers: { 'content-type': type, ...headers }, body }
}

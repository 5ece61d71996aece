import type { HttpRequest, HttpResponse, Layer } from '../contract/resource/http.ts'
import { jsonType } from './body.ts'
import { documentAllow, methodNotAllowed } from './path.ts'

/** A document that every client gets unchanged. */
export interface Document {
  /** The media type: `text/css; charset=utf-8`. */
  readonly type: string
  /** A value where the type is JSON, else the text. */
  readonly body: unknown
  /** Further header fields, by lower-case name. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Makes a layer that serves a document beside the api: `documentAt('/openapi.json', …)`.
 * The first request makes the document.
 *
 * @param path As clients write it, without the prefix of a host.
 * @throws {TypeError} For a text that is no path.
 */
export function documentAt(path: string, make: () => Document): Layer {
  let document: Document | undefined
  return documentFor(path, () => {
    document ??= make()
    return document
  })
}

/**
 * Makes a layer as {@link documentAt}, which makes the document for each request.
 *
 * @throws {TypeError} For a text that is no path.
 */
export function documentFor(path: string, make: (request: HttpRequest) => Document): Layer {
  if (!/^(?:\/[\w~.!$&'()*+,;=:@-]+)+$/.test(path)) {
    throw new TypeError(`"${path}" is no path of a document: write it like "/openapi.json".`)
  }
  return (request, answer) =>
    pathOf(request) === path ? give(make(request), request) : answer(request)
}

/** Returns the path of a request's URL, without the query. */
export function pathOf({ url }: HttpRequest): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

function give({ type, body, headers }: Document, request: HttpRequest): HttpResponse {
  const { method } = request
  if (method === 'OPTIONS') {
    return {
      status: 200,
      headers: { allow: documentAllow, 'content-type': jsonType },
      body: { type },
    }
  }
  if (method !== 'GET' && method !== 'HEAD') {
    throw methodNotAllowed(request, documentAllow)
  }
  return { status: 200, headers: { 'content-type': type, ...headers }, body }
}

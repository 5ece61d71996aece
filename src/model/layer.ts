import type { Awaitable } from './awaitable.ts'
import type { HttpRequest, HttpResponse } from './http.ts'
import type { Target } from './target.ts'

/** Answers a request; throws problems, and the errors of adapters. */
export type Answer = (request: HttpRequest) => Awaitable<HttpResponse>

/** The target of a request, for a layer. */
export interface Addressed {
  /**
   * The collection, item or reserved word that the path names, its ids decoded; `undefined` for a
   * path that names nothing. The first read of it parses the path.
   *
   * A guard compares it instead of `request.url`: `/v1/notes` and `/v1/%6eotes` are one target.
   */
  readonly target: Target | undefined
}

/**
 * A function around the whole handler. It responds by itself, as with a document or a page for
 * browsers. Or it passes the request to `answer` and returns the response, changed or not. The
 * server handles an error of a layer as one of an adapter. The outer layers get its response:
 * `answer` never throws.
 */
export type Layer = (
  request: HttpRequest,
  answer: Answer,
  addressed: Addressed,
) => Awaitable<HttpResponse>

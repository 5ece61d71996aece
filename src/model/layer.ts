import type { Awaitable } from './awaitable.ts'
import type { HttpRequest, HttpResponse } from './http.ts'
import type { Target } from './target.ts'

/** Answers a request; throws problems, and whatever adapters throw. */
export type Answer = (request: HttpRequest) => Awaitable<HttpResponse>

/** What a layer learns about a request besides the request itself. */
export interface Addressed {
  /**
   * The collection, item or reserved word that the path names, its ids decoded; `undefined` where the
   * path names nothing of the registry. Read when a layer asks for it.
   *
   * A guard compares this, not the text of `request.url`: `/v1/notes` and `/v1/%6eotes` are one target.
   */
  readonly target: Target | undefined
}

/**
 * A function around the whole handler. It answers a request by itself (a document, a page for browsers), or passes it to
 * `answer` and returns the response, changed or not. The server answers an error that a layer throws as one of an adapter.
 * The layers outside see that answer: `answer` never throws.
 */
export type Layer = (
  request: HttpRequest,
  answer: Answer,
  addressed: Addressed,
) => Awaitable<HttpResponse>

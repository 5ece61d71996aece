import type { Awaitable } from './awaitable.ts'
import type { HttpRequest, HttpResponse } from './http.ts'

/** Answers a request; throws problems, and whatever adapters throw. */
export type Answer = (request: HttpRequest) => Awaitable<HttpResponse>

/**
 * Something between a door and the api: it answers a request by itself (a document, a page for browsers), or hands it on to
 * `answer` and gives what that gave, changed or not. What it throws is answered as if an adapter had thrown it.
 */
export type Layer = (request: HttpRequest, answer: Answer) => Awaitable<HttpResponse>

/** Puts layers around what answers; the first is the outermost. */
export function throughLayers(layers: readonly Layer[], answer: Answer): Answer {
  return layers.reduceRight<Answer>((inner, layer) => (request) => layer(request, inner), answer)
}

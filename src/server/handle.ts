import type { Api } from '../model/api.ts'
import { type Awaitable, isPending, whenReady } from '../model/awaitable.ts'
import type { Binding } from '../model/binding.ts'
import type { HttpHeaders, HttpRequest, HttpResponse } from '../model/http.ts'
import type { Outcome } from '../model/operation.ts'
import { ProblemError } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { Parts } from '../model/stream.ts'
import { findCall } from '../wire/request.ts'
import { formatResponse } from '../wire/response.ts'
import { authorize } from './authorize.ts'
import { describe } from './describe.ts'
import { dispatch } from './dispatch.ts'
import type { Errand } from './errand.ts'
import { Exchange } from './exchange.ts'
import { RequestedOperation } from './operation.ts'
import { refuse } from './refuse.ts'
import { screen } from './screen.ts'
import { Body, begin } from './stream.ts'
import { validate } from './validate.ts'

/**
 * Answers a request of plain values: `handle({ method: 'GET', url: '/v1/employees/7' }, registry)` →
 * `{ status: 200, headers, body: { id: '7', … } }`.
 *
 * Never throws, and answers at once where validators, middleware and adapters do. Header names may be written in any case.
 * `body` is a value to be written as JSON, or an async iterable of the items of a list that the adapter gives one by one;
 * `undefined` after HEAD.
 */
export function handle<Asked extends HttpRequest>(
  request: NoInfer<Asked>,
  registry: Registry<Api, Asked>,
): Awaitable<HttpResponse> {
  // What comes is what its context asks for.
  const response = answer(new Exchange(withLowerCase(request), registry as Registry))
  return request.method === 'HEAD' ? whenReady(response, withoutBody) : response
}

function withoutBody(full: HttpResponse): Awaitable<HttpResponse> {
  const head = { ...full, body: undefined }
  return full.body instanceof Body ? full.body.close().then(() => head) : head
}

/** Gives up an answer that nobody will read. Nobody waits for how that went. */
export function drop({ body }: HttpResponse): void {
  if (body instanceof Body) body.close()
}

/** As {@link handle}, but HEAD is answered as GET: the door leaves the body out when it knows how long that would have been. */
export function answer(exchange: Exchange): Awaitable<HttpResponse> {
  const response = answerEver(exchange)
  if (!isPending(response)) return ended(response, exchange)
  return exchange.inTime(response, {
    late: (problem) => ended(refuse(problem, exchange), exchange),
    make: (answered) => ended(answered, exchange),
    drop,
  })
}

// A list that has begun tells of its end itself.
function ended(response: HttpResponse, exchange: Exchange): HttpResponse {
  if (!(response.body instanceof Body)) exchange.end(response)
  return response
}

function answerEver(exchange: Exchange): Awaitable<HttpResponse> {
  const { request, registry } = exchange
  try {
    if (request.method === 'OPTIONS') return describe(request, registry)
    const call = findCall(request, registry)
    if (call instanceof ProblemError) return refuse(call, exchange)
    exchange.operation = new RequestedOperation(call, exchange)
    const errand = { call, operation: exchange.operation }
    const outcome = perform(errand, exchange)
    if (!isPending(outcome)) return toResponse(outcome, errand, exchange)
    return Promise.resolve(outcome).then(
      (given) => answerWith(given, errand, exchange),
      (error) => refuse(error, exchange),
    )
  } catch (error) {
    return refuse(error, exchange)
  }
}

function answerWith(
  given: Outcome | ProblemError,
  errand: Begun,
  exchange: Exchange,
): Awaitable<HttpResponse> {
  try {
    return toResponse(given, errand, exchange)
  } catch (error) {
    return refuse(error, exchange)
  }
}

type Begun = Pick<Errand, 'call' | 'operation'>

function toResponse(
  given: Outcome | ProblemError,
  { call, operation }: Begun,
  exchange: Exchange,
): Awaitable<HttpResponse> {
  if (given instanceof ProblemError) return refuse(given, exchange)
  const { kind, target, query } = call
  const outcome = screen(given, operation.resource)
  const response = formatResponse(outcome, {
    kind,
    target,
    query,
    base: exchange.request.base ?? '',
  })
  return response.body instanceof Parts ? beginWith(response, response.body, exchange) : response
}

// Doors hand over lower-case names already; who writes a request by hand may not.
function withLowerCase(request: HttpRequest): HttpRequest {
  const { headers } = request
  if (headers === undefined || !hasUpperCase(headers)) return request
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { ...request, headers: Object.fromEntries(entries) }
}

function hasUpperCase(headers: HttpHeaders): boolean {
  for (const name in headers) if (/[A-Z]/.test(name)) return true
  return false
}

async function beginWith(
  response: HttpResponse,
  items: Parts<object>,
  exchange: Exchange,
): Promise<HttpResponse> {
  try {
    return { ...response, body: await begin(items, exchange) }
  } catch (error) {
    return refuse(error, exchange)
  }
}

function perform(
  { call, operation }: Begun,
  exchange: Exchange,
): Awaitable<Outcome | ProblemError> {
  const { registry } = exchange
  // What has methods has a binding.
  const binding = registry.bindings.get(operation.resource.name) as Binding
  return authorize(operation, exchange, (context) => {
    if (call.fault) throw call.fault
    return whenReady(exchange.drafts ?? validate(operation, exchange), (drafts) => {
      // Where a middleware tries again, the body has been read already.
      exchange.drafts = drafts
      return dispatch({ operation, call, drafts, binding, context }, registry)
    })
  })
}

import type { Api } from '../model/api.ts'
import { type Awaitable, isPending } from '../model/awaitable.ts'
import type { HttpHeaders, HttpRequest, HttpResponse } from '../model/http.ts'
import type { Outcome } from '../model/operation.ts'
import { withOwnMembers } from '../model/own.ts'
import { ProblemError } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { Parts } from '../model/stream.ts'
import { findCall } from '../wire/request.ts'
import { formatResponse } from '../wire/response.ts'
import { authorize } from './authorize.ts'
import { describe } from './describe.ts'
import { dispatch } from './dispatch.ts'
import { Errand, unread } from './errand.ts'
import { Exchange } from './exchange.ts'
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
  const exchange = new Exchange(withLowerCase(request), registry as Registry)
  return answer(exchange, request.method === 'HEAD' ? withoutBody : asItIs)
}

function withoutBody(full: HttpResponse): Awaitable<HttpResponse> {
  const head = { ...full, body: undefined }
  return full.body instanceof Body ? full.body.close().then(() => head) : head
}

/** What {@link answer} delivers to who wants the answer as it is. */
export function asItIs(response: HttpResponse): HttpResponse {
  return response
}

/** Gives up an answer that nobody will read. Nobody waits for how that went. */
export function drop({ body }: HttpResponse): void {
  if (body instanceof Body) body.close()
}

/** What is made of an answer, in the turn in which it is there. It must not throw. */
type Deliver<Made> = (response: HttpResponse, exchange: Exchange) => Awaitable<Made>

/** As {@link handle}, but HEAD is answered as GET: the door leaves the body out when it knows how long that would have been. */
export function answer<Made>(exchange: Exchange, deliver: Deliver<Made>): Awaitable<Made> {
  let response: Awaitable<HttpResponse>
  try {
    const errand = toErrand(exchange)
    if (errand instanceof Errand) {
      const outcome = authorize(errand, perform)
      if (isPending(outcome)) return wait(outcome, errand, { exchange, make: toResponse, deliver })
      response = toResponse(outcome, errand)
    } else response = errand
  } catch (error) {
    response = refuse(error, exchange)
  }
  return isPending(response)
    ? wait(response, undefined, { exchange, make: asItIs, deliver })
    : deliver(ended(response, exchange), exchange)
}

interface Waiting<Given, About, Made> {
  readonly exchange: Exchange
  readonly make: (given: Given, about: About) => Awaitable<HttpResponse>
  readonly deliver: Deliver<Made>
}

function wait<Given, About, Made>(
  given: PromiseLike<Given>,
  about: About,
  { exchange, make, deliver }: Waiting<Given, About, Made>,
): Promise<Made> {
  const failed = (error: unknown): HttpResponse => refuse(error, exchange)
  return exchange.inTime(given, {
    make: (arrived) => make(arrived, about),
    failed,
    late: failed,
    drop,
    deliver: (response) => deliver(ended(response, exchange), exchange),
  })
}

// A list that has begun tells of its end itself.
function ended(response: HttpResponse, exchange: Exchange): HttpResponse {
  if (!(response.body instanceof Body)) exchange.end(response)
  return response
}

function toErrand(exchange: Exchange): Errand | HttpResponse {
  const { request, registry } = exchange
  if (request.method === 'OPTIONS') return describe(request, registry)
  const call = findCall(request, registry)
  if (call instanceof ProblemError) return refuse(call, exchange)
  const errand = new Errand(call, exchange)
  exchange.operation = errand.operation
  return errand
}

function toResponse(
  given: Outcome | ProblemError,
  { call, operation, exchange }: Errand,
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
  return { ...withOwnMembers(request), headers: Object.fromEntries(entries) }
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
  return { ...response, body: await begin(items, exchange) }
}

function perform(errand: Errand, context: unknown): Awaitable<Outcome | ProblemError> {
  const { call, drafts } = errand
  if (call.fault) throw call.fault
  errand.context = context
  // Where a middleware tries again, the body has been read already.
  return drafts === unread ? validate(errand, dispatch) : dispatch(errand)
}

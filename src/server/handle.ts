import type { Api } from '../model/api.ts'
import { type Awaitable, isPending, settle, whenReady } from '../model/awaitable.ts'
import type { Binding } from '../model/binding.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { Outcome } from '../model/operation.ts'
import type { ProblemError } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { Parts } from '../model/stream.ts'
import { type ParsedCall, parseRequest } from '../wire/request.ts'
import { type Asked, formatResponse } from '../wire/response.ts'
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
  const late = (problem: ProblemError): HttpResponse => refuse(problem, exchange)
  return exchange.inTime(response, { late, drop }).then((answered) => ended(answered, exchange))
}

// A list that has begun tells of its end itself.
function ended(response: HttpResponse, exchange: Exchange): HttpResponse {
  if (!(response.body instanceof Body)) exchange.end(response)
  return response
}

function answerEver(exchange: Exchange): Awaitable<HttpResponse> {
  const { request, registry } = exchange
  let call: ParsedCall
  try {
    if (request.method === 'OPTIONS') return describe(request, registry)
    call = parseRequest(request, registry)
    exchange.operation = new RequestedOperation(call, exchange)
  } catch (error) {
    return refuse(error, exchange)
  }
  const { operation } = exchange
  const { kind, target, query } = call
  const asked = { kind, target, query, base: request.base ?? '' }
  return settle(
    () => perform({ call, operation }, exchange),
    (outcome) => {
      const screened = screen(outcome, operation.resource)
      return screened.gives === 'items' && screened.items instanceof Parts
        ? answerWith({ outcome: screened, asked, items: screened.items }, exchange)
        : formatResponse(screened, asked)
    },
    (error) => refuse(error, exchange),
  )
}

// Doors hand over lower-case names already; who writes a request by hand may not.
function withLowerCase(request: HttpRequest): HttpRequest {
  const entries = Object.entries(request.headers ?? {})
  if (entries.every(([name]) => name === name.toLowerCase())) return request
  const headers = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]))
  return { ...request, headers }
}

interface Streamed {
  readonly outcome: Outcome
  readonly items: Parts<object>
  readonly asked: Asked
}

async function answerWith(
  { outcome, items, asked }: Streamed,
  exchange: Exchange,
): Promise<HttpResponse> {
  try {
    const response = formatResponse(outcome, asked)
    return { ...response, body: await begin(items, exchange) }
  } catch (error) {
    return refuse(error, exchange)
  }
}

function perform(
  { call, operation }: Pick<Errand, 'call' | 'operation'>,
  exchange: Exchange,
): Awaitable<Outcome> {
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

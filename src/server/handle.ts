import { type Awaitable, settle, whenReady } from '../model/awaitable.ts'
import type { Binding } from '../model/binding.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { Outcome } from '../model/operation.ts'
import type { Registry } from '../model/registry.ts'
import { isStream } from '../model/stream.ts'
import { type ParsedCall, parseRequest } from '../wire/request.ts'
import { type Asked, formatResponse } from '../wire/response.ts'
import { authorize } from './authorize.ts'
import { describe } from './describe.ts'
import { dispatch } from './dispatch.ts'
import { RequestedOperation } from './operation.ts'
import { type About, refuse } from './refuse.ts'
import { begin, Watched } from './stream.ts'
import { validate } from './validate.ts'

/**
 * Answers a request of plain values: `handle({ method: 'GET', url: '/v1/employees/7' }, registry)` →
 * `{ status: 200, headers, body: { id: '7', … } }`.
 *
 * Never throws, and answers at once where validators, middleware and adapters do. Header names may be written in any case.
 * `body` is a value to be written as JSON, or an async iterable of the items of a list that the adapter gives one by one;
 * `undefined` after HEAD.
 */
export function handle(request: HttpRequest, registry: Registry): Awaitable<HttpResponse> {
  const response = answer(withLowerCase(request), registry)
  return request.method === 'HEAD' ? whenReady(response, withoutBody) : response
}

function withoutBody(full: HttpResponse): Awaitable<HttpResponse> {
  const head = { ...full, body: undefined }
  return full.body instanceof Watched ? full.body.close().then(() => head) : head
}

/** As {@link handle}, but HEAD is answered as GET: the door leaves the body out when it knows how long that would have been. */
export function answer(request: HttpRequest, registry: Registry): Awaitable<HttpResponse> {
  let call: ParsedCall
  let operation: RequestedOperation | undefined
  try {
    if (request.method === 'OPTIONS') return describe(request, registry)
    call = parseRequest(request, registry)
    operation = new RequestedOperation(call, request)
  } catch (error) {
    return refuse(error, { request, operation, registry })
  }
  const { kind, target, query } = call
  const asked = { kind, target, query, base: request.base ?? '' }
  const about = { request, operation, registry }
  return settle(
    () => perform(call, about),
    (outcome) =>
      outcome.gives === 'items' && isStream(outcome.items)
        ? answerWith(outcome, outcome.items, { asked, about })
        : formatResponse(outcome, asked),
    (error) => refuse(error, about),
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
  readonly asked: Asked
  readonly about: About<RequestedOperation>
}

async function answerWith(
  outcome: Outcome,
  items: AsyncIterable<object>,
  { asked, about }: Streamed,
): Promise<HttpResponse> {
  try {
    const response = formatResponse(outcome, asked)
    return { ...response, body: await begin(items, about) }
  } catch (error) {
    return refuse(error, about)
  }
}

function perform(
  call: ParsedCall,
  { request, operation, registry }: About<RequestedOperation>,
): Awaitable<Outcome> {
  // What has methods has a binding.
  const binding = registry.bindings.get(operation.resource.name) as Binding
  return authorize(operation, { registry, request }, (context) => {
    if (call.fault) throw call.fault
    return whenReady(validate(operation, request, registry.limits), (drafts) =>
      dispatch({ operation, call, drafts, binding, context }, registry),
    )
  })
}

import { type Awaitable, settle, whenReady } from '../model/awaitable.ts'
import type { Binding } from '../model/binding.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { Operation, Outcome } from '../model/operation.ts'
import { problem, toProblem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { formatProblem } from '../wire/problem.ts'
import { type ParsedCall, parseRequest } from '../wire/request.ts'
import { formatResponse } from '../wire/response.ts'
import { authorize } from './authorize.ts'
import { describe } from './describe.ts'
import { dispatch } from './dispatch.ts'
import { RequestedOperation } from './operation.ts'
import { validate } from './validate.ts'

/**
 * Answers a request of plain values: `handle({ method: 'GET', url: '/v1/employees/7' }, registry)` →
 * `{ status: 200, headers, body: { id: '7', … } }`.
 *
 * Never throws, and answers at once where validators, middleware and adapters do. Header names may be written in any case.
 * `body` is a value to be written as JSON; `undefined` after HEAD.
 */
export function handle(request: HttpRequest, registry: Registry): Awaitable<HttpResponse> {
  const response = answer(withLowerCase(request), registry)
  return request.method === 'HEAD'
    ? whenReady(response, (full) => ({ ...full, body: undefined }))
    : response
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
    (outcome) => formatResponse(outcome, asked),
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

interface About<Known extends Operation | undefined> {
  readonly request: HttpRequest
  readonly operation: Known
  readonly registry: Registry
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

/** The answer to an error: a problem as it is, anything else as `internal_error`. Causes of 5xx are told to `onError`. */
export function refuse(
  error: unknown,
  { request, operation, registry }: About<Operation | undefined>,
): HttpResponse {
  try {
    const refused = toProblem(error)
    if (refused.status >= 500) report(error, { request, operation, registry })
    return formatProblem(refused, registry)
  } catch (failure) {
    // A problem that cannot be written: its members are not what their types say.
    report(failure, { request, operation, registry })
    return formatProblem(problem('internal_error'), registry)
  }
}

// A listener that fails must not take the answer with it.
function report(
  error: unknown,
  { request, operation, registry }: About<Operation | undefined>,
): void {
  settle(
    () => registry.onError(error, { request, operation }),
    () => undefined,
    (failure) => console.error('The error listener failed:', failure),
  )
}

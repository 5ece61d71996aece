import { settle } from '../model/awaitable.ts'
import { problemStatuses } from '../model/convention.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { Operation } from '../model/operation.ts'
import { withOwnMembers } from '../model/own.ts'
import { isProblem, problem, toProblem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { formatProblem } from '../wire/problem.ts'
import { requestIdFor } from './request-id.ts'

/** What an answer is about; the operation is missing where the request was not understood yet. */
export interface About<Known extends Operation | undefined = Operation | undefined> {
  readonly request: HttpRequest
  readonly operation: Known
  readonly registry: Registry
  /** The client has had its answer, since this took too long. Default: it has not. */
  readonly isOver?: boolean
}

/** The answer to an error: a problem as it is, anything else as `internal_error`. Causes of 5xx are told to `onError`. */
export function refuse(error: unknown, about: About): HttpResponse {
  const { registry, request } = about
  try {
    const refused = toProblem(error)
    if (problemStatuses[refused.code] < 500) return formatProblem(refused, registry)
    const response = formatProblem(refused, registry, requestIdFor(request, registry))
    if (about.isOver !== true && !isLeaving(error, request)) report(error, about)
    return response
  } catch (failure) {
    // A problem that cannot be written: its members are not what their types say.
    report(failure, about)
    return formatProblem(problem('internal_error'), registry, requestIdFor(request, registry))
  }
}

/** Tells `onError` of an error. A listener that fails must not take the answer with it. */
export function report(error: unknown, { request, operation, registry }: About): void {
  settle(
    () => {
      const requestId = requestIdFor(request, registry)
      return registry.onError(error, { request: withOwnMembers(request), operation, requestId })
    },
    () => undefined,
    (failure) => console.error('The error listener failed:', failure),
  )
}

// A client that has gone is no fault of anybody's: the work that it wanted was given up, as it should be.
function isLeaving(error: unknown, { signal }: HttpRequest): boolean {
  if (signal?.aborted !== true) return false
  if (error === signal.reason || (isProblem(error) && error.code === 'unavailable')) return true
  try {
    return Reflect.get(Object(error), 'name') === 'AbortError'
  } catch {
    return false
  }
}

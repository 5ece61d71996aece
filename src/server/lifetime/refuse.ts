import { settle } from '../../model/awaitable.ts'
import { problemStatuses } from '../../model/convention.ts'
import type { HttpRequest, HttpResponse } from '../../model/http.ts'
import type { Operation } from '../../model/operation.ts'
import { withOwnMembers } from '../../model/own.ts'
import { isProblem, problem, toProblem } from '../../model/problem.ts'
import type { Registry } from '../../model/registry.ts'
import { formatProblem } from '../../wire/problem.ts'
import { requestIdFor } from './request-id.ts'

/** A request and its registry. The operation is undefined until the core knows it. */
export interface About<Known extends Operation | undefined = Operation | undefined> {
  readonly request: HttpRequest
  readonly operation: Known
  readonly registry: Registry
  /** The deadline has passed, and the client has its response. Default: false. */
  readonly isOver?: boolean
}

/**
 * Makes the response of an error: a problem as it is, any other error as `internal_error`.
 * Gives the cause of a 5xx to `onError`.
 */
export function refuse(error: unknown, about: About): HttpResponse {
  const { registry, request } = about
  try {
    const refused = toProblem(error)
    if (problemStatuses[refused.code] < 500) return formatProblem(refused, registry)
    const response = formatProblem(refused, registry, requestIdFor(request, registry))
    if (about.isOver !== true && !isLeaving(error, request)) report(error, about)
    return response
  } catch (failure) {
    // The members of such a problem break their types, so it cannot be written.
    report(failure, about)
    return formatProblem(problem('internal_error'), registry, requestIdFor(request, registry))
  }
}

/** Gives an error to `onError`. A listener that fails changes no response. */
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

// The client has gone, and the adapter gave its work up: no error.
function isLeaving(error: unknown, { signal }: HttpRequest): boolean {
  if (signal?.aborted !== true) return false
  if (error === signal.reason || (isProblem(error) && error.code === 'unavailable')) return true
  try {
    return Reflect.get(Object(error), 'name') === 'AbortError'
  } catch {
    return false
  }
}

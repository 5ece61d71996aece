import { settle } from '../model/awaitable.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { Operation } from '../model/operation.ts'
import { problem, toProblem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { formatProblem } from '../wire/problem.ts'

/** What an answer is about; the operation is missing where the request was not understood yet. */
export interface About<Known extends Operation | undefined = Operation | undefined> {
  readonly request: HttpRequest
  readonly operation: Known
  readonly registry: Registry
}

/** The answer to an error: a problem as it is, anything else as `internal_error`. Causes of 5xx are told to `onError`. */
export function refuse(error: unknown, about: About): HttpResponse {
  try {
    const refused = toProblem(error)
    if (refused.status >= 500) report(error, about)
    return formatProblem(refused, about.registry)
  } catch (failure) {
    // A problem that cannot be written: its members are not what their types say.
    report(failure, about)
    return formatProblem(problem('internal_error'), about.registry)
  }
}

/** Tells `onError` of an error. A listener that fails must not take the answer with it. */
export function report(error: unknown, { request, operation, registry }: About): void {
  settle(
    () => registry.onError(error, { request, operation }),
    () => undefined,
    (failure) => console.error('The error listener failed:', failure),
  )
}

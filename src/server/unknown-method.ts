import type { HttpRequest } from '../model/http.ts'
import { ProblemError, toProblem } from '../model/problem.ts'
import type { AnyRegistry } from '../model/registry.ts'
import { findCall } from '../wire/request.ts'

/**
 * Finds the problem of a request whose method no operation has: `method_not_allowed` with `Allow`,
 * or the fault of its path. Reads the contract alone: no layer, context, middleware or adapter
 * takes part.
 *
 * `undefined` where an operation has the method.
 */
export function faultOfMethod(
  request: HttpRequest,
  registry: AnyRegistry,
): ProblemError | undefined {
  try {
    const found = findCall(request, registry)
    return found instanceof ProblemError ? found : undefined
  } catch (fault) {
    return toProblem(fault)
  }
}

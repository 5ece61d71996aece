import type { HttpRequest } from '../contract/resource/http.ts'
import type { AnyRegistry } from '../contract/resource/registry.ts'
import { ProblemError, toProblem } from '../convention/problem.ts'
import { findCall } from '../wire/request.ts'

/**
 * Returns the problem of a request whose method no operation has: `method_not_allowed` with
 * `Allow`, or the problem of its path. It calls no layer, context, middleware or adapter.
 *
 * `undefined` where an operation has the method.
 */
export function faultOfMethod(
  request: HttpRequest,
  registry: AnyRegistry,
): ProblemError | undefined {
  try {
    const call = findCall(request, registry)
    return call instanceof ProblemError ? call : undefined
  } catch (fault) {
    return toProblem(fault)
  }
}

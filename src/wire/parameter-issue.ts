import { nearestTo } from '../convention/nearest.ts'
import type { ProblemCode } from '../convention/operations.ts'
import { type Issue, type ProblemError, problem, quote } from '../convention/problem.ts'

/** One fault of a query parameter. */
export type ParameterIssue = Issue & { readonly code: ProblemCode }

/** Makes an issue; `message` goes on after the parameter's name. */
export function parameterIssue(
  code: ProblemCode,
  parameter: string,
  message: string,
  allowed?: readonly string[],
): ParameterIssue {
  const issue = {
    code,
    parameter: parameter.slice(0, 64).toWellFormed(),
    message: `${quote(parameter)} ${message}`,
  }
  return allowed === undefined ? issue : { ...issue, allowed }
}

/**
 * Makes the issue of a parameter that a request does not take.
 *
 * @param reason Why it takes none, where it takes none.
 */
export function unknownParameter(
  name: string,
  allowed: readonly string[],
  reason = 'This request takes none.',
): ParameterIssue {
  const remedy = allowed.length === 0 ? reason : remedyFor(name, allowed)
  const message = `Unknown parameter ${quote(name)}. ${remedy}`
  return { ...parameterIssue('unknown_parameter', name, '', allowed), message }
}

// More names help no reader: a filter has its operators, and a reference its fields.
const maxNamed = 20

/** Says what to write for an unknown name: `Did you mean "fields"?`, else the allowed names. */
export function remedyFor(name: string, allowed: readonly string[]): string {
  const near = nearestTo(name, allowed)
  if (near !== undefined) return `Did you mean ${quote(near)}?`
  const names = allowed.filter((candidate) => !/[.:]/.test(candidate))
  return `Allowed: ${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ', …' : '.'}`
}

/** Makes the problem of a query: the code of the first issue, and all issues. */
export function problemOfQuery(issues: readonly ParameterIssue[]): ProblemError {
  const first = issues[0] as ParameterIssue
  const allowed = Object.hasOwn(first, 'allowed') ? first.allowed : undefined
  return problem(
    first.code,
    first.message,
    allowed === undefined ? { issues } : { issues, allowed },
  )
}

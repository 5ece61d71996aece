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

const maxNamed = 20

/**
 * Says what to write for an unknown name: `Did you mean "fields"?`, else the allowed names. A name
 * that begins with an object or a reference means one of its members.
 */
export function remedyFor(name: string, allowed: readonly string[]): string {
  const start = `${name.split(/[.:]/, 1)}.`
  const members = fieldsOf(allowed.filter((form) => form.startsWith(start)))
  const isMember = members.length > 0 && name.startsWith(start)
  const near = nearestTo(name, isMember ? members : allowed)
  if (near !== undefined) return `Did you mean ${quote(near)}?`
  const names =
    members.length > 0 ? members : fieldsOf(allowed.filter((form) => !form.includes('.')))
  return `Allowed: ${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ', …' : '.'}`
}

// More names help no reader: a field has its operators. A list has no filter but `tags:has`.
function fieldsOf(forms: readonly string[]): readonly string[] {
  const formOf = new Map<string, string>()
  for (const form of forms) {
    const field = form.replace(/:.*/, '')
    if (!formOf.has(field)) formOf.set(field, form)
  }
  return [...formOf.values()]
}

/** Makes the problem of a query: the code of the first issue, and all issues. */
export function problemOfQuery(issues: readonly ParameterIssue[]): ProblemError {
  const first = issues[0] as ParameterIssue
  const allowed = Object.hasOwn(first, 'allowed') ? first.allowed : undefined
  return problem(first.code, first.message, { issues, ...(allowed && { allowed }) })
}

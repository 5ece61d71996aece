import type { ProblemCode } from '../model/convention.ts'
import { type Issue, problem, quote } from '../model/problem.ts'

/** What is wrong with a parameter. */
export type Fault = Issue & { readonly code: ProblemCode }

/** Says what is wrong with a parameter; `message` goes on after its name. */
export function fault(
  code: ProblemCode,
  parameter: string,
  message: string,
  allowed?: readonly string[],
): Fault {
  const name = parameter.slice(0, 64).toWellFormed()
  const text = `${quote(parameter)} ${message}`
  if (allowed === undefined) return { code, parameter: name, message: text }
  return { code, parameter: name, message: text, allowed }
}

/** The problem of a query with faults: the code of the first, all of them in `issues`. */
export function faultyQuery(faults: readonly Fault[]): Error {
  const first = faults[0] as Fault
  const allowed = Object.hasOwn(first, 'allowed') ? first.allowed : undefined
  return problem(first.code, first.message, {
    issues: faults,
    ...(allowed === undefined ? {} : { allowed }),
  })
}

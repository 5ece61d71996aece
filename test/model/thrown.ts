import { isProblem, type ProblemError } from '../../src/model/problem.ts'

/** What a function throws; it is an error when it throws nothing. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown')
}

/** The problem a function throws. */
export function problemOf(run: () => unknown): ProblemError {
  const error = thrownBy(run)
  if (isProblem(error)) return error
  throw error
}

/** The code of the problem a function throws. */
export function codeOf(run: () => unknown): string {
  return problemOf(run).code
}

/** The message of the `TypeError` a declaration is refused with. */
export function refusalOf(run: () => unknown): string {
  const error = thrownBy(run)
  if (error instanceof TypeError) return error.message
  throw error
}

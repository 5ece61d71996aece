import { expect } from 'vitest'
import { isProblem, type ProblemError } from '../../src/convention/problem.ts'

// Words, from the first character to the last: no message is empty or ends where a word is missing.
const sentence = /^\S(?:.*\S)?$/s

/** Returns the error that a function throws. Fails when it throws nothing. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown')
}

/** Returns the problem that a function throws. Its message must not be empty. */
export function problemOf(run: () => unknown): ProblemError {
  const error = thrownBy(run)
  if (!isProblem(error)) throw error
  const { issues = [] } = error.members
  for (const { message } of [error, ...issues]) expect(message).toMatch(sentence)
  return error
}

/** The code of the problem a function throws. */
export function codeOf(run: () => unknown): string {
  return problemOf(run).code
}

/** The message of the `TypeError` a declaration is refused with. */
export function refusalOf(run: () => unknown): string {
  const error = thrownBy(run)
  if (!(error instanceof TypeError)) throw error
  expect(error.message).toMatch(sentence)
  return error.message
}

import { type ProblemError, problem } from './problem.ts'

/** The most tries of a write whose item changes meanwhile. */
export const maxTries = 8

/** Makes the problem of a write that lost all of its tries. */
export function outOfTries(cause: unknown): ProblemError {
  return problem('unavailable', undefined, { retryAfter: 1, cause })
}

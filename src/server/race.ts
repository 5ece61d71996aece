import { isProblem, problem } from '../model/problem.ts'

/** How often a write is tried whose item others change meanwhile. */
const mostAttempts = 8

/** A write that the adapter refused, since the item had another revision by then. */
export interface Lost {
  readonly error: unknown
  /** The revision that was read. */
  readonly revision: unknown
  /** How many were lost by now. */
  readonly attempts: number
}

/**
 * What is known when a write has failed once more, so that it may be tried again.
 *
 * @throws What the write threw, unless another revision was in its way; `unavailable` where others were faster eight times.
 */
export function lostAgain({ error, revision }: Omit<Lost, 'attempts'>, before?: Lost): Lost {
  const isRace = isProblem(error) && error.code === 'precondition_failed'
  // The same revision as before: the adapter has another reason.
  if (!isRace || revision === undefined || revision === before?.revision) throw error
  const attempts = (before?.attempts ?? 0) + 1
  if (attempts < mostAttempts) return { error, revision, attempts }
  throw problem('unavailable', undefined, { retryAfter: 1, cause: error })
}

import { type Awaitable, nextTurn } from '../convention/awaitable.ts'

/** A computation over many items: it yields after every {@link itemsATurn}, then returns. */
export type Steps<Made> = Generator<unknown, Made>

/** The number of items in one turn, some milliseconds, before the process serves other requests. */
export const itemsATurn = 4096

/**
 * Runs a computation in turns. The result is synchronous when the first turn is the last.
 *
 * @returns A function that returns the result. All its callers share the computation, and one of
 *   them advances it in each turn. So it goes on when the request that began it stops.
 */
export function inTurns<Made>(work: Steps<Made>): () => Awaitable<Made> {
  let step: IteratorResult<unknown, Made> | undefined
  let steps = 0
  function goOn(): IteratorResult<unknown, Made> {
    steps++
    step = work.next()
    return step
  }
  async function finish(): Promise<Made> {
    for (let seen = steps; ; seen = steps) {
      await nextTurn()
      const now = step && (step.done || steps > seen) ? step : goOn()
      if (now.done) return now.value
    }
  }
  return () => {
    const now = step ?? goOn()
    return now.done ? now.value : finish()
  }
}

import { type Awaitable, nextTurn } from '../model/awaitable.ts'

/** Work on many items: it yields after every {@link itemsATurn} of them, and gives its result at its end. */
export type Work<Made> = Iterator<unknown, Made>

/** The items that work looks at before the process serves other requests: some milliseconds. */
export const itemsATurn = 4096

/**
 * Does work in turns. The result comes at once where the first turn is the last.
 *
 * @returns Gives the result. All callers share the work. Each of them moves it on, so that it does not stop with the request
 *   that began it; of all callers only one does so in a turn.
 */
export function inTurns<Made>(work: Work<Made>): () => Awaitable<Made> {
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

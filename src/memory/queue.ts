import type { Operation } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { type Awaitable, isPending } from '../convention/awaitable.ts'

/** The end of the last write of each item, while the write lasts. */
export type Queue = Map<Item['id'], Promise<void>>

interface Turn extends Pick<Operation, 'signal'> {
  readonly ids: readonly Item['id'][]
}

/**
 * Runs a write after all earlier writes of its items, so that later writes cannot overtake it for
 * ever. It runs at once, and stays synchronous, if no such write lasts. A write that hangs lasts
 * until its signal is aborted.
 *
 * @param write Gets a function that runs the write again, and throws if its signal is aborted.
 */
export function inQueue<Made>(
  queue: Queue,
  { ids, signal }: Turn,
  write: (again: () => Awaitable<Made>) => Awaitable<Made>,
): Awaitable<Made> {
  const again = (): Awaitable<Made> => {
    signal.throwIfAborted()
    return write(again)
  }
  const earlier = ids.flatMap((id) => queue.get(id) ?? [])
  const result = earlier.length === 0 ? write(again) : Promise.all(earlier).then(again)
  if (!isPending(result)) return result
  const written = Promise.resolve(result)
  const end = endOf(written, signal).then(() => {
    for (const id of ids) if (queue.get(id) === end) queue.delete(id)
  })
  for (const id of ids) queue.set(id, end)
  return written
}

function endOf(written: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    written.then(end, end)
    if (signal.aborted) end()
  })
}

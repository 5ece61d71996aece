import type { CallOptions } from './options.ts'

/** The outcome of one id of `deleteMany`: the deleted item, or the error of its request. */
export type DeleteOutcome<Item extends { readonly id: unknown }> =
  | { readonly id: Item['id']; readonly item: Item; readonly error?: never }
  | { readonly id: Item['id']; readonly item?: never; readonly error: unknown }

// A browser opens no more connections to a server of HTTP/1.1.
const most = 6

/**
 * Deletes the items of some ids, at most six at a time. Returns an outcome for each id, in the
 * order of the ids. Throws the reason of a signal, after which it starts no request.
 *
 * @param remove Sends the request of one id.
 */
export async function deleteEach(
  ids: readonly unknown[],
  remove: (id: unknown) => Promise<unknown>,
  { signal }: CallOptions = {},
): Promise<readonly object[]> {
  const outcomes = ids.map((id) => ({ id }))
  const queue = outcomes.values()
  const work = async (): Promise<void> => {
    for (const outcome of queue) {
      const ended = remove(outcome.id).then(
        (item) => ({ item }),
        (error: unknown) => ({ error }),
      )
      Object.assign(outcome, await ended)
    }
  }
  await Promise.all(Array.from({ length: most }, work))
  signal?.throwIfAborted()
  return outcomes
}

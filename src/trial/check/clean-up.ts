import { reservedWords } from '../../convention/operations.ts'
import { isSame } from '../../convention/value.ts'
import { idTextOf } from './expect.ts'
import { maxCleanUpTime } from './limits.ts'
import { isSuccess, type SendRequest } from './message.ts'

// A server that fails to respond this often gets no more requests.
const maxFailures = 3

/** The items that the check created. */
export interface CreatedItems {
  /** Items by path, as the server returned them. */
  readonly created: Map<string, unknown>
  /** The paths of those that a rule deleted. */
  readonly deleted: Set<string>
  /** Possible items that the check cannot tell from items of other clients, in words. */
  readonly lost: Set<string>
}

/**
 * Removes the created items, the last first, in two minutes at most. Returns the paths that may
 * still hold one.
 */
export async function cleanUp(
  { created, deleted, lost }: CreatedItems,
  send: SendRequest,
): Promise<readonly string[]> {
  const left = [...lost]
  const start = performance.now()
  let failures = 0
  for (const [path, item] of [...created].reverse()) {
    if (failures >= maxFailures || performance.now() - start >= maxCleanUpTime) {
      left.push(path)
      continue
    }
    try {
      // A server may claim that it deleted an item. If it did not, another client may use the item.
      const isDeleted = deleted.has(path) || (await deletes(path, item, send))
      if (!isDeleted || isSuccess(await send('GET', path))) left.push(path)
    } catch {
      failures++
      left.push(path)
    }
  }
  for (const paths of [created, deleted, lost]) paths.clear()
  return left
}

async function deletes(path: string, item: unknown, send: SendRequest): Promise<boolean> {
  // The path of an item with the id "first" may name the first item instead.
  const word = reservedWords.find((reserved) => path.endsWith(`/${reserved}`))
  if (word !== undefined) {
    const { json } = await send('GET', path)
    if (idTextOf(json) !== word || !isSame(json, item)) return false
  }
  return isSuccess(await send('DELETE', path))
}

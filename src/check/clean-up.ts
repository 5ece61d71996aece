import { reservedWords } from '../model/convention.ts'
import { isSame } from '../model/operation.ts'
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
    // A server may claim that it deleted an item. If it did not, another client may use the item.
    const isRemoved = () =>
      deleted.has(path) ? isAbsent(path, send) : removes({ path, item }, send)
    const isOver = failures >= maxFailures || performance.now() - start >= maxCleanUpTime
    const isDone =
      !isOver &&
      (await isRemoved().catch(() => {
        failures++
        return false
      }))
    if (!isDone) left.push(path)
  }
  for (const paths of [created, deleted, lost]) paths.clear()
  return left
}

interface Created {
  readonly path: string
  /** As the server returned it. */
  readonly item: unknown
}

async function isAbsent(path: string, send: SendRequest): Promise<boolean> {
  return !isSuccess(await send('GET', path))
}

async function removes(created: Created, send: SendRequest): Promise<boolean> {
  if (await isOther(created, send)) return false
  return isSuccess(await send('DELETE', created.path)) && isAbsent(created.path, send)
}

// The path of an item with the id "first" may name the first item instead.
async function isOther({ path, item }: Created, send: SendRequest): Promise<boolean> {
  const word = reservedWords.find((reserved) => path.endsWith(`/${reserved}`))
  if (word === undefined) return false
  const { json } = await send('GET', path)
  return Reflect.get(Object(json), 'id') !== word || !isSame(json, item)
}

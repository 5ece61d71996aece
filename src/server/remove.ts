import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Judge, Operation } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { type Awaitable, settle, whenReady } from '../convention/awaitable.ts'
import { tooManyAffected } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import { countLostWrite, type LostWrite } from './checks/lost.ts'
import { breach, checkCount, checkSlice, findItem } from './checks/outcome.ts'
import { collectionOf, complete, operationOf, readOf } from './operations.ts'

/** A deletion of stored items that depends on them: of all of them, or of none. */
export interface Removal {
  readonly adapter: UncheckedAdapter
  readonly operation: Operation
  readonly context: unknown
  /** Throws for an item that must not be deleted. */
  readonly judge: Judge<Item>
}

/**
 * Deletes the item of an operation once `judge` allows it. The adapter's `remove` reads and deletes
 * as one step. Without it, the revision that was read guards `delete`; after a lost race, it reads
 * and judges again (optimistic concurrency control).
 *
 * @throws {ProblemError} `unavailable` after eight lost tries; the errors of `judge`.
 * @throws {TypeError} For an adapter that deletes what it did not let `judge` see.
 */
export function removeOne(removal: Removal): Awaitable<Item | undefined> {
  const { adapter, operation, context, judge } = removal
  if (typeof adapter.remove !== 'function') return removeByRevision(removal)
  let isJudged = false
  const removed = adapter.remove(operation, context, (stored) => {
    const found = stored.map((item) => findItem(item, operation))
    const items = found.filter((item) => item !== undefined)
    judge(items)
    isJudged = items.length > 0
  })
  return whenReady(removed, (value) => {
    const item = findItem(value, operation)
    if (item !== undefined && !isJudged) throw unjudged(operation)
    return item
  })
}

function unjudged(operation: Operation): TypeError {
  return breach(operation, 'a deletion that "judge" did not see: give it each item first')
}

function removeByRevision(removal: Removal, lost?: LostWrite): Awaitable<Item | undefined> {
  const { adapter, operation, context, judge } = removal
  const field = operation.resource.revision as string
  const read = readOf(operation, operation.id as Item['id'])
  return whenReady(adapter.read?.(read, context), (value) => {
    const stored = findItem(value, read)
    if (stored === undefined) return undefined
    judge([stored])
    const revision = fieldOf(stored, field)
    if (revision === undefined)
      throw breach(operation, `an item without its "${field}": return it with each item`)
    const deletion = operationOf('delete', operation, operation)
    complete(deletion, 'ifRevision', revision)
    return settle<unknown, Item | undefined>(
      () => adapter.delete?.(deletion, context),
      (deleted) => findItem(deleted, deletion),
      (error) => removeByRevision(removal, countLostWrite({ error, revisions: [revision] }, lost)),
    )
  })
}

/**
 * Deletes the items of an operation, at most `maxAffected`, once `judge` allows each, and returns
 * their number. A dry run only reads and judges them.
 *
 * @throws {ProblemError} The errors of `judge`, then `too_many_affected`.
 * @throws {TypeError} As {@link removeOne}, and for more items than `maxAffected`.
 */
export function removeMany(removal: Removal): Awaitable<number> {
  const { adapter, operation, context, judge } = removal
  const { maxAffected = Number.POSITIVE_INFINITY, isDryRun } = operation
  if (isDryRun) return judgeListed(removal, maxAffected)
  let judged = 0
  const removed = adapter.removeMany?.(operation, context, (stored) => {
    judge(stored)
    judged += stored.length
  })
  return whenReady(removed, (value) => {
    const deleted = checkCount(value, operation)
    if (deleted > judged) throw unjudged(operation)
    if (deleted > maxAffected) throw breach(operation, `${deleted} items: at most ${maxAffected}`)
    return deleted
  })
}

// One item more than allowed tells that there are too many.
function judgeListed(
  { adapter, operation, context, judge }: Removal,
  maxAffected: number,
): Awaitable<number> {
  const limit = maxAffected + 1
  const listing = collectionOf(operation, 'list', { ...operation.query, limit })
  return whenReady(adapter.list?.(listing, context), (list) =>
    whenReady(checkSlice(list, listing, limit), (items) => {
      judge(items)
      if (items.length > maxAffected) throw tooManyAffected(maxAffected)
      return items.length
    }),
  )
}

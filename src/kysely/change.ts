import type {
  AdapterShape,
  Change,
  ChangeMany,
  ModifyManyOperation,
  Operation,
  UpdateManyOperation,
} from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { type Awaitable, inTurn, isPending, whenReady } from '../convention/awaitable.ts'
import { maxTries } from '../convention/limits.ts'
import { outOfTries, problem, tooManyAffected } from '../convention/problem.ts'
import { fieldOf, isSame } from '../convention/value.ts'
import { freeingOrder } from './freeing-order.ts'
import {
  checkAll,
  checkBeforeWrite,
  checkFields,
  checkStored,
  mayExist,
  needsReadBack,
  onlyChanged,
  toReplacement,
} from './item-checks.ts'
import { execute, inTransaction, sessionOf, transact } from './run/execute.ts'
import { checkRevisionOfAbsent, isPossibleId, lockInOrder, lockOne, readOne } from './sql/lock.ts'
import { remove, removeAll, replace } from './sql/write.ts'
import {
  deletingKind,
  type ItemReplacement,
  type StorageTask,
  type Store,
  throwNotReturned,
} from './table.ts'

/** Replaces an item. Returns `undefined` if it does not exist. */
export async function updateItem(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isPossibleId(operation.id)) return undefined
  return execute(store, operation, async (task) => {
    const { item = {} } = operation
    if (!mayExist(task)) return undefined
    const isDangling = checkFields(task, [{ item, place: 0 }])
    const isAtOnce =
      task.table.described.returns.update &&
      store.onUpdate === undefined &&
      !isDangling &&
      !needsReadBack(task)
    if (isAtOnce) {
      checkBeforeWrite(task, item)
      const { item: updated } = await replace(task, operation, {})
      return updated ?? checkRevisionOfAbsent(task, operation)
    }
    return inTransaction(task, async () => {
      const stored = await lockOne(task, operation)
      if (stored === undefined) return undefined
      const replacement = await toReplacement(task, operation, { stored })
      checkAll(task, [replacement])
      return (await writeReplacement(task, replacement)) ?? checkRevisionOfAbsent(task, operation)
    })
  })
}

/** Replaces all items or none. Returns `undefined` in place of each absent item. */
export function updateItems(
  store: Store,
  operation: UpdateManyOperation<AdapterShape>,
): Promise<readonly (Item | undefined)[]> {
  return transact(store, operation, async (task) => {
    const { items, resource } = operation
    const revisions = items.map((item) => resource.revision && fieldOf(item, resource.revision))
    const ids = items.map(({ id }) => id)
    const storedItems = await lockInOrder(task, ids, revisions)
    if (storedItems.includes(undefined)) return storedItems
    const replacements = await inTurn(items, (item, place) => {
      const values = { ...operation, id: item.id, item, ifRevision: revisions[place] }
      return toReplacement(task, values, { stored: storedItems[place] ?? item, place })
    })
    checkAll(task, replacements)
    return writeReplacements(task, replacements)
  })
}

/** Writes all replacements or none. Returns `undefined` in place of each absent item. */
async function writeReplacements(
  task: StorageTask,
  replacements: readonly ItemReplacement[],
): Promise<readonly (Item | undefined)[]> {
  const { ordered, exchanges } = freeingOrder(task.table, replacements)
  task.exchanges = exchanges
  const updated = await sessionOf(task.store).performAll(task, ordered, {
    condition: '= 1',
    placeOf: ({ place }) => place,
    perform: writeReplacement,
  })
  const byPlace = new Map(ordered.map(({ place }, index) => [place, updated[index]]))
  return replacements.map(({ place }) => byPlace.get(place))
}

/** Deletes an item and returns it. Returns `undefined` if it does not exist. */
export async function deleteItem(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isPossibleId(operation.id)) return undefined
  return execute(store, operation, async (task) => {
    const { described, isTrusted, base } = task.table
    const isReturned = described.returns[deletingKind(task.table)]
    if (isReturned && !isTrusted && base === undefined) {
      const { item } = await remove(task, operation)
      return item ?? checkRevisionOfAbsent(task, operation)
    }
    return inTransaction(task, async () => {
      const stored = await lockOne(task, operation)
      if (stored === undefined) return undefined
      await remove(task, operation)
      return stored
    })
  })
}

/** Deletes all items of the scope and returns their number. */
export function deleteItems(store: Store, operation: Operation): Promise<number> {
  const { maxAffected } = operation
  if (maxAffected === undefined) {
    return execute(store, operation, (task) =>
      task.table.base === undefined ? removeAll(task) : inTransaction(task, () => removeAll(task)),
    )
  }
  return transact(store, operation, async (task) => {
    const deleted = await sessionOf(store).performUpTo(task, maxAffected, removeAll)
    if (deleted === undefined) throw tooManyAffected(maxAffected)
    return deleted
  })
}

async function writeReplacement(
  task: StorageTask,
  { values, ...fields }: ItemReplacement,
): Promise<Item | undefined> {
  const { table } = task
  const { item: updated, count } = await replace(task, values, fields)
  const { update: isReturned } = table.described.returns
  if ((updated === undefined && isReturned) || sessionOf(task.store).isFinal) return updated
  if (isReturned && !needsReadBack(task)) return updated
  // A write of the same values leaves a transaction of MySQL with the row as it began.
  const stored = await readOne(task, values, task.store.isJoined ? 'lock' : 'read')
  return count > 0 ? checkStored(task, stored, values.item) : stored
}

/** The stored items of a modification: `undefined` for an absent one. */
type StoredItems = readonly (Item | undefined)[]

/** Changes the item of the operation's id. Returns `undefined` if it does not exist. */
export async function modifyItem(
  store: Store,
  operation: Operation,
  change: Change<Item>,
): Promise<Item | undefined> {
  if (!isPossibleId(operation.id)) return undefined
  const [item] = await modifyAll(store, operation, {
    lock: async (task) => [await readOne(task, operation, 'lock')],
    change: ([stored]) => (stored ? whenReady(change(stored), (item) => [item]) : []),
  })
  return item
}

/** Changes all items of the operation's ids or none. Returns them in the order of the ids. */
export function modifyBulk(
  store: Store,
  operation: ModifyManyOperation<AdapterShape>,
  change: ChangeMany<Item>,
): Promise<readonly Item[]> {
  const { ids } = operation
  return modifyAll(store, operation, { lock: (task) => lockInOrder(task, ids), change })
}

interface Modification {
  /** Reads the items, and locks them where the database can. */
  lock(task: StorageTask): Promise<StoredItems>
  readonly change: ChangeMany<Item>
}

/**
 * Changes the stored items in one transaction. No transaction waits for a promise of `change`,
 * which may need the database itself. The next transaction stores the result if it finds the same
 * items. If not, it calls `change` again, at most eight times in all.
 */
async function modifyAll(
  store: Store,
  operation: Operation,
  { lock, change }: Modification,
): Promise<readonly Item[]> {
  let previous: Made | undefined
  for (let tries = 0; !operation.signal.aborted; tries++) {
    const { stored, items, written } = await transact(store, operation, async (task) => {
      const stored = await lock(task)
      const items = again(previous, stored) ?? startAgain(tries, change, stored)
      if (isPending(items)) return { stored, items }
      return { stored, items, written: await writeChanged(task, { stored, items }) }
    })
    if (written !== undefined) return written
    previous = { stored, items: await items }
  }
  throw problem('unavailable', undefined, { cause: operation.signal.reason })
}

/** Stored items, and the items to store for them: the stored item itself for no change. */
interface Made {
  readonly stored: StoredItems
  readonly items: readonly Item[]
}

// The items of an earlier change, if it got the same stored items.
function again(previous: Made | undefined, stored: StoredItems): readonly Item[] | undefined {
  if (previous === undefined || !isSame(previous.stored, stored)) return undefined
  return previous.items.map((item, place) =>
    item === previous.stored[place] ? (stored[place] ?? item) : item,
  )
}

// Other writes may change the item during each try.
function startAgain(
  tries: number,
  change: ChangeMany<Item>,
  stored: StoredItems,
): Awaitable<readonly Item[]> {
  if (tries < maxTries) return start(change, stored)
  throw outOfTries(new Error(`Other writes changed the item during each of ${tries} tries.`))
}

// A thrown error arrives as a promise, so that the adapter does not take it for the database's.
function start(change: ChangeMany<Item>, stored: StoredItems): Awaitable<readonly Item[]> {
  try {
    const items = change(stored)
    if (!isPending(items)) return items
    const promise = Promise.resolve(items)
    // The transaction ends first.
    promise.catch(() => undefined)
    return promise
  } catch (error) {
    return start(() => Promise.reject(error), stored)
  }
}

async function writeChanged(task: StorageTask, { stored, items }: Made): Promise<readonly Item[]> {
  const pairs = items.flatMap((item, place) => {
    const before = stored[place]
    return before === undefined ? [] : [{ item, stored: before, place }]
  })
  const changed = pairs.filter(({ item, stored }) => item !== stored)
  const replacements = await inTurn(changed, ({ item, ...context }) => {
    const { id } = context.stored
    const values = {
      ...task.operation,
      id,
      item,
      ifRevision: undefined,
      state: task.states.get(id),
    }
    return whenReady(toReplacement(task, values, context), (replacement) =>
      onlyChanged(replacement, context.stored),
    )
  })
  checkAll(task, replacements)
  const written = (await writeReplacements(task, replacements)).values()
  return pairs.map(({ item, stored }) =>
    item === stored ? stored : (written.next().value ?? throwNotReturned(task)),
  )
}

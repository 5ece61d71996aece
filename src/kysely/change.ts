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
import { outOfTries, problem } from '../convention/problem.ts'
import { fieldOf, isSame } from '../convention/value.ts'
import { freeingOrder } from './freeing-order.ts'
import {
  checkAll,
  checkBeforeWrite,
  checkFields,
  checkRevisions,
  checkStored,
  mayExist,
  needsReadBack,
  type RowRewrite,
  toReplacement,
} from './item-checks.ts'
import { execute, executeRead, inTransaction, sessionOf, transact } from './run/execute.ts'
import {
  checkRevisionOfAbsent,
  isPossibleId,
  lockMany,
  lockOne,
  lockRows,
  readOne,
} from './sql/lock.ts'
import { remove, replace, replacementChunks, replacementForm } from './sql/write.ts'
import {
  deletingKind,
  type ItemReplacement,
  type StorageTask,
  type Store,
  throwNotReturned,
} from './table.ts'

/** Returns the item of the operation's id. */
export function readItem(
  store: Store,
  operation: Operation,
): ReturnType<typeof readOne> | undefined {
  // A database may take a malformed id for another id, so the adapter does not query it.
  return isPossibleId(operation.id)
    ? executeRead(store, operation, (task) => readOne(task, operation))
    : undefined
}

/** Replaces an item. Returns `undefined` if it does not exist. */
export async function updateItem(store: Store, operation: Operation): Promise<Item | undefined> {
  const { id, item = {}, ifRevision } = operation
  if (!isPossibleId(id)) return undefined
  return execute(store, operation, async (task) => {
    if (!mayExist(task)) return undefined
    const isDangling = checkFields(task, [{ item, place: 0 }])
    const isAtOnce =
      task.table.described.returns.update &&
      store.onUpdate === undefined &&
      !isDangling &&
      !needsReadBack(task)
    if (isAtOnce) {
      checkBeforeWrite(task, item)
      const row = { values: operation }
      const form = replacementForm(task.table, row)
      const { items } = await replace(task, { form, rows: [row] })
      return items[0] ?? checkRevisionOfAbsent(task, operation)
    }
    return inTransaction(task, async () => {
      const { written } = await rewriteRows(task, [id], ([stored]) =>
        stored === undefined ? undefined : [{ item, stored, place: 0, ifRevision }],
      )
      return written && (written[0] ?? checkRevisionOfAbsent(task, operation))
    })
  })
}

/** Replaces all items or none. Returns `undefined` in place of each absent item. */
export function updateItems(
  store: Store,
  operation: UpdateManyOperation<AdapterShape>,
): Promise<readonly (Item | undefined)[]> {
  const { items, resource } = operation
  const ids = items.map(({ id }) => id)
  return transact(store, operation, async (task) => {
    const { stored, written } = await rewriteRows(task, ids, (storedItems) => {
      const rewrites = items.flatMap((item, place): readonly RowRewrite[] => {
        const stored = storedItems[place]
        const ifRevision = resource.revision && fieldOf(item, resource.revision)
        return stored === undefined ? [] : [{ item, stored, place, ifRevision }]
      })
      return rewrites.length < items.length ? undefined : rewrites
    })
    return written ?? stored
  })
}

/** The stored items of ids: `undefined` for an absent one. */
type StoredItems = readonly (Item | undefined)[]

interface Rewritten {
  /** The items as they were. */
  readonly stored: StoredItems
  /** The items of the rewrites in their order, each as the database returns it. */
  readonly written: StoredItems | undefined
}

/**
 * Rewrites the rows of ids in the open transaction: locks them, makes the items to store, checks
 * them, writes all of them or none, and reads them back.
 *
 * @param make Returns the items to store. A stored item itself needs no write. `undefined`: nothing
 *   is to be written, or not yet.
 * @throws {ProblemError} `precondition_failed` when an item has another revision.
 */
async function rewriteRows(
  task: StorageTask,
  ids: readonly Item['id'][],
  make: (stored: StoredItems) => readonly RowRewrite[] | undefined,
): Promise<Rewritten> {
  const stored = await lockRows(task, ids)
  const rewrites = make(stored)
  if (rewrites === undefined) return { stored, written: undefined }
  checkRevisions(task, rewrites)
  const changed = rewrites.filter((row) => row.item !== row.stored)
  const replacements = await inTurn(changed, (row) => toReplacement(task, row))
  checkAll(task, replacements)
  const byPlace = await writeReplacements(task, replacements)
  const written = rewrites.map((row) =>
    row.item === row.stored ? row.stored : byPlace.get(row.place),
  )
  return { stored, written }
}

// An engine may compare the id of each row with those before it in the statement.
const rowsAtOnce = 16

/** Writes all replacements or none. Returns the items by their place. */
async function writeReplacements(
  task: StorageTask,
  replacements: readonly ItemReplacement[],
): Promise<ReadonlyMap<number, Item | undefined>> {
  if (replacements.length === 0) return new Map()
  const { table } = task
  const { returns } = table.described
  const session = sessionOf(task.store)
  const { ordered, exchanges } = freeingOrder(table, replacements)
  task.exchanges = exchanges
  // No statement frees a value for another of its rows.
  const mayShare =
    ordered === replacements && !session.isFinal && !table.isTrusted && task.isSplit !== true
  const chunks = replacementChunks(table, ordered, mayShare ? rowsAtOnce : 1)
  const results = await session.performAll(task, chunks, {
    condition: '= 1',
    placeOf: ({ rows }) => (rows.length === 1 ? rows[0]?.place : undefined),
    perform: (performed, chunk) => replace(performed, chunk),
  })
  const isReadBack = !session.isFinal && (!returns.update || needsReadBack(task))
  const ids = ordered.map(({ stored }) => stored.id)
  const locked = isReadBack ? await lockMany(task, ids) : undefined
  const written = chunks.flatMap(({ rows }, at) =>
    rows.map(({ place, stored: { id }, values: { item = {} } }, index) => {
      const updated = results[at]?.items[index]
      if (locked === undefined || (updated === undefined && returns.update))
        return [place, updated] as const
      const stored = locked.get(id)
      // A write of the same values leaves a transaction of MySQL with the row as it began.
      const isSame = results[at]?.count === 0
      return [place, isSame ? stored : checkStored(task, stored, item)] as const
    }),
  )
  return new Map(written)
}

/** Deletes an item and returns it. Returns `undefined` if it does not exist. */
export async function deleteItem(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isPossibleId(operation.id)) return undefined
  return execute(store, operation, async (task) => {
    const { described, isTrusted, base } = task.table
    const isReturned = described.returns[deletingKind(task.table)]
    if (isReturned && !isTrusted && base === undefined) {
      return (await remove(task, operation)) ?? checkRevisionOfAbsent(task, operation)
    }
    return inTransaction(task, async () => {
      const stored = await lockOne(task, operation)
      if (stored === undefined) return undefined
      await remove(task, operation)
      return stored
    })
  })
}

/** Changes the item of the operation's id. Returns `undefined` if it does not exist. */
export async function modifyItem(
  store: Store,
  operation: Operation,
  change: Change<Item>,
): Promise<Item | undefined> {
  if (!isPossibleId(operation.id)) return undefined
  const changeOne: ChangeMany<Item> = ([stored]) =>
    stored ? whenReady(change(stored), (item) => [item]) : []
  const [item] = await modifyAll(store, operation, { ids: [operation.id], change: changeOne })
  return item
}

/** Changes all items of the operation's ids or none. Returns them in the order of the ids. */
export function modifyBulk(
  store: Store,
  operation: ModifyManyOperation<AdapterShape>,
  change: ChangeMany<Item>,
): Promise<readonly Item[]> {
  return modifyAll(store, operation, { ids: operation.ids, change })
}

interface Modification {
  readonly ids: readonly Item['id'][]
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
  { ids, change }: Modification,
): Promise<readonly Item[]> {
  let previous: Made | undefined
  for (let tries = 0; !operation.signal.aborted; tries++) {
    let items: Awaitable<readonly Item[]> = []
    const { stored, written } = await transact(store, operation, async (task) => {
      const rewritten = await rewriteRows(task, ids, (stored) => {
        items = again(previous, stored) ?? startAgain(tries, change, stored)
        return isPending(items) ? undefined : rewritesOf({ items, stored })
      })
      const written = rewritten.written?.map((item) => item ?? throwNotReturned(task))
      return { ...rewritten, written }
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

function rewritesOf({ items, stored }: Made): readonly RowRewrite[] {
  return items.flatMap((item, place) => {
    const before = stored[place]
    return before === undefined ? [] : [{ item, stored: before, place, isPartial: true }]
  })
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

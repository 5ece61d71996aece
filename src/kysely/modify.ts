import type {
  AdapterShape,
  Change,
  ChangeMany,
  ModifyManyOperation,
  Operation,
} from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { type Awaitable, inTurn, isPending, whenReady } from '../convention/awaitable.ts'
import { maxTries } from '../convention/limits.ts'
import { outOfTries, problem } from '../convention/problem.ts'
import { isSame } from '../convention/value.ts'
import { writeReplacements } from './change.ts'
import { isPossibleId } from './condition.ts'
import { transact } from './execute.ts'
import { onlyChanged, toReplacement } from './item-checks.ts'
import { lockMany, readOne } from './lock.ts'
import { checkAll, throwNotReturned } from './stored-checks.ts'
import type { StorageTask, Store } from './table.ts'

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
  const lock = async (task: StorageTask): Promise<StoredItems> => {
    const found = await lockMany(task, ids)
    return ids.map((id) => found.get(id))
  }
  return modifyAll(store, operation, { lock, change })
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
  let known: Made | undefined
  for (let tries = 0; !operation.signal.aborted; tries++) {
    const { stored, made, written } = await transact(store, operation, async (task) => {
      const stored = await lock(task)
      const made = again(known, stored) ?? startAgain(tries, change, stored)
      if (isPending(made)) return { stored, made }
      return { stored, made, written: await writeChanged(task, { stored, items: made }) }
    })
    if (written !== undefined) return written
    known = { stored, items: await made }
  }
  throw problem('unavailable', undefined, { cause: operation.signal.reason })
}

/** Stored items, and the items to store for them: the stored item itself for no change. */
interface Made {
  readonly stored: StoredItems
  readonly items: readonly Item[]
}

// The items of an earlier change, if it got the same stored items.
function again(known: Made | undefined, stored: StoredItems): readonly Item[] | undefined {
  if (known === undefined || !isSame(known.stored, stored)) return undefined
  return known.items.map((item, place) =>
    item === known.stored[place] ? (stored[place] ?? item) : item,
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
    const made = change(stored)
    if (!isPending(made)) return made
    const promise = Promise.resolve(made)
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
  const replacements = await inTurn(changed, ({ item, ...known }) => {
    const { id } = known.stored
    const values = {
      ...task.operation,
      id,
      item,
      ifRevision: undefined,
      state: task.states.get(id),
    }
    return whenReady(toReplacement(task, values, known), (made) => onlyChanged(made, known.stored))
  })
  checkAll(task, replacements)
  const written = (await writeReplacements(task, replacements)).values()
  return pairs.map(({ item, stored }) =>
    item === stored ? stored : (written.next().value ?? throwNotReturned(task)),
  )
}

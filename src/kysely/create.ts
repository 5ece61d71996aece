import type {
  AdapterShape,
  CreateManyOperation,
  Operation,
} from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { inTurn } from '../convention/awaitable.ts'
import { isProblem, problem } from '../convention/problem.ts'
import { execute, inTransaction } from './execute.ts'
import { insert, insertAll, rowsAtOnce } from './insert.ts'
import { mayExist, newItem } from './item-checks.ts'
import { lockMany, readOne } from './lock.ts'
import { needsReadBack } from './read-back.ts'
import { checkAll, checkStored, throwNotReturned } from './stored-checks.ts'
import type { StorageTask, Store } from './table.ts'

/** Stores a new item. */
export async function createItem(store: Store, operation: Operation): Promise<Item> {
  return execute(store, operation, async (task) => {
    checkOwners(task)
    const item = await newItem(task, operation.item ?? {})
    checkAll(task, [{ item, place: 0 }])
    if (isReturned(task)) return (await insert(task, item)).item ?? throwNotReturned(task)
    return inTransaction(task, async () => {
      const { id } = await insert(task, item)
      const values = { ...operation, id: isKnown(id) ? id : undefined }
      return checkStored(task, await readOne(task, values))
    })
  })
}

/** Stores all new items or none. Returns them in their order. */
export async function createBulk(
  store: Store,
  operation: CreateManyOperation<AdapterShape>,
): Promise<readonly Item[]> {
  let items: readonly object[] | undefined
  const createBy = (most: number) =>
    execute(store, operation, async (task) => {
      checkOwners(task)
      items ??= await inTurn(operation.items, (item) => newItem(task, item))
      const written = items
      checkAll(
        task,
        written.map((item, place) => ({ item, place })),
      )
      return inTransaction(task, () => insertItems(task, written, most))
    })
  try {
    return await createBy(rowsAtOnce)
  } catch (error) {
    // A statement of one item tells which item the database rejects.
    if (!isProblem(error) || error.members.issues?.length !== 0 || store.engine.hasBatches)
      throw error
    return createBy(1)
  }
}

async function insertItems(
  task: StorageTask,
  items: readonly object[],
  most: number,
): Promise<readonly Item[]> {
  const inserted = await insertAll(task, items, most)
  if (isReturned(task)) return inserted.map(({ item }) => item ?? throwNotReturned(task))
  const ids = inserted.flatMap(({ id }) => (isKnown(id) ? id : []))
  const stored = await lockMany(task, ids)
  return inserted.map(({ id }) => checkStored(task, isKnown(id) ? stored.get(id) : undefined))
}

function isReturned(task: StorageTask): boolean {
  return task.table.described.returns.insert && !needsReadBack(task)
}

function checkOwners(task: StorageTask): void {
  if (!mayExist(task)) throw problem('parent_not_found', 'A parent in the path does not exist.')
}

function isKnown(id: unknown): id is Item['id'] {
  return typeof id === 'string' || typeof id === 'number'
}

import { inTurn } from '../model/awaitable.ts'
import type { Operation } from '../model/operation.ts'
import { problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { fieldOf } from '../model/value.ts'
import { checkComplete, checkNewId, checkRevision } from '../model/write.ts'
import { isPossibleId } from './condition.ts'
import { isGuarded } from './d1.ts'
import { deletingKind } from './deletion.ts'
import { BrokenReference } from './errors.ts'
import { execute, inBatch, inTransaction, transact } from './execute.ts'
import {
  checkBeforeWrite,
  checkFields,
  type ItemReplacement,
  mayExist,
  newItem,
  toReplacement,
} from './item-checks.ts'
import { lockMany, readOne } from './read.ts'
import { needsReadBack } from './read-back.ts'
import type { StatementValues } from './statement.ts'
import type { StorageTask, Store } from './table.ts'
import { insert, remove, removeAll, replace } from './write.ts'

/** Stores a new item. */
export async function createItem(store: Store, operation: Operation): Promise<Item> {
  return execute(store, operation, async (task) => {
    if (!mayExist(task)) {
      throw problem('parent_not_found', 'A parent in the path does not exist')
    }
    const item = await newItem(task)
    const values = { ...operation, item }
    if (checkFields(task, [item])) throw new BrokenReference()
    checkBeforeWrite(task, item)
    const isAtOnce = task.table.described.returns.insert && !needsReadBack(task)
    if (isAtOnce) return (await insert(task, values)).item ?? throwNotReturned(task)
    return inTransaction(task, async () => {
      const { item: made, insertId } = await insert(task, values)
      const id = made?.id ?? fieldOf(item, 'id') ?? insertId
      return checkStored(task, await readOne(task, { ...values, id: isKnown(id) ? id : undefined }))
    })
  })
}

/** Replaces an item. Returns `undefined` if it does not exist. */
export async function updateItem(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isPossibleId(operation.id)) return undefined
  return execute(store, operation, async (task) => {
    const { item = {}, ifRevision, resource } = operation
    if (!mayExist(task)) return undefined
    const isDangling = checkFields(task, [item])
    const isAtOnce =
      task.table.described.returns.update &&
      store.onUpdate === undefined &&
      !isDangling &&
      !needsReadBack(task)
    if (isAtOnce) {
      checkBeforeWrite(task, item)
      const { item: updated } = await replace(task, operation, [])
      return updated ?? checkRevisionOfAbsent(task, operation)
    }
    return inTransaction(task, async () => {
      const stored = await readOne(task, operation, 'lock')
      if (stored === undefined) return undefined
      checkRevision(stored, ifRevision, resource)
      const replacement = await toReplacement(task, operation, stored)
      checkReplacements(task, [replacement])
      return (await writeReplacement(task, replacement)) ?? checkRevisionOfAbsent(task, operation)
    })
  })
}

/** Replaces all items or none. Returns `undefined` in place of each absent item. */
export function updateItems(
  store: Store,
  operation: Operation,
): Promise<readonly (Item | undefined)[]> {
  return transact(store, operation, async (task) => {
    const { items = [], resource } = operation
    const ids = items.map(({ id }) => id)
    const found = await lockMany(task, ids)
    const stored = ids.map((id) => found.get(id))
    const known = stored.filter((item) => item !== undefined)
    if (known.length < items.length) return stored
    const revisions = items.map((item) => resource.revision && fieldOf(item, resource.revision))
    for (const [index, item] of known.entries()) checkRevision(item, revisions[index], resource)
    const replacements = await inTurn([...items.entries()], ([index, item]) => {
      const values = { ...operation, id: item.id, item, ifRevision: revisions[index] }
      return toReplacement(task, values, found.get(item.id) ?? item)
    })
    checkReplacements(task, replacements)
    return writeReplacements(task, replacements)
  })
}

async function writeReplacements(
  task: StorageTask,
  replacements: readonly ItemReplacement[],
): Promise<readonly (Item | undefined)[]> {
  if (task.table.engine.hasBatches) {
    return inBatch(task, '= 1', (batched) =>
      replacements.map((replacement) => writeReplacement(batched, replacement)),
    )
  }
  const updated: (Item | undefined)[] = []
  for (const [index, replacement] of replacements.entries()) {
    task.index = index
    updated.push(await writeReplacement(task, replacement))
  }
  // A deferred constraint may be about any of the items.
  task.index = undefined
  return updated
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
      const stored = await readOne(task, operation, 'lock')
      if (stored === undefined) return undefined
      checkRevision(stored, operation.ifRevision, operation.resource)
      await remove(task, operation)
      return stored
    })
  })
}

/** Deletes all items of the scope and returns their number. */
export function deleteItems(store: Store, operation: Operation): Promise<number> {
  const { maxAffected } = operation
  if (maxAffected === undefined) return execute(store, operation, removeAll)
  const refuse = (): never => {
    throw problem('too_many_affected', `This would delete more than ${maxAffected} items`)
  }
  return transact(store, operation, async (task) => {
    if (!store.engine.hasBatches) {
      const deleted = await removeAll(task)
      return deleted <= maxAffected ? deleted : refuse()
    }
    const begin = (batched: StorageTask) => [removeAll(batched)]
    const [deleted = 0] = await inBatch(task, `<= ${maxAffected}`, begin).catch((error: unknown) =>
      isGuarded(error) ? refuse() : Promise.reject(error),
    )
    return deleted
  })
}

// The item does not exist, or it has another revision.
async function checkRevisionOfAbsent(
  task: StorageTask,
  values: StatementValues,
): Promise<undefined> {
  if (values.ifRevision === undefined) return undefined
  const stored = await readOne(task, values)
  if (stored) throw problem('precondition_failed', 'The item has changed meanwhile')
  return undefined
}

function checkReplacements(task: StorageTask, replacements: readonly ItemReplacement[]): void {
  const items = replacements.map(({ values }) => values.item)
  if (checkFields(task, items)) throw new BrokenReference()
  for (const item of items) checkBeforeWrite(task, item)
}

async function writeReplacement(
  task: StorageTask,
  { values, own }: ItemReplacement,
): Promise<Item | undefined> {
  const { table } = task
  const { item: updated, count } = await replace(task, values, own)
  const { update: isReturned } = table.described.returns
  if ((updated === undefined && isReturned) || table.engine.hasBatches) return updated
  if (isReturned && !needsReadBack(task)) return updated
  const stored = await readOne(task, values)
  return count > 0 ? checkStored(task, stored) : stored
}

// Checks that a response can hold the stored item. Throws before the transaction ends, so that the
// database stores nothing.
function checkStored(task: StorageTask, stored: Item | undefined): Item {
  const { operation } = task
  const item = stored ?? throwNotReturned(task)
  checkComplete(item, operation)
  if (operation.kind === 'create') checkNewId(item, operation.resource)
  return item
}

function throwNotReturned({ store, operation: { resource, scope } }: StorageTask): never {
  if (store.visible !== undefined) {
    throw problem('forbidden', 'The item would then be outside the items that you may see')
  }
  throw new TypeError(
    `The database did not return the written item of "${resource.name}", ` +
      `or the item is outside the scope ${JSON.stringify(scope)}: ` +
      'keep the fields of the scope in "onCreate", "onUpdate" and the database.',
  )
}

function isKnown(id: unknown): id is Item['id'] {
  return typeof id === 'string' || typeof id === 'number'
}

import { fieldOf, type Operation } from '../model/operation.ts'
import { problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { checkRevision } from '../model/revision.ts'
import { isGuarded } from './batch.ts'
import { isPossibleId } from './condition.ts'
import { BrokenReference } from './errors.ts'
import { checkFields, mayExist } from './field-checks.ts'
import { type ItemReplacement, newItem, toReplacement } from './new-item.ts'
import { lockMany, lockOne, readOne } from './read.ts'
import { noValues, type StatementValues } from './statement.ts'
import { execute, inBatch, inTransaction, type StorageTask, type Store, transact } from './store.ts'
import type { Table } from './table.ts'
import { insert, remove, removeAll, replace } from './write.ts'
import { checkAfterWrite, checkBeforeWrite, needsReadBack } from './write-checks.ts'

/** Stores a new item. */
export async function createItem(store: Store, operation: Operation): Promise<Item> {
  return execute(store, operation, async (task) => {
    if (!mayExist(task, operation.scope)) {
      throw problem('parent_not_found', 'A parent in the path does not exist')
    }
    const item = newItem(store, operation, task.table)
    const values: StatementValues = { ...noValues, scope: operation.scope, item }
    if (checkFields(task, [item])) throw new BrokenReference()
    checkBeforeWrite(operation, task.table, item)
    const isAtOnce =
      task.table.described.returns.insert && !needsReadBack(task.table, operation.scope, 'create')
    if (isAtOnce) return (await insert(task, values)).item ?? throwNotReturned(operation)
    return inTransaction(store, task, async () => {
      const { item: made, insertId } = await insert(task, values)
      const id = made?.id ?? fieldOf(item, 'id') ?? insertId
      const stored = await readOne(task, { ...values, id: isKnown(id) ? id : undefined })
      return checkAfterWrite(stored ?? throwNotReturned(operation), operation)
    })
  })
}

/** Replaces an item. Returns `undefined` if it does not exist. */
export async function updateItem(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isPossibleId(operation.id)) return undefined
  return execute(store, operation, async (task) => {
    const { scope, id, item = {}, ifRevision } = operation
    if (!mayExist(task, scope)) return undefined
    const values: StatementValues = { ...noValues, scope, id, item, ifRevision: ifRevision }
    const isDangling = checkFields(task, [item])
    const isAtOnce =
      task.table.described.returns.update &&
      store.make.onUpdate === undefined &&
      !isDangling &&
      !needsReadBack(task.table, scope, 'update')
    if (isAtOnce) {
      checkBeforeWrite(operation, task.table, item)
      const { item: updated } = await replace(task, values, [])
      return updated ?? checkRevisionOfAbsent(task, values)
    }
    return inTransaction(store, task, async () => {
      const stored = await lockOne(task, values)
      if (stored === undefined) return undefined
      checkRevision(stored, ifRevision, operation.resource)
      const replacement = toReplacement(store, values, stored)
      checkReplacements(task, operation, [replacement])
      return (
        (await writeReplacement(task, operation, replacement)) ??
        checkRevisionOfAbsent(task, values)
      )
    })
  })
}

/** Replaces all items or none. Returns `undefined` in place of each absent item. */
export function updateItems(
  store: Store,
  operation: Operation,
): Promise<readonly (Item | undefined)[]> {
  return transact(store, operation, async (task) => {
    const { scope, items = [], resource } = operation
    const found = await lockMany(
      task,
      scope,
      items.map(({ id }) => id),
    )
    const stored = items.map(({ id }) => found.get(id))
    const known = stored.filter((item) => item !== undefined)
    if (known.length < items.length) return stored
    const revisions = items.map((item) => resource.revision && fieldOf(item, resource.revision))
    for (const [index, item] of known.entries()) checkRevision(item, revisions[index], resource)
    const replacements = items.map((item, index): ItemReplacement => {
      const values = { ...noValues, scope, id: item.id, item, ifRevision: revisions[index] }
      return toReplacement(store, values, found.get(item.id) ?? item)
    })
    checkReplacements(task, operation, replacements)
    return writeReplacements(task, operation, replacements)
  })
}

async function writeReplacements(
  task: StorageTask,
  operation: Operation,
  replacements: readonly ItemReplacement[],
): Promise<readonly (Item | undefined)[]> {
  if (task.table.engine.hasBatches) {
    return inBatch(task, '= 1', (batched) =>
      replacements.map((replacement) => writeReplacement(batched, operation, replacement)),
    )
  }
  const updated: (Item | undefined)[] = []
  for (const [index, replacement] of replacements.entries()) {
    task.index = index
    updated.push(await writeReplacement(task, operation, replacement))
  }
  // A deferred constraint may be about any of the items.
  task.index = undefined
  return updated
}

/** Deletes an item and returns it. Returns `undefined` if it does not exist. */
export async function deleteItem(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isPossibleId(operation.id)) return undefined
  return execute(store, operation, async (task) => {
    const { scope, id, ifRevision } = operation
    const values: StatementValues = { ...noValues, scope, id, ifRevision: ifRevision }
    const { described, isTrusted } = task.table
    if (described.returns.delete && !isTrusted) {
      const { item } = await remove(task, values)
      return item ?? checkRevisionOfAbsent(task, values)
    }
    return inTransaction(store, task, async () => {
      const stored = await lockOne(task, values)
      if (stored === undefined) return undefined
      checkRevision(stored, ifRevision, operation.resource)
      await remove(task, values)
      return stored
    })
  })
}

/** Deletes all items of the scope and returns their number. */
export function deleteItems(store: Store, operation: Operation): Promise<number> {
  const { scope, maxAffected } = operation
  if (maxAffected === undefined) return execute(store, operation, (task) => removeAll(task, scope))
  const refuse = (): never => {
    throw problem('too_many_affected', `This would delete more than ${maxAffected} items`)
  }
  return transact(store, operation, async (task) => {
    if (!store.engine.hasBatches) {
      const deleted = await removeAll(task, scope)
      return deleted <= maxAffected ? deleted : refuse()
    }
    const begin = (batched: StorageTask) => [removeAll(batched, scope)]
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

function checkReplacements(
  task: StorageTask,
  operation: Operation,
  replacements: readonly ItemReplacement[],
): void {
  const items = replacements.map(({ values }) => values.item)
  if (checkFields(task, items)) throw new BrokenReference()
  for (const item of items) checkBeforeWrite(operation, task.table, item)
}

async function writeReplacement(
  task: StorageTask,
  operation: Operation,
  { values, own }: ItemReplacement,
): Promise<Item | undefined> {
  const { table } = task
  const { item: updated, count } = await replace(task, values, own)
  const isRead = updated === undefined && table.described.returns.update
  if (isRead || table.engine.hasBatches || !isReadAgain(table, operation)) return updated
  const stored = await readOne(task, values)
  return count > 0 ? checkAfterWrite(stored ?? throwNotReturned(operation), operation) : stored
}

// Throws before the transaction ends, so that the database stores nothing.
function throwNotReturned({ resource, scope }: Operation): never {
  throw new TypeError(
    `The database did not return the written item of "${resource.name}", ` +
      `or the item is outside the scope ${JSON.stringify(scope)}: ` +
      'keep the fields of the scope in "onCreate", "onUpdate" and the database.',
  )
}

function isReadAgain(table: Table, { scope }: Operation): boolean {
  return !table.described.returns.update || needsReadBack(table, scope, 'update')
}

function isKnown(id: unknown): id is Item['id'] {
  return typeof id === 'string' || typeof id === 'number'
}

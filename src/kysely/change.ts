import type {
  AdapterShape,
  Operation,
  UpdateManyOperation,
} from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { checkRevision } from '../contract/values/write.ts'
import { inTurn } from '../convention/awaitable.ts'
import { problem, tooManyAffected } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import { isPossibleId } from './condition.ts'
import { isGuarded } from './d1.ts'
import { deletingKind } from './deletion.ts'
import { execute, inBatch, inTransaction, transact } from './execute.ts'
import { freeingOrder } from './freeing-order.ts'
import {
  checkBeforeWrite,
  checkFields,
  type ItemReplacement,
  mayExist,
  toReplacement,
} from './item-checks.ts'
import { lockMany, readOne } from './lock.ts'
import { needsReadBack } from './read-back.ts'
import type { StatementValues } from './statement.ts'
import { checkAll, checkStored } from './stored-checks.ts'
import type { StorageTask, Store } from './table.ts'
import { remove, removeAll, replace } from './write.ts'

/** Replaces an item. Returns `undefined` if it does not exist. */
export async function updateItem(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isPossibleId(operation.id)) return undefined
  return execute(store, operation, async (task) => {
    const { item = {}, ifRevision, resource } = operation
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
      const stored = await readOne(task, operation, 'lock')
      if (stored === undefined) return undefined
      checkRevision(stored, ifRevision, resource)
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
    const ids = items.map(({ id }) => id)
    const found = await lockMany(task, ids)
    const stored = ids.map((id) => found.get(id))
    const known = stored.filter((item) => item !== undefined)
    if (known.length < items.length) return stored
    const revisions = items.map((item) => resource.revision && fieldOf(item, resource.revision))
    for (const [index, item] of known.entries()) checkRevision(item, revisions[index], resource)
    const replacements = await inTurn(items, (item, place) => {
      const values = { ...operation, id: item.id, item, ifRevision: revisions[place] }
      return toReplacement(task, values, { stored: found.get(item.id) ?? item, place })
    })
    checkAll(task, replacements)
    return writeReplacements(task, replacements)
  })
}

/** Writes all replacements or none. Returns `undefined` in place of each absent item. */
export async function writeReplacements(
  task: StorageTask,
  replacements: readonly ItemReplacement[],
): Promise<readonly (Item | undefined)[]> {
  const { ordered, exchanges } = freeingOrder(task.table, replacements)
  task.exchanges = exchanges
  const updated = await writeInOrder(task, ordered)
  const byPlace = new Map(ordered.map(({ place }, index) => [place, updated[index]]))
  return replacements.map(({ place }) => byPlace.get(place))
}

async function writeInOrder(
  task: StorageTask,
  replacements: readonly ItemReplacement[],
): Promise<readonly (Item | undefined)[]> {
  if (task.table.engine.hasBatches) {
    return inBatch(task, '= 1', (batched) =>
      replacements.map((replacement) => writeReplacement(batched, replacement)),
    )
  }
  const updated: (Item | undefined)[] = []
  for (const replacement of replacements) {
    task.index = replacement.place
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
  if (maxAffected === undefined) {
    return execute(store, operation, (task) =>
      task.table.base === undefined ? removeAll(task) : inTransaction(task, () => removeAll(task)),
    )
  }
  const refuse = (): never => {
    throw tooManyAffected(maxAffected)
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
  if (stored)
    throw problem(
      'precondition_failed',
      'The item has changed since you read it: read it again, and repeat the request.',
    )
  return undefined
}

async function writeReplacement(
  task: StorageTask,
  { values, ...fields }: ItemReplacement,
): Promise<Item | undefined> {
  const { table } = task
  const { item: updated, count } = await replace(task, values, fields)
  const { update: isReturned } = table.described.returns
  if ((updated === undefined && isReturned) || table.engine.hasBatches) return updated
  if (isReturned && !needsReadBack(task)) return updated
  // A write of the same values leaves a transaction of MySQL with the row as it began.
  const stored = await readOne(task, values, task.store.isJoined ? 'lock' : 'read')
  return count > 0 ? checkStored(task, stored, values.item) : stored
}

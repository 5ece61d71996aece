import { fieldOf, type Operation } from '../model/operation.ts'
import { problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { checkRevision } from '../model/revision.ts'
import { isGuarded } from './batch.ts'
import { checkFields, isThere } from './checked.ts'
import { isFit } from './condition.ts'
import { Dangling } from './fault.ts'
import { checkGiven, checkStored, isInDoubt } from './held.ts'
import { newItem, type Renewal, renewalOf } from './made.ts'
import { lockMany, lockOne, readOne } from './read.ts'
import { noValues, type Values } from './statement.ts'
import { ask, inBatch, inTransaction, type Store, transact, type Work } from './store.ts'
import type { Table } from './table.ts'
import { insert, remove, removeAll, replace } from './write.ts'

/** Stores a new item. */
export async function create(store: Store, operation: Operation): Promise<Item> {
  return ask(store, operation, async (work) => {
    if (!isThere(work, operation.scope)) {
      throw problem('parent_not_found', 'The path leads through an item that is not there')
    }
    const item = newItem(store, operation, work.table)
    const values: Values = { ...noValues, scope: operation.scope, item }
    if (checkFields(work, [item])) throw new Dangling()
    checkGiven(operation, work.table, item)
    const isAtOnce =
      work.table.described.returns.insert && !isInDoubt(work.table, operation.scope, 'create')
    if (isAtOnce) return (await insert(work, values)).item ?? notGiven(operation)
    return inTransaction(store, work, async () => {
      const { item: made, insertId } = await insert(work, values)
      const id = made?.id ?? fieldOf(item, 'id') ?? insertId
      const stored = await readOne(work, { ...values, id: isKnown(id) ? id : undefined })
      return checkStored(stored ?? notGiven(operation), operation)
    })
  })
}

/** Replaces an item; `undefined` where there is none. */
export async function update(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isFit(operation.id)) return undefined
  return ask(store, operation, async (work) => {
    const { scope, id, item = {}, ifRevision } = operation
    if (!isThere(work, scope)) return undefined
    const values: Values = { ...noValues, scope, id, item, ifRevision: ifRevision }
    const isDangling = checkFields(work, [item])
    const isAtOnce =
      work.table.described.returns.update &&
      store.make.onUpdate === undefined &&
      !isDangling &&
      !isInDoubt(work.table, scope, 'update')
    if (isAtOnce) {
      checkGiven(operation, work.table, item)
      const { item: updated } = await replace(work, values, [])
      return updated ?? absent(work, values)
    }
    return inTransaction(store, work, async () => {
      const stored = await lockOne(work, values)
      if (stored === undefined) return undefined
      checkRevision(stored, ifRevision, operation.resource)
      const renewal = renewalOf(store, values, stored)
      checkRenewals(work, operation, [renewal])
      return (await renew(work, operation, renewal)) ?? absent(work, values)
    })
  })
}

/** Replaces items, all or none; nothing in the place of one that there is not. */
export function updateMany(
  store: Store,
  operation: Operation,
): Promise<readonly (Item | undefined)[]> {
  return transact(store, operation, async (work) => {
    const { scope, items = [], resource } = operation
    const found = await lockMany(
      work,
      scope,
      items.map(({ id }) => id),
    )
    const stored = items.map(({ id }) => found.get(id))
    const known = stored.filter((item) => item !== undefined)
    if (known.length < items.length) return stored
    const revisions = items.map((item) => resource.revision && fieldOf(item, resource.revision))
    for (const [place, item] of known.entries()) checkRevision(item, revisions[place], resource)
    const renewals = items.map((item, place): Renewal => {
      const values = { ...noValues, scope, id: item.id, item, ifRevision: revisions[place] }
      return renewalOf(store, values, found.get(item.id) ?? item)
    })
    checkRenewals(work, operation, renewals)
    return renewAll(work, operation, renewals)
  })
}

async function renewAll(
  work: Work,
  operation: Operation,
  renewals: readonly Renewal[],
): Promise<readonly (Item | undefined)[]> {
  if (work.table.engine.hasBatches) {
    return inBatch(work, '= 1', (batched) =>
      renewals.map((renewal) => renew(batched, operation, renewal)),
    )
  }
  const updated: (Item | undefined)[] = []
  for (const [place, renewal] of renewals.entries()) {
    work.place = place
    updated.push(await renew(work, operation, renewal))
  }
  // A constraint that is checked late is about any of them.
  work.place = undefined
  return updated
}

/** Deletes an item, and gives it; `undefined` where there is none. */
export async function deleteOne(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isFit(operation.id)) return undefined
  return ask(store, operation, async (work) => {
    const { scope, id, ifRevision } = operation
    const values: Values = { ...noValues, scope, id, ifRevision: ifRevision }
    const { described, isTrusted } = work.table
    if (described.returns.delete && !isTrusted) {
      const { item } = await remove(work, values)
      return item ?? absent(work, values)
    }
    return inTransaction(store, work, async () => {
      const stored = await lockOne(work, values)
      if (stored === undefined) return undefined
      checkRevision(stored, ifRevision, operation.resource)
      await remove(work, values)
      return stored
    })
  })
}

/** Deletes everything in the scope, and tells how much that was. */
export function deleteAll(store: Store, operation: Operation): Promise<number> {
  const { scope, maxAffected } = operation
  if (maxAffected === undefined) return ask(store, operation, (work) => removeAll(work, scope))
  const refuse = (): never => {
    throw problem('too_many_affected', `More would be deleted than ${maxAffected}`)
  }
  return transact(store, operation, async (work) => {
    if (!store.engine.hasBatches) {
      const deleted = await removeAll(work, scope)
      return deleted <= maxAffected ? deleted : refuse()
    }
    const begin = (batched: Work) => [removeAll(batched, scope)]
    const [deleted = 0] = await inBatch(work, `<= ${maxAffected}`, begin).catch((error: unknown) =>
      isGuarded(error) ? refuse() : Promise.reject(error),
    )
    return deleted
  })
}

// There is no such item, or none of that revision.
async function absent(work: Work, values: Values): Promise<undefined> {
  if (values.ifRevision === undefined) return undefined
  const stored = await readOne(work, values)
  if (stored) throw problem('precondition_failed', 'The item has changed meanwhile')
  return undefined
}

function checkRenewals(work: Work, operation: Operation, renewals: readonly Renewal[]): void {
  const items = renewals.map(({ values }) => values.item)
  if (checkFields(work, items)) throw new Dangling()
  for (const item of items) checkGiven(operation, work.table, item)
}

async function renew(
  work: Work,
  operation: Operation,
  { values, own }: Renewal,
): Promise<Item | undefined> {
  const { table } = work
  const { item: updated, count } = await replace(work, values, own)
  const isRead = updated === undefined && table.described.returns.update
  if (isRead || table.engine.hasBatches || !isReadAgain(table, operation)) return updated
  const stored = await readOne(work, values)
  return count > 0 ? checkStored(stored ?? notGiven(operation), operation) : stored
}

// Thrown before the transaction ends, so that nothing is stored.
function notGiven({ resource, scope }: Operation): never {
  throw new TypeError(
    `The database did not give back the item of "${resource.name}" that it wrote, or it is outside the scope ${JSON.stringify(scope)}: let "onCreate", "onUpdate" and the database keep its fields.`,
  )
}

function isReadAgain(table: Table, { scope }: Operation): boolean {
  return !table.described.returns.update || isInDoubt(table, scope, 'update')
}

function isKnown(id: unknown): id is Item['id'] {
  return typeof id === 'string' || typeof id === 'number'
}

import { v7 as uuidv7 } from 'uuid'
import { idFor } from '../model/id.ts'
import { fieldOf, type Operation } from '../model/operation.ts'
import { problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { checkVersion } from '../model/version.ts'
import { isGuarded } from './batch.ts'
import { checkFields, isThere } from './checked.ts'
import { isFit } from './condition.ts'
import { lockMany, lockOne, readOne } from './read.ts'
import { noValues, type Values } from './statement.ts'
import { ask, inBatch, inTransaction, type Store, transact, type Work } from './store.ts'
import { fieldFor, type Table } from './table.ts'
import { insert, remove, removeAll, replace } from './write.ts'

/** Stores a new item. */
export async function create(store: Store, operation: Operation): Promise<Item> {
  const created = await ask(store, operation, async (work) => {
    if (!isThere(work, operation.scope)) {
      throw problem('parent_not_found', 'The path leads through an item that is not there')
    }
    const item = newItem(store, operation, work.table)
    const values: Values = { ...noValues, item }
    checkFields(work, item)
    if (work.table.described.returns.insert) return (await insert(work, values)).item
    return inTransaction(store, work, async () => {
      const { insertId } = await insert(work, values)
      const id = fieldOf(item, 'id') ?? insertId
      return readOne(work, { ...noValues, id: isKnown(id) ? id : undefined })
    })
  })
  if (created !== undefined) return created
  throw new TypeError(
    `The database did not give back the new item of "${operation.resource.name}".`,
  )
}

/** Replaces an item; `undefined` where there is none. */
export async function update(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isFit(operation.id)) return undefined
  return ask(store, operation, async (work) => {
    const { scope, id, item = {}, ifVersion } = operation
    if (!isThere(work, scope)) return undefined
    const values: Values = { ...noValues, scope, id, item, ifVersion }
    checkFields(work, item)
    if (work.table.described.returns.update && store.make.onUpdate === undefined) {
      const { item: updated } = await replace(work, values, [])
      return updated ?? absent(work, values)
    }
    return inTransaction(store, work, async () => {
      const stored = await lockOne(work, values)
      if (stored === undefined) return undefined
      checkVersion(stored, ifVersion, operation.resource)
      return (await renew(store, work, { values, stored })) ?? absent(work, values)
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
    const versions = items.map((item) => resource.version && fieldOf(item, resource.version))
    for (const [place, item] of known.entries()) checkVersion(item, versions[place], resource)
    const renewals = items.map((item, place): Renewal => {
      const values = { ...noValues, scope, id: item.id, item, ifVersion: versions[place] }
      return { values, stored: found.get(item.id) ?? item }
    })
    return renewAll(store, work, renewals)
  })
}

async function renewAll(
  store: Store,
  work: Work,
  renewals: readonly Renewal[],
): Promise<readonly (Item | undefined)[]> {
  const updated: (Item | undefined)[] = []
  for (const [place, renewal] of renewals.entries()) {
    work.place = place
    checkFields(work, renewal.values.item ?? {})
    if (!store.engine.hasBatches) updated.push(await renew(store, work, renewal))
  }
  if (!store.engine.hasBatches) return updated
  // Which of them is refused the database does not tell.
  work.place = undefined
  return inBatch(work, '= 1', (batched) =>
    renewals.map((renewal) => renew(store, batched, renewal)),
  )
}

/** Deletes an item, and gives it; `undefined` where there is none. */
export async function deleteOne(store: Store, operation: Operation): Promise<Item | undefined> {
  if (!isFit(operation.id)) return undefined
  return ask(store, operation, async (work) => {
    const { scope, id, ifVersion } = operation
    const values: Values = { ...noValues, scope, id, ifVersion }
    if (work.table.described.returns.delete) {
      const { item } = await remove(work, values)
      return item ?? absent(work, values)
    }
    return inTransaction(store, work, async () => {
      const stored = await lockOne(work, values)
      if (stored === undefined) return undefined
      checkVersion(stored, ifVersion, operation.resource)
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

// There is no such item, or none of that version.
async function absent(work: Work, values: Values): Promise<undefined> {
  if (values.ifVersion === undefined) return undefined
  const stored = await readOne(work, values)
  if (stored) throw problem('precondition_failed', 'The item has changed meanwhile')
  return undefined
}

interface Renewal {
  readonly values: Values
  readonly stored: Item
}

async function renew(
  { make: { onUpdate = nothing } }: Store,
  work: Work,
  { values: { scope, id, item = {}, ifVersion }, stored }: Renewal,
): Promise<Item | undefined> {
  const own = onUpdate(item, stored)
  const values = { ...noValues, scope, id, item: { ...item, ...own }, ifVersion }
  const { item: updated } = await replace(work, values, Object.keys(own))
  if (updated !== undefined || work.table.described.returns.update) return updated
  return readOne(work, { ...values, scope: {} })
}

function nothing(): object {
  return {}
}

function newItem(store: Store, { item = {}, resource }: Operation, table: Table): object {
  const { onCreate = nothing } = store.make
  const id = fieldOf(item, 'id') ?? nextId(store, table)
  const own = id === undefined ? {} : { id }
  const { version } = resource
  const isCounted = version !== undefined && fieldFor(table, version).type === 'number'
  return { ...item, ...own, ...(isCounted ? { [version]: 1 } : {}), ...onCreate(item, item) }
}

function nextId({ make: { nextId } }: Store, table: Table): unknown {
  if (nextId !== undefined) return nextId()
  if (fieldFor(table, 'id').stored.isGenerated) return undefined
  const id = idFor(table.resource, uuidv7())
  if (id !== undefined) return id
  throw new TypeError(
    `Nobody makes the ids of "${table.resource.name}", and they are no UUIDs: give the column a default, or the kyselyAdapter a "nextId".`,
  )
}

function isKnown(id: unknown): id is Item['id'] {
  return typeof id === 'string' || typeof id === 'number'
}

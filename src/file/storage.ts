import type { Adapter } from '../contract/resource/adapter.ts'
import type { Judge, Operation } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { asSiblings, keepsReadOnly } from '../contract/resource/siblings.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { problem } from '../convention/problem.ts'
import { fieldOf, isInScope, isSame } from '../convention/value.ts'
import { adapterWithTable } from '../memory/adapter.ts'
import { select } from '../memory/read.ts'
import { groupIn, groupsBy, type ItemStore, indexBy } from '../memory/store.ts'
import { checkReferences, type FieldOfStore, type MemoryTable } from '../memory/table.ts'
import { type FieldOrder, type FileCollection, fieldsInOrder, type ItemsByNoun } from './model.ts'

/** The end of a write: it lasts until the file holds it. */
export interface Saving {
  /** @throws {ProblemError} `unavailable` where the file has other content by now. */
  check(): void
  /** Rejects with `unavailable` where the file does not take the change. */
  save(): Promise<void>
}

/** The items of a file in memory. */
export interface FileStorage {
  /** By noun. */
  readonly adapters: Readonly<Record<string, Adapter>>
  /** Returns the items as they are now. */
  items(): ItemsByNoun
  /** Returns the highest number among the ids, also of deleted items, by noun. */
  highestIds(): ReadonlyMap<string, number>
}

/** How a file is stored. */
export interface StorageOptions {
  /** `undefined`: nothing is ever written. */
  readonly saving: Saving | undefined
  /** The highest numbers that ids have had, by noun. */
  readonly highestIds: ReadonlyMap<string, number>
}

/** Stores the items of collections in memory, and each write in their file before it ends. */
export function storageOf(
  collections: readonly FileCollection[],
  { saving, highestIds }: StorageOptions,
): FileStorage {
  const memories = new Map(collections.map((each) => [each.noun, memoryOf(each, highestIds)]))
  const stores = new Map([...memories].map(([noun, { table }]) => [noun, table.store]))
  const rows = collections.flatMap(({ noun, relations }) =>
    relations.map(({ field, to }) => ({ noun, field, to })),
  )
  const fieldsOf = (isIncluded: (row: (typeof rows)[number]) => boolean): ReferringField[] =>
    rows.filter(isIncluded).flatMap(({ noun, field, to }) => {
      const [store, target] = [stores.get(noun), stores.get(to)]
      return store && target ? [{ noun, field, store, target }] : []
    })
  for (const { field, store } of fieldsOf(() => true)) indexBy(store, field)
  const adapters = collections.flatMap(({ noun, order }): readonly [string, Adapter][] => {
    const memory = memories.get(noun)
    if (memory === undefined) return []
    const { adapter, table } = memory
    const references = fieldsOf((row) => row.noun === noun)
    const referrers = fieldsOf((row) => row.to === noun)
    if (saving === undefined) return [[noun, readingOf(adapter)]]
    const saved = { noun, order, store: table.store, references, referrers, saving }
    return [[noun, savingAdapter(adapter, saved)]]
  })
  return {
    adapters: Object.fromEntries(adapters),
    items: () => new Map([...stores].map(([noun, { items }]) => [noun, items])),
    highestIds: () => new Map([...stores].map(([noun, { highestId }]) => [noun, highestId])),
  }
}

function memoryOf({ noun, items, ids }: FileCollection, highestIds: StorageOptions['highestIds']) {
  let last = 0
  const nextId = (): string => {
    last = Math.max(last, memory.table.store.highestId) + 1
    return String(last)
  }
  const memory: { readonly adapter: Adapter; readonly table: MemoryTable } = adapterWithTable(
    ids.kind === 'digits' ? { items, nextId } : { items },
  )
  const { store } = memory.table
  store.highestId = Math.max(store.highestId, highestIds.get(noun) ?? 0)
  return memory
}

function readingOf({ list, read, first, last, count, holdsValue }: Adapter): Adapter {
  const methods = { list, read, first, last, count, holdsValue }
  return Object.fromEntries(Object.entries(methods).filter(([, method]) => method !== undefined))
}

/** A field whose values are ids of items in another store. */
interface ReferringField extends FieldOfStore {
  /** The noun of the collection that has the field. */
  readonly noun: string
  readonly target: ItemStore<Item>
}

interface Table {
  readonly noun: string
  readonly order: FieldOrder
  readonly store: ItemStore<Item>
  readonly references: readonly ReferringField[]
  /** The fields that hold ids of this table. */
  readonly referrers: readonly ReferringField[]
  readonly saving: Saving
}

function savingAdapter(memory: Adapter, table: Table): Adapter {
  // A memoryAdapter has every method.
  const writes = memory as Required<Adapter>
  return asSiblings<Adapter>({
    ...readingOf(memory),
    ...creatingMethods(writes, table),
    ...updatingMethods(writes, table),
    ...modifyingMethods(writes, table),
    ...deletingMethods(writes, table),
  })
}

// A check and the write after it are one turn, so that no other write comes between.
async function saved<Result>({ saving }: Table, write: () => Awaitable<Result>): Promise<Result> {
  saving.check()
  const result = await write()
  await saving.save()
  return result
}

function creatingMethods({ create, createMany }: Required<Adapter>, table: Table): Adapter {
  return {
    create: (operation, context) =>
      saved(table, () => {
        const { item } = checked(operation, [operation.item], { table })
        return create({ ...operation, item: fieldsInOrder(item, table.order) }, context)
      }),
    createMany: (operation, context) =>
      saved(table, () => {
        const { items } = checked(operation, operation.items, { table })
        const ordered = items.map((item) => fieldsInOrder(item, table.order))
        return createMany({ ...operation, items: ordered }, context)
      }),
  }
}

function updatingMethods({ update, updateMany }: Required<Adapter>, table: Table): Adapter {
  const storedOf = (items: readonly Item[]) => items.map(({ id }) => table.store.items.get(id))
  return {
    update: keepsReadOnly((operation, context) =>
      saved(table, () => {
        const item = fieldsInOrder(operation.item, table.order)
        checked(operation, [item], { table, stored: storedOf([item]) })
        return update({ ...operation, item }, context)
      }),
    ),
    updateMany: (operation, context) =>
      saved(table, () => {
        const items = operation.items.map((item) => fieldsInOrder(item, table.order))
        checked(operation, items, { table, stored: storedOf(items) })
        return updateMany({ ...operation, items }, context)
      }),
  }
}

function modifyingMethods({ modify, modifyMany }: Required<Adapter>, table: Table): Adapter {
  return {
    modify: (operation, context, change) =>
      saved(table, () =>
        modify(operation, context, (stored) =>
          whenReady(change(stored), (item) => {
            checked(operation, [item], { table, stored: [stored] })
            return fieldsInOrder(item, table.order)
          }),
        ),
      ),
    modifyMany: (operation, context, change) =>
      saved(table, () =>
        modifyMany(operation, context, (stored) =>
          whenReady(change(stored), (items) => {
            checked(operation, items, { table, stored })
            return items.map((item) => fieldsInOrder(item, table.order))
          }),
        ),
      ),
  }
}

function deletingMethods(
  { delete: drop, deleteAll, deleteMany, remove, removeMany }: Required<Adapter>,
  table: Table,
): Adapter {
  const judging =
    (judge: Judge<Item>): Judge<Item> =>
    (stored) => {
      judge(stored)
      checkUnreferenced(stored, table)
    }
  return {
    delete: (operation, context) =>
      saved(table, () => {
        const item = table.store.items.get(operation.id)
        if (item && isInScope(item, operation.scope)) checkUnreferenced([item], table)
        return drop(operation, context)
      }),
    deleteAll: (operation, context) =>
      saved(table, () =>
        whenReady(groupIn(table.store, operation.scope), ({ items }) => {
          checkUnreferenced([...items.values()], table)
          return deleteAll(operation, context)
        }),
      ),
    deleteMany: (operation, context) =>
      saved(table, () => {
        const items = select(table.store.items.values(), operation)
        if (items.length <= operation.maxAffected) checkUnreferenced(items, table)
        return deleteMany(operation, context)
      }),
    remove: (operation, context, judge) =>
      saved(table, () => remove(operation, context, judging(judge))),
    removeMany: (operation, context, judge) =>
      saved(table, () => removeMany(operation, context, judging(judge))),
  }
}

interface Checking {
  readonly table: Table
  /** The items to replace, by place. */
  readonly stored?: readonly (Item | undefined)[]
}

/**
 * Returns an operation whose references all lead to an item. One that is as stored is no fault.
 *
 * @throws {ProblemError} `validation_failed`.
 */
function checked<Write extends Operation>(
  operation: Write,
  items: readonly object[],
  { table, stored = [] }: Checking,
): Write {
  for (const { field, target } of table.references) {
    const changed = items.map((item, place) => {
      const id = fieldOf(item, field)
      return isSame(id, fieldOf(Object(stored[place]), field))
        ? { id: '' }
        : { id: '', [field]: id }
    })
    checkReferences({ references: [{ field, store: target }] }, changed, { operation })
  }
  return operation
}

/** @throws {ProblemError} `conflict`, which names an item that references one of these. */
function checkUnreferenced(items: readonly Item[], { referrers }: Table): void {
  const leaving = new Set<object>(items)
  for (const { noun, field, store } of referrers) {
    for (const { id } of items) {
      for (const referrer of groupsBy(store, field).get(id)?.items ?? []) {
        if (leaving.has(referrer)) continue
        const name = `${noun}/${referrer.id}`
        throw problem('conflict', `${name} references this item by "${field}". Delete it first.`)
      }
    }
  }
}

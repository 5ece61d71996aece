import type { Awaitable } from '../model/awaitable.ts'
import type { Scope } from '../model/operation.ts'
import type { Item } from '../model/resource.ts'
import { createOrders } from './orders.ts'
import { createOwners } from './owners.ts'
import { countItems, type Indexes, listItems, readPage } from './read.ts'
import type { Selection } from './select.ts'
import { createTexts } from './texts.ts'

/** Items by id, in every order and by owner. */
export interface ItemStore<Stored extends Item> {
  get(id: Item['id']): Stored | undefined
  /** Adds items. Each replaces the item with its id. */
  put(items: readonly Stored[]): void
  remove(items: readonly Stored[]): void
  /** Removes all items. */
  clear(): void
  /** Returns the number of items. */
  size(): number
  /** Creates the index for a scope, in turns for many items. */
  prepare(scope: Scope): Awaitable<void>
  /** Returns the items of a prepared scope, in any order. */
  inScope(scope: Scope): Iterable<Stored>
  /** Tells whether an item holds a value in one of the store's reference fields. */
  isReferenced(field: string, value: Item['id']): boolean
  /** Returns the items that an operation selects. */
  page(selection: Selection): Awaitable<Stored[]>
  /** Returns the items that an operation selects, in parts when it lists many items. */
  list(selection: Selection): Awaitable<Stored[] | AsyncIterable<Stored[]>>
  /** Counts the items of a scope that match a search. */
  count(selection: Selection): Awaitable<number>
}

/** An index that the store updates with every write. */
export interface Follower<Stored> {
  add(item: Stored): void
  remove(item: Stored): void
  /** Removes all items. */
  clear(): void
}

// Sorting again costs less than inserting so many items into every order.
const manyItems = 256
// Inserting more items would block the process for too long.
const tooMany = 4096

/**
 * Creates an empty store.
 *
 * @param followers Indexes that follow every write.
 * @param references The fields for {@link ItemStore.isReferenced}.
 */
export function createItemStore<Stored extends Item>(
  followers: readonly Follower<Stored>[],
  references: readonly string[] = [],
): ItemStore<Stored> {
  let indexes = createIndexes<Stored>(references)
  return {
    get: (id) => indexes.items.get(id),
    put(put) {
      // Removes all old items first, so that two items may swap a unique value.
      remove(
        put.flatMap(({ id }) => indexes.items.get(id) ?? []),
        indexes,
        followers,
      )
      add(put, indexes, followers)
    },
    remove: (gone) => remove(gone, indexes, followers),
    clear() {
      indexes = createIndexes(references)
      for (const follower of followers) follower.clear()
    },
    size: () => indexes.items.size,
    prepare: (scope) => indexes.owners.prepare(scope),
    inScope: (scope) => indexes.owners.ownedBy(scope)?.items ?? indexes.items.values(),
    isReferenced: (field, value) => indexes.owners.isReferenced(field, value),
    page: (selection) => readPage(selection, indexes),
    list: (selection) => listItems(selection, indexes),
    count: (selection) => countItems(selection, indexes),
  }
}

function add<Stored extends Item>(
  put: readonly Stored[],
  indexes: Indexes<Stored>,
  followers: readonly Follower<Stored>[],
): void {
  refresh(put.length, indexes)
  const all = [indexes.orders, indexes.owners, ...followers]
  for (const item of put) {
    for (const index of all) index.add(item)
    indexes.items.set(item.id, item)
  }
}

function remove<Stored extends Item>(
  gone: readonly Stored[],
  indexes: Indexes<Stored>,
  followers: readonly Follower<Stored>[],
): void {
  refresh(gone.length, indexes)
  const all = [indexes.orders, indexes.owners, ...followers]
  for (const item of gone) {
    indexes.items.delete(item.id)
    for (const index of all) index.remove(item)
  }
}

function refresh<Stored extends Item>(changes: number, indexes: Indexes<Stored>): void {
  const { items, owners } = indexes
  const isMany = changes > manyItems && changes * 8 > items.size
  if (!isMany && changes <= tooMany) return
  // An unfinished list keeps the old orders: it shows the items of its start.
  indexes.orders = createOrders(() => items.values())
  owners.dropOrders()
}

function createIndexes<Stored extends Item>(references: readonly string[]): Indexes<Stored> {
  const items = new Map<Item['id'], Stored>()
  const orders = createOrders(() => items.values())
  const owners = createOwners(() => items.values(), references)
  return { items, orders, owners, textOf: createTexts() }
}

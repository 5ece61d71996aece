import type { Awaitable } from '../model/awaitable.ts'
import type { Scope } from '../model/operation.ts'
import type { Item } from '../model/resource.ts'
import { createOrders } from './order.ts'
import { createOwners } from './owners.ts'
import { count, type Indexes, list, page, type Wanted } from './read.ts'
import { createTexts } from './texts.ts'

/** Items by id, in any order, and by the fields that own them. */
export interface Store<Stored extends Item> {
  get(id: Item['id']): Stored | undefined
  /** Adds items, each in the place of the one with its id. */
  put(items: readonly Stored[]): void
  remove(items: readonly Stored[]): void
  /** Removes all items. */
  clear(): void
  /** How many items there are. */
  size(): number
  /** Makes the index that a scope needs: of many items in turns. */
  prepare(scope: Scope): Awaitable<void>
  /** The items of a scope that is prepared, in any order. */
  inScope(scope: Scope): Iterable<Stored>
  /** Tells whether an item has a value in one of the fields that the store was made for. */
  isNamed(field: string, value: Item['id']): boolean
  /** The items that an operation asks for, without copying others. */
  page(wanted: Wanted): Awaitable<Stored[]>
  /** As {@link Store.page}; all of many items come in parts. */
  list(wanted: Wanted): Awaitable<Stored[] | AsyncIterable<Stored[]>>
  /** How many items of a scope match a search. */
  count(wanted: Wanted): Awaitable<number>
}

/** Something that goes with the items of a store. */
export interface Follower<Stored> {
  add(item: Stored): void
  remove(item: Stored): void
  /** Removes all items. */
  clear(): void
}

// Sorting anew costs less than finding the place of so many items in every order.
const manyItems = 256
// Finding the places of more would stop the process for too long.
const tooMany = 4096

/**
 * Makes an empty store; followers are told of every item that comes and goes.
 *
 * @param fields The fields to ask {@link Store.isNamed} for.
 */
export function createStore<Stored extends Item>(
  followers: readonly Follower<Stored>[],
  fields: readonly string[] = [],
): Store<Stored> {
  let indexes = createIndexes<Stored>(fields)
  return {
    get: (id) => indexes.items.get(id),
    put(put) {
      // All that goes first, so that two items may swap a unique value.
      remove(
        put.flatMap(({ id }) => indexes.items.get(id) ?? []),
        indexes,
        followers,
      )
      add(put, indexes, followers)
    },
    remove: (gone) => remove(gone, indexes, followers),
    clear() {
      indexes = createIndexes(fields)
      for (const follower of followers) follower.clear()
    },
    size: () => indexes.items.size,
    prepare: (scope) => indexes.owners.prepare(scope),
    inScope: (scope) => indexes.owners.ownedBy(scope)?.items ?? indexes.items.values(),
    isNamed: (field, value) => indexes.owners.isNamed(field, value),
    page: (wanted) => page(wanted, indexes),
    list: (wanted) => list(wanted, indexes),
    count: (wanted) => count(wanted, indexes),
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
  // A list that is under way keeps the old ones: it gives what there was when it began.
  indexes.orders = createOrders(() => items.values())
  owners.forget()
}

function createIndexes<Stored extends Item>(fields: readonly string[]): Indexes<Stored> {
  const items = new Map<Item['id'], Stored>()
  const orders = createOrders(() => items.values())
  const owners = createOwners(() => items.values(), fields)
  return { items, orders, owners, textOf: createTexts() }
}

import type { Query, Scope } from '../model/operation.ts'
import type { Item, Resource } from '../model/resource.ts'
import { matching, type TextOf } from '../model/search.ts'
import { createOrders, type Orders } from './order.ts'
import { createOwners, type Owners } from './owners.ts'
import { select } from './select.ts'
import { createTexts } from './texts.ts'

/** The part of an operation that says which items are wanted. */
interface Wanted {
  readonly resource: Resource
  readonly scope: Scope
  readonly query: Query
}

/** Items by id, in any order, and by the fields that own them. */
export interface Store<Stored extends Item> {
  get(id: Item['id']): Stored | undefined
  /** Adds items, each in the place of the one with its id. */
  put(items: readonly Stored[]): void
  remove(items: readonly Stored[]): void
  /** The items of a scope, in any order. */
  inScope(scope: Scope): Iterable<Stored>
  /** What an operation asks for, without copying what it does not. */
  list(wanted: Wanted): Stored[]
  /** How many items of a scope match a search. */
  count(wanted: Wanted): number
}

/** Something that goes with the items of a store. */
interface Follower<Stored> {
  add(item: Stored): void
  remove(item: Stored): void
}

interface Indexes<Stored extends Item> {
  readonly items: Map<Item['id'], Stored>
  readonly orders: Orders<Stored>
  readonly owners: Owners<Stored>
  readonly textOf: TextOf
}

// Sorting anew costs less than finding the place of more items than this in every order.
const manyItems = 256

/** Makes an empty store; followers are told of every item that comes and goes. */
export function createStore<Stored extends Item>(
  followers: readonly Follower<Stored>[],
): Store<Stored> {
  const items = new Map<Item['id'], Stored>()
  const orders = createOrders(() => items.values())
  const owners = createOwners(() => items.values())
  const indexes = { items, orders, owners, textOf: createTexts() }
  const all = [orders, owners, ...followers]
  function remove(gone: readonly Stored[]): void {
    if (gone.length > manyItems) orders.forget()
    for (const item of gone) {
      items.delete(item.id)
      for (const index of all) index.remove(item)
    }
  }
  return {
    get: (id) => items.get(id),
    put(put) {
      if (put.length > manyItems) orders.forget()
      // All that goes first, so that two items may swap a unique value.
      remove(put.flatMap(({ id }) => items.get(id) ?? []))
      for (const item of put) {
        for (const index of all) index.add(item)
        items.set(item.id, item)
      }
    },
    remove,
    inScope: (scope) => owners.ownedBy(scope) ?? items.values(),
    list: (wanted) => list(wanted, indexes),
    count: (wanted) => count(wanted, indexes),
  }
}

function list<Stored extends Item>(
  wanted: Wanted,
  { orders, owners, textOf }: Indexes<Stored>,
): Stored[] {
  const { resource, scope, query } = wanted
  const owned = owners.ownedBy(scope)
  if (owned) return select(owned, wanted)
  const matches = matching(query.words, resource.searchable, textOf)
  const { limit = Number.POSITIVE_INFINITY } = query
  const found: Stored[] = []
  for (const item of orders.walk(query.sort, query.after)) {
    if (found.length >= limit) break
    if (matches(item)) found.push(item)
  }
  return found
}

function count<Stored extends Item>(
  { resource, scope, query }: Wanted,
  { items, owners, textOf }: Indexes<Stored>,
): number {
  const owned = owners.ownedBy(scope)
  if (query.words.length === 0) return (owned ?? items).size
  const matches = matching(query.words, resource.searchable, textOf)
  let count = 0
  for (const item of owned ?? items.values()) if (matches(item)) count++
  return count
}

import type { Awaitable } from '../model/awaitable.ts'
import { fieldOf, type Scope } from '../model/operation.ts'
import type { Item } from '../model/resource.ts'
import { createOrders, type Orders } from './orders.ts'
import { inTurns, itemsATurn, type Steps } from './turns.ts'

/** The items of one owner. */
export interface OwnedItems<Stored extends Item> {
  readonly items: Set<Stored>
  /** Created by the first list that needs it, and kept as long as the owner has items. */
  orders: Orders<Stored> | undefined
}

/** An index of items by owner, for every set of fields that a scope has used. */
export interface Owners<Stored extends Item> {
  add(item: Stored): void
  remove(item: Stored): void
  /** Drops the orders of all owners. */
  dropOrders(): void
  /** Creates the index for a scope, in turns for many items. */
  prepare(scope: Scope): Awaitable<void>
  /** Returns the items of a prepared scope, and `undefined` for the empty scope of all items. */
  ownedBy(scope: Scope): OwnedItems<Stored> | undefined
  /** Tells whether an item holds a value in one of the `references` fields. */
  isReferenced(field: string, value: Item['id']): boolean
}

/**
 * Creates an index of owners over items that change.
 *
 * @param all Returns the items in any order. The iterator stays valid during writes, as a `Map`'s.
 * @param references The single fields to index at once, before the first item.
 */
export function createOwners<Stored extends Item>(
  all: () => Iterable<Stored>,
  references: Iterable<string>,
): Owners<Stored> {
  // The contract decides which fields own, so every way to nest has one index.
  const indexes = new Map<string, OwnerIndex<Stored>>()
  function indexOf(fields: readonly string[]): OwnerIndex<Stored> {
    const name = JSON.stringify(fields)
    const index = indexes.get(name) ?? createIndex(fields, all)
    indexes.set(name, index)
    return index
  }
  for (const field of references) indexOf([field]).fill()
  return {
    add(item) {
      for (const index of indexes.values()) addTo(index, item)
    },
    remove(item) {
      for (const index of indexes.values()) removeFrom(index, item)
    },
    dropOrders() {
      for (const { owned } of indexes.values()) {
        for (const owner of owned.values()) owner.orders = undefined
      }
    },
    prepare(scope) {
      const fields = Object.keys(scope)
      return fields.length === 0 ? undefined : indexOf(fields).fill()
    },
    ownedBy(scope) {
      const fields = Object.keys(scope)
      if (fields.length === 0) return undefined
      return indexOf(fields).owned.get(keyOf(scope, fields)) ?? noItems()
    },
    isReferenced: (field, value) => indexOf([field]).owned.has(value),
  }
}

/** Returns the orders of an owner's items. */
export function ordersOf<Stored extends Item>(owner: OwnedItems<Stored>): Orders<Stored> {
  owner.orders ??= createOrders(() => owner.items)
  return owner.orders
}

interface OwnerIndex<Stored extends Item> {
  readonly fields: readonly string[]
  readonly owned: Map<unknown, OwnedItems<Stored>>
  /** Adds the items that are older than the index. */
  readonly fill: () => Awaitable<void>
}

function createIndex<Stored extends Item>(
  fields: readonly string[],
  all: () => Iterable<Stored>,
): OwnerIndex<Stored> {
  const owned: OwnerIndex<Stored>['owned'] = new Map()
  // A write meanwhile may add an item twice. Without orders, this changes nothing.
  function* addAll(): Steps<void> {
    let added = 0
    for (const item of all()) {
      addTo({ fields, owned }, item)
      // Pauses before it takes the next item, which a write may delete during the pause.
      if (++added % itemsATurn === 0) yield
    }
  }
  return { fields, owned, fill: inTurns(addAll()) }
}

type Entries<Stored extends Item> = Pick<OwnerIndex<Stored>, 'fields' | 'owned'>

function addTo<Stored extends Item>({ fields, owned }: Entries<Stored>, item: Stored): void {
  const key = keyOf(item, fields)
  const owner = owned.get(key) ?? noItems()
  owned.set(key, owner)
  owner.items.add(item)
  owner.orders?.add(item)
}

function removeFrom<Stored extends Item>({ fields, owned }: Entries<Stored>, item: Stored): void {
  const key = keyOf(item, fields)
  const owner = owned.get(key)
  if (!owner?.items.delete(item)) return
  owner.orders?.remove(item)
  if (owner.items.size === 0) owned.delete(key)
}

function noItems<Stored extends Item>(): OwnedItems<Stored> {
  return { items: new Set(), orders: undefined }
}

// One field needs no text: to build it would take longer than the whole look-up.
function keyOf(item: object, fields: readonly string[]): unknown {
  const [field = '', ...others] = fields
  if (others.length === 0) return fieldOf(item, field)
  return JSON.stringify(fields.map((each) => fieldOf(item, each) ?? null))
}

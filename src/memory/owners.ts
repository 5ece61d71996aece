import type { Awaitable } from '../model/awaitable.ts'
import { fieldOf, type Scope } from '../model/operation.ts'
import type { Item } from '../model/resource.ts'
import { createOrders, type Orders } from './order.ts'
import { inTurns, itemsATurn, type Work } from './turns.ts'

/** The items of one owner. */
export interface Owned<Stored extends Item> {
  readonly items: Set<Stored>
  /** Made when a list needs them, and kept as long as the owner has items. */
  orders: Orders<Stored> | undefined
}

/** Items by the fields that own them, for every set of fields that has been asked for. */
export interface Owners<Stored extends Item> {
  add(item: Stored): void
  remove(item: Stored): void
  /** Drops the orders of all owners. */
  forget(): void
  /** Makes the index that a scope needs: of many items in turns. */
  prepare(scope: Scope): Awaitable<void>
  /** The items of a scope that is prepared; `undefined` for the empty scope, which owns everything. */
  ownedBy(scope: Scope): Owned<Stored> | undefined
  /** Tells whether an item has a value in one of the `known` fields. */
  isNamed(field: string, value: Item['id']): boolean
}

/**
 * Makes an index of owners over items that change; `all` gives them in any order, and goes on while they change, as that of a `Map`.
 *
 * @param known Single fields to index from the start, while there are no items.
 */
export function createOwners<Stored extends Item>(
  all: () => Iterable<Stored>,
  known: Iterable<string>,
): Owners<Stored> {
  // The contract decides which fields own, so there are as many indexes as ways to nest.
  const indexes = new Map<string, OwnerIndex<Stored>>()
  function indexOf(fields: readonly string[]): OwnerIndex<Stored> {
    const name = JSON.stringify(fields)
    const index = indexes.get(name) ?? createIndex(fields, all)
    indexes.set(name, index)
    return index
  }
  for (const field of known) indexOf([field]).fill()
  return {
    add(item) {
      for (const index of indexes.values()) addTo(index, item)
    },
    remove(item) {
      for (const index of indexes.values()) removeFrom(index, item)
    },
    forget() {
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
      return indexOf(fields).owned.get(keyOf(scope, fields)) ?? nothing()
    },
    isNamed: (field, value) => indexOf([field]).owned.has(value),
  }
}

/** The orders of an owner's items. */
export function ordersOf<Stored extends Item>(owner: Owned<Stored>): Orders<Stored> {
  owner.orders ??= createOrders(() => owner.items)
  return owner.orders
}

interface OwnerIndex<Stored extends Item> {
  readonly fields: readonly string[]
  readonly owned: Map<unknown, Owned<Stored>>
  /** Adds the items that were there before the index. */
  readonly fill: () => Awaitable<void>
}

function createIndex<Stored extends Item>(
  fields: readonly string[],
  all: () => Iterable<Stored>,
): OwnerIndex<Stored> {
  const owned: OwnerIndex<Stored>['owned'] = new Map()
  // An item that is written meanwhile may be added twice, which changes nothing: nobody has the orders yet.
  function* addAll(): Work<void> {
    let added = 0
    for (const item of all()) {
      addTo({ fields, owned }, item)
      // Before it takes the next item, which may go meanwhile.
      if (++added % itemsATurn === 0) yield
    }
  }
  return { fields, owned, fill: inTurns(addAll()) }
}

type Entries<Stored extends Item> = Pick<OwnerIndex<Stored>, 'fields' | 'owned'>

function addTo<Stored extends Item>({ fields, owned }: Entries<Stored>, item: Stored): void {
  const key = keyOf(item, fields)
  const owner = owned.get(key) ?? nothing()
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

function nothing<Stored extends Item>(): Owned<Stored> {
  return { items: new Set(), orders: undefined }
}

// The value itself where there is one field: a text of it would take longer than all the rest.
function keyOf(item: object, fields: readonly string[]): unknown {
  const [field = '', ...others] = fields
  if (others.length === 0) return fieldOf(item, field)
  return JSON.stringify(fields.map((each) => fieldOf(item, each) ?? null))
}

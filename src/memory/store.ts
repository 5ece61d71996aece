import { v7 as uuidv7 } from 'uuid'
import { type Awaitable, whenReady } from '../model/awaitable.ts'
import { idFor } from '../model/id.ts'
import type { Scope } from '../model/operation.ts'
import type { Item, Resource } from '../model/resource.ts'
import { fieldOf } from '../model/value.ts'
import { createOrders, type Orders } from './orders.ts'
import { inTurns, itemsATurn, type Steps } from './turns.ts'

/** Some items, and the orders that lists of them have used. */
export interface ItemGroup<Stored extends Item> {
  readonly items: { readonly size: number; values(): Iterable<Stored> }
  /** Created by the first list that needs it, and kept as long as the group has items. */
  orders: Orders<Stored> | undefined
}

interface OwnerGroup<Stored extends Item> extends ItemGroup<Stored> {
  readonly items: Set<Stored>
}

/** The items by the values of some fields: one group for each owner. */
interface OwnerIndex<Stored extends Item> {
  readonly fields: readonly string[]
  readonly owned: Map<unknown, OwnerGroup<Stored>>
  /** Adds the items that are older than the index, in turns for many items. */
  readonly fill: () => Awaitable<void>
}

/** Items by id, in every order and by owner. */
export interface ItemStore<Stored extends Item> extends ItemGroup<Stored> {
  items: Map<Item['id'], Stored>
  /** One index for every set of fields that a scope has used. */
  owners: Map<string, OwnerIndex<Stored>>
  /** Single fields that have an index before the first item, for {@link groupsBy}. */
  readonly keys: Set<string>
  /** The text of each item, by the fields that a search looks into. */
  readonly texts: WeakMap<readonly string[], WeakMap<object, string>>
  /** The highest numeric id of all items, also of deleted ones. */
  highestId: number
}

// Sorting again costs less than inserting so many items into every order.
const manyItems = 256
// Inserting more items would block the process for too long.
const tooMany = 4096

/** Creates an empty store. */
export function createItemStore<Stored extends Item>(
  keys: Set<string> = new Set(),
): ItemStore<Stored> {
  const none = { items: new Map(), owners: new Map(), orders: undefined }
  const store = { ...none, keys, texts: new WeakMap(), highestId: 0 }
  clear(store)
  return store
}

// An unfinished list keeps the old items and indexes.
function clear(store: ItemStore<Item>): void {
  store.items = new Map()
  store.owners = new Map()
  store.orders = undefined
  for (const field of store.keys) indexFor(store, [field]).fill()
}

/** Adds items. Each replaces the item with its id. */
export function putItems(store: ItemStore<Item>, items: readonly Item[]): void {
  dropOrders(store, items.length)
  for (const { id } of items) {
    const old = store.items.get(id)
    if (old) remove(store, old)
  }
  for (const item of items) {
    store.items.set(item.id, item)
    store.orders?.add(item)
    for (const index of store.owners.values()) addTo(index, item)
  }
  store.highestId = highestIdOf(items, store.highestId)
}

/** Returns the highest numeric id of some items, if it is higher than another one. */
export function highestIdOf(items: readonly Item[], other: number): number {
  let highest = other
  for (const { id } of items) {
    const number = Number(id)
    if (Number.isSafeInteger(number) && number > highest) highest = number
  }
  return highest
}

/** Removes stored items. */
export function removeItems(store: ItemStore<Item>, items: readonly Item[]): void {
  if (items.length === store.items.size) {
    clear(store)
    return
  }
  dropOrders(store, items.length)
  for (const item of items) remove(store, item)
}

function remove(store: ItemStore<Item>, item: Item): void {
  store.items.delete(item.id)
  store.orders?.remove(item)
  for (const index of store.owners.values()) removeFrom(index, item)
}

// An unfinished list keeps the old orders: it shows the items of its start.
function dropOrders(store: ItemStore<Item>, changes: number): void {
  const isMany = changes > manyItems && changes * 8 > store.items.size
  if (!isMany && changes <= tooMany) return
  store.orders = undefined
  for (const { owned } of store.owners.values()) {
    for (const group of owned.values()) group.orders = undefined
  }
}

/** Returns the orders of a group's items. */
export function ordersOf<Stored extends Item>(group: ItemGroup<Stored>): Orders<Stored> {
  group.orders ??= createOrders(() => group.items.values())
  return group.orders
}

/** Returns the items in a scope. Creates the index for the scope, in turns for many items. */
export function groupIn<Stored extends Item>(
  store: ItemStore<Stored>,
  scope: Scope,
): Awaitable<ItemGroup<Stored>> {
  const fields = Object.keys(scope)
  if (fields.length === 0) return store
  const { owned, fill } = indexFor(store, fields)
  return whenReady(fill(), () => owned.get(keyOf(scope, fields)) ?? noItems<Stored>())
}

/** Returns the items by their value in one of the store's `keys`. */
export function groupsBy<Stored extends Item>(
  store: ItemStore<Stored>,
  key: string,
): OwnerIndex<Stored>['owned'] {
  return indexFor(store, [key]).owned
}

/** Makes a field one of the store's `keys`, with an index of the items that it has. */
export function indexBy(store: ItemStore<Item>, key: string): void {
  store.keys.add(key)
  const index = indexFor(store, [key])
  for (const item of store.items.values()) addTo(index, item)
}

function indexFor<Stored extends Item>(
  { items, owners }: ItemStore<Stored>,
  fields: readonly string[],
): OwnerIndex<Stored> {
  const name = JSON.stringify(fields)
  const known = owners.get(name)
  if (known) return known
  // A write meanwhile may add an item twice. Without orders, this changes nothing.
  function* addAll(): Steps<void> {
    let added = 0
    for (const item of items.values()) {
      addTo(index, item)
      // Pauses before it takes the next item, which a write may delete during the pause.
      if (++added % itemsATurn === 0) yield
    }
  }
  const index: OwnerIndex<Stored> = { fields, owned: new Map(), fill: inTurns(addAll()) }
  owners.set(name, index)
  return index
}

function addTo({ fields, owned }: OwnerIndex<Item>, item: Item): void {
  const key = keyOf(item, fields)
  const group = owned.get(key) ?? noItems()
  owned.set(key, group)
  group.items.add(item)
  group.orders?.add(item)
}

function removeFrom({ fields, owned }: OwnerIndex<Item>, item: Item): void {
  const key = keyOf(item, fields)
  const group = owned.get(key)
  if (!group?.items.delete(item)) return
  group.orders?.remove(item)
  if (group.items.size === 0) owned.delete(key)
}

function noItems<Stored extends Item>(): OwnerGroup<Stored> {
  return { items: new Set(), orders: undefined }
}

// One field needs no text: to build it would take longer than the whole look-up.
function keyOf(item: object, fields: readonly string[]): unknown {
  const [field = '', ...others] = fields
  if (others.length === 0) return fieldOf(item, field)
  return JSON.stringify(fields.map((each) => fieldOf(item, each) ?? null))
}

/**
 * Returns an id that no item has had: a UUID of version 7, or the number after the highest id.
 * Numbers begin at 1.
 *
 * @throws {TypeError} When the resource's ids are neither UUIDs nor numbers.
 */
export function idAfter(highestId: number, resource: Resource): Item['id'] {
  const id = idFor(resource, uuidv7()) ?? idFor(resource, String(highestId + 1))
  if (id !== undefined) return id
  throw new TypeError(
    `The ids of "${resource.name}" are neither UUIDs nor numbers: ` +
      'give its memoryAdapter a "nextId".',
  )
}

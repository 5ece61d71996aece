import { v7 as uuidv7 } from 'uuid'
import { idFor } from '../contract/resource/id.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import { maxOrders, type Orders } from './orders.ts'
import {
  addTo,
  type ItemGroup,
  indexFor,
  type OwnerIndex,
  removeFrom,
  replaceIn,
} from './owner-index.ts'

/** Items by id, in every order and by owner. */
export interface ItemStore<Stored extends Item> extends ItemGroup<Stored> {
  items: Map<Item['id'], Stored>
  orders: Orders<Stored> | undefined
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
// Inserting more items, each into every order, would block the process for too long.
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
  for (const item of items) {
    const old = store.items.get(item.id)
    store.items.set(item.id, item)
    if (old) store.orders?.replace(old, item)
    else store.orders?.add(item)
    for (const index of store.owners.values()) {
      if (old) replaceIn(index, old, item)
      else addTo(index, item)
    }
  }
  store.highestId = highestIdOf(items, store.highestId)
}

/** Returns the highest numeric id of some items, if it is higher than another one. */
export function highestIdOf(items: readonly Item[], minimum: number): number {
  let highest = minimum
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

// An unfinished list keeps the old orders: it shows the items of its start. Seldom used orders go
// first.
function dropOrders(store: ItemStore<Item>, changes: number): void {
  const isMany = changes > manyItems && changes * 8 > store.items.size
  const most = isMany ? 0 : Math.floor(tooMany / changes)
  if (most >= maxOrders) return
  dropFrom(store, most)
  for (const { owned } of store.owners.values()) {
    for (const group of owned.values()) dropFrom(group, most)
  }
}

function dropFrom(group: { orders: Orders<Item> | undefined }, most: number): void {
  if (most === 0) group.orders = undefined
  else group.orders?.keep(most)
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

import { v7 as uuidv7 } from 'uuid'
import { idFor } from '../contract/resource/id.ts'
import { ownerValues, type Scope } from '../contract/resource/operation.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import { type Awaitable, runTurns, type Turns, whenReady } from '../convention/awaitable.ts'
import { fieldOf, isInScope } from '../convention/value.ts'
import { createOrders, itemsATurn, maxOrders, mergedOrders, type Orders } from './orders.ts'

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
  const empty = { items: new Map(), owners: new Map(), orders: undefined }
  const store = { ...empty, keys, texts: new WeakMap(), highestId: 0 }
  // A look-up by a key does not fill its index: the index is there before the first item.
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
export function highestIdOf(items: readonly { readonly id: unknown }[], minimum: number): number {
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

/** Some items, and the orders that lists of them have used. */
export interface ItemGroup<Stored extends Item> {
  readonly items: { readonly size: number; values(): Iterable<Stored> }
  /** Created by the first list that needs it, and kept as long as the group has items. */
  orders: Pick<Orders<Stored>, 'walk'> | undefined
}

interface OwnerGroup<Stored extends Item> extends ItemGroup<Stored> {
  readonly items: Set<Stored>
  orders: Orders<Stored> | undefined
}

/** The items by the values of some fields: one group for each owner. */
interface OwnerIndex<Stored extends Item> {
  readonly fields: readonly string[]
  readonly owned: Map<unknown, OwnerGroup<Stored>>
  /** Adds the items that are older than the index, in turns for many items. */
  readonly fill: () => Awaitable<void>
}

/** Items by id, with one index for every set of fields that a scope has used. */
interface OwnedItems<Stored extends Item> extends ItemGroup<Stored> {
  readonly items: Map<Item['id'], Stored>
  orders: Orders<Stored> | undefined
  readonly owners: Map<string, OwnerIndex<Stored>>
}

/**
 * Returns the items in a scope. Creates the index for the scope, in turns for many items. The
 * orders of several owners are those that the store keeps for each of them.
 */
export function groupIn<Stored extends Item>(
  store: OwnedItems<Stored>,
  scope: Scope,
): Awaitable<ItemGroup<Stored>> {
  const fields = Object.keys(scope)
  if (fields.length === 0) return store
  if (fields.includes('id')) return groupOf(itemsById(store, scope))
  const index = indexFor(store, fields)
  return whenReady(index.fill(), () => {
    const isList = fields.some((field) => Array.isArray(scope[field]))
    if (!isList) return index.owned.get(keyOf(scope, fields)) ?? noItems<Stored>()
    const groups = groupsIn(index, scope)
    return (groups.length === 1 && groups[0]) || joined(groups)
  })
}

// No index: each id has its own item.
function itemsById<Stored extends Item>({ items }: OwnedItems<Stored>, scope: Scope): Stored[] {
  const ids = new Set(ownerValues(scope, 'id'))
  return [...ids].flatMap((id) => items.get(id) ?? []).filter((item) => isInScope(item, scope))
}

function groupOf<Stored extends Item>(items: readonly Stored[]): ItemGroup<Stored> {
  return { items: { size: items.length, values: () => items }, orders: undefined }
}

function joined<Stored extends Item>(groups: readonly OwnerGroup<Stored>[]): ItemGroup<Stored> {
  const size = groups.reduce((sum, { items }) => sum + items.size, 0)
  const values = () => groups.flatMap(({ items }) => [...items])
  const few = groups.filter(({ items }) => items.size <= fewItems)
  const many = groups.filter(({ items }) => items.size > fewItems)
  const itemsOfFew = () => few.flatMap(({ items }) => [...items])
  // The items of small groups are sorted again each time, so they have to be few in all.
  if (many.length === 0 || itemsOfFew().length > itemsATurn) {
    return { items: { size, values }, orders: undefined }
  }
  const orders = mergedOrders(() => [...many, groupOf(itemsOfFew())].map(ordersOf))
  return { items: { size, values }, orders }
}

/** Sorting so few items of an owner costs less than keeping their orders. */
export const fewItems = 64

/** Returns the orders of a group's items. */
export function ordersOf<Stored extends Item>(
  group: ItemGroup<Stored>,
): NonNullable<ItemGroup<Stored>['orders']> {
  group.orders ??= createOrders(() => group.items.values())
  return group.orders
}

// Looks up each owner, or looks through the owners of all items if these are fewer.
function groupsIn<Stored extends Item>(
  { fields, owned }: OwnerIndex<Stored>,
  scope: Scope,
): readonly OwnerGroup<Stored>[] {
  const lists = fields.map((field) => ownerValues(scope, field))
  const owners = lists.reduce((product, { length }) => product * length, 1)
  if (owners <= owned.size) {
    const keys = new Set(combined(lists).map(keyOfValues))
    return [...keys].flatMap((key) => owned.get(key) ?? [])
  }
  return [...owned.values()].filter(({ items }) => {
    const [item] = items
    return item !== undefined && isInScope(item, scope)
  })
}

// `[[1, 2], [3]]` → `[[1, 3], [2, 3]]`
function combined<Value>(lists: readonly (readonly Value[])[]): readonly (readonly Value[])[] {
  return lists.reduce<readonly (readonly Value[])[]>(
    (starts, list) => starts.flatMap((start) => list.map((value) => [...start, value])),
    [[]],
  )
}

/** Returns the index of some fields. A new one has no items before its `fill`. */
function indexFor<Stored extends Item>(
  { items, owners }: OwnedItems<Stored>,
  fields: readonly string[],
): OwnerIndex<Stored> {
  const name = JSON.stringify(fields)
  const existing = owners.get(name)
  if (existing) return existing
  // A write meanwhile may add an item twice. Without orders, this changes nothing.
  function* addAll(): Turns<void> {
    let added = 0
    for (const item of items.values()) {
      addTo(index, item)
      // Pauses before it takes the next item, which a write may delete during the pause.
      if (++added % itemsATurn === 0) yield
    }
  }
  const index: OwnerIndex<Stored> = { fields, owned: new Map(), fill: runTurns(addAll()) }
  owners.set(name, index)
  return index
}

/** Adds an item to an index. */
function addTo({ fields, owned }: OwnerIndex<Item>, item: Item): void {
  const key = keyOf(item, fields)
  const group = owned.get(key) ?? noItems()
  owned.set(key, group)
  group.items.add(item)
  group.orders?.add(item)
}

/** Removes an item from an index. */
function removeFrom({ fields, owned }: OwnerIndex<Item>, item: Item): void {
  const key = keyOf(item, fields)
  const group = owned.get(key)
  if (!group?.items.delete(item)) return
  group.orders?.remove(item)
  if (group.items.size === 0) owned.delete(key)
}

/** Puts an item in the place of the old one with its id. */
function replaceIn(index: OwnerIndex<Item>, old: Item, item: Item): void {
  const { fields, owned } = index
  const key = keyOf(old, fields)
  const group = owned.get(key)
  if (key !== keyOf(item, fields) || !group?.items.delete(old)) {
    removeFrom(index, old)
    addTo(index, item)
    return
  }
  group.items.add(item)
  group.orders?.replace(old, item)
}

function noItems<Stored extends Item>(): OwnerGroup<Stored> {
  return { items: new Set(), orders: undefined }
}

// One field needs no text: to build it would take longer than the whole look-up.
function keyOf(item: object, fields: readonly string[]): unknown {
  const [field = '', ...furtherFields] = fields
  if (furtherFields.length === 0) return fieldOf(item, field)
  return keyOfValues(fields.map((each) => fieldOf(item, each)))
}

function keyOfValues(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : JSON.stringify(values.map((value) => value ?? null))
}

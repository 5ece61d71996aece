import type { Adapter } from '../contract/resource/adapter.ts'
import type { AdapterShape } from '../contract/resource/operation.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import { asSiblings } from '../contract/resource/siblings.ts'
import { checkLists, checkOptions } from '../convention/declaration.ts'
import { type MemoryOptions, memoryOptionNames } from './options.ts'
import { readsOf } from './read.ts'
import { indexBy, putItems } from './store.ts'
import {
  brokenIn,
  createMemoryTable,
  type FieldIssue,
  freeze,
  type MemoryTable,
  repeatedIn,
} from './table.ts'
import { type MemoryStorage, writesOf } from './write.ts'

/**
 * Keeps a resource in memory, as the reference for every other adapter. Supports all operations in
 * every scope. A read takes the same time for any number of items, since the adapter keeps each
 * order that a client queries. It writes all items of a bulk or none.
 *
 * A numeric revision field counts up with every write, unless `onCreate` and `onUpdate` set it.
 * It refuses to delete an item that an item of another memory adapter references: `conflict`, by
 * the `references` of the resources. The adapter returns frozen items.
 *
 * @throws {TypeError} For an unknown option, and for initial items that repeat an id or a unique
 *   value. `.adapters()` throws it for initial items that reference a missing item.
 */
export function memoryAdapter<S extends AdapterShape>(options: MemoryOptions<S> = {}): Adapter<S> {
  return adapterWithTable(options).adapter
}

/** Makes a memory adapter, and its table for a storage that writes the items elsewhere too. */
export function adapterWithTable<S extends AdapterShape>(
  options: MemoryOptions<S>,
): { readonly adapter: Adapter<S>; readonly table: MemoryTable<S['item']> } {
  checkOptions('A memoryAdapter', options, memoryOptionNames)
  checkLists('A memoryAdapter', options, ['items', 'unique'])
  const { items = [], unique = [] } = options
  const storage: MemoryStorage<S> = {
    ...createMemoryTable<S['item']>(unique),
    options,
    queue: new Map(),
  }
  addInitialItems(storage, items)
  const join: Adapter<S>['join'] & object = (resource, adapters) =>
    joinTables(storage, resource, adapters)
  tables.set(join, storage)
  const adapter = asSiblings<Adapter<S>>({
    ...writesOf(storage),
    ...readsOf<S>(storage.store),
    join,
  })
  return { adapter, table: storage }
}

// By the method `join`, which an adapter keeps where another object wraps it.
const tables = new WeakMap<object, MemoryTable>()

/**
 * Makes a table keep the references of its resource to the tables of other adapters.
 *
 * @throws {TypeError} For an item of the table that references a missing item.
 */
function joinTables(
  table: MemoryTable,
  { references }: Resource,
  adapters: Readonly<Record<string, Adapter>>,
): void {
  for (const { field, to } of references) {
    const { join } = adapters[to] ?? {}
    const referenced = join && tables.get(join)
    const { store } = table
    const isKnown = referenced?.referrers.some(
      (referrer) => referrer.field === field && referrer.store === store,
    )
    if (referenced === undefined || isKnown) continue
    const [issue] = brokenIn([...store.items.values()], { field, store: referenced.store })
    if (issue) throw wrongItem(issue)
    indexBy(store, field)
    table.references.push({ field, store: referenced.store })
    referenced.referrers.push({ field, store })
  }
}

/**
 * Stores frozen copies of the items to start with. An object without an id is no item.
 *
 * @throws {TypeError} When they break a constraint or repeat an id.
 */
function addInitialItems<Stored extends Item>(
  table: MemoryTable<Stored>,
  items: readonly Stored[],
): void {
  const { unique, store } = table
  const identified = items.filter(({ id }: Partial<Item>) => id !== undefined && id !== null)
  const [issue] = repeatedIn(identified, { unique: ['id', ...unique], store })
  if (issue) {
    const place = items.indexOf(identified[issue.place] as Stored)
    throw wrongItem({ ...issue, place })
  }
  putItems(
    store,
    identified.map((item) => freeze(item)),
  )
}

function wrongItem({ place, field, message }: Omit<FieldIssue, 'code'>): TypeError {
  return new TypeError(`The "${field}" of items[${place}] ${message}: change it.`)
}

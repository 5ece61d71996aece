import type { Adapter } from '../contract/resource/adapter.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import { inOrder } from '../contract/values/write.ts'
import { brokenIn, type FieldIssue, repeatedIn } from './constraints.ts'
import { freeze } from './freeze.ts'
import { indexBy, putItems } from './store.ts'
import type { MemoryTable } from './table.ts'

// By the method `join`, which an adapter keeps where another object wraps it.
const tables = new WeakMap<object, MemoryTable>()

/** Remembers the table of an adapter, so that others can reference it. */
export function registerTable({ join }: Adapter, table: MemoryTable): void {
  if (join) tables.set(join, table)
}

/**
 * Makes a table keep the references of its resource to the tables of other adapters.
 *
 * @throws {TypeError} For an item of the table that references a missing item.
 */
export function joinTables(
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
export function addInitialItems<Stored extends Item>(
  table: MemoryTable<Stored>,
  items: readonly Stored[],
): void {
  const { unique, store } = table
  const identified = items.filter(({ id }: Partial<Item>) => id !== undefined && id !== null)
  const [issue] = inOrder(repeatedIn(identified, { unique: ['id', ...unique], store }))
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

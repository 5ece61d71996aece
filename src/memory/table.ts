import { isInScope, noScope, type Scope } from '../model/operation.ts'
import { problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { type Constraints, createConstraints, type FieldIssue } from './constraints.ts'
import { createIdSource, type IdSource } from './ids.ts'
import { createItemStore, type ItemStore } from './store.ts'

/** A store with its constraints, and the stores whose items reference its items. */
export interface MemoryTable<Stored extends Item = Item> {
  readonly store: ItemStore<Stored>
  readonly constraints: Constraints
  readonly ids: IdSource
  readonly referrers: Referrer[]
}

interface Referrer {
  readonly field: string
  readonly store: Pick<ItemStore<Item>, 'isReferenced'>
}

const tables = new WeakMap<
  object,
  Pick<MemoryTable, 'referrers'> & { readonly store: Pick<ItemStore<Item>, 'get'> }
>()

/** Remembers the table of an adapter, so that other adapters can reference it. */
export function registerTable<Stored extends Item>(
  adapter: object,
  table: MemoryTable<Stored>,
): void {
  tables.set(adapter, table)
}

/**
 * Creates an empty table.
 *
 * @param references The referenced adapter of each field.
 * @throws {TypeError} When one of them is no memory adapter.
 */
export function createMemoryTable<Stored extends Item>(
  unique: readonly string[],
  references: Readonly<Record<string, object | undefined>>,
): MemoryTable<Stored> {
  const referenced = Object.entries(references).map(([field, adapter]) => {
    const table = adapter && tables.get(adapter)
    if (table) return { field, table }
    throw new TypeError(
      `"${field}" does not reference a memory adapter: pass the adapter of that resource.`,
    )
  })
  const constraints = createConstraints(
    unique,
    referenced.map(({ field, table: { store } }) => ({ field, store })),
  )
  const ids = createIdSource()
  const store = createItemStore<Stored>(
    [constraints, ids],
    referenced.map(({ field }) => field),
  )
  for (const { field, table } of referenced) table.referrers.push({ field, store })
  return { store, constraints, ids, referrers: [] }
}

/**
 * Stores the items to start with.
 *
 * @throws {TypeError} When they break a constraint or repeat an id.
 */
export function addInitialItems<Stored extends Item>(
  { store, constraints }: MemoryTable<Stored>,
  items: readonly Stored[],
): void {
  const ids = new Set<Item['id']>()
  for (const [place, { id }] of items.entries()) {
    if (ids.has(id)) refuse({ place, field: 'id', message: 'is the id of another item' })
    ids.add(id)
  }
  const [issue] = constraints.issuesOf(items)
  if (issue) refuse(issue)
  store.put(items)
}

function refuse({ place, field, message }: Pick<FieldIssue, 'place' | 'field' | 'message'>): never {
  throw new TypeError(`The "${field}" of items[${place}] ${message}: change it.`)
}

/** Returns the item of an id inside a scope, and `undefined` when there is none. */
export function findInScope<Stored extends Item>(
  { store }: MemoryTable<Stored>,
  { id, scope }: { readonly id: Item['id']; readonly scope: Scope },
): Stored | undefined {
  const item = store.get(id)
  return item && (scope === noScope || isInScope(item, scope)) ? item : undefined
}

/**
 * Checks that no other item references the items to delete.
 *
 * @throws {ProblemError} `conflict`.
 */
export function checkUnreferenced(
  items: readonly Item[],
  { referrers }: Pick<MemoryTable, 'referrers'>,
): void {
  const isReferenced = ({ id }: Item): boolean =>
    referrers.some(({ field, store }) => store.isReferenced(field, id))
  if (!items.some(isReferenced)) return
  throw problem('conflict', 'Another item still references this one. Delete that item first')
}

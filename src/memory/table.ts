import type { Adapter } from '../model/adapter.ts'
import { datesOf, unstorableDate, unstorableDatesIn, withStoredDates } from '../model/dates.ts'
import type { Operation } from '../model/operation.ts'
import { type Issue, problem } from '../model/problem.ts'
import type { Item, Resource } from '../model/resource.ts'
import { fieldOf } from '../model/value.ts'
import { inOrder } from '../model/write.ts'
import { freeze } from './freeze.ts'
import { createItemStore, groupsBy, type ItemStore, indexBy, putItems } from './store.ts'

/** A store with its constraints, and the fields of other stores that reference its items. */
export interface MemoryTable<Stored extends Item = Item> {
  readonly store: ItemStore<Stored>
  /** The fields whose values no two items share. */
  readonly unique: readonly string[]
  /** The fields that hold ids of other stores' items. */
  readonly references: FieldOfStore[]
  readonly referrers: FieldOfStore[]
}

interface FieldOfStore {
  readonly field: string
  readonly store: ItemStore<Item>
}

/** An issue with a field of one of several items. `place` is the item's index. */
interface FieldIssue extends Omit<Issue, 'pointer' | 'parameter'> {
  readonly place: number
  readonly field: string
}

/** Creates an empty table. */
export function createMemoryTable<Stored extends Item>(
  unique: readonly string[],
): MemoryTable<Stored> {
  return { store: createItemStore<Stored>(new Set(unique)), unique, references: [], referrers: [] }
}

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
    const other = join && tables.get(join)
    const { store } = table
    const isKnown = other?.referrers.some((known) => known.field === field && known.store === store)
    if (other === undefined || isKnown) continue
    const [issue] = brokenIn([...store.items.values()], { field, store: other.store })
    if (issue) throw wrongItem(issue)
    indexBy(store, field)
    table.references.push({ field, store: other.store })
    other.referrers.push({ field, store })
  }
}

/**
 * Checks the references of items before the store writes all of them at once. Pointers begin with
 * the item's index when the body holds several items.
 *
 * @throws {ProblemError} `validation_failed` for a reference to a missing item.
 */
export function checkReferences(
  { references }: Pick<MemoryTable, 'references'>,
  items: readonly Item[],
  kind: Operation['kind'],
): void {
  if (references.length === 0) return
  const issues = references.flatMap((reference) => brokenIn(items, reference))
  refuse('validation_failed', inOrder(issues), kind)
}

/**
 * Checks items after {@link checkReferences}.
 *
 * @throws {ProblemError} `conflict` for a unique value of another item.
 */
export function checkDistinct(
  table: Pick<MemoryTable, 'unique' | 'store'>,
  items: readonly Item[],
  kind: Operation['kind'],
): void {
  if (table.unique.length > 0) refuse('conflict', repeatedIn(items, table), kind)
}

function repeatedIn(
  items: readonly Item[],
  { unique, store }: Pick<MemoryTable, 'unique' | 'store'>,
): readonly FieldIssue[] {
  return inOrder(unique.flatMap((field) => repeatedBy(items, { field, store })))
}

// A missing value is no reference.
function brokenIn(items: readonly Item[], { field, store }: FieldOfStore): FieldIssue[] {
  return items.flatMap((item, place) => {
    const id = fieldOf(item, field) ?? null
    if (id === null || store.items.has(id as Item['id'])) return []
    return { place, field, code: 'reference_not_found', message: 'is the id of no item' }
  })
}

// A value is free if the write replaces its holder, unless another written item takes it.
function repeatedBy(items: readonly Item[], { field, store }: FieldOfStore): FieldIssue[] {
  const holders = groupsBy(store, field)
  const written = new Set(items.map(({ id }) => id))
  const taken = new Set<unknown>()
  return items.flatMap((item, place) => {
    const value = fieldOf(item, field) ?? null
    if (value === null) return []
    const [holder] = holders.get(value)?.items ?? []
    const isTaken = (holder && !written.has(holder.id)) || taken.has(value)
    taken.add(value)
    return isTaken ? { place, field, code: 'not_unique', message: 'is taken by another item' } : []
  })
}

function refuse(
  problemCode: 'validation_failed' | 'conflict',
  found: readonly FieldIssue[],
  kind: Operation['kind'],
): void {
  if (found.length === 0) return
  const issues = found.map(({ place, field, code, message }) => ({
    pointer: kind === 'updateMany' ? `/${place}/${field}` : `/${field}`,
    code,
    message,
  }))
  throw problem(problemCode, undefined, { issues })
}

/**
 * Returns frozen items with each date in the one stored form.
 *
 * @throws {ProblemError} `validation_failed` for every date that has no such form.
 */
export function withDates<Stored extends Item>(
  items: readonly Stored[],
  { kind, resource }: Pick<Operation, 'kind' | 'resource'>,
): readonly Stored[] {
  if (datesOf(resource).size === 0) return items
  const unstorable = items.flatMap((item, place) =>
    unstorableDatesIn(item, resource).map((field) => ({ place, field, ...unstorableDate })),
  )
  refuse('validation_failed', unstorable, kind)
  return items.map((item) => Object.freeze(withStoredDates(item, resource)))
}

/**
 * Stores frozen copies of the items to start with.
 *
 * @throws {TypeError} When they break a constraint or repeat an id.
 */
export function addInitialItems<Stored extends Item>(
  table: MemoryTable<Stored>,
  items: readonly Stored[],
): void {
  const ids = new Set<Item['id']>()
  for (const [place, { id }] of items.entries()) {
    if (ids.has(id)) throw wrongItem({ place, field: 'id', message: 'is the id of another item' })
    ids.add(id)
  }
  const [issue] = repeatedIn(items, table)
  if (issue) throw wrongItem(issue)
  putItems(
    table.store,
    items.map((item) => freeze(item)),
  )
}

function wrongItem({ place, field, message }: Omit<FieldIssue, 'code'>): TypeError {
  return new TypeError(`The "${field}" of items[${place}] ${message}: change it.`)
}

/**
 * Checks that no item that stays references the items to delete.
 *
 * @throws {ProblemError} `conflict`.
 */
export function checkUnreferenced(
  items: readonly Item[],
  { referrers, store: own }: Pick<MemoryTable, 'referrers' | 'store'>,
): void {
  if (referrers.length === 0) return
  const leaving = new Set(items)
  const isReferenced = ({ id }: Item): boolean =>
    referrers.some(({ field, store }) => {
      const group = groupsBy(store, field).get(id)
      return group !== undefined && (store !== own || [...group.items.values()].some(stays))
    })
  const stays = (item: Item): boolean => !leaving.has(item)
  if (!items.some(isReferenced)) return
  throw problem('conflict', 'Another item still references this one. Delete that item first')
}

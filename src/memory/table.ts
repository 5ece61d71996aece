import { unstorableDate, unstorableDatesIn, withStoredDates } from '../model/dates.ts'
import type { Operation } from '../model/operation.ts'
import { type Issue, problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { fieldOf } from '../model/value.ts'
import { inOrder } from '../model/write.ts'
import { createItemStore, freeze, groupsBy, type ItemStore, putItems } from './store.ts'

/** A store with its constraints, and the fields of other stores that reference its items. */
export interface MemoryTable<Stored extends Item = Item> {
  readonly store: ItemStore<Stored>
  /** `undefined` for a table without unique fields and references. */
  readonly constraints: Constraints | undefined
  readonly referrers: FieldOfStore[]
}

interface FieldOfStore {
  readonly field: string
  readonly store: ItemStore<Item>
}

/** The unique fields and the references of a store, checked before each write. */
interface Constraints {
  /**
   * Checks items before the store writes all of them at once. Pointers begin with the item's index
   * when the body holds several items.
   *
   * @throws {ProblemError} `validation_failed` for a reference to a missing item.
   */
  checkReferences(items: readonly Item[], kind: Operation['kind']): void
  /**
   * Checks items after {@link Constraints.checkReferences}.
   *
   * @throws {ProblemError} `conflict` for a unique value of another item.
   */
  checkUnique(items: readonly Item[], kind: Operation['kind']): void
  /** Returns the broken references of items to write, then their repeated values. */
  issuesOf(items: readonly Item[]): readonly FieldIssue[]
}

/** An issue with a field of one of several items. `place` is the item's index. */
interface FieldIssue extends Omit<Issue, 'pointer' | 'parameter'> {
  readonly place: number
  readonly field: string
}

const tables = new WeakMap<object, MemoryTable>()

/** Remembers the table of an adapter, so that other adapters can reference it. */
export function registerTable(adapter: object, table: MemoryTable): void {
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
  const keys = new Set([...unique, ...Object.keys(references)])
  const store = createItemStore<Stored>(keys)
  for (const { field, table } of referenced) table.referrers.push({ field, store })
  const targets = referenced.map(({ field, table }) => ({ field, store: table.store }))
  const constraints = keys.size > 0 ? createConstraints(store, unique, targets) : undefined
  return { store, constraints, referrers: [] }
}

// A missing value is never a duplicate or a reference.
function createConstraints(
  store: ItemStore<Item>,
  unique: readonly string[],
  references: readonly FieldOfStore[],
): Constraints {
  const broken = (items: readonly Item[]): readonly FieldIssue[] =>
    inOrder(references.flatMap((reference) => brokenIn(items, reference)))
  const repeated = (items: readonly Item[]): readonly FieldIssue[] =>
    inOrder(unique.flatMap((field) => repeatedIn(items, { field, store })))
  return {
    issuesOf: (items) => [...broken(items), ...repeated(items)],
    checkReferences: (items, kind) => refuse('validation_failed', broken(items), kind),
    checkUnique: (items, kind) => refuse('conflict', repeated(items), kind),
  }
}

function brokenIn(items: readonly Item[], { field, store }: FieldOfStore): FieldIssue[] {
  return items.flatMap((item, place) => {
    const id = fieldOf(item, field) ?? null
    if (id === null || store.items.has(id as Item['id'])) return []
    return { place, field, code: 'unknown_reference', message: 'is the id of no item' }
  })
}

// A value is free if the write replaces its holder, unless another written item takes it.
function repeatedIn(items: readonly Item[], { field, store }: FieldOfStore): FieldIssue[] {
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
  { store, constraints }: MemoryTable<Stored>,
  items: readonly Stored[],
): void {
  const ids = new Set<Item['id']>()
  for (const [place, { id }] of items.entries()) {
    if (ids.has(id)) throw wrongItem({ place, field: 'id', message: 'is the id of another item' })
    ids.add(id)
  }
  const [issue] = constraints?.issuesOf(items) ?? []
  if (issue) throw wrongItem(issue)
  putItems(store, items.map(freeze))
}

function wrongItem({ place, field, message }: Omit<FieldIssue, 'code'>): TypeError {
  return new TypeError(`The "${field}" of items[${place}] ${message}: change it.`)
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
    referrers.some(({ field, store }) => groupsBy(store, field).has(id))
  if (!items.some(isReferenced)) return
  throw problem('conflict', 'Another item still references this one. Delete that item first')
}

import type { Operation } from '../contract/resource/operation.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import {
  datesOf,
  unstorableDate,
  unstorableDatesIn,
  withStoredDates,
} from '../contract/values/dates.ts'
import { inOrder } from '../contract/values/write.ts'
import { bodyOf } from '../convention/kinds.ts'
import { type Issue, problem, takenId, tooManyAffected } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import { createItemStore, groupsBy, type ItemStore, removeItems } from './store.ts'

/** A store with its constraints, and the fields of other stores that reference its items. */
export interface MemoryTable<Stored extends Item = Item> {
  readonly store: ItemStore<Stored>
  /** The fields whose values no two items share. */
  readonly unique: readonly string[]
  /** The fields that hold ids of other stores' items. */
  readonly references: FieldOfStore[]
  readonly referrers: FieldOfStore[]
}

/** A field of a store's items. */
export interface FieldOfStore {
  readonly field: string
  readonly store: ItemStore<Item>
}

/** Creates an empty table. */
export function createMemoryTable<Stored extends Item>(
  unique: readonly string[],
): MemoryTable<Stored> {
  return { store: createItemStore<Stored>(new Set(unique)), unique, references: [], referrers: [] }
}

/** A write of several items. */
export interface Writing {
  readonly operation: Operation
  /** Returns the place of an item in the body. Default: its index among the items to write. */
  readonly placeOf?: (index: number) => number
}

/** An issue with a field of one of several items. `place` is the item's index. */
export interface FieldIssue extends Omit<Issue, 'pointer' | 'parameter'> {
  readonly place: number
  readonly field: string
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
  writing: Writing,
): void {
  if (references.length === 0) return
  const issues = references.flatMap((reference) => brokenIn(items, reference))
  refuse('validation_failed', inOrder(issues), writing)
}

/**
 * Checks items after {@link checkReferences}.
 *
 * @throws {ProblemError} `conflict` for a unique value of another item, and for the id of another
 *   item where the items are new.
 */
export function checkDistinct(
  { unique, store }: Pick<MemoryTable, 'unique' | 'store'>,
  items: readonly Item[],
  writing: Writing,
): void {
  const isNew = writing.operation.kind === 'create'
  const fields = isNew ? ['id', ...unique] : unique
  if (fields.length === 0) return
  const replaced = isNew ? nobody : new Set(items.map(({ id }) => id))
  const issues = repeatedIn(items, { unique: fields, store, replaced })
  if (issues.length === 0) return
  if (isNew && !isBulk(writing) && issues.some(({ field }) => field === 'id')) {
    throw takenId()
  }
  refuse('conflict', issues, writing)
}

interface Held extends Pick<MemoryTable, 'unique' | 'store'> {
  /** The ids of the items that give up their values. Default: none. */
  readonly replaced?: ReadonlySet<Item['id']>
}

/** Returns the fields whose unique values another item has, in the order of the items. */
export function repeatedIn(
  items: readonly Item[],
  { unique, ...held }: Held,
): readonly FieldIssue[] {
  const issues = unique.flatMap((field) => repeatedBy(items, { field, ...held }))
  return issues.length > 1 ? inOrder(issues) : issues
}

/** Returns the fields that reference a missing item. A missing value is no reference. */
export function brokenIn(items: readonly Item[], { field, store }: FieldOfStore): FieldIssue[] {
  return items.flatMap((item, place) => {
    const id = fieldOf(item, field) ?? null
    if (id === null || store.items.has(id as Item['id'])) return []
    return { place, field, code: 'reference_not_found', message: 'is the id of no item' }
  })
}

// A value is free if the write replaces its holder, unless the holder keeps it or another written
// item takes it.
function repeatedBy(
  items: readonly Item[],
  { field, store, replaced = nobody }: FieldOfStore & Pick<Held, 'replaced'>,
): FieldIssue[] {
  const taking = (item: Item): unknown => fieldOf(item, field) ?? null
  const isOwn = (item: Item): boolean =>
    replaced.has(item.id) && holderOf(taking(item), { field, store })?.id === item.id
  const ownValues = new Set(replaced.size === 0 ? [] : items.filter(isOwn).map(taking))
  const newValues = new Set<unknown>()
  return items.flatMap((item, place) => {
    const value = fieldOf(item, field) ?? null
    if (value === null || (ownValues.has(value) && isOwn(item))) return []
    const holder = holderOf(value, { field, store })
    const isTaken =
      (holder && !replaced.has(holder.id)) || ownValues.has(value) || newValues.has(value)
    newValues.add(value)
    return isTaken ? { place, field, code: 'not_unique', message: 'is taken by another item' } : []
  })
}

const nobody: ReadonlySet<Item['id']> = new Set()

function holderOf(value: unknown, { field, store }: FieldOfStore): Item | undefined {
  if (field === 'id') return store.items.get(value as Item['id'])
  const [holder] = groupsBy(store, field).get(value)?.items ?? []
  return holder
}

function refuse(
  problemCode: 'validation_failed' | 'conflict',
  faults: readonly FieldIssue[],
  writing: Writing,
): void {
  if (faults.length === 0) return
  const { placeOf = (index: number) => index } = writing
  const issues = faults.map(({ place, field, code, message }) => ({
    pointer: isBulk(writing) ? `/${placeOf(place)}/${field}` : `/${field}`,
    code,
    message,
  }))
  throw problem(problemCode, undefined, { issues })
}

// A body of `create` may be one item or many.
function isBulk({ operation: { kind, items } }: Writing): boolean {
  return bodyOf(kind)?.isMany === true || items !== undefined
}

// Most resources have no dates.
const undated = new WeakSet<Resource>()

/**
 * Returns frozen items with each date in the one stored form.
 *
 * @throws {ProblemError} `validation_failed` for every date that has no such form.
 */
export function withDates<Stored extends Item>(
  items: readonly Stored[],
  writing: Writing,
): readonly Stored[] {
  const { resource } = writing.operation
  if (undated.has(resource)) return items
  if (datesOf(resource).size === 0) undated.add(resource)
  const unstorable = items.flatMap((item, place) =>
    unstorableDatesIn(item, resource).map((field) => ({ place, field, ...unstorableDate })),
  )
  refuse('validation_failed', unstorable, writing)
  return items.map((item) => Object.freeze(withStoredDates(item, resource)))
}

/**
 * Checks that no item that stays references the items to delete.
 *
 * @throws {ProblemError} `conflict`.
 */
function checkUnreferenced(
  items: readonly Item[],
  { referrers, store: ownStore }: Pick<MemoryTable, 'referrers' | 'store'>,
): void {
  if (referrers.length === 0) return
  const leaving = new Set(items)
  const isReferenced = ({ id }: Item): boolean =>
    referrers.some(({ field, store }) => {
      const group = groupsBy(store, field).get(id)
      return group !== undefined && (store !== ownStore || [...group.items.values()].some(stays))
    })
  const stays = (item: Item): boolean => !leaving.has(item)
  if (!items.some(isReferenced)) return
  throw problem('conflict', 'Another item still references this one. Delete that item first.')
}

/**
 * Deletes items and returns their number.
 *
 * @throws {ProblemError} `too_many_affected`; `conflict` for an item that others reference.
 */
export function dropItems(
  table: MemoryTable,
  items: readonly Item[],
  maxAffected = Number.POSITIVE_INFINITY,
): number {
  if (items.length > maxAffected) throw tooManyAffected(maxAffected)
  checkUnreferenced(items, table)
  removeItems(table.store, items)
  return items.length
}

/**
 * Returns a frozen deep copy of a JSON value, so that no caller can change a stored value.
 *
 * @param path The fields that lead to the value. Default: none, for an item.
 * @throws {TypeError} For a value that JSON cannot carry, since every later list would fail.
 */
export function freeze<Value extends object>(value: Value, path: readonly string[] = []): Value {
  const isArray = Array.isArray(value)
  const copy: Record<string, unknown> = isArray ? Object([...value]) : { ...value }
  for (const key of Object.keys(copy)) {
    const member = copy[key]
    const isPlain = typeof member === 'string' || typeof member === 'boolean' || member === null
    if (isPlain || Number.isFinite(member) || (member === undefined && !isArray)) continue
    const at = [...path, key]
    if (!isJsonObject(member)) throw cannotStore(member, at)
    copy[key] = freeze(member, at)
  }
  return Object.freeze(copy) as Value
}

// A date, a map or a set would become `{}`.
function isJsonObject(value: unknown): value is object {
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]'
}

function cannotStore(value: unknown, path: readonly string[]): TypeError {
  const isDate = value instanceof Date
  const advice = isDate ? 'write date.toISOString()' : 'use text, numbers, lists and plain objects'
  const text = typeof value === 'object' ? Object.prototype.toString.call(value) : String(value)
  return new TypeError(
    `A memoryAdapter cannot store ${text} in "${path.join('.')}": ` +
      `JSON has no such value, ${advice}.`,
  )
}

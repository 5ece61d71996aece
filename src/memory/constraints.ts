import { inOrder } from '../model/breach.ts'
import { fieldOf } from '../model/operation.ts'
import { type Issue, problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import type { ItemStore } from './store.ts'

/** A field that must hold the id of an item of another store. */
export interface StoreReference {
  readonly field: string
  readonly store: Pick<ItemStore<Item>, 'get'>
}

/** The unique fields and the references of a store, checked before each write. */
export interface Constraints {
  add(item: Item): void
  remove(item: Item): void
  /** Removes all items. */
  clear(): void
  /**
   * Checks items before the store writes all of them at once. Pointers begin with the item's index
   * when the body holds several items.
   *
   * @throws {ProblemError} `validation_failed` for a reference to a missing item.
   */
  checkReferences(items: readonly Item[], body: 'item' | 'items'): void
  /**
   * Checks items after {@link Constraints.checkReferences}.
   *
   * @throws {ProblemError} `conflict` for a unique value of another item.
   */
  checkUnique(items: readonly Item[], body: 'item' | 'items'): void
  /** Returns the broken references of items to write, or else their repeated values. */
  issuesOf(items: readonly Item[]): readonly FieldIssue[]
}

interface UniqueField {
  readonly field: string
  /** The id of the item that has each value. */
  readonly holders: Map<unknown, Item['id']>
}

/** An issue with a field of one of several items. `place` is the item's index. */
export interface FieldIssue extends Omit<Issue, 'pointer' | 'parameter'> {
  readonly place: number
  readonly field: string
}

/** Creates the constraints of a store. A missing value is never a duplicate or a reference. */
export function createConstraints(
  unique: readonly string[],
  references: readonly StoreReference[],
): Constraints {
  const fields = unique.map((field): UniqueField => ({ field, holders: new Map() }))
  const dangling = (items: readonly Item[]): readonly FieldIssue[] =>
    inOrder(references.flatMap((reference) => referenceIssuesOf(items, reference)))
  const repeated = (items: readonly Item[]): readonly FieldIssue[] =>
    inOrder(fields.flatMap((field) => uniqueIssuesOf(items, field)))
  return {
    issuesOf(items) {
      const issues = dangling(items)
      return issues.length > 0 ? issues : repeated(items)
    },
    add(item) {
      for (const { field, holders } of fields) {
        if (hasValue(item, field)) holders.set(fieldOf(item, field), item.id)
      }
    },
    remove(item) {
      for (const { field, holders } of fields) holders.delete(fieldOf(item, field))
    },
    clear() {
      for (const { holders } of fields) holders.clear()
    },
    checkReferences: (items, body) => refuse('validation_failed', dangling(items), body),
    checkUnique: (items, body) => refuse('conflict', repeated(items), body),
  }
}

function referenceIssuesOf(items: readonly Item[], { field, store }: StoreReference): FieldIssue[] {
  return items.flatMap((item, place) => {
    const id = fieldOf(item, field)
    if (!hasValue(item, field) || store.get(id as Item['id'])) return []
    return { place, field, code: 'unknown_reference', message: 'is the id of no item' }
  })
}

// A value is free if the write replaces its holder, unless another written item takes it.
function uniqueIssuesOf(items: readonly Item[], { field, holders }: UniqueField): FieldIssue[] {
  const written = new Set(items.map(({ id }) => id))
  const taken = new Set<unknown>()
  return items.flatMap((item, place) => {
    if (!hasValue(item, field)) return []
    const value = fieldOf(item, field)
    const holder = holders.get(value)
    const isTaken = (holder !== undefined && !written.has(holder)) || taken.has(value)
    taken.add(value)
    return isTaken ? { place, field, code: 'not_unique', message: 'is taken by another item' } : []
  })
}

function refuse(
  problemCode: 'validation_failed' | 'conflict',
  found: readonly FieldIssue[],
  body: 'item' | 'items',
): void {
  if (found.length === 0) return
  const issues = found.map(({ place, field, code, message }) => ({
    pointer: body === 'items' ? `/${place}/${field}` : `/${field}`,
    code,
    message,
  }))
  throw problem(problemCode, undefined, { issues })
}

function hasValue(item: Item, field: string): boolean {
  return (fieldOf(item, field) ?? null) !== null
}

import { inOrder } from '../model/breach.ts'
import { fieldOf } from '../model/operation.ts'
import { type Issue, problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import type { Store } from './store.ts'

/** A field that must name an item of another store. */
export interface Reference {
  readonly field: string
  readonly store: Pick<Store<Item>, 'get'>
}

/** What is true of a store's items, whatever is written. */
export interface Constraints {
  add(item: Item): void
  remove(item: Item): void
  /** Removes all items. */
  clear(): void
  /**
   * Checks items before all of them are written at once. Pointers begin with the place of the item where they are those of a bulk.
   *
   * @throws {ProblemError} `validation_failed` for a reference to nothing.
   */
  checkReferences(items: readonly Item[], body: 'item' | 'items'): void
  /**
   * As {@link Constraints.checkReferences}, to be called after it.
   *
   * @throws {ProblemError} `conflict` for a unique value that another item has.
   */
  checkUnique(items: readonly Item[], body: 'item' | 'items'): void
  /** What is wrong with items that would be written at once: references to nothing, else repeated values. */
  faultsOf(items: readonly Item[]): readonly Fault[]
}

interface UniqueField {
  readonly field: string
  /** Who has a value. */
  readonly holders: Map<unknown, Item['id']>
}

/** What is wrong with a field of one of several items. */
export interface Fault extends Omit<Issue, 'pointer' | 'parameter'> {
  readonly place: number
  readonly field: string
}

/** Makes the constraints of unique fields and references. A missing value is never taken, and refers to nothing. */
export function createConstraints(
  unique: readonly string[],
  references: readonly Reference[],
): Constraints {
  const fields = unique.map((field): UniqueField => ({ field, holders: new Map() }))
  const danglingIn = (items: readonly Item[]): readonly Fault[] =>
    inOrder(references.flatMap((reference) => faultsOfReference(items, reference)))
  const takenIn = (items: readonly Item[]): readonly Fault[] =>
    inOrder(fields.flatMap((field) => faultsOfUnique(items, field)))
  return {
    faultsOf(items) {
      const dangling = danglingIn(items)
      return dangling.length > 0 ? dangling : takenIn(items)
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
    checkReferences(items, body) {
      const faults = danglingIn(items)
      if (faults.length > 0) throw problem('validation_failed', undefined, issuesOf(faults, body))
    },
    checkUnique(items, body) {
      const faults = takenIn(items)
      if (faults.length > 0) throw problem('conflict', undefined, issuesOf(faults, body))
    },
  }
}

function faultsOfReference(items: readonly Item[], { field, store }: Reference): Fault[] {
  return items.flatMap((item, place) => {
    const id = fieldOf(item, field)
    if (!hasValue(item, field) || store.get(id as Item['id'])) return []
    return { place, field, code: 'unknown_reference', message: 'is the id of no item' }
  })
}

// A value whose holder is being written too is free, unless one of the others takes it.
function faultsOfUnique(items: readonly Item[], { field, holders }: UniqueField): Fault[] {
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

function issuesOf(faults: readonly Fault[], body: 'item' | 'items'): { issues: Issue[] } {
  return {
    issues: faults.map(({ place, field, code, message }) => ({
      pointer: body === 'items' ? `/${place}/${field}` : `/${field}`,
      code,
      message,
    })),
  }
}

function hasValue(item: Item, field: string): boolean {
  const value = fieldOf(item, field)
  return value !== undefined && value !== null
}

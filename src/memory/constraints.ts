import { fieldOf } from '../model/operation.ts'
import { type Issue, problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import type { Store } from './store.ts'

/** A field that must name an item of another store. */
export interface Reference {
  readonly field: string
  readonly store: Store<Item>
}

/** What is true of a store's items, whatever is written. */
export interface Constraints<Stored extends Item> {
  add(item: Stored): void
  remove(item: Stored): void
  /**
   * Checks items before all of them are written at once.
   *
   * @param isBulk Whether pointers begin with the item's place.
   * @throws {ProblemError} `validation_failed` for a reference to nothing, `conflict` for a unique value that another item has.
   */
  check(items: readonly Stored[], isBulk: 'one' | 'many'): void
}

/** Makes the constraints of unique fields and references. A missing value is never taken, and refers to nothing. */
export function createConstraints<Stored extends Item>(
  unique: readonly string[],
  references: readonly Reference[],
): Constraints<Stored> {
  const taken = unique.map((field) => ({ field, ids: new Map<unknown, Item['id']>() }))
  function faultOfReference(item: Stored, { field, store }: Reference): string | undefined {
    const id = fieldOf(item, field)
    if (id === undefined || id === null) return undefined
    return (typeof id === 'string' || typeof id === 'number') && store.get(id)
      ? undefined
      : 'is the id of no item'
  }
  return {
    add: (item) => {
      for (const { field, ids } of taken)
        if (hasValue(item, field)) ids.set(fieldOf(item, field), item.id)
    },
    remove: (item) => {
      for (const { field, ids } of taken) ids.delete(fieldOf(item, field))
    },
    check(items, isBulk) {
      const at = (place: number, field: string): string =>
        isBulk === 'many' ? `/${place}/${field}` : `/${field}`
      const dangling: Issue[] = []
      const repeated: Issue[] = []
      const written = new Set(items.map(({ id }) => id))
      for (const reference of references) {
        for (const [place, item] of items.entries()) {
          const message = faultOfReference(item, reference)
          if (message)
            dangling.push({
              pointer: at(place, reference.field),
              code: 'unknown_reference',
              message,
            })
        }
      }
      for (const { field, ids } of taken) {
        const now = new Set<unknown>()
        for (const [place, item] of items.entries()) {
          if (!hasValue(item, field)) continue
          const value = fieldOf(item, field)
          const holder = ids.get(value)
          // A value whose holder is being written too is free, unless one of the others takes it.
          const isTaken = (holder !== undefined && !written.has(holder)) || now.has(value)
          if (isTaken)
            repeated.push({
              pointer: at(place, field),
              code: 'not_unique',
              message: 'is taken by another item',
            })
          now.add(value)
        }
      }
      if (dangling.length > 0) throw problem('validation_failed', undefined, { issues: dangling })
      if (repeated.length > 0) throw problem('conflict', undefined, { issues: repeated })
    },
  }
}

function hasValue(item: object, field: string): boolean {
  const value = fieldOf(item, field)
  return value !== undefined && value !== null
}

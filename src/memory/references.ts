import { problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import type { Store } from './store.ts'

/** A store, with the stores whose items name its own. */
export interface Shelf {
  readonly store: Store<Item>
  readonly referrers: { readonly field: string; readonly store: Store<Item> }[]
}

const shelves = new WeakMap<object, Shelf>()

/** Remembers the shelf behind an adapter, so that other adapters can refer to it. */
export function keep(adapter: object, shelf: Shelf): void {
  shelves.set(adapter, shelf)
}

/**
 * The shelf behind the adapter that a field refers to.
 *
 * @throws {TypeError} When it is no memory adapter.
 */
export function connect(field: string, adapter: object | undefined): Shelf {
  const shelf = adapter && shelves.get(adapter)
  if (shelf) return shelf
  throw new TypeError(
    `"${field}" refers to something else than a memory adapter: give it the one of the resource it names.`,
  )
}

/**
 * Makes sure that nobody names the items that are about to be deleted, but for those that go with them.
 *
 * @throws {ProblemError} `conflict`.
 */
export function refuseReferred(items: readonly Item[], { store, referrers }: Shelf): void {
  const gone = new Set(items)
  for (const { field, store: referrer } of referrers) {
    for (const { id } of items) {
      for (const item of referrer.inScope({ [field]: id })) {
        if (referrer === store && gone.has(item)) continue
        throw problem(
          'conflict',
          `The item is still the "${field}" of another, which has to go first`,
        )
      }
    }
  }
}

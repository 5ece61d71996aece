import { isInScope, type Scope } from '../model/operation.ts'
import { problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { type Constraints, createConstraints } from './constraints.ts'
import { createStore, type Store } from './store.ts'

/** A store with what is true of its items, and the stores whose items name its own. */
export interface Shelf<Stored extends Item = Item> {
  readonly store: Store<Stored>
  readonly constraints: Constraints
  readonly referrers: Referrer[]
}

interface Referrer {
  readonly field: string
  readonly store: Pick<Store<Item>, 'inScope'>
}

const shelves = new WeakMap<
  object,
  Pick<Shelf, 'referrers'> & { readonly store: Pick<Store<Item>, 'get'> }
>()

/** Remembers the shelf behind an adapter, so that other adapters can refer to it. */
export function keep<Stored extends Item>(adapter: object, shelf: Shelf<Stored>): void {
  shelves.set(adapter, shelf)
}

/**
 * Makes an empty shelf.
 *
 * @param references The adapters whose items the fields name.
 * @throws {TypeError} When one of them is no memory adapter.
 */
export function createShelf<Stored extends Item>(
  unique: readonly string[],
  references: Readonly<Record<string, object | undefined>>,
): Shelf<Stored> {
  const named = Object.entries(references).map(([field, adapter]) => {
    const shelf = adapter && shelves.get(adapter)
    if (shelf) return { field, shelf }
    throw new TypeError(
      `"${field}" refers to something else than a memory adapter: give it the one of the resource it names.`,
    )
  })
  const constraints = createConstraints(
    unique,
    named.map(({ field, shelf: { store } }) => ({ field, store })),
  )
  const store = createStore<Stored>([constraints])
  for (const { field, shelf } of named) shelf.referrers.push({ field, store })
  return { store, constraints, referrers: [] }
}

/** The item of an id inside a scope; `undefined` when there is none. */
export function find<Stored extends Item>(
  { store }: Shelf<Stored>,
  { id, scope }: { readonly id: Item['id']; readonly scope: Scope },
): Stored | undefined {
  const item = store.get(id)
  return item && isInScope(item, scope) ? item : undefined
}

/**
 * Makes sure that nobody names the items that are about to be deleted.
 *
 * @throws {ProblemError} `conflict`.
 */
export function refuseReferred(
  items: readonly Item[],
  { referrers }: Pick<Shelf, 'referrers'>,
): void {
  for (const { field, store } of referrers) {
    for (const { id } of items) {
      const [named] = store.inScope({ [field]: id })
      if (named)
        throw problem(
          'conflict',
          `The item is still the "${field}" of another, which has to go first`,
        )
    }
  }
}

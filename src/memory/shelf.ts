import { isInScope, type Scope } from '../model/operation.ts'
import { problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { type Constraints, createConstraints, type Fault } from './constraints.ts'
import { createIds, type Ids } from './ids.ts'
import { createStore, type Store } from './store.ts'

/** A store with what is true of its items, and the stores whose items name its own. */
export interface Shelf<Stored extends Item = Item> {
  readonly store: Store<Stored>
  readonly constraints: Constraints
  readonly ids: Ids
  readonly referrers: Referrer[]
}

interface Referrer {
  readonly field: string
  readonly store: Pick<Store<Item>, 'isNamed'>
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
  const ids = createIds()
  const store = createStore<Stored>(
    [constraints, ids],
    named.map(({ field }) => field),
  )
  for (const { field, shelf } of named) shelf.referrers.push({ field, store })
  return { store, constraints, ids, referrers: [] }
}

/**
 * Puts the items to start with on a shelf.
 *
 * @throws {TypeError} When they do not hold what has to be true of them.
 */
export function fill<Stored extends Item>(
  { store, constraints }: Shelf<Stored>,
  items: readonly Stored[],
): void {
  const ids = new Set<Item['id']>()
  for (const [place, { id }] of items.entries()) {
    if (ids.has(id)) refuse({ place, field: 'id', message: 'is the id of another item' })
    ids.add(id)
  }
  const [fault] = constraints.faultsOf(items)
  if (fault) refuse(fault)
  store.put(items)
}

function refuse({ place, field, message }: Pick<Fault, 'place' | 'field' | 'message'>): never {
  throw new TypeError(`The "${field}" of items[${place}] ${message}: change it.`)
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
      if (store.isNamed(field, id))
        throw problem('conflict', 'The item is still named by another, which has to go first')
    }
  }
}

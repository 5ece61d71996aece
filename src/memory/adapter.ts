import { v7 as uuidv7 } from 'uuid'
import type { Adapter } from '../model/adapter.ts'
import { type AdapterShape, fieldOf, isInScope, type Operation } from '../model/operation.ts'
import { reverse } from '../model/order.ts'
import { problem } from '../model/problem.ts'
import type { FieldOf, Item } from '../model/resource.ts'
import { createConstraints } from './constraints.ts'
import { freeze } from './freeze.ts'
import { connect, keep, refuseReferred, type Shelf } from './references.ts'
import { createStore, type Store } from './store.ts'

/** What {@link memoryAdapter} takes; every part is optional. */
export interface MemoryOptions<S extends AdapterShape> {
  /** The items to start with. Default: none. */
  readonly items?: readonly S['item'][]
  /** Makes the id of an item that comes without one. Default: a UUID of version 7, so that ids are in the order of creation. */
  readonly nextId?: () => S['item']['id']
  /** The fields that the server adds to a new item: `() => ({ created_at: new Date().toISOString() })`. Default: none. */
  readonly onCreate?: (item: S['create']) => Partial<S['item']>
  /** The fields that the server changes when an item is replaced. Default: none. */
  readonly onUpdate?: (item: S['item'], stored: S['item']) => Partial<S['item']>
  /** Fields of which no two items have the same value; a missing value is never the same. A repeated one is answered 409 `conflict`. Default: none. */
  readonly unique?: readonly FieldOf<S['item']>[]
  /**
   * Fields that name an item of another memory adapter: `{ company_id: companies }`. Naming none is answered 422 `validation_failed`,
   * deleting one that is still named 409 `conflict`. Default: none.
   */
  readonly references?: { readonly [Field in FieldOf<S['item']>]?: object }
}

/**
 * Keeps a resource in memory: the reference of what an adapter does. All ten operations, in every scope; reads take the
 * same time however many items there are, orders that are asked for are kept, and bulks are written whole or not at all.
 *
 * Where the resource has a version field, a number, it counts up with every write unless `onCreate` and `onUpdate` set it.
 * Items that come out are frozen.
 *
 * @throws {TypeError} For a reference to something that is no memory adapter.
 */
export function memoryAdapter<S extends AdapterShape>(options: MemoryOptions<S> = {}): Adapter<S> {
  const {
    items = [],
    unique = [],
    nextId = uuidv7,
    onCreate = nothing,
    onUpdate = nothing,
  } = options
  const references = Object.entries<object | undefined>(options.references ?? {}).map(
    ([field, adapter]) => ({
      field,
      shelf: connect(field, adapter),
    }),
  )
  const constraints = createConstraints<S['item']>(
    unique,
    references.map(({ field, shelf }) => ({ field, store: shelf.store })),
  )
  const store: Store<S['item']> = createStore([constraints])
  const shelf: Shelf = { store, referrers: [] }
  for (const { field, shelf: owner } of references) owner.referrers.push({ field, store })
  store.put(items.map((item) => freeze(structuredClone(item))))

  const find = ({
    id,
    scope,
  }: {
    id: Item['id']
    scope: Operation['scope']
  }): S['item'] | undefined => {
    const item = store.get(id)
    return item && isInScope(item, scope) ? item : undefined
  }

  const endOf = (
    { resource, scope, query }: Operation,
    sort: Operation['query']['sort'],
  ): S['item'] | undefined =>
    store.list({ resource, scope, query: { ...query, sort, limit: 1 } })[0]

  const renew = (item: S['item'], stored: S['item'], { resource }: Operation): S['item'] =>
    freeze({ ...item, ...versionAfter(stored, resource.version), ...onUpdate(item, stored) })

  const adapter: Adapter<S> = {
    list: (operation) => store.list(operation),
    read: find,
    count: (operation) => store.count(operation),
    first: (operation) => endOf(operation, operation.query.sort),
    last: (operation) => endOf(operation, reverse(operation.query.sort)),
    create: ({ item, resource }) => {
      const made = freeze({
        id: nextId(),
        ...item,
        ...versionAfter(undefined, resource.version),
        ...onCreate(item),
      })
      if (store.get(made.id)) throw problem('conflict', 'There is an item with this id already')
      constraints.check([made], 'one')
      store.put([made])
      return made
    },
    update: (operation) => {
      const stored = find(operation)
      if (!stored) return null
      checkVersion(stored, operation)
      const made = renew(operation.item, stored, operation)
      constraints.check([made], 'one')
      store.put([made])
      return made
    },
    updateMany: (operation) => {
      const { scope } = operation
      const stored = operation.items.map(({ id }) => find({ id, scope }) ?? null)
      if (stored.includes(null)) return stored
      const made = operation.items.map((item, place) =>
        renew(item, stored[place] ?? item, operation),
      )
      constraints.check(made, 'many')
      store.put(made)
      return made
    },
    delete: (operation) => {
      const stored = find(operation)
      if (!stored) return null
      checkVersion(stored, operation)
      refuseReferred([stored], shelf)
      store.remove([stored])
      return stored
    },
    deleteAll: ({ scope, maxAffected = Number.POSITIVE_INFINITY }) => {
      const all = [...store.inScope(scope)]
      if (all.length > maxAffected)
        throw problem('too_many_affected', `More than ${maxAffected} items would be deleted`)
      refuseReferred(all, shelf)
      store.remove(all)
      return all.length
    },
  }
  keep(adapter, shelf)
  return adapter
}

function nothing(): object {
  return {}
}

function versionAfter(stored: Item | undefined, field: string | undefined): object {
  if (field === undefined) return {}
  const version = stored === undefined ? 0 : fieldOf(stored, field)
  return typeof version === 'number' ? { [field]: version + 1 } : {}
}

function checkVersion(stored: Item, { resource, ifVersion }: Operation): void {
  if (resource.version === undefined || ifVersion === undefined) return
  if (fieldOf(stored, resource.version) === ifVersion) return
  throw problem('precondition_failed', 'The item has changed meanwhile')
}

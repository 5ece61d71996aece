import type { Adapter } from '../model/adapter.ts'
import { type Awaitable, whenReady } from '../model/awaitable.ts'
import { checkComplete, checkNewId } from '../model/complete.ts'
import { checkLists, checkOptions } from '../model/declared.ts'
import { keepsReadOnly } from '../model/keeping.ts'
import {
  type AdapterShape,
  type CreateOperation,
  type DeleteAllOperation,
  type DeleteOperation,
  fieldOf,
  type Operation,
  type UpdateManyOperation,
  type UpdateOperation,
} from '../model/operation.ts'
import { reverse } from '../model/order.ts'
import { problem } from '../model/problem.ts'
import type { FieldOf, Item } from '../model/resource.ts'
import { checkRevision, revisionAfter } from '../model/revision.ts'
import { freeze } from './freeze.ts'
import { createShelf, fill, find, keep, refuseReferred, type Shelf } from './shelf.ts'

/** What {@link memoryAdapter} takes; every part is optional. */
export interface MemoryOptions<S extends AdapterShape> {
  /** The items to start with. Default: none. */
  readonly items?: readonly S['item'][]
  /** Makes the id of an item that comes without one. Default: a UUID of version 7, or, where the resource's ids are numbers, the one after the highest; both in the order of creation. */
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

const known: Record<keyof MemoryOptions<AdapterShape>, true> = {
  items: true,
  nextId: true,
  onCreate: true,
  onUpdate: true,
  unique: true,
  references: true,
}

/** A shelf, and what is done to the items that come onto it. */
interface Stock<S extends AdapterShape> extends Shelf<S['item']> {
  readonly options: MemoryOptions<S>
}

/**
 * Keeps a resource in memory: the reference of what an adapter does. All ten operations, in every scope; reads take the
 * same time however many items there are, orders that are asked for are kept, and bulks are written whole or not at all.
 *
 * Where the resource has a revision field, a number, it counts up with every write unless `onCreate` and `onUpdate` set it.
 * Items that come out are frozen.
 *
 * @throws {TypeError} For an option there is not, a reference to something that is no memory adapter, and items to start with that repeat an
 *   id or a unique value or name nothing.
 */
export function memoryAdapter<S extends AdapterShape>(options: MemoryOptions<S> = {}): Adapter<S> {
  checkOptions('A memoryAdapter', options, known)
  checkLists('A memoryAdapter', options, ['items', 'unique'])
  const { items = [], unique = [], references = {} } = options
  const stock: Stock<S> = { ...createShelf<S['item']>(unique, references), options }
  const { store } = stock
  fill(stock, items.map(freeze))
  const adapter: Adapter<S> = {
    list: (operation) => store.list(operation),
    create: (operation) => create(stock, operation),
    updateMany: (operation) => updateMany(stock, operation),
    deleteAll: (operation) => deleteAll(stock, operation),
    read: (operation) => find(stock, operation),
    update: keepsReadOnly((operation) => update(stock, operation)),
    delete: (operation) => deleteOne(stock, operation),
    first: (operation) => endOf(stock, operation, operation.query.sort),
    last: (operation) => endOf(stock, operation, reverse(operation.query.sort)),
    count: (operation) => store.count(operation),
  }
  keep(adapter, stock)
  return adapter
}

function endOf<S extends AdapterShape>(
  { store }: Stock<S>,
  { resource, scope, query }: Operation<S>,
  sort: Operation<S>['query']['sort'],
): Awaitable<S['item'] | undefined> {
  return whenReady(
    store.page({ resource, scope, query: { ...query, sort, limit: 1 } }),
    ([item]) => item,
  )
}

function create<S extends AdapterShape>(stock: Stock<S>, operation: CreateOperation<S>): S['item'] {
  const { item, resource } = operation
  const { nextId = () => stock.ids.next(resource), onCreate = nothing } = stock.options
  const own: Pick<S['item'], 'id'> = { id: hasId(item) ? item.id : nextId() }
  const revision = revisionAfter(undefined, resource)
  // First, where one looks for it; and last, as a schema may leave an id in the item that is not set.
  const made = freeze({ ...own, ...item, ...own, ...revision, ...onCreate(item) })
  checkComplete(made, operation)
  const isChecked = hasId(item) || stock.options.nextId === undefined
  if (!isChecked || made.id !== own.id) checkNewId(made, resource)
  stock.constraints.checkReferences([made], 'item')
  if (stock.store.get(made.id)) throw problem('conflict', 'There is an item with this id already')
  stock.constraints.checkUnique([made], 'item')
  stock.store.put([made])
  return made
}

function hasId(item: object): item is Item {
  return fieldOf(item, 'id') !== undefined
}

function update<S extends AdapterShape>(
  stock: Stock<S>,
  operation: UpdateOperation<S>,
): S['item'] | null {
  const stored = find(stock, operation)
  if (!stored) return null
  checkRevision(stored, operation.ifRevision, operation.resource)
  const made = renew(stock, operation.item, { stored, operation })
  checkComplete(made, operation)
  stock.constraints.checkReferences([made], 'item')
  stock.constraints.checkUnique([made], 'item')
  stock.store.put([made])
  return made
}

function updateMany<S extends AdapterShape>(
  stock: Stock<S>,
  operation: UpdateManyOperation<S>,
): readonly (S['item'] | null)[] {
  const { items, scope, resource } = operation
  const all = items.map((item) => ({ item, stored: find(stock, { id: item.id, scope }) }))
  const made = all.map(({ item, stored }) => {
    if (!stored) return null
    checkRevision(stored, resource.revision && Reflect.get(item, resource.revision), resource)
    return renew(stock, item, { stored, operation })
  })
  const whole = made.filter((item) => item !== null)
  if (whole.length < made.length) return made
  for (const item of whole) checkComplete(item, operation)
  stock.constraints.checkReferences(whole, 'items')
  stock.constraints.checkUnique(whole, 'items')
  stock.store.put(whole)
  return whole
}

function renew<S extends AdapterShape>(
  { options: { onUpdate = nothing } }: Stock<S>,
  item: S['item'],
  { stored, operation }: { readonly stored: S['item']; readonly operation: Operation<S> },
): S['item'] {
  return freeze({
    ...item,
    ...revisionAfter(stored, operation.resource),
    ...onUpdate(item, stored),
  })
}

function deleteOne<S extends AdapterShape>(
  stock: Stock<S>,
  operation: DeleteOperation<S>,
): S['item'] | null {
  const stored = find(stock, operation)
  if (!stored) return null
  checkRevision(stored, operation.ifRevision, operation.resource)
  refuseReferred([stored], stock)
  stock.store.remove([stored])
  return stored
}

function deleteAll<S extends AdapterShape>(
  stock: Stock<S>,
  operation: DeleteAllOperation<S>,
): Awaitable<number> {
  return whenReady(stock.store.prepare(operation.scope), () => deleteNow(stock, operation))
}

function deleteNow<S extends AdapterShape>(
  stock: Stock<S>,
  { scope, maxAffected = Number.POSITIVE_INFINITY }: DeleteAllOperation<S>,
): number {
  const { store } = stock
  const all: readonly Item[] = [...store.inScope(scope)]
  if (all.length > maxAffected) {
    throw problem('too_many_affected', `More would be deleted than ${maxAffected}`)
  }
  refuseReferred(all, stock)
  if (all.length === store.size()) store.clear()
  else store.remove(all)
  return all.length
}

function nothing(): object {
  return {}
}

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
import {
  addInitialItems,
  checkUnreferenced,
  createMemoryTable,
  findInScope,
  type MemoryTable,
  registerTable,
} from './table.ts'

/** The options of {@link memoryAdapter}. All are optional. */
export interface MemoryOptions<S extends AdapterShape> {
  /** The items to start with. Default: none. */
  readonly items?: readonly S['item'][]
  /**
   * Returns the id of a new item that has none. Default: a UUID of version 7, or the number after
   * the highest id where the resource's ids are numbers. Both follow the order of creation.
   */
  readonly nextId?: () => S['item']['id']
  /**
   * Returns the fields that the server sets on a new item:
   * `() => ({ created_at: new Date().toISOString() })`. Default: none.
   */
  readonly onCreate?: (item: S['create']) => Partial<S['item']>
  /** Returns the fields that the server sets when an item is replaced. Default: none. */
  readonly onUpdate?: (item: S['item'], stored: S['item']) => Partial<S['item']>
  /**
   * The fields in which every item needs a value of its own. A missing value may repeat. A repeated
   * value is the problem `conflict` (409). Default: none.
   */
  readonly unique?: readonly FieldOf<S['item']>[]
  /**
   * The fields that hold the id of an item of another memory adapter: `{ company_id: companies }`.
   * An unknown id is the problem `validation_failed` (422). Deleting a referenced item is the
   * problem `conflict` (409). Default: none.
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

const noFields = (): object => ({})
const hasId = (item: object): item is Item => fieldOf(item, 'id') !== undefined

interface Storage<S extends AdapterShape> extends MemoryTable<S['item']> {
  readonly options: MemoryOptions<S>
}

/**
 * Keeps a resource in memory, as the reference for every other adapter. Supports all ten operations
 * in every scope. A read takes the same time for any number of items, since the adapter keeps each
 * order that a client queries. It writes all items of a bulk or none.
 *
 * A numeric revision field counts up with every write, unless `onCreate` and `onUpdate` set it.
 * The adapter returns frozen items.
 *
 * @throws {TypeError} For an unknown option and a reference to anything but a memory adapter. For
 *   initial items that repeat an id or a unique value, or reference a missing item.
 */
export function memoryAdapter<S extends AdapterShape>(options: MemoryOptions<S> = {}): Adapter<S> {
  checkOptions('A memoryAdapter', options, known)
  checkLists('A memoryAdapter', options, ['items', 'unique'])
  const { items = [], unique = [], references = {} } = options
  const storage: Storage<S> = { ...createMemoryTable<S['item']>(unique, references), options }
  const { store } = storage
  addInitialItems(storage, items.map(freeze))
  const adapter: Adapter<S> = {
    list: (operation) => store.list(operation),
    create: (operation) => create(storage, operation),
    updateMany: (operation) => updateMany(storage, operation),
    deleteAll: (operation) =>
      whenReady(store.prepare(operation.scope), () => deleteAll(storage, operation)),
    read: (operation) => findInScope(storage, operation),
    update: keepsReadOnly((operation) => update(storage, operation)),
    delete: (operation) => deleteOne(storage, operation),
    first: (operation) => readFirst(storage, operation, operation.query.sort),
    last: (operation) => readFirst(storage, operation, reverse(operation.query.sort)),
    count: (operation) => store.count(operation),
  }
  registerTable(adapter, storage)
  return adapter
}

function readFirst<S extends AdapterShape>(
  { store }: Storage<S>,
  { resource, scope, query }: Operation<S>,
  sort: Operation<S>['query']['sort'],
): Awaitable<S['item'] | undefined> {
  return whenReady(
    store.page({ resource, scope, query: { ...query, sort, limit: 1 } }),
    ([item]) => item,
  )
}

function create<S extends AdapterShape>(
  { store, constraints, ids, options }: Storage<S>,
  operation: CreateOperation<S>,
): S['item'] {
  const { item, resource } = operation
  const { nextId = () => ids.next(resource), onCreate = noFields } = options
  const own: Pick<S['item'], 'id'> = { id: hasId(item) ? item.id : nextId() }
  const revision = revisionAfter(undefined, resource)
  // The id comes first for readers, and again last: a schema may leave an undefined id in the item.
  const made = freeze({ ...own, ...item, ...own, ...revision, ...onCreate(item) })
  checkComplete(made, operation)
  const isChecked = hasId(item) || options.nextId === undefined
  if (!isChecked || made.id !== own.id) checkNewId(made, resource)
  constraints.checkReferences([made], 'item')
  if (store.get(made.id)) throw problem('conflict', 'An item with this id exists already')
  constraints.checkUnique([made], 'item')
  store.put([made])
  return made
}

function update<S extends AdapterShape>(
  storage: Storage<S>,
  operation: UpdateOperation<S>,
): S['item'] | null {
  const stored = findInScope(storage, operation)
  if (!stored) return null
  checkRevision(stored, operation.ifRevision, operation.resource)
  const made = replacementOf(storage, operation.item, { stored, operation })
  replace(storage, [made], operation)
  return made
}

function updateMany<S extends AdapterShape>(
  storage: Storage<S>,
  operation: UpdateManyOperation<S>,
): readonly (S['item'] | null)[] {
  const { items, scope, resource } = operation
  const found = items.map(({ id }) => findInScope(storage, { id, scope }))
  const made = items.map((item, index) => {
    const stored = found[index]
    if (!stored) return null
    checkRevision(stored, resource.revision && Reflect.get(item, resource.revision), resource)
    return replacementOf(storage, item, { stored, operation })
  })
  const replaced = made.filter((item) => item !== null)
  if (replaced.length === made.length) replace(storage, replaced, operation)
  return made
}

function replacementOf<S extends AdapterShape>(
  { options: { onUpdate = noFields } }: Storage<S>,
  item: S['item'],
  { stored, operation }: { readonly stored: S['item']; readonly operation: Operation<S> },
): S['item'] {
  return freeze({
    ...item,
    ...revisionAfter(stored, operation.resource),
    ...onUpdate(item, stored),
  })
}

function replace<S extends AdapterShape>(
  { store, constraints }: Storage<S>,
  items: readonly S['item'][],
  operation: UpdateOperation<S> | UpdateManyOperation<S>,
): void {
  const body = operation.kind === 'update' ? 'item' : 'items'
  for (const item of items) checkComplete(item, operation)
  constraints.checkReferences(items, body)
  constraints.checkUnique(items, body)
  store.put(items)
}

function deleteOne<S extends AdapterShape>(
  storage: Storage<S>,
  operation: DeleteOperation<S>,
): S['item'] | null {
  const stored = findInScope(storage, operation)
  if (!stored) return null
  checkRevision(stored, operation.ifRevision, operation.resource)
  checkUnreferenced([stored], storage)
  storage.store.remove([stored])
  return stored
}

function deleteAll<S extends AdapterShape>(
  storage: Storage<S>,
  { scope, maxAffected = Number.POSITIVE_INFINITY }: DeleteAllOperation<S>,
): number {
  const { store } = storage
  const items: readonly Item[] = [...store.inScope(scope)]
  if (items.length > maxAffected) {
    throw problem('too_many_affected', `This would delete more than ${maxAffected} items`)
  }
  checkUnreferenced(items, storage)
  if (items.length === store.size()) store.clear()
  else store.remove(items)
  return items.length
}

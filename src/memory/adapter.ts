import type { Adapter } from '../model/adapter.ts'
import { type Awaitable, whenReady } from '../model/awaitable.ts'
import { checkLists, checkOptions } from '../model/declared.ts'
import { keepsReadOnly } from '../model/keeping.ts'
import {
  type AdapterShape,
  type CreateOperation,
  type DeleteOperation,
  noScope,
  type Operation,
  type Scope,
  type UpdateManyOperation,
  type UpdateOperation,
} from '../model/operation.ts'
import { reverse } from '../model/order.ts'
import { problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { fieldOf, isInScope } from '../model/value.ts'
import {
  checkComplete,
  checkNewId,
  checkRevision,
  revisionAfter,
  withoutWriteOnly,
} from '../model/write.ts'
import { freeze } from './freeze.ts'
import { type MemoryOptions, memoryOptionNames } from './options.ts'
import { countItems, listItems, readPage } from './read.ts'
import { groupIn, type ItemStore, nextIdIn, putItems, removeItems } from './store.ts'
import {
  addInitialItems,
  checkDistinct,
  checkReferences,
  checkUnreferenced,
  createMemoryTable,
  joinTables,
  type MemoryTable,
  registerTable,
  withDates,
} from './table.ts'

type Updating<S extends AdapterShape> = UpdateOperation<S> | UpdateManyOperation<S>

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
 * It refuses to delete an item that an item of another memory adapter references: `conflict`, by
 * the `references` of the resources. The adapter returns frozen items.
 *
 * @throws {TypeError} For an unknown option, and for initial items that repeat an id or a unique
 *   value. `.adapters()` throws it for initial items that reference a missing item.
 */
export function memoryAdapter<S extends AdapterShape>(options: MemoryOptions<S> = {}): Adapter<S> {
  checkOptions('A memoryAdapter', options, memoryOptionNames)
  checkLists('A memoryAdapter', options, ['items', 'unique'])
  const { items = [], unique = [] } = options
  const storage: Storage<S> = { ...createMemoryTable<S['item']>(unique), options }
  const { store } = storage
  addInitialItems(storage, items)
  const adapter: Adapter<S> = {
    list: (operation) => listItems(store, operation),
    create: (operation, context) => create(storage, operation, context),
    updateMany: (operation, context) =>
      replaceItems(storage, operation.items, { operation, context }),
    deleteAll: (operation) =>
      whenReady(groupIn(store, operation.scope), (group) =>
        deleteItems(storage, [...group.items.values()], operation.maxAffected),
      ),
    read: (operation) => findInScope(store, operation),
    update: keepsReadOnly(
      (operation, context) =>
        replaceItems(storage, [operation.item], { operation, context })[0] ?? null,
    ),
    delete: (operation) => deleteOne(storage, operation),
    first: (operation) => readFirst(storage, operation, operation.query.sort),
    last: (operation) => readFirst(storage, operation, reverse(operation.query.sort)),
    count: (operation) => countItems(store, operation),
    join: (resource, adapters) => joinTables(storage, resource, adapters),
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
    readPage(store, { resource, scope, query: { ...query, sort, limit: 1 } }),
    ([item]) => item,
  )
}

function findInScope<Stored extends Item>(
  store: ItemStore<Stored>,
  { id, scope }: { readonly id: Item['id']; readonly scope: Scope },
): Stored | undefined {
  const item = store.items.get(id)
  return item && (scope === noScope || isInScope(item, scope)) ? item : undefined
}

function create<S extends AdapterShape>(
  storage: Storage<S>,
  operation: CreateOperation<S>,
  context: S['context'],
): S['item'] {
  const { store, options } = storage
  const { nextId, onCreate } = options
  const { kind, item, resource } = operation
  const makeId = nextId ?? (() => nextIdIn(store, resource))
  const isNamed = hasId(item)
  const own: Pick<S['item'], 'id'> = { id: isNamed ? item.id : makeId() }
  const revision = revisionAfter(undefined, resource)
  // The id comes first for readers, and again last: a schema may leave an undefined id in the item.
  const given = { ...own, ...item, ...own, ...revision, ...onCreate?.(item, operation, context) }
  const whole = freeze(withoutWriteOnly(given, resource))
  const [made = whole] = withDates([whole], operation)
  checkComplete(made, operation)
  const isChecked = isNamed || nextId === undefined
  if (!isChecked || made.id !== own.id) checkNewId(made, resource)
  checkReferences(storage, [made], kind)
  if (store.items.has(made.id)) throw problem('conflict', 'An item with this id exists already')
  checkDistinct(storage, [made], kind)
  putItems(store, [made])
  return made
}

// Writes nothing when an item is absent.
function replaceItems<S extends AdapterShape>(
  storage: Storage<S>,
  items: readonly S['item'][],
  { operation, context }: { operation: Updating<S>; context: S['context'] },
): readonly (S['item'] | null)[] {
  const { store, options } = storage
  const { kind, resource, scope } = operation
  const { revision } = resource
  const made = items.map((item) => {
    const stored = findInScope(store, { id: operation.id ?? item.id, scope })
    if (!stored) return null
    const expected = kind === 'update' ? operation.ifRevision : revision && fieldOf(item, revision)
    checkRevision(stored, expected, resource)
    const counted = { ...item, ...revisionAfter(stored, resource) }
    const given = { ...counted, ...options.onUpdate?.(item, stored, operation, context) }
    return freeze(withoutWriteOnly(given, resource))
  })
  const found = made.filter((item) => item !== null)
  if (found.length < made.length) return made
  const replaced = withDates(found, operation)
  for (const item of replaced) checkComplete(item, operation)
  checkReferences(storage, replaced, kind)
  checkDistinct(storage, replaced, kind)
  putItems(store, replaced)
  return replaced
}

function deleteOne<S extends AdapterShape>(
  storage: Storage<S>,
  operation: DeleteOperation<S>,
): S['item'] | null {
  const stored = findInScope(storage.store, operation)
  if (!stored) return null
  checkRevision(stored, operation.ifRevision, operation.resource)
  deleteItems(storage, [stored])
  return stored
}

function deleteItems(table: MemoryTable, items: readonly Item[], maxAffected?: number): number {
  if (maxAffected !== undefined && items.length > maxAffected) {
    throw problem('too_many_affected', `This would delete more than ${maxAffected} items`)
  }
  checkUnreferenced(items, table)
  removeItems(table.store, items)
  return items.length
}

import type { Adapter } from '../model/adapter.ts'
import { type Awaitable, whenReady } from '../model/awaitable.ts'
import { checkLists, checkOptions } from '../model/declared.ts'
import { keepsReadOnly } from '../model/keeping.ts'
import type { AdapterShape, Operation } from '../model/operation.ts'
import { reverse } from '../model/order.ts'
import {
  deleteOne,
  dropItems,
  findInScope,
  type MemoryStorage,
  replaceItems,
  storeItem,
} from './change.ts'
import { type MemoryOptions, memoryOptionNames } from './options.ts'
import { countItems, listItems, readPage } from './read.ts'
import { groupIn } from './store.ts'
import { addInitialItems, createMemoryTable, joinTables, registerTable } from './table.ts'

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
  const storage: MemoryStorage<S> = { ...createMemoryTable<S['item']>(unique), options }
  const { store } = storage
  addInitialItems(storage, items)
  const adapter: Adapter<S> = {
    list: (operation) => listItems(store, operation),
    create: (operation, context) => storeItem(storage, operation, context),
    updateMany: (operation, context) =>
      replaceItems(storage, operation.items, { operation, context }),
    deleteAll: (operation) =>
      whenReady(groupIn(store, operation.scope), (group) =>
        dropItems(storage, [...group.items.values()], operation.maxAffected),
      ),
    read: (operation) => findInScope(store, operation),
    update: keepsReadOnly((operation, context) =>
      whenReady(
        replaceItems(storage, [operation.item], { operation, context }),
        ([item = null]) => item,
      ),
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
  { store }: MemoryStorage<S>,
  { resource, scope, query }: Operation<S>,
  sort: Operation<S>['query']['sort'],
): Awaitable<S['item'] | undefined> {
  return whenReady(
    readPage(store, { resource, scope, query: { ...query, sort, limit: 1 } }),
    ([item]) => item,
  )
}

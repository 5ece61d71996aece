import type { Adapter } from '../contract/resource/adapter.ts'
import { keepsReadOnly } from '../contract/resource/keeping.ts'
import type { AdapterShape, Operation } from '../contract/resource/operation.ts'
import { asSiblings } from '../contract/resource/siblings.ts'
import { skipsItems } from '../contract/resource/skipping.ts'
import { reverse } from '../contract/values/order.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { checkLists, checkOptions } from '../convention/declared.ts'
import { deleteOne, dropItems, findInScope, modifyItems, replaceItems } from './change.ts'
import { storeItems } from './create.ts'
import { type MemoryOptions, memoryOptionNames } from './options.ts'
import { groupIn } from './owner-index.ts'
import { countItems, listItems, readPage } from './read.ts'
import { addInitialItems, joinTables, registerTable } from './start.ts'
import { createMemoryTable, type MemoryStorage } from './table.ts'

/**
 * Keeps a resource in memory, as the reference for every other adapter. Supports all operations in
 * every scope. A read takes the same time for any number of items, since the adapter keeps each
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
  const storage: MemoryStorage<S> = {
    ...createMemoryTable<S['item']>(unique),
    options,
    queue: new Map(),
  }
  const { store } = storage
  addInitialItems(storage, items)
  const adapter: Adapter<S> = {
    ...writesOf(storage),
    list: skipsItems((operation) => listItems(store, operation)),
    read: (operation) => findInScope(store, operation),
    first: (operation) => readFirst(storage, operation, operation.query.sort),
    last: (operation) => readFirst(storage, operation, reverse(operation.query.sort)),
    count: (operation) => countItems(store, operation),
    holdsValue: () => true,
    join: (resource, adapters) => joinTables(storage, resource, adapters),
  }
  registerTable(adapter, storage)
  return asSiblings(adapter)
}

function writesOf<S extends AdapterShape>(storage: MemoryStorage<S>): Adapter<S> {
  return {
    create: (operation, context) => {
      const stored = storeItems(storage, [operation], { operation, context })
      return whenReady(stored, ([item]) => item as S['item'])
    },
    createMany: (operation, context) => {
      const creations = operation.items.map((item) => ({ ...operation, item, items: undefined }))
      return storeItems(storage, creations, { operation, context })
    },
    update: keepsReadOnly((operation, context) => {
      const replaced = replaceItems(storage, [operation.item], { operation, context })
      return whenReady(replaced, ([item = null]) => item)
    }),
    updateMany: (operation, context) =>
      replaceItems(storage, operation.items, { operation, context }),
    modify: (operation, context, change) => {
      const changeOne = ([stored]: readonly (S['item'] | undefined)[]) =>
        stored === undefined ? [] : whenReady(change(stored), (item) => [item])
      const replacing = { operation, context, change: changeOne }
      return whenReady(modifyItems(storage, [operation.id], replacing), ([item = null]) => item)
    },
    modifyMany: (operation, context, change) =>
      modifyItems(storage, operation.ids, { operation, context, change }),
    delete: (operation) => deleteOne(storage, operation),
    deleteAll: ({ scope, maxAffected }) =>
      whenReady(groupIn(storage.store, scope), ({ items }) =>
        dropItems(storage, [...items.values()], maxAffected),
      ),
  }
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

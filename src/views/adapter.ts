import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { ApiConversion, Conversion, Item, Resource } from '../contract/resource/resource.ts'
import { asSiblings, isSkipping, keepsReadOnly, skipsItems } from '../contract/resource/siblings.ts'
import { checkRevision } from '../contract/values/write.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { type Chunk, isStream, itemsIn } from '../convention/stream.ts'
import { complete } from '../server/operations.ts'
import {
  baseMountsOf,
  baseNameOf,
  baseOperationOf,
  callBase,
  methodOver,
  withViewErrors,
} from './base-operation.ts'
import { changedBaseItems, newBaseItems } from './judge.ts'
import { type Modify, modifierOf, replaceItems, type ViewChange } from './modify.ts'

/** A view, and the adapter of its base. */
interface ViewOfAdapter {
  readonly view: ApiConversion
  readonly baseAdapter: UncheckedAdapter
}

/**
 * Makes the adapter of a view from the adapter of its base, with the same methods. A write keeps
 * the fields that the view hides, and stores nothing if the item changes meanwhile.
 *
 * @throws {TypeError} Where a write could undo another one in the fields that the view hides.
 * @see docs/requests.md, C7
 */
export function viewAdapter<Adapter extends object>(
  view: ApiConversion,
  resource: Resource,
  adapter: Adapter,
): Adapter {
  const baseAdapter: UncheckedAdapter = adapter
  const viewOfAdapter = { view, baseAdapter }
  const modifyOne = modifierOf({ view, resource, baseAdapter }, 'update')
  const modifyMany = modifierOf({ view, resource, baseAdapter }, 'updateMany')
  const methods: UncheckedAdapter = {
    ...readMethods(viewOfAdapter),
    ...createMethods(viewOfAdapter),
    ...(modifyOne && changeMethods(view, modifyOne)),
    ...(modifyMany && bulkChangeMethods(view, modifyMany)),
    ...storageMethods(viewOfAdapter),
  }
  // It has methods of the same types.
  return asSiblings(methods) as Adapter
}

/** Returns the methods that tell of the storage. */
function storageMethods({ view, baseAdapter }: ViewOfAdapter): UncheckedAdapter {
  const { ready, advise, examine, holdsValue, storedForm } = baseAdapter
  return {
    ...(ready && {
      ready: (_, mounts) => ready.call(baseAdapter, view.base, baseMountsOf(mounts, view)),
    }),
    ...(advise && { advise: () => advise.call(baseAdapter, view.base) }),
    ...(examine && {
      examine: (_, mounts) => examine.call(baseAdapter, view.base, baseMountsOf(mounts, view)),
    }),
    ...(holdsValue && {
      // A cursor holds only values of plain fields.
      holdsValue: (field, value, asking) =>
        holdsValue.call(baseAdapter, baseNameOf(field, view), value, {
          ...asking,
          resource: view.base,
        }),
    }),
    ...(storedForm && {
      storedForm: (operation, context) =>
        whenReady(
          storedForm.call(baseAdapter, baseOperationOf(operation, view), context),
          // A field that the view makes of several has no form of its own.
          (form) => form && ((field, value) => form(view.plainOf(field) ?? '', value)),
        ),
    }),
  }
}

/** By method that takes no item: the function that makes the result for the view. */
const resultsOf = {
  list: viewListOf,
  read: viewItemOf,
  first: viewItemOf,
  last: viewItemOf,
  delete: viewItemOf,
  count: identity,
  deleteAll: identity,
} as const

function identity(result: unknown): unknown {
  return result
}

// The core refuses a result that is no item.
function viewItemOf(item: unknown, view: Conversion): unknown {
  return typeof item === 'object' && item !== null && !Array.isArray(item) ? view.get(item) : item
}

function viewListOf(list: unknown, view: Conversion): unknown {
  if (Array.isArray(list)) return list.map((item) => viewItemOf(item, view))
  return isStream(list) ? viewChunksOf(list, view) : list
}

async function* viewChunksOf(
  stream: AsyncIterable<unknown>,
  view: Conversion,
): AsyncGenerator<readonly unknown[], void> {
  for await (const chunk of stream) {
    yield itemsIn(chunk as Chunk<unknown>).map((item) => viewItemOf(item, view))
  }
}

function readMethods({ view, baseAdapter }: ViewOfAdapter): UncheckedAdapter {
  const names = Object.keys(resultsOf) as (keyof typeof resultsOf)[]
  const entries = names.flatMap((name) => {
    const method = baseAdapter[name]
    if (typeof method !== 'function') return []
    const viewMethod = methodOver(view, method.bind(baseAdapter), resultsOf[name])
    return [[name, isSkipping(method) ? skipsItems(viewMethod) : viewMethod] as const]
  })
  return Object.fromEntries(entries)
}

function createMethods(viewOfAdapter: ViewOfAdapter): UncheckedAdapter {
  const { create, createMany } = viewOfAdapter.baseAdapter
  return {
    ...(create && {
      create: (operation, context) => createItem(viewOfAdapter, operation, context),
    }),
    ...(createMany && {
      createMany: (operation, context) => createItems(viewOfAdapter, operation, context),
    }),
  }
}

function createItem(
  { view, baseAdapter }: ViewOfAdapter,
  operation: Operation,
  context: unknown,
): Awaitable<unknown> {
  return callBase(view, operation, (baseOperation) => {
    const { name } = operation.resource
    const newItems = [{ clientItem: Object(operation.item), at: [] }]
    const baseItems = withViewErrors(() =>
      newBaseItems(newItems, { view, name, operation: baseOperation }),
    )
    return whenReady(baseItems, ([item]) => {
      complete(baseOperation, 'item', item)
      if (baseOperation.isDryRun) return view.getNew(Object(item))
      return whenReady(baseAdapter.create?.(baseOperation, context), (stored) =>
        viewItemOf(stored, view),
      )
    })
  })
}

function createItems(
  { view, baseAdapter }: ViewOfAdapter,
  operation: Operation,
  context: unknown,
): Awaitable<unknown> {
  return callBase(view, operation, (baseOperation) => {
    const { name } = operation.resource
    const clientItems: readonly object[] = Object(operation.items)
    const newItems = clientItems.map((clientItem, place) => ({ clientItem, at: [place] }))
    const baseItems = withViewErrors(() =>
      newBaseItems(newItems, { view, name, operation: baseOperation }),
    )
    return whenReady(baseItems, (items) => {
      complete(baseOperation, 'items', items)
      if (baseOperation.isDryRun) return items.map(view.getNew)
      return whenReady(baseAdapter.createMany?.(baseOperation, context), (stored) =>
        viewListOf(stored, view),
      )
    })
  })
}

/** Makes the methods that change one item. */
function changeMethods(view: ApiConversion, modify: Modify): UncheckedAdapter {
  const modifyItem = (
    operation: Operation,
    context: unknown,
    change: (viewItem: Item) => Awaitable<object>,
  ): Awaitable<unknown> =>
    callBase(view, operation, (baseOperation) => {
      // The core calls no method without an id.
      const ids = [operation.id as Item['id']]
      const modified = modify({ ...baseOperation, ids }, context, ([item]) =>
        withViewErrors(() => {
          const stored = item as Item
          const viewItem = view.get(stored)
          return whenReady(change(viewItem), (newItem) =>
            changedBaseItems([{ stored, viewItem, newItem, at: [] }], {
              view,
              operation: baseOperation,
            }),
          )
        }),
      )
      return whenReady(modified, ([item]) => viewItemOf(item, view))
    })
  const update: UncheckedAdapter['update'] = (operation, context) =>
    modifyItem(operation, context, (viewItem) => {
      checkRevision(viewItem, operation.ifRevision, operation.resource)
      return Object(operation.item)
    })
  return {
    update: keepsReadOnly(update),
    modify: (operation, context, change) =>
      modifyItem(operation, context, (viewItem) => change(viewItem) as Awaitable<object>),
  }
}

/** Makes the methods that change several items. */
function bulkChangeMethods(view: ApiConversion, modify: Modify): UncheckedAdapter {
  const modifyItems = (
    operation: Operation,
    ids: readonly Item['id'][],
    context: unknown,
    change: ViewChange,
  ): Awaitable<unknown> =>
    callBase(view, operation, (baseOperation) => {
      const modified = modify({ ...baseOperation, ids }, context, (items) =>
        withViewErrors(() => {
          const viewItems = items.map((item) => item && view.get(item))
          return whenReady(change(viewItems), (newItems) => {
            // "change" gives no item for an absent one: it throws.
            const changedItems = newItems.map((newItem, place) => {
              const [stored, viewItem] = [items[place] as Item, viewItems[place] as Item]
              return { stored, viewItem, newItem, at: [place] }
            })
            return changedBaseItems(changedItems, { view, operation: baseOperation })
          })
        }),
      )
      return whenReady(modified, (items) => viewListOf(items, view))
    })
  return {
    updateMany: (operation, context) =>
      replaceItems(operation, (ids, change) => modifyItems(operation, ids, context, change)),
    modifyMany: (operation, context, change) =>
      modifyItems(operation, Object(operation.ids), context, (viewItems) => change(viewItems)),
  }
}

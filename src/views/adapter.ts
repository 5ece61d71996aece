import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { ApiConversion, Item, Resource } from '../contract/resource/resource.ts'
import {
  asSiblings,
  countByOf,
  isSkipping,
  keepsReadOnly,
  skipsItems,
} from '../contract/resource/siblings.ts'
import { checkRevision } from '../contract/values/write.ts'
import { type Awaitable, settle, whenReady } from '../convention/awaitable.ts'
import { problem } from '../convention/problem.ts'
import { fieldOf, setField } from '../convention/value.ts'
import { complete } from '../server/operations.ts'
import { canModify, type Rewrite, rewrite, type StoredItems } from '../server/rewrite.ts'
import {
  baseMountsOf,
  baseNameOf,
  baseOperationOf,
  callBase,
  methodOver,
  viewItemOf,
  viewListOf,
  withViewErrors,
} from './base-operation.ts'
import { changedBaseItems, newBaseItems } from './judge.ts'

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
  const { ready, advise, examine, layout, holdsValue, storedForm } = baseAdapter
  return {
    ...(layout && { layout: () => layout.call(baseAdapter) }),
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
  deleteMany: identity,
} as const

function identity(result: unknown): unknown {
  return result
}

function readMethods({ view, baseAdapter }: ViewOfAdapter): UncheckedAdapter {
  const names = Object.keys(resultsOf) as (keyof typeof resultsOf)[]
  const entries = names.flatMap((name) => {
    const method = baseAdapter[name]
    if (typeof method !== 'function') return []
    const viewMethod = methodOver(view, method.bind(baseAdapter), resultsOf[name])
    return [[name, isSkipping(method) ? skipsItems(viewMethod) : viewMethod] as const]
  })
  const countBy = countByOf(baseAdapter)
  const counts = countBy && { countBy: countByOver(view, countBy.bind(baseAdapter)) }
  return { ...Object.fromEntries(entries), ...counts }
}

type Method = (operation: Operation, context: unknown) => unknown

// Values of another form are counted over the items of the view.
function countByOver(view: ApiConversion, countBy: Method): Method {
  const counted = methodOver(view, countBy, identity)
  return (operation, context) => {
    const { by = [] } = operation.query
    const pairs = by.flatMap((field): FieldPair[] => {
      const source = view.plainOf(field)
      return source === undefined ? [] : [[field, source]]
    })
    if (pairs.length < by.length) return undefined
    return whenReady(counted(operation, context), (groups) =>
      Array.isArray(groups) ? groups.map((group) => groupOf(group, pairs)) : groups,
    )
  }
}

type FieldPair = readonly [field: string, source: string]

function groupOf(baseGroup: unknown, pairs: readonly FieldPair[]): object {
  const group: Record<string, unknown> = { count: fieldOf(Object(baseGroup), 'count') }
  for (const [field, source] of pairs) setField(group, field, fieldOf(Object(baseGroup), source))
  return group
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

/** Changes stored items of a view. */
type ModifyItems = (
  operation: Operation,
  context: unknown,
  change: { readonly ids: readonly Item['id'][]; readonly make: ViewChange },
) => Awaitable<readonly unknown[]>

function modifyItemsBy(modify: Modify, view: ApiConversion, isMany: boolean): ModifyItems {
  return (operation, context, { ids, make: makeViewItems }) =>
    callBase(view, operation, (baseOperation) => {
      const make: Rewrite['make'] = (items) =>
        withViewErrors(() => {
          const viewItems = items.map((item) => item && view.get(item))
          return whenReady(makeViewItems(viewItems), (newItems) => {
            // "make" gives no item for an absent one: it throws.
            const changedItems = newItems.map((newItem, place) => {
              const [stored, viewItem] = [items[place] as Item, viewItems[place] as Item]
              return { stored, viewItem, newItem, at: isMany ? [place] : [] }
            })
            return changedBaseItems(changedItems, { view, operation: baseOperation })
          })
        })
      const modified = modify({ operation: { ...baseOperation }, context, ids, make })
      return whenReady(modified, (items) => viewListOf(items, view) as readonly unknown[])
    }) as Awaitable<readonly unknown[]>
}

/** Makes the methods that change one item. */
function changeMethods(view: ApiConversion, modify: Modify): UncheckedAdapter {
  const modifyItems = modifyItemsBy(modify, view, false)
  const modifyItem = (
    operation: Operation,
    context: unknown,
    change: (viewItem: Item) => Awaitable<object>,
  ): Awaitable<unknown> => {
    const make: ViewChange = ([viewItem]) => whenReady(change(viewItem as Item), (item) => [item])
    // The core calls no method without an id.
    const modified = modifyItems(operation, context, { ids: [operation.id as Item['id']], make })
    return whenReady(modified, ([item]) => item)
  }
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
  const modifyItems = modifyItemsBy(modify, view, true)
  return {
    updateMany: (operation, context) =>
      replaceItems(operation, (ids, make) => modifyItems(operation, context, { ids, make })),
    modifyMany: (operation, context, change) =>
      modifyItems(operation, context, {
        ids: Object(operation.ids),
        make: (viewItems) => change(viewItems),
      }),
  }
}

/** Changes stored items of the base as one step: all or none. */
type Modify = (
  change: Pick<Rewrite, 'operation' | 'context' | 'ids' | 'make'>,
) => Awaitable<readonly unknown[]>

const modifyNames = { update: 'modify', updateMany: 'modifyMany' } as const

/** A view in an api, with its resource and the adapter of its base. */
interface BoundView {
  readonly view: ApiConversion
  readonly resource: Resource
  readonly baseAdapter: UncheckedAdapter
}

/**
 * Returns the function that changes items of a base, one or several; `undefined` where the adapter
 * of the base cannot.
 *
 * @throws {TypeError} Where a write could undo another one in the fields that the view hides.
 */
function modifierOf(
  { view, resource, baseAdapter: adapter }: BoundView,
  kind: 'update' | 'updateMany',
): Modify | undefined {
  const { base, isWhole } = view
  const isMany = kind === 'updateMany'
  const isOffered = typeof adapter[kind] === 'function' && !resource.without.includes(kind)
  // With nothing hidden, a replacement has every field.
  const isGuarded = base.revision !== undefined || (isWhole && base.states === undefined)
  if (canModify({ adapter, isMany }) || (isGuarded && adapter.read && adapter[kind]))
    return ({ make, ...change }) =>
      rewrite({
        ...{ ...change, adapter, isMany, isWhole, isFinal: false },
        // A dry run shows nothing of an absent item.
        make: (stored) =>
          change.operation.isDryRun && stored.includes(undefined) ? [] : make(stored),
      })
  if (!isOffered) return undefined
  const [reason, loss] = isWhole
    ? ['shows states of', 'move an item from another state']
    : ['does not show all of', 'undo another one in what it hides']
  throw new TypeError(
    `View "${resource.name}" ${reason} "${base.name}", so its writes need an adapter ` +
      `with "${modifyNames[kind]}", or a "revision" in "${base.name}": else a ` +
      `write could ${loss}. Or write "without: ['${kind}']".`,
  )
}

/** Makes the new items of a view from stored ones. Throws where one is absent. */
type ViewChange = (viewItems: StoredItems) => Awaitable<readonly object[]>

/**
 * Replaces items of a view by a change of all of them. As every adapter does, it returns `null` at
 * the place of an absent item, and then replaces none.
 *
 * @throws {ProblemError} `precondition_failed`, for an item of another revision than the stored.
 */
function replaceItems(
  { items: clientItems, resource }: Operation,
  modifyItems: (ids: readonly Item['id'][], change: ViewChange) => Awaitable<unknown>,
): Awaitable<unknown> {
  const items: readonly Item[] = Object(clientItems)
  let absent: readonly (Item | null)[] | undefined
  // The core has read them all: another request may have deleted or changed one meanwhile.
  const change: ViewChange = (viewItems) => {
    if (viewItems.includes(undefined)) {
      absent = viewItems.map((viewItem) => viewItem ?? null)
      throw problem('not_found')
    }
    for (const [place, item] of items.entries()) {
      const viewItem = viewItems[place] as Item
      checkRevision(viewItem, resource.revision && fieldOf(item, resource.revision), resource)
    }
    return items
  }
  return settle<unknown, unknown>(
    () =>
      modifyItems(
        items.map(({ id }) => id),
        change,
      ),
    (result) => result,
    (error) => {
      // The error of "change" kept all items from being written.
      if (absent) return absent
      throw error
    },
  )
}

import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Judge, Operation } from '../contract/resource/operation.ts'
import type { ApiConversion, Item, Resource } from '../contract/resource/resource.ts'
import {
  asSiblings,
  bypassOf,
  isSkipping,
  skipsItems,
  storageMethodOf,
  tellsStorage,
} from '../contract/resource/siblings.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { fieldOf, setField } from '../convention/value.ts'
import { deletionJudge } from '../server/checks/item-rules.ts'
import { complete } from '../server/operations.ts'
import { type Removal, removeMany, removeOne } from '../server/remove.ts'
import {
  areJoinsPlain,
  baseMountsOf,
  baseNameOf,
  baseOperationOf,
  callBase,
  methodOver,
  viewItemOf,
  viewListOf,
  withViewErrors,
} from './base-operation.ts'
import { newBaseItems } from './judge.ts'
import { modifyingMethods } from './modify.ts'

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
  const methods: UncheckedAdapter = {
    ...readMethods(viewOfAdapter),
    ...createMethods(viewOfAdapter),
    ...modifyingMethods({ view, resource, baseAdapter }),
    ...(view.rules?.delete && removingMethods(viewOfAdapter)),
    ...storageMethods(viewOfAdapter),
    ...joiningMethods(viewOfAdapter),
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

// A view of a field that the base makes of several joins nothing.
function joiningMethods({ view, baseAdapter }: ViewOfAdapter): UncheckedAdapter {
  const select = bypassOf(baseAdapter, 'selection')
  const tells = bypassOf(baseAdapter, 'joinsSelection')
  const storage = storageMethodOf(baseAdapter)
  return {
    ...(storage && { storage: tellsStorage(() => storage()) }),
    ...(select && {
      selection: (operation, context) =>
        select.call(baseAdapter, baseOperationOf(operation, view), context),
    }),
    ...(tells && {
      joinsSelection: (operation, context) => {
        return (
          areJoinsPlain(operation, view) &&
          tells.call(baseAdapter, baseOperationOf(operation, view), context)
        )
      },
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
  const countBy = bypassOf(baseAdapter, 'countBy')
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
      newBaseItems(newItems, { view, name, operation: baseOperation, context }),
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
      newBaseItems(newItems, { view, name, operation: baseOperation, context }),
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

/** Makes the methods that delete what the rule of the base allows. */
function removingMethods({ view, baseAdapter }: ViewOfAdapter): UncheckedAdapter {
  const { remove, removeMany: removeSome, delete: drop } = baseAdapter
  // The rule comes before the conditions, which the core judges by the item of the view.
  const removalOf = (baseOperation: Operation, context: unknown, judge: Judge<Item>): Removal => {
    const judgeByRule = deletionJudge(view.rules, baseOperation, context)
    return {
      ...{ adapter: baseAdapter, operation: baseOperation, context },
      judge: (stored) => {
        judgeByRule(stored)
        withViewErrors(() => judge(stored.map(view.get)))
      },
    }
  }
  return {
    ...((remove ?? (view.base.revision && drop)) && {
      remove: (operation, context, judge) =>
        callBase(view, operation, (baseOperation) =>
          whenReady(removeOne(removalOf(baseOperation, context, judge)), (item) =>
            viewItemOf(item, view),
          ),
        ),
    }),
    ...(removeSome && {
      removeMany: (operation, context, judge) =>
        callBase(view, operation, (baseOperation) =>
          removeMany(removalOf(baseOperation, context, judge)),
        ),
    }),
  }
}

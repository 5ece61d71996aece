import type { Adapter, UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Collection } from '../contract/resource/api.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { ApiConversion, Conversion, Resource } from '../contract/resource/resource.ts'
import { asSiblings, isSkipping, skipsItems } from '../contract/resource/siblings.ts'
import { type Awaitable, inTurn, whenReady } from '../convention/awaitable.ts'
import { complete } from '../server/operations.ts'
import { baseMountsOf, baseNameOf, baseOperationOf } from './base-operation.ts'
import { callBase, methodOver, withViewErrors } from './call-base.ts'
import { changesMany, changesOne } from './change.ts'
import { itemsOrThrow, judgeNew } from './judge.ts'
import { type Modify, modifierOf } from './modify.ts'
import { viewItemOf, viewListOf } from './view-item.ts'

/** A view over the adapter of its base. */
interface Seen {
  readonly view: ApiConversion
  readonly adapter: UncheckedAdapter
}

/**
 * Makes the adapter of a view of the adapter of its base. It offers what that one can do. A write
 * keeps each field that its client cannot say, and stores nothing if the item changes meanwhile.
 *
 * @see docs/requests.md, C7
 */
export function viewAdapter<Given extends object>(
  view: ApiConversion,
  resource: Resource,
  baseAdapter: Given,
): Given {
  const adapter: UncheckedAdapter = baseAdapter
  const seen = { view, adapter }
  const has = (name: keyof UncheckedAdapter): boolean => typeof adapter[name] === 'function'
  const modifyOne = changerOf({ view, resource, adapter }, false)
  const modifyMany = changerOf({ view, resource, adapter }, true)
  const methods: UncheckedAdapter = {
    ...readsOf(seen),
    ...(has('create') && { create: (operation, context) => create(seen, operation, context) }),
    ...(has('createMany') && {
      createMany: (operation, context) => createMany(seen, operation, context),
    }),
    ...(modifyOne && changesOne(view, modifyOne)),
    ...(modifyMany && changesMany(view, modifyMany)),
    ...(has('ready') && {
      ready: (_, mounts) => adapter.ready?.(view.base, baseMountsOf(mounts, view)),
    }),
    ...(adapter.advise && { advise: advisedBy(view, adapter.advise.bind(adapter)) }),
    ...(adapter.holdsValue && {
      holdsValue: heldBy(view, adapter.holdsValue.bind(adapter)),
    }),
    ...(adapter.storedForm && { storedForm: formedBy(view, adapter.storedForm.bind(adapter)) }),
    ...(adapter.examine && { examine: examinedBy(view, adapter.examine.bind(adapter)) }),
  }
  // Its methods are those of one adapter.
  return asSiblings(methods) as Given
}

/**
 * Returns how a view changes items, one or several; `undefined` where the adapter cannot.
 *
 * @throws {TypeError} Where a write could undo another one in the fields that the view hides.
 */
function changerOf(
  { view, resource, adapter }: Seen & { readonly resource: Resource },
  isMany: boolean,
): Modify | undefined {
  const { name, base } = resource
  const [method, kind] = isMany
    ? (['modifyMany', 'updateMany'] as const)
    : (['modify', 'update'] as const)
  const modify = modifierOf(view, adapter, isMany)
  const isOffered = typeof adapter[kind] === 'function' && !resource.without.includes(kind)
  if (modify !== undefined || !isOffered) return modify
  throw new TypeError(
    `View "${name}" does not show all of "${base.name}", so its writes need an adapter with ` +
      `"${method}", or a "revision" in "${base.name}": else a write could undo another one in ` +
      `what it hides. Or write "without: ['${kind}']".`,
  )
}

function advisedBy(view: Conversion, advise: NonNullable<Adapter['advise']>) {
  return () => advise(view.base)
}

function examinedBy(view: Conversion, examine: NonNullable<Adapter['examine']>) {
  return (_: Resource, mounts: readonly Collection[]) =>
    examine(view.base, baseMountsOf(mounts, view))
}

// A cursor holds only values of plain fields.
function heldBy(view: Conversion, isHeld: Holds): Holds {
  return (field, value, asking) =>
    isHeld(baseNameOf(field, view), value, { ...asking, resource: view.base })
}

type Holds = NonNullable<Adapter['holdsValue']>

// A field that the view makes of several has no form of its own.
function formedBy(view: Conversion, storedForm: NonNullable<Adapter['storedForm']>) {
  return (operation: Operation, context: unknown) =>
    whenReady(
      storedForm(baseOperationOf(operation, view), context),
      (form) => form && ((field: string, value: unknown) => form(view.plainOf(field) ?? '', value)),
    )
}

// How the results of the methods that take no item are shown.
const shows = {
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

function readsOf({ view, adapter }: Seen): UncheckedAdapter {
  const names = Object.keys(shows) as (keyof typeof shows)[]
  const entries = names.flatMap((name) => {
    const method = adapter[name]
    if (typeof method !== 'function') return []
    const viewMethod = methodOver(view, method.bind(adapter), shows[name])
    return [[name, isSkipping(method) ? skipsItems(viewMethod) : viewMethod] as const]
  })
  return Object.fromEntries(entries)
}

function create(seen: Seen, operation: Operation, context: unknown): Awaitable<unknown> {
  const { view, adapter } = seen
  return callBase(seen.view, operation, (baseOperation) => {
    const clientItem = Object(operation.item)
    const judging = {
      view,
      name: operation.resource.name,
      operation: baseOperation,
      at: [],
      clientItem,
    }
    const baseItems = withViewErrors(() =>
      whenReady(judgeNew(view.make(clientItem), judging), (judged) => itemsOrThrow([judged])),
    )
    return whenReady(baseItems, ([item]) => {
      complete(baseOperation, 'item', item)
      if (baseOperation.isDryRun) return view.getNew(Object(item))
      return whenReady(adapter.create?.(baseOperation, context), (stored) =>
        viewItemOf(stored, view),
      )
    })
  })
}

function createMany(seen: Seen, operation: Operation, context: unknown): Awaitable<unknown> {
  const { view, adapter } = seen
  return callBase(seen.view, operation, (baseOperation) => {
    const baseItems = withViewErrors(() => {
      const items: readonly object[] = Object(operation.items)
      const { name } = operation.resource
      const all = inTurn(items, (item, place) =>
        judgeNew(view.make(item), {
          view,
          name,
          operation: baseOperation,
          at: [place],
          clientItem: item,
        }),
      )
      return whenReady(all, itemsOrThrow)
    })
    return whenReady(baseItems, (items) => {
      complete(baseOperation, 'items', items)
      if (baseOperation.isDryRun) return items.map(view.getNew)
      return whenReady(adapter.createMany?.(baseOperation, context), (stored) =>
        viewListOf(stored, view),
      )
    })
  })
}

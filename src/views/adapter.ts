import type { Adapter } from '../contract/resource/adapter.ts'
import type { Collection } from '../contract/resource/api.ts'
import type { UncheckedAdapter } from '../contract/resource/binding.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { ApiConversion, Conversion, Resource } from '../contract/resource/resource.ts'
import { asSiblings } from '../contract/resource/siblings.ts'
import { isSkipping, skipsItems } from '../contract/resource/skipping.ts'
import { type Awaitable, inTurn, whenReady } from '../convention/awaitable.ts'
import { beneath, mountsBeneath, nameOf } from './beneath.ts'
import { called, inOwnWords, reading } from './called.ts'
import { changesMany, changesOne } from './change.ts'
import { itemsOrThrow, judgeNew } from './judge.ts'
import { type Modify, modifierOf } from './modify.ts'
import { shownItem, shownList } from './shown.ts'

/** A view over the adapter of its hub. */
interface Seen {
  readonly view: ApiConversion
  readonly adapter: UncheckedAdapter
}

/**
 * Makes the adapter of a view of the adapter of its hub. It offers what that one can do. A write
 * keeps each field that its client cannot say, and stores nothing if the item changes meanwhile.
 *
 * @see docs/requests.md, C7
 */
export function viewAdapter<Given extends object>(
  view: ApiConversion,
  resource: Resource,
  given: Given,
): Given {
  const adapter: UncheckedAdapter = given
  const seen = { view, adapter }
  const has = (name: keyof UncheckedAdapter): boolean => typeof adapter[name] === 'function'
  const one = changerOf({ view, resource, adapter }, false)
  const many = changerOf({ view, resource, adapter }, true)
  const made: UncheckedAdapter = {
    ...readsOf(seen),
    ...(has('create') && { create: (operation, context) => create(seen, operation, context) }),
    ...(has('createMany') && {
      createMany: (operation, context) => createMany(seen, operation, context),
    }),
    ...(one && changesOne(view, one)),
    ...(many && changesMany(view, many)),
    ...(has('ready') && {
      ready: (_, mounts) => adapter.ready?.(view.hub, mountsBeneath(mounts, view)),
    }),
    ...(adapter.advise && { advise: advisedBy(view, adapter.advise.bind(adapter)) }),
    ...(adapter.holdsValue && {
      holdsValue: heldBy(view, adapter.holdsValue.bind(adapter)),
    }),
    ...(adapter.storedForm && { storedForm: formedBy(view, adapter.storedForm.bind(adapter)) }),
    ...(adapter.examine && { examine: examinedBy(view, adapter.examine.bind(adapter)) }),
  }
  // Its methods are those of one adapter.
  return asSiblings(made) as Given
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
  const { name, hub } = resource
  const [method, kind] = isMany
    ? (['modifyMany', 'updateMany'] as const)
    : (['modify', 'update'] as const)
  const modify = modifierOf(view, adapter, isMany)
  const isOffered = typeof adapter[kind] === 'function' && !resource.without.includes(kind)
  if (modify !== undefined || !isOffered) return modify
  throw new TypeError(
    `View "${name}" does not show all of "${hub.name}", so its writes need an adapter with ` +
      `"${method}", or a "revision" in "${hub.name}": else a write could undo another one in ` +
      `what it hides. Or write "without: ['${kind}']".`,
  )
}

function advisedBy(view: Conversion, advise: NonNullable<Adapter['advise']>) {
  return () => advise(view.hub)
}

function examinedBy(view: Conversion, examine: NonNullable<Adapter['examine']>) {
  return (_: Resource, mounts: readonly Collection[]) =>
    examine(view.hub, mountsBeneath(mounts, view))
}

// A cursor holds only values of plain fields.
function heldBy(view: Conversion, isHeld: Holds): Holds {
  return (field, value, asking) =>
    isHeld(nameOf(field, view), value, { ...asking, resource: view.hub })
}

type Holds = NonNullable<Adapter['holdsValue']>

// A field that the view makes of several has no form of its own.
function formedBy(view: Conversion, storedForm: NonNullable<Adapter['storedForm']>) {
  return (operation: Operation, context: unknown) =>
    whenReady(
      storedForm(beneath(operation, view), context),
      (form) => form && ((field: string, value: unknown) => form(view.plainOf(field) ?? '', value)),
    )
}

// How the results of the methods that take no item are shown.
const shows = {
  list: shownList,
  read: shownItem,
  first: shownItem,
  last: shownItem,
  delete: shownItem,
  count: asGiven,
  deleteAll: asGiven,
} as const

function asGiven(given: unknown): unknown {
  return given
}

function readsOf({ view, adapter }: Seen): UncheckedAdapter {
  const names = Object.keys(shows) as (keyof typeof shows)[]
  const made = names.flatMap((name) => {
    const method = adapter[name]
    if (typeof method !== 'function') return []
    const shown = reading(view, method.bind(adapter), shows[name])
    return [[name, isSkipping(method) ? skipsItems(shown) : shown] as const]
  })
  return Object.fromEntries(made)
}

function create(seen: Seen, operation: Operation, context: unknown): Awaitable<unknown> {
  const { view, adapter } = seen
  return called(seen.view, operation, (asked) => {
    const given = Object(operation.item)
    const judging = { view, name: operation.resource.name, operation: asked, at: [], given }
    const made = inOwnWords(() =>
      whenReady(judgeNew(view.make(given), judging), (one) => itemsOrThrow([one])),
    )
    return whenReady(made, ([item]) => {
      asked.item = item
      if (asked.isDryRun) return view.getNew(Object(item))
      return whenReady(adapter.create?.(asked, context), (given) => shownItem(given, view))
    })
  })
}

function createMany(seen: Seen, operation: Operation, context: unknown): Awaitable<unknown> {
  const { view, adapter } = seen
  return called(seen.view, operation, (asked) => {
    const made = inOwnWords(() => {
      const items: readonly object[] = Object(operation.items)
      const { name } = operation.resource
      const all = inTurn(items, (item, place) =>
        judgeNew(view.make(item), { view, name, operation: asked, at: [place], given: item }),
      )
      return whenReady(all, itemsOrThrow)
    })
    return whenReady(made, (items) => {
      asked.items = items
      if (asked.isDryRun) return items.map(view.getNew)
      return whenReady(adapter.createMany?.(asked, context), (given) => shownList(given, view))
    })
  })
}

import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { Conversion, Item } from '../contract/resource/resource.ts'
import { type Awaitable, inTurn, settle, whenReady } from '../convention/awaitable.ts'
import { fieldOf } from '../convention/value.ts'
import { type Lost, lostAgain } from '../server/checks/lost.ts'
import { breach, findItem } from '../server/checks/outcome.ts'
import { complete, operationOf, readOf } from '../server/operations.ts'

/** Stored items, by place: `undefined` for an absent one. */
type StoredItems = readonly (Item | undefined)[]

/** Changes stored items of the base as one step: all or none. */
export type Modify = (
  operation: Operation & { readonly ids: readonly Item['id'][] },
  context: unknown,
  change: (stored: StoredItems) => Awaitable<readonly Item[]>,
) => Awaitable<readonly unknown[]>

/**
 * Returns how a view changes items of its base, one or several: the adapter's own `modify`, else a
 * revision guards `update`. `undefined` where neither can. A dry run reads and stores nothing.
 */
export function modifierOf(
  view: Conversion,
  adapter: UncheckedAdapter,
  isMany: boolean,
): Modify | undefined {
  const modify = storingOf(view, adapter, isMany)
  if (modify === undefined) return undefined
  return (operation, context, change) =>
    operation.isDryRun
      ? whenReady(readAll({ adapter, operation, context }), (stored) =>
          stored.includes(undefined) ? [] : change(stored),
        )
      : modify(operation, context, change)
}

function storingOf(
  { base: baseResource, isWhole }: Conversion,
  adapter: UncheckedAdapter,
  isMany: boolean,
): Modify | undefined {
  const { read } = adapter
  if (isMany ? adapter.modifyMany : adapter.modify) return byModify(adapter, isMany)
  const write = isMany ? adapter.updateMany : adapter.update
  // With nothing hidden, a replacement says everything.
  const isGuarded = baseResource.revision !== undefined || isWhole
  if (!isGuarded || read === undefined || write === undefined) return undefined
  return (operation, context, change) =>
    byRevision({ adapter, isMany, isWhole, operation, context, change })
}

function byModify(adapter: UncheckedAdapter, isMany: boolean): Modify {
  return (operation, context, change) => {
    if (isMany)
      return adapter.modifyMany?.(operation, context, (stored) => change(stored)) as Awaitable<
        readonly unknown[]
      >
    // With ids it would name the places of items that the body does not have.
    const itemOperation = { ...operation, ids: undefined }
    const modified = adapter.modify?.(itemOperation, context, (stored) =>
      whenReady(change([stored]), ([item]) => item as Item),
    )
    return whenReady(modified, (item) => [item])
  }
}

interface Guarding {
  readonly adapter: UncheckedAdapter
  readonly isMany: boolean
  /** Nothing can be lost, with a revision or without. */
  readonly isWhole: boolean
  readonly operation: Parameters<Modify>[0]
  readonly context: unknown
  readonly change: Parameters<Modify>[2]
}

type Reading = Pick<Guarding, 'adapter' | 'operation' | 'context'>

function readAll({ adapter, operation, context }: Reading): Awaitable<StoredItems> {
  return inTurn(operation.ids, (id) => {
    const reading = readOf(operation, id)
    return whenReady(adapter.read?.(reading, context), (item) => findItem(item, reading))
  })
}

// Stores only if nothing has changed since the read; else reads again.
function byRevision(guarding: Guarding, lost?: Lost): Awaitable<readonly unknown[]> {
  const { operation, change } = guarding
  const { revision = '' } = operation.resource
  return whenReady(readAll(guarding), (stored) => {
    if (!guarding.isMany && stored[0] === undefined) return [undefined]
    return whenReady(change(stored), (items) =>
      settle<readonly unknown[], readonly unknown[]>(
        () => replace(guarding, stored, items),
        (replaced) => replaced,
        (error) => {
          const revisions = stored.map((item) => item && fieldOf(item, revision))
          return byRevision(guarding, lostAgain({ error, revisions }, lost))
        },
      ),
    )
  })
}

function replace(
  { adapter, isMany, isWhole, operation, context }: Guarding,
  stored: StoredItems,
  items: readonly Item[],
): Awaitable<readonly unknown[]> {
  const isChanged = (_: unknown, place: number): boolean => items[place] !== stored[place]
  const changed = items.filter(isChanged)
  if (changed.length === 0) return items
  const writing = operationOf({ ...operation, kind: isMany ? 'updateMany' : 'update' })
  const [first] = changed
  complete(writing, 'item', isMany ? undefined : first)
  complete(writing, 'items', isMany ? changed : undefined)
  const { revision } = operation.resource
  const held = changed.map((item) => revision && fieldOf(item, revision))
  // Without it the write would undo another one.
  if (!isWhole && held.includes(undefined))
    throw breach(operation, `an item without its "${revision}": return it with each item`)
  complete(writing, 'ifRevision', isMany ? undefined : (held[0] as Operation['ifRevision']))
  const write = isMany ? adapter.updateMany : adapter.update
  return whenReady(write?.call(adapter, writing, context), (result) => {
    // The core tells what is wrong with a result that is no array.
    if (isMany && !Array.isArray(result)) return result as readonly unknown[]
    const replacements = (isMany ? (result as readonly unknown[]) : [result]).values()
    return items.map((item, place) => (isChanged(item, place) ? replacements.next().value : item))
  })
}

import { type Awaitable, inTurn, settle, whenReady } from '../../model/awaitable.ts'
import type { UncheckedAdapter } from '../../model/binding.ts'
import type { Operation } from '../../model/operation.ts'
import type { Conversion, Item } from '../../model/resource.ts'
import { fieldOf } from '../../model/value.ts'
import { type Lost, lostAgain } from '../checks/lost.ts'
import { findItem } from '../checks/outcome.ts'
import { operationOf, readOf } from '../operations.ts'

/** Stored items, by place: `undefined` for an absent one. */
type StoredItems = readonly (Item | undefined)[]

/** Changes stored items of the hub as one step: all or none. */
export type Modify = (
  operation: Operation & { readonly ids: readonly Item['id'][] },
  context: unknown,
  change: (stored: StoredItems) => Awaitable<readonly Item[]>,
) => Awaitable<readonly unknown[]>

/**
 * Returns how a view changes items of its hub, one or several: the adapter's own `modify`, else a
 * revision guards `update`. `undefined` where neither can.
 */
export function modifierOf(
  { hub, isWhole }: Conversion,
  adapter: UncheckedAdapter,
  isMany: boolean,
): Modify | undefined {
  const { read } = adapter
  if (isMany ? adapter.modifyMany : adapter.modify) return byModify(adapter, isMany)
  const write = isMany ? adapter.updateMany : adapter.update
  // With nothing hidden, a replacement says everything.
  const isGuarded = hub.revision !== undefined || isWhole
  if (!isGuarded || read === undefined || write === undefined) return undefined
  return (operation, context, change) => byRevision({ adapter, isMany, operation, context, change })
}

function byModify(adapter: UncheckedAdapter, isMany: boolean): Modify {
  return (operation, context, change) => {
    if (isMany)
      return adapter.modifyMany?.(operation, context, (stored) => change(stored)) as Awaitable<
        readonly unknown[]
      >
    const modified = adapter.modify?.(operation, context, (stored) =>
      whenReady(change([stored]), ([item]) => item as Item),
    )
    return whenReady(modified, (item) => [item])
  }
}

interface Guarding {
  readonly adapter: UncheckedAdapter
  readonly isMany: boolean
  readonly operation: Parameters<Modify>[0]
  readonly context: unknown
  readonly change: Parameters<Modify>[2]
}

// Stores only if nothing has changed since the read; else reads again.
function byRevision(guarding: Guarding, lost?: Lost): Awaitable<readonly unknown[]> {
  const { adapter, operation, context, change } = guarding
  const { revision = '' } = operation.resource
  const reads = inTurn(operation.ids, (id) => {
    const reading = readOf(operation, id)
    return whenReady(adapter.read?.(reading, context), (item) => findItem(item, reading))
  })
  return whenReady(reads, (stored) => {
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
  { adapter, isMany, operation, context }: Guarding,
  stored: StoredItems,
  items: readonly Item[],
): Awaitable<readonly unknown[]> {
  const isChanged = (_: unknown, place: number): boolean => items[place] !== stored[place]
  const changed = items.filter(isChanged)
  if (changed.length === 0) return items
  const writing = operationOf({ ...operation, kind: isMany ? 'updateMany' : 'update' })
  const [first] = changed
  writing.item = isMany ? undefined : first
  writing.items = isMany ? changed : undefined
  const revision = first && fieldOf(first, operation.resource.revision ?? '')
  writing.ifRevision = isMany ? undefined : (revision as Operation['ifRevision'])
  const write = isMany ? adapter.updateMany : adapter.update
  return whenReady(write?.call(adapter, writing, context), (given) => {
    const rest = (isMany ? (given as readonly unknown[]) : [given]).values()
    return items.map((item, place) => (isChanged(item, place) ? rest.next().value : item))
  })
}

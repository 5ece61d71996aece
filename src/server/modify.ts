import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Target } from '../contract/resource/api.ts'
import type { Operation, Outcome } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { type Awaitable, inTurn, whenReady } from '../convention/awaitable.ts'
import type { bodyOf } from '../convention/kinds.ts'
import type { ProblemError } from '../convention/problem.ts'
import type { Draft } from './checks/body.ts'
import { breach, findItem, itemsOfDrafts } from './checks/outcome.ts'
import { notFound } from './checks/stored.ts'
import { complete, readOf } from './operations.ts'

/** The stored items of the drafts, in their order; `undefined` for an absent one. */
export type StoredItems = readonly (Item | undefined)[]

/** Makes the new items of stored ones, by draft: the stored item itself for no change. */
type ChangeAll = (stored: StoredItems) => Awaitable<readonly Item[]>

/** The parts of a task that change stored items. */
interface Modifying {
  readonly plan: {
    readonly adapter: UncheckedAdapter
    readonly body: ReturnType<typeof bodyOf>
  }
  readonly operation: Operation
  readonly target: Target
  readonly drafts: readonly Draft[]
  readonly context: unknown
}

/** Reads the stored items of the drafts by the adapter's `read`. */
export function readStoredItems({
  plan,
  operation,
  drafts,
  context,
}: Omit<Modifying, 'target'>): Awaitable<StoredItems> {
  return inTurn(drafts, ({ id }) => {
    if (id === undefined) return undefined
    const read = readOf(operation, id)
    return whenReady(plan.adapter.read?.(read, context), (item) => findItem(item, read))
  })
}

/** Tells whether the adapter reads and stores as one step. */
export function canModify({ plan: { adapter, body } }: Modifying): boolean {
  return typeof adapter[body?.isMany ? 'modifyMany' : 'modify'] === 'function'
}

/**
 * Changes the stored item by the adapter's `modify`. Returns `not_found`.
 *
 * @throws {TypeError} For an adapter that gives an item which `change` did not make.
 */
export function modifyOne(task: Modifying, change: ChangeAll): Awaitable<Outcome | ProblemError> {
  const { plan, operation, context, target } = task
  const { make, isMade } = recorder(change)
  const result = plan.adapter.modify?.(operation, context, (stored) =>
    whenReady(make([findItem(stored, operation)]), ([item]) => item as Item),
  )
  return whenReady(result, (modified) => {
    const item = findItem(modified, operation)
    if (item === undefined) return notFound([], target)
    return isMade() ? { gives: 'item', item } : itemFault(task)
  })
}

/**
 * Changes the stored items by the adapter's `modifyMany`.
 *
 * @throws {TypeError} As {@link modifyOne}.
 */
export function modifyMany(task: Modifying, change: ChangeAll): Awaitable<Outcome | ProblemError> {
  const { plan, operation, drafts, context, target } = task
  const ids = drafts.map(({ id }) => id).filter((id) => id !== undefined)
  if (ids.length === 0) return notFound(drafts, target)
  complete(operation, 'ids', ids)
  const { make, isMade } = recorder(change)
  const result = plan.adapter.modifyMany?.(operation, context, (stored) => {
    const itemsById = new Map<unknown, Item | undefined>(
      ids.map((id, index) => [id, findItem(stored[index], readOf(operation, id))]),
    )
    return make(drafts.map(({ id }) => itemsById.get(id)))
  })
  return whenReady(result, (modified) => {
    if (!isMade()) return itemFault(task)
    return { gives: 'items', items: itemsOfDrafts(modified, task) }
  })
}

// Records whether the last call made the items: an adapter must not go on after an error.
function recorder(change: ChangeAll) {
  let isMade = false
  const make: ChangeAll = (stored) => {
    isMade = false
    return whenReady(change(stored), (items) => {
      isMade = true
      return items
    })
  }
  return { make, isMade: () => isMade }
}

function itemFault({ operation }: Modifying): never {
  throw breach(
    operation,
    'an item that "change" did not make: store its result, and return the item as stored',
  )
}

import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { type Awaitable, inTurn, settle, whenReady } from '../convention/awaitable.ts'
import { fieldOf } from '../convention/value.ts'
import type { Conditions } from '../wire/conditions.ts'
import type { Draft } from './checks/body.ts'
import { countLostWrite, type LostWrite } from './checks/lost.ts'
import { breach, findItem } from './checks/outcome.ts'
import { hasOtherId, type Stored } from './checks/stored.ts'
import { complete, operationOf, type PathId, readOf } from './operations.ts'
import type { Plan } from './plan.ts'

/** Stored items by place; `undefined` for an absent one. */
export type StoredItems = readonly (Item | undefined)[]

/** Stored items to read. */
interface Reading {
  readonly adapter: UncheckedAdapter
  readonly operation: Operation
  readonly context: unknown
  /** By place; `undefined` names no item. */
  readonly ids: readonly PathId[]
}

/** A change of stored items: of all of them, or of none. */
export interface Rewrite extends Reading {
  /** `modifyMany` and `updateMany` serve it, not `modify` and `update`. */
  readonly isMany: boolean
  /**
   * Makes the new items of the stored ones, by place: the stored item itself for no change. Throws
   * for what refuses the write.
   */
  readonly make: (stored: StoredItems) => Awaitable<readonly Item[]>
  /** The client named a revision, so that a lost race is its own. */
  readonly isFinal: boolean
  /** A new item has every field, so that the write can undo nothing in others. */
  readonly isWhole: boolean
}

/** The parts of a task that read the stored items of its drafts. */
interface DraftReading extends Pick<Reading, 'operation' | 'context'> {
  readonly plan: Pick<Reading, 'adapter'>
  readonly drafts: readonly { readonly id: PathId }[]
}

/** Reads the stored items of the drafts of a body, in their order. */
export function readDrafted({ plan, drafts, ...task }: DraftReading): Awaitable<StoredItems> {
  const { operation, context } = task
  return readItems({ adapter: plan.adapter, operation, context, ids: drafts.map(({ id }) => id) })
}

/** Reads stored items by the adapter's `read`. */
function readItems(reading: Reading): Awaitable<StoredItems> {
  const { adapter, operation, context, ids } = reading
  return inTurn(ids, (id) => {
    if (id === undefined) return undefined
    const read = readOf(operation, id)
    return whenReady(adapter.read?.(read, context), (item) => findItem(item, read))
  })
}

/** The parts of a task whose write may depend on stored items. */
interface Dependent extends DraftReading {
  readonly plan: Pick<Plan, 'adapter' | 'dependsOnStored' | 'kind'>
  readonly drafts: readonly Draft[]
  readonly conditions: Conditions
}

/**
 * Reads the stored item of an id, if the write depends on it: read-only fields, conditions, the
 * scope. Returns `undefined` without such an item.
 */
export function readNeeded(task: Dependent, id: PathId): Awaitable<Stored | undefined> {
  if (id === undefined) return undefined
  const { operation, plan, conditions, drafts, context } = task
  const { ifMatch, ifNoneMatch } = conditions
  const isNeeded =
    plan.dependsOnStored ||
    operation.isDryRun ||
    ifMatch !== undefined ||
    ifNoneMatch !== undefined ||
    // After one unknown id, the core looks for all of them, and the problem names each.
    drafts.some((draft) => draft.id === undefined) ||
    (plan.kind === 'update' && drafts.some(hasOtherId))
  if (!isNeeded || typeof plan.adapter.read !== 'function') return 'unread'
  const read = readOf(operation, id)
  return whenReady(plan.adapter.read(read, context), (item) => findItem(item, read))
}

/**
 * Changes stored items, and returns them as the adapter does, by place: `null` or `undefined` for
 * an absent one. The adapter's `modify` reads and writes as one step. Without it, the revision that
 * was read guards `update`; after a lost race, it reads and makes the items again (optimistic
 * concurrency control). A dry run makes the items only.
 *
 * @throws {ProblemError} `precondition_failed`; `unavailable` after eight lost tries.
 * @throws {TypeError} For an adapter that returns an item which `make` did not make, or none of the
 *   guarding revision.
 */
export function rewrite(change: Rewrite): Awaitable<readonly unknown[]> {
  if (canModify(change) && !change.operation.isDryRun)
    return change.isMany ? modifyMany(change) : modifyOne(change)
  return rewriteByRevision(change)
}

/** Tells whether the adapter reads and stores as one step. */
export function canModify({ adapter, isMany }: Pick<Rewrite, 'adapter' | 'isMany'>): boolean {
  return typeof adapter[isMany ? 'modifyMany' : 'modify'] === 'function'
}

// The adapter must not go on after an error of "make".
function modifyOne({ adapter, operation, context, make }: Rewrite): Awaitable<readonly unknown[]> {
  let isMade = false
  const result = adapter.modify?.(operation, context, (stored) => {
    isMade = false
    return whenReady(make([findItem(stored, operation)]), ([item]) => {
      isMade = true
      return item as Item
    })
  })
  return whenReady(result, (modified) => {
    const item = findItem(modified, operation)
    if (item !== undefined && !isMade) throw unmade(operation)
    return [item]
  })
}

function modifyMany(change: Rewrite): Awaitable<readonly unknown[]> {
  const { adapter, operation, context, ids, make } = change
  const known = ids.filter((id) => id !== undefined)
  if (known.length === 0) return ids
  complete(operation, 'ids', known)
  let isMade = false
  const result = adapter.modifyMany?.(operation, context, (stored) => {
    isMade = false
    const items = new Map<PathId, Item | undefined>(
      known.map((id, index) => [id, findItem(stored[index], readOf(operation, id))]),
    )
    return whenReady(make(ids.map((id) => items.get(id))), (newItems) => {
      isMade = true
      return newItems
    })
  })
  return whenReady(result, (modified) => {
    // "make" throws for an absent item, so the adapter has lost one here.
    const isLost = (item: unknown): boolean => item === null || item === undefined
    if (!isMade || (Array.isArray(modified) && modified.some(isLost))) throw unmade(operation)
    return modified as readonly unknown[]
  })
}

function unmade(operation: Operation): TypeError {
  return breach(
    operation,
    'an item that "change" did not make: store its result, and return the item as stored',
  )
}

function rewriteByRevision(change: Rewrite, lost?: LostWrite): Awaitable<readonly unknown[]> {
  const { operation, make, isMany, isFinal } = change
  const { revision = '' } = operation.resource
  return whenReady(readItems(change), (stored) => {
    if (!isMany && stored[0] === undefined) return stored
    return whenReady(make(stored), (items) => {
      if (operation.isDryRun) return items
      return settle<readonly unknown[], readonly unknown[]>(
        () => update(change, stored, items),
        (updated) => updated,
        (error) => {
          if (isFinal) throw error
          const revisions = stored.map((item) => item && fieldOf(item, revision))
          return rewriteByRevision(change, countLostWrite({ error, revisions }, lost))
        },
      )
    })
  })
}

// Each changed item has the revision that was read. The adapter compares it at the write.
function update(
  { adapter, operation, context, isMany, isWhole }: Rewrite,
  stored: StoredItems,
  items: readonly Item[],
): Awaitable<readonly unknown[]> {
  const isChanged = (_: unknown, place: number): boolean => items[place] !== stored[place]
  const changed = items.filter(isChanged)
  if (changed.length === 0) return items
  const writing = operationOf(isMany ? 'updateMany' : 'update', operation, operation)
  complete(writing, 'item', isMany ? undefined : changed[0])
  complete(writing, 'items', isMany ? changed : undefined)
  const { revision } = operation.resource
  const revisions = changed.map((item) => revision && fieldOf(item, revision))
  // Without it the write would undo another one.
  if (!isWhole && revisions.includes(undefined))
    throw breach(operation, `an item without its "${revision}": return it with each item`)
  complete(writing, 'ifRevision', isMany ? undefined : revisions[0])
  const result = isMany
    ? adapter.updateMany?.(writing, context)
    : adapter.update?.(writing, context)
  return whenReady(result, (updated) => {
    // The core refuses a result that is no array.
    if (isMany && !Array.isArray(updated)) return updated as readonly unknown[]
    const results = (isMany ? (updated as readonly unknown[]) : [updated]).values()
    return items.map((item, place) => (isChanged(item, place) ? results.next().value : item))
  })
}

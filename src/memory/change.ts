import { type AdapterShape, noScope, type Scope } from '../contract/resource/operation.ts'
import type {
  ChangeMany,
  ChangingOperation,
  DeleteOperation,
} from '../contract/resource/operation-types.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import {
  checkComplete,
  checkRevision,
  revisionAfter,
  withoutWriteOnly,
} from '../contract/values/write.ts'
import { type Awaitable, inTurn, whenReady } from '../convention/awaitable.ts'
import { tooManyAffected } from '../convention/problem.ts'
import { fieldOf, isInScope } from '../convention/value.ts'
import {
  checkDistinct,
  checkReferences,
  checkUnreferenced,
  type Writing,
  withDates,
} from './constraints.ts'
import { freeze } from './freeze.ts'
import { inQueue } from './queue.ts'
import { type ItemStore, putItems, removeItems } from './store.ts'
import type { MemoryStorage, MemoryTable } from './table.ts'

/** Returns the item of an id; `undefined` for none in the scope. */
export function findInScope<Stored extends Item>(
  store: ItemStore<Stored>,
  { id, scope }: { readonly id: Item['id']; readonly scope: Scope },
): Stored | undefined {
  const item = store.items.get(id)
  // An item of another owner takes as long as none.
  return scope === noScope || isInScope(item ?? absent, scope) ? item : undefined
}

const absent: object = Object.freeze({})

// A write never waits for the items of another owner: that would tell that they exist.
function idsIn(
  store: ItemStore<Item>,
  ids: readonly Item['id'][],
  scope: Scope,
): readonly Item['id'][] {
  return scope === noScope ? ids : ids.filter((id) => findInScope(store, { id, scope }))
}

// An item that came into the scope meanwhile was not waited for.
function findAmong<Stored extends Item>(
  mine: readonly Item['id'][],
  store: ItemStore<Stored>,
  { id, scope }: { readonly id: Item['id']; readonly scope: Scope },
): Stored | undefined {
  return scope === noScope || mine.includes(id) ? findInScope(store, { id, scope }) : undefined
}

/** A replacement of items, and the context of its request. */
interface Replacing<S extends AdapterShape> {
  readonly operation: ChangingOperation<S>
  readonly context: S['context']
}

/** A stored item, and the one to store for it: itself for no change. */
interface Pair<S extends AdapterShape> {
  readonly stored: S['item']
  readonly item: S['item']
}

/**
 * Replaces all items, or none when one is absent. Waits for its turn while another write of an item
 * waits for a function.
 */
export function replaceItems<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  items: readonly S['item'][],
  { operation, context }: Replacing<S>,
): Awaitable<readonly (S['item'] | null)[]> {
  const { resource, scope, signal } = operation
  const { revision } = resource
  const ids = items.map(({ id }) => operation.id ?? id)
  const mine = idsIn(storage.store, ids, scope)
  return inQueue<readonly (S['item'] | null)[]>(storage.queue, { ids: mine, signal }, (again) => {
    const storedItems = ids.map((id) => findAmong(mine, storage.store, { id, scope }))
    const pairs = items.flatMap((item, place) => {
      const stored = storedItems[place]
      if (stored === undefined) return []
      const revisionOfItem = revision && fieldOf(item, revision)
      checkRevision(
        stored,
        operation.kind === 'update' ? operation.ifRevision : revisionOfItem,
        resource,
      )
      return { item: withReadOnly(item, stored, resource), stored }
    })
    if (pairs.length < items.length) return storedItems.map((stored) => stored ?? null)
    return putPairs(storage, pairs, { operation, context, again })
  })
}

// The core has read these fields before the write got its turn.
function withReadOnly<Stored extends Item>(
  item: Stored,
  stored: Stored,
  { readOnly }: Resource,
): Stored {
  const old = readOnly.filter(
    (field) => Object.hasOwn(stored, field) && fieldOf(item, field) !== fieldOf(stored, field),
  )
  if (old.length === 0) return item
  return { ...item, ...Object.fromEntries(old.map((field) => [field, fieldOf(stored, field)])) }
}

/**
 * Reads items, changes them, and stores the results: all or none. Waits for its turn as
 * {@link replaceItems} does.
 */
export function modifyItems<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  ids: readonly S['item']['id'][],
  { operation, context, change }: Replacing<S> & { readonly change: ChangeMany<S['item']> },
): Awaitable<readonly S['item'][]> {
  const { scope, signal } = operation
  const mine = idsIn(storage.store, ids, scope)
  return inQueue<readonly S['item'][]>(storage.queue, { ids: mine, signal }, (again) => {
    const storedItems = ids.map((id) => findAmong(mine, storage.store, { id, scope }))
    return whenReady(change(storedItems), (items) => {
      const pairs = items.flatMap((item, place) => {
        const stored = storedItems[place]
        return stored ? [{ item, stored }] : []
      })
      return putPairs(storage, pairs, { operation, context, again })
    })
  })
}

interface Putting<S extends AdapterShape, Made> extends Replacing<S> {
  /** Starts again: a deletion does not wait for its turn, and an aborted write loses its turn. */
  again(): Awaitable<readonly Made[]>
}

function putPairs<S extends AdapterShape, Made>(
  storage: MemoryStorage<S>,
  pairs: readonly Pair<S>[],
  { operation, context, again }: Putting<S, Made>,
): Awaitable<readonly (S['item'] | Made)[]> {
  const { resource } = operation
  const changed = pairs.filter(isChanged)
  const replacements = inTurn(changed, ({ item, stored }) => {
    const set = storage.options.onUpdate?.(item, stored, operation, context)
    const counted = { ...item, ...revisionAfter(stored, resource) }
    return whenReady(set, (set) => freeze(withoutWriteOnly({ ...counted, ...set }, resource)))
  })
  return whenReady(replacements, (items) => {
    const isSame = pairs.every(({ stored }) => storage.store.items.get(stored.id) === stored)
    if (!isSame) return again()
    const placeOf = (index: number): number => pairs.indexOf(changed[index] as Pair<S>)
    const writing = { operation, placeOf, changed }
    const replaced = putReplaced(storage, items, writing).values()
    return pairs.map((pair) =>
      isChanged(pair) ? (replaced.next().value ?? pair.stored) : pair.stored,
    )
  })
}

function isChanged<S extends AdapterShape>({ item, stored }: Pair<S>): boolean {
  return item !== stored
}

function putReplaced<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  items: readonly S['item'][],
  writing: Writing & { readonly changed: readonly Pair<S>[] },
): readonly S['item'][] {
  const replaced = withDates(items, writing)
  for (const [place, item] of replaced.entries()) {
    checkComplete(item, writing.operation, writing.changed[place]?.stored)
  }
  checkReferences(storage, replaced, writing)
  checkDistinct(storage, replaced, writing)
  putItems(storage.store, replaced)
  return replaced
}

/** Deletes an item and returns it; `null` for none. */
export function deleteOne<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  operation: DeleteOperation<S>,
): S['item'] | null {
  const stored = findInScope(storage.store, operation)
  if (!stored) return null
  checkRevision(stored, operation.ifRevision, operation.resource)
  dropItems(storage, [stored])
  return stored
}

/**
 * Deletes items and returns their number.
 *
 * @throws {ProblemError} `too_many_affected`; `conflict` for an item that others reference.
 */
export function dropItems(
  table: MemoryTable,
  items: readonly Item[],
  maxAffected?: number,
): number {
  if (maxAffected !== undefined && items.length > maxAffected) {
    throw tooManyAffected(maxAffected)
  }
  checkUnreferenced(items, table)
  removeItems(table.store, items)
  return items.length
}

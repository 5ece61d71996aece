import { type Awaitable, inTurn, whenReady } from '../model/awaitable.ts'
import {
  type AdapterShape,
  type CreateOperation,
  type DeleteOperation,
  noScope,
  type Scope,
  type UpdateManyOperation,
  type UpdateOperation,
} from '../model/operation.ts'
import { problem } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { fieldOf, isInScope } from '../model/value.ts'
import {
  checkComplete,
  checkNewId,
  checkRevision,
  revisionAfter,
  withoutWriteOnly,
} from '../model/write.ts'
import { freeze } from './freeze.ts'
import type { MemoryOptions } from './options.ts'
import { type ItemStore, nextIdIn, putItems, removeItems } from './store.ts'
import {
  checkDistinct,
  checkReferences,
  checkUnreferenced,
  type MemoryTable,
  withDates,
} from './table.ts'

/** The items of an adapter and its options. */
export interface MemoryStorage<S extends AdapterShape> extends MemoryTable<S['item']> {
  readonly options: MemoryOptions<S>
}

/** Returns the item of an id; `undefined` for none in the scope. */
export function findInScope<Stored extends Item>(
  store: ItemStore<Stored>,
  { id, scope }: { readonly id: Item['id']; readonly scope: Scope },
): Stored | undefined {
  const item = store.items.get(id)
  return item && (scope === noScope || isInScope(item, scope)) ? item : undefined
}

const hasId = (item: object): item is Item => fieldOf(item, 'id') !== undefined

/** Stores a new item. */
export function storeItem<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  operation: CreateOperation<S>,
  context: S['context'],
): Awaitable<S['item']> {
  const { onCreate } = storage.options
  if (onCreate === undefined) return add(storage, operation, {})
  return whenReady(onCreate(operation.item, operation, context), (set) =>
    add(storage, operation, set),
  )
}

function add<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  operation: CreateOperation<S>,
  set: Partial<S['item']>,
): S['item'] {
  const { store, options } = storage
  const { nextId } = options
  const { kind, item, resource } = operation
  const makeId = nextId ?? (() => nextIdIn(store, resource))
  const isNamed = hasId(item)
  const own: Pick<S['item'], 'id'> = { id: isNamed ? item.id : makeId() }
  const revision = revisionAfter(undefined, resource)
  // The id comes first for readers, and again last: a schema may leave an undefined id in the item.
  const given = { ...own, ...item, ...own, ...revision, ...set }
  const whole = freeze(withoutWriteOnly(given, resource))
  const [made = whole] = withDates([whole], operation)
  checkComplete(made, operation)
  const isChecked = isNamed || nextId === undefined
  if (!isChecked || made.id !== own.id) checkNewId(made, resource)
  checkReferences(storage, [made], kind)
  if (store.items.has(made.id)) throw problem('conflict', 'An item with this id exists already')
  checkDistinct(storage, [made], kind)
  putItems(store, [made])
  return made
}

/** A replacement of items, and the context of its request. */
interface Replacing<S extends AdapterShape> {
  readonly operation: UpdateOperation<S> | UpdateManyOperation<S>
  readonly context: S['context']
}

/**
 * Replaces all items, or none when one is absent. Starts again when an item has changed while
 * `onUpdate` waited.
 */
export function replaceItems<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  items: readonly S['item'][],
  { operation, context }: Replacing<S>,
): Awaitable<readonly (S['item'] | null)[]> {
  const { resource, scope } = operation
  const { revision } = resource
  const find = (item: S['item']) =>
    findInScope(storage.store, { id: operation.id ?? item.id, scope })
  const pairs = items.flatMap((item) => {
    const stored = find(item)
    return stored ? [{ item, stored }] : []
  })
  for (const { item, stored } of pairs) {
    const own = revision && fieldOf(item, revision)
    checkRevision(stored, operation.kind === 'update' ? operation.ifRevision : own, resource)
  }
  if (pairs.length < items.length) return items.map((item) => find(item) ?? null)
  const made = inTurn(pairs, ({ item, stored }) => {
    const set = storage.options.onUpdate?.(item, stored, operation, context)
    const counted = { ...item, ...revisionAfter(stored, resource) }
    return whenReady(set, (set) => freeze(withoutWriteOnly({ ...counted, ...set }, resource)))
  })
  return whenReady(made, (found) => {
    const isSame = pairs.every(({ item, stored }) => find(item) === stored)
    return isSame
      ? putReplaced(storage, found, operation)
      : replaceItems(storage, items, { operation, context })
  })
}

function putReplaced<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  found: readonly S['item'][],
  operation: Replacing<S>['operation'],
): readonly S['item'][] {
  const { kind } = operation
  const replaced = withDates(found, operation)
  for (const item of replaced) checkComplete(item, operation)
  checkReferences(storage, replaced, kind)
  checkDistinct(storage, replaced, kind)
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
 * @throws {ProblemError} `too_many_affected`, and `conflict` for an item that others reference.
 */
export function dropItems(
  table: MemoryTable,
  items: readonly Item[],
  maxAffected?: number,
): number {
  if (maxAffected !== undefined && items.length > maxAffected) {
    throw problem('too_many_affected', `This would delete more than ${maxAffected} items`)
  }
  checkUnreferenced(items, table)
  removeItems(table.store, items)
  return items.length
}

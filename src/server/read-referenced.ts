import { type Revealed, visibleCollection } from '../contract/declare/reveal.ts'
import type { Collection, MountedReference } from '../contract/resource/api.ts'
import { isIdOf } from '../contract/resource/id.ts'
import {
  noParents,
  noQuery,
  type Outcome,
  type PathParent,
} from '../contract/resource/operation.ts'
import type { Registry } from '../contract/resource/registry.ts'
import type { Item } from '../contract/resource/resource.ts'
import { type Awaitable, inTurn, whenReady } from '../convention/awaitable.ts'
import { maxIncluding } from '../convention/limits.ts'
import { fieldOf, isInScope } from '../convention/value.ts'
import { checkSlice, findItem } from './checks/outcome.ts'
import { through, unlessHidden } from './middleware.ts'
import { type Calling, operationAcross, readingOf, scopeOf } from './operations.ts'

/** A reference, and the ids that it names. */
interface Lookup {
  readonly reference: MountedReference
  readonly ids: readonly unknown[]
}

/** The parts of a task that read items. */
interface ReadingTask extends Calling {
  readonly lifetime: { readonly registry: Registry }
  readonly operation: { readonly signal: AbortSignal }
  readonly context: unknown
  readonly revealed: Revealed
}

/** The request that reads the items of a collection. */
export interface ItemReader extends Calling {
  readonly registry: Registry
  readonly signal: AbortSignal
  readonly context: unknown
  /** As the client sees it. */
  readonly target: Collection
}

type ItemsById = ReadonlyMap<unknown, object>

/**
 * Reads the items that references name, collection by collection: two fields can name users. The
 * client gets the items of its scope that a path names, through the middleware.
 *
 * @see docs/requests.md, C1.4, C9.3
 */
export function readReferenced(
  lookups: readonly Lookup[],
  task: ReadingTask,
): Awaitable<ReadonlyMap<Collection, ItemsById>> {
  const targets = [...new Set(lookups.map(({ reference }) => reference.target))]
  const entries = inTurn(targets, (target) => {
    const ids = lookups.flatMap((lookup) => (lookup.reference.target === target ? lookup.ids : []))
    return whenReady(readVisible(ids, readerOf(target, task)), (items) => [target, items] as const)
  })
  return whenReady(entries, (all) => new Map(all))
}

/** Returns the request of a task's client that reads the items of a collection. */
export function readerOf(
  target: Collection,
  { lifetime: { registry }, operation: { signal }, context, caller, revealed }: ReadingTask,
): ItemReader {
  return { registry, signal, context, caller, target: visibleCollection(target, revealed) }
}

function readVisible(ids: readonly unknown[], reader: ItemReader): Awaitable<ItemsById> {
  return whenReady(readStored(ids, reader), (items) =>
    whenReady(pathsOfItems(items, reader), (paths) => {
      const reachable = items.flatMap((item, index) => {
        const parents = paths[index]
        return parents === undefined ? [] : { item, parents }
      })
      if (reader.registry.middleware.length === 0) {
        return new Map(reachable.map(({ item }) => [item.id, item]))
      }
      const visible = inTurn(reachable, (entry) =>
        unlessHidden(() => readThroughMiddleware(entry, reader), reader.signal),
      )
      return whenReady(
        visible,
        (entries) => new Map(entries.filter((entry) => entry !== undefined)),
      )
    }),
  )
}

// Reads the items of a scope by their ids: one list for each thousand.
function readStored(values: readonly unknown[], reader: ItemReader): Awaitable<readonly Item[]> {
  const ids = [...new Set(values)].filter((id) => isIdOf(id, reader.target.resource))
  const slices: Item['id'][][] = []
  for (let start = 0; start < ids.length; start += maxIncluding) {
    slices.push(ids.slice(start, start + maxIncluding))
  }
  const lists = inTurn(slices, (slice) => readSlice(slice, reader))
  return whenReady(lists, (all) => all.flat())
}

// One list for all ids; one read for each where the adapter has no list, or refuses it.
function readSlice(ids: readonly Item['id'][], reader: ItemReader): Awaitable<readonly Item[]> {
  const { signal } = reader
  return whenReady(
    unlessHidden(() => listStored(ids, reader), signal),
    (listed) => {
      if (listed !== undefined) return listed
      const items = inTurn(ids, (id) => unlessHidden(() => readOne(id, reader), signal))
      return whenReady(items, (results) => results.filter((item) => item !== undefined))
    },
  )
}

function listStored(
  ids: readonly Item['id'][],
  { registry, target, signal, context, caller }: ItemReader,
): Awaitable<readonly Item[] | undefined> {
  const adapter = registry.bindings[target.place]?.adapter
  if (typeof adapter?.list !== 'function') return undefined
  const type = typeof ids[0] === 'number' ? 'number' : 'text'
  const where = [{ field: 'id', is: 'in', values: ids, type }] as const
  const query = { ...noQuery, where, limit: ids.length }
  const list = operationAcross(target, { kind: 'list', id: undefined, query, signal, caller })
  return whenReady(adapter.list(list, context), (result) => checkSlice(result, list, ids.length))
}

// Reads an item, whatever its parents are.
function readOne(
  id: Item['id'],
  { registry, signal, context, caller, target }: ItemReader,
): Awaitable<Item | undefined> {
  const read = operationAcross(target, { kind: 'read', id, query: noQuery, signal, caller })
  return whenReady(registry.bindings[target.place]?.adapter.read?.(read, context), (item) =>
    findItem(item, read),
  )
}

/** An item that a path names. */
interface ReachableItem {
  readonly item: Item
  readonly parents: readonly PathParent[]
}

// Asks the middleware about an item as if the client read it.
function readThroughMiddleware(
  { item, parents }: ReachableItem,
  { registry, target, signal, context, caller }: ItemReader,
): Awaitable<readonly [id: unknown, item: object]> {
  const operation = readingOf(target, { id: item.id, parents, signal, caller })
  const outcome = through(registry.middleware, { operation, context }, () => ({
    gives: 'item',
    item,
  }))
  return whenReady(outcome, (result) => {
    // A read gives an item.
    const { item: visibleItem } = result as Extract<Outcome, { readonly gives: 'item' }>
    return [item.id, visibleItem] as const
  })
}

/** The parents in a path, outermost first; `undefined` where no path names the item. */
type Parents = readonly PathParent[] | undefined

/**
 * Finds the parents of each item. Each must lie in the one before it, as in a path, and in the
 * scope of the caller.
 */
export function pathsOfItems(
  items: readonly Item[],
  reader: ItemReader,
): Awaitable<readonly Parents[]> {
  const { target, caller } = reader
  const { ancestors, parameters } = target
  const parent = ancestors.at(-1)
  if (parent === undefined) return items.map(() => noParents)
  const parentIdOf = (item: Item): unknown => fieldOf(item, parameters.at(-1) as string)
  const parentReader = { ...reader, target: parent }
  return whenReady(readStored(items.map(parentIdOf), parentReader), (parentItems) =>
    whenReady(pathsOfItems(parentItems, parentReader), (parentPaths) => {
      const parentsById = new Map(
        parentItems.map((item, index) => [
          item.id as unknown,
          withParent(parentPaths[index], item, parent),
        ]),
      )
      return items.map((item) => {
        const parents = parentsById.get(parentIdOf(item))
        const isInPath = parents && isInScope(item, scopeOf(target, { parents, caller }))
        return isInPath ? parents : undefined
      })
    }),
  )
}

function withParent(path: Parents, { id }: Item, { resource }: Collection): Parents {
  return path && Object.freeze([...path, Object.freeze({ resource, id })])
}

import type { Collection } from '../contract/resource/api.ts'
import { isIdOf } from '../contract/resource/id.ts'
import {
  noParents,
  noQuery,
  type Outcome,
  type PathParent,
} from '../contract/resource/operation.ts'
import type { Registry } from '../contract/resource/registry.ts'
import type { Item } from '../contract/resource/resource.ts'
import { type Caller, scopeOfCaller } from '../contract/values/caller.ts'
import { type Awaitable, inTurn, settle, whenReady } from '../convention/awaitable.ts'
import { maxIncluding } from '../convention/limits.ts'
import { isProblem } from '../convention/problem.ts'
import { isStream, take } from '../convention/stream.ts'
import { fieldOf, isInScope } from '../convention/value.ts'
import { checkItems, findItem } from './checks/outcome.ts'
import { through } from './middleware.ts'
import { operationOf, readingOf, scopeOf, whereOf } from './operations.ts'

/** The request that reads the items. */
interface Reader {
  readonly registry: Registry
  readonly signal: AbortSignal
  readonly context: unknown
  readonly caller: Caller
}

/** The parents in a path, outermost first; `undefined` where no path names the item. */
type Parents = readonly PathParent[] | undefined

interface ItemReader extends Reader {
  readonly target: Collection
}

/**
 * Reads items of a collection by their ids, as the client may read them: in its scope, through the
 * middleware, and only those that a path names (C1.4, C9.3).
 */
export function readVisible(
  values: readonly unknown[],
  target: Collection,
  reader: Reader,
): Awaitable<ReadonlyMap<unknown, object>> {
  const itemReader = { ...reader, target }
  return whenReady(readStored(values, itemReader), (items) =>
    whenReady(parentsAbove(items, itemReader), (parents) => {
      const named = items.flatMap((item, place) => {
        const itemParents = parents[place]
        return itemParents === undefined ? [] : { item, parents: itemParents }
      })
      if (reader.registry.middleware.length === 0) {
        return new Map(named.map(({ item }) => [item.id, item]))
      }
      const seen = inTurn(named, (entry) =>
        unlessHidden(() => readThroughMiddleware(entry, itemReader), itemReader),
      )
      return whenReady(seen, (entries) => new Map(entries.filter((entry) => entry !== undefined)))
    }),
  )
}

// Reads the items of a scope by their ids: one list for each thousand.
function readStored(
  values: readonly unknown[],
  itemReader: ItemReader,
): Awaitable<readonly Item[]> {
  const ids = [...new Set(values)].filter((id) => isIdOf(id, itemReader.target.resource))
  const slices: Item['id'][][] = []
  for (let start = 0; start < ids.length; start += maxIncluding) {
    slices.push(ids.slice(start, start + maxIncluding))
  }
  const lists = inTurn(slices, (slice) => readSlice(slice, itemReader))
  return whenReady(lists, (lists) => lists.flat())
}

// One list for all ids; one read for each where the adapter has no list, or refuses it.
function readSlice(ids: readonly Item['id'][], itemReader: ItemReader): Awaitable<readonly Item[]> {
  return whenReady(
    unlessHidden(() => listStored(ids, itemReader), itemReader),
    (listed) => {
      if (listed !== undefined) return listed
      const items = inTurn(ids, (id) => unlessHidden(() => readOne(id, itemReader), itemReader))
      return whenReady(items, (results) => results.filter((item) => item !== undefined))
    },
  )
}

function listStored(
  ids: readonly Item['id'][],
  { registry, target, signal, context, caller }: ItemReader,
): Awaitable<readonly Item[] | undefined> {
  const { resource, place } = target
  const adapter = registry.bindings[place]?.adapter
  if (typeof adapter?.list !== 'function') return undefined
  const type = typeof ids[0] === 'number' ? 'number' : 'text'
  const where = [{ field: 'id', is: 'in', values: ids, type }] as const
  const query = { ...noQuery, where, limit: ids.length }
  const scope = scopeOfCaller(caller, resource)
  const top = { ...whereOf(target), scope, parents: noParents, signal }
  const list = operationOf({ ...top, kind: 'list', id: undefined, query })
  return whenReady(adapter.list(list, context), (result) =>
    isStream(result)
      ? take(result, ids.length).then((items) => checkItems(items, list))
      : checkItems(result, list),
  )
}

// Reads an item, whatever its parents are.
function readOne(
  id: Item['id'],
  { registry, signal, context, caller, target }: ItemReader,
): Awaitable<Item | undefined> {
  const { resource, place } = target
  const scope = scopeOfCaller(caller, resource)
  const top = { ...whereOf(target), scope, parents: noParents }
  const read = operationOf({ ...top, kind: 'read', id, query: noQuery, signal })
  return whenReady(registry.bindings[place]?.adapter.read?.(read, context), (item) =>
    findItem(item, read),
  )
}

const hiding: readonly number[] = [401, 403, 404]

// A middleware hides an item by a problem, and so may an adapter. Nothing waits for the items of a
// request that is over.
function unlessHidden<Value>(
  find: () => Awaitable<Value>,
  { signal }: Reader,
): Awaitable<Value | undefined> {
  return settle<Value, Value | undefined>(
    () => {
      signal.throwIfAborted()
      return find()
    },
    (value) => value,
    (error) => {
      if (isProblem(error) && hiding.includes(error.status)) return undefined
      throw error
    },
  )
}

interface Named {
  readonly item: Item
  readonly parents: readonly PathParent[]
}

// Asks the middleware about an item as if the client read it.
function readThroughMiddleware(
  { item, parents }: Named,
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

// Finds the parents of each item. Each must lie in the one before it, as in a path, and in the
// scope of the caller.
function parentsAbove(
  items: readonly Item[],
  itemReader: ItemReader,
): Awaitable<readonly Parents[]> {
  const { target, caller } = itemReader
  const { ancestors, parameters } = target
  const parent = ancestors.at(-1)
  if (parent === undefined) return items.map(() => noParents)
  const idOf = (item: Item): unknown => fieldOf(item, parameters.at(-1) as string)
  const parentReader = { ...itemReader, target: parent }
  return whenReady(readStored(items.map(idOf), parentReader), (parentItems) =>
    whenReady(parentsAbove(parentItems, parentReader), (outer) => {
      const parentsById = new Map(
        parentItems.map((item, place) => [item.id as unknown, pathTo(item, outer[place], parent)]),
      )
      return items.map((item) => {
        const parents = parentsById.get(idOf(item))
        const isNamed = parents && isInScope(item, scopeOf(target, { parents, caller }))
        return isNamed ? parents : undefined
      })
    }),
  )
}

function pathTo({ id }: Item, outer: Parents, { resource }: Collection): Parents {
  return outer && Object.freeze([...outer, Object.freeze({ resource, id })])
}

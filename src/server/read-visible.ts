import type { Collection, MountedReference } from '../model/api.ts'
import { type Awaitable, inTurn, settle, whenReady } from '../model/awaitable.ts'
import { isIdOf } from '../model/id.ts'
import { maxIncluding } from '../model/limits.ts'
import { noParents, noQuery, noScope, type Outcome, type PathParent } from '../model/operation.ts'
import { isProblem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import type { Item } from '../model/resource.ts'
import { isStream, take } from '../model/stream.ts'
import { fieldOf, isInScope } from '../model/value.ts'
import { checkItems, findItem } from './checks/outcome.ts'
import { through } from './middleware.ts'
import { operationOf, readingOf, scopeOf } from './operations.ts'

/** The request that reads the items. */
interface Reader {
  readonly registry: Registry
  readonly signal: AbortSignal
  readonly context: unknown
}

/** The parents in a path, outermost first; `undefined` where no path names the item. */
type Parents = readonly PathParent[] | undefined

interface Asking extends Reader {
  readonly target: Collection
  /** The parents of items by the nearest one: many items share it. */
  readonly known: Map<string, Awaitable<Parents>>
}

/**
 * Reads the items that a reference names, by their ids, as the client may read them: through the
 * middleware, and only those that a path names (C1.4).
 */
export function readVisible(
  values: readonly unknown[],
  { target }: MountedReference,
  reader: Reader,
): Awaitable<ReadonlyMap<unknown, object>> {
  const ids = [...new Set(values)].filter((id) => isIdOf(id, target.resource))
  const slices: Item['id'][][] = []
  for (let start = 0; start < ids.length; start += maxIncluding) {
    slices.push(ids.slice(start, start + maxIncluding))
  }
  const asking = { ...reader, target, known: new Map() }
  const lists = inTurn(slices, (slice) => readStored(slice, asking))
  return whenReady(lists, (lists) => {
    const found = lists.flat()
    const isOpen = reader.registry.middleware.length === 0 && target.ancestors.length === 0
    if (isOpen) return new Map(found.map((item) => [item.id, item]))
    const seen = inTurn(found, (item) => unlessHidden(() => ask(item, asking), asking))
    return whenReady(seen, (entries) => new Map(entries.filter((entry) => entry !== undefined)))
  })
}

// One list for all ids; one read for each where the adapter has no list, or refuses it.
function readStored(ids: readonly Item['id'][], asking: Asking): Awaitable<readonly Item[]> {
  return whenReady(
    unlessHidden(() => listStored(ids, asking), asking),
    (listed) => {
      if (listed !== undefined) return listed
      const items = inTurn(ids, (id) =>
        unlessHidden(() => readOne(id, asking.target, asking), asking),
      )
      return whenReady(items, (found) => found.filter((item) => item !== undefined))
    },
  )
}

function listStored(
  ids: readonly Item['id'][],
  { registry, target, signal, context }: Asking,
): Awaitable<readonly Item[] | undefined> {
  const { resource, version, path, place } = target
  const adapter = registry.bindings[place]?.adapter
  if (typeof adapter?.list !== 'function') return undefined
  const type = typeof ids[0] === 'number' ? 'number' : 'text'
  const where = [{ field: 'id', is: 'in', values: ids, type }] as const
  const query = { ...noQuery, where, limit: ids.length }
  const top = { resource, version, path, scope: noScope, parents: noParents, signal }
  const list = operationOf({ ...top, kind: 'list', id: undefined, query })
  return whenReady(adapter.list(list, context), (given) =>
    isStream(given)
      ? take(given, ids.length).then((items) => checkItems(items, list))
      : checkItems(given, list),
  )
}

// Reads an item, whatever its parents are.
function readOne(
  id: Item['id'],
  { resource, version, path, place }: Collection,
  { registry, signal, context }: Reader,
): Awaitable<Item | undefined> {
  const top = { resource, version, path, scope: noScope, parents: noParents }
  const read = operationOf({ ...top, kind: 'read', id, query: noQuery, signal })
  return whenReady(registry.bindings[place]?.adapter.read?.(read, context), (item) =>
    findItem(item, read),
  )
}

const hiding: readonly number[] = [401, 403, 404]

// A middleware hides an item by a problem, and so may an adapter. Nothing waits for the items of a
// request that is over.
function unlessHidden<Found>(
  find: () => Awaitable<Found>,
  { signal }: Reader,
): Awaitable<Found | undefined> {
  return settle<Found, Found | undefined>(
    () => {
      signal.throwIfAborted()
      return find()
    },
    (found) => found,
    (error) => {
      if (isProblem(error) && hiding.includes(error.status)) return undefined
      throw error
    },
  )
}

// Asks the middleware about an item as if the client read it.
function ask(
  item: Item,
  asking: Asking,
): Awaitable<readonly [id: unknown, item: object] | undefined> {
  const { registry, target, signal, context } = asking
  return whenReady(parentsAbove(item, target, asking), (parents) => {
    if (parents === undefined) return undefined
    const operation = readingOf(target, { id: item.id, parents, signal })
    const outcome = through(registry.middleware, { operation, context }, () => ({
      gives: 'item',
      item,
    }))
    return whenReady(outcome, (given) => {
      // A read gives an item.
      const { item: shown } = given as Extract<Outcome, { readonly gives: 'item' }>
      return [item.id, shown] as const
    })
  })
}

// Each parent must lie in the one before it, as in a path.
function parentsAbove(item: object, collection: Collection, asking: Asking): Awaitable<Parents> {
  const { ancestors, parameters } = collection
  const parent = ancestors.at(-1)
  if (parent === undefined) return noParents
  const id = fieldOf(item, parameters.at(-1) as string)
  if (!isIdOf(id, parent.resource)) return undefined
  const key = JSON.stringify([parent.place, id])
  const parents = asking.known.get(key) ?? parentsDownTo(id, parent, asking)
  asking.known.set(key, parents)
  return whenReady(parents, (all) =>
    all && isInScope(item, scopeOf(collection, all)) ? all : undefined,
  )
}

function parentsDownTo(id: Item['id'], parent: Collection, asking: Asking): Awaitable<Parents> {
  return whenReady(readOne(id, parent, asking), (item) => {
    if (item === undefined) return undefined
    const above = parentsAbove(item, parent, asking)
    return whenReady(
      above,
      (outer) =>
        outer && Object.freeze([...outer, Object.freeze({ resource: parent.resource, id })]),
    )
  })
}

import type { Collection, MountedReference } from '../model/api.ts'
import { type Awaitable, inTurn, settle, whenReady } from '../model/awaitable.ts'
import { idFor } from '../model/id.ts'
import { maxIncluding } from '../model/limits.ts'
import { noParents, noQuery, noScope, type PathParent } from '../model/operation.ts'
import { isProblem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import type { Item } from '../model/resource.ts'
import { isStream, take } from '../model/stream.ts'
import { fieldOf } from '../model/value.ts'
import { checkItems, findItem } from './checks/outcome.ts'
import { through } from './middleware.ts'
import { operationOf, readingOf } from './operations.ts'

/** The request that reads the items. */
interface Reader {
  readonly registry: Registry
  readonly signal: AbortSignal
  readonly context: unknown
}

/** Reads the items that a reference names, by their ids, as the client may read them. */
export function readVisible(
  values: readonly unknown[],
  reference: MountedReference,
  reader: Reader,
): Awaitable<ReadonlyMap<unknown, object>> {
  const { resource } = reference.target
  const ids = [...new Set(values)].filter((id) => idFor(resource, String(id)) === id)
  const slices: Item['id'][][] = []
  for (let start = 0; start < ids.length; start += maxIncluding) {
    slices.push(ids.slice(start, start + maxIncluding) as Item['id'][])
  }
  const lists = inTurn(slices, (slice) => readStored(slice, reference, reader))
  return whenReady(lists, (lists) => {
    const { middleware } = reader.registry
    const found = lists.flat()
    if (middleware.length === 0) return new Map(found.map((item) => [item.id, item]))
    const seen = inTurn(found, (item) => ask(item, reference, reader))
    return whenReady(seen, (entries) => new Map(entries.filter((entry) => entry !== undefined)))
  })
}

// One list for all ids; one read for each where the adapter has no list.
function readStored(
  ids: readonly Item['id'][],
  { target }: MountedReference,
  { registry, signal, context }: Reader,
): Awaitable<readonly Item[]> {
  const adapter = registry.bindings[target.place]?.adapter
  const { resource, version, path } = target
  const top = { resource, version, path, scope: noScope, parents: noParents, signal }
  if (typeof adapter?.list === 'function') {
    const type = typeof ids[0] === 'number' ? 'number' : 'text'
    const where = [{ field: 'id', is: 'in', values: ids, type }] as const
    const query = { ...noQuery, where, limit: ids.length }
    const list = operationOf({ ...top, kind: 'list', id: undefined, query })
    return whenReady(adapter.list(list, context), (given) =>
      isStream(given)
        ? take(given, ids.length).then((items) => checkItems(items, list))
        : checkItems(given, list),
    )
  }
  const items = inTurn(ids, (id) => {
    const read = operationOf({ ...top, kind: 'read', id, query: noQuery })
    return whenReady(adapter?.read?.(read, context), (item) => findItem(item, read))
  })
  return whenReady(items, (found) => found.filter((item) => item !== undefined))
}

const hiding: readonly number[] = [401, 403, 404]

// Asks the middleware about an item as if the client read it.
function ask(
  item: Item,
  { target }: MountedReference,
  reader: Reader,
): Awaitable<readonly [id: unknown, item: object] | undefined> {
  const { registry, signal, context } = reader
  return whenReady(parentsAbove(item, target, reader), (parents) => {
    if (parents === undefined) return undefined
    const reading = readingOf(target, { id: item.id, parents, signal })
    return settle(
      () =>
        through(registry.middleware, { operation: reading, context }, () => ({
          gives: 'item',
          item,
        })),
      (outcome) => (outcome.gives === 'item' ? ([item.id, outcome.item] as const) : undefined),
      (error) => {
        if (isProblem(error) && hiding.includes(error.status)) return undefined
        throw error
      },
    )
  })
}

// The parents of an item, outermost first. `undefined` where no path names it.
function parentsAbove(
  item: object,
  { ancestors, parameters, owners }: Collection,
  reader: Reader,
): Awaitable<readonly PathParent[] | undefined> {
  const parent = ancestors.at(-1)
  if (parent === undefined) return noParents
  const ids = parameters.map((field) => fieldOf(item, field))
  const id = ids.at(-1)
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  if (owners.length === parameters.length) {
    return ancestors.map(({ resource }, depth) => ({ resource, id: ids[depth] as Item['id'] }))
  }
  const { registry, signal, context } = reader
  const { resource, version, path, place } = parent
  const top = { resource, version, path, scope: noScope, parents: noParents }
  const reading = operationOf({
    ...top,
    kind: 'read',
    id,
    query: noQuery,
    signal,
  })
  const stored = registry.bindings[place]?.adapter.read?.(reading, context)
  return whenReady(stored, (given) => {
    const found = findItem(given, reading)
    if (found === undefined) return undefined
    return whenReady(
      parentsAbove(found, parent, reader),
      (outer) => outer && [...outer, { resource, id }],
    )
  })
}

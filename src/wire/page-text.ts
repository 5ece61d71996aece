import type { Target } from '../contract/resource/api.ts'
import { noScope, type Query, type Scope, type SortField } from '../contract/resource/operation.ts'
import { type Caller, scopeOfCaller } from '../contract/values/caller.ts'
import type { Parameters } from './parameters.ts'
import { formatPath } from './path.ts'
import { formatQuery } from './query.ts'

/** Returns the path and query of the page after a cursor: same `q`, `sort` and `limit`. */
export function urlOfPage(cursor: string, query: Query, target: Target): string {
  const { page } = textOf(query)
  const after = encodeURIComponent(cursor.toWellFormed())
  return `${formatPath(target)}?${page}${page && '&'}after=${after}`
}

/**
 * Returns the text that a cursor is bound to: version, path, q and sort, without the limit, and the
 * scope of the caller.
 */
export function bindingOf(query: Query, target: Target, caller: Caller = noScope): string {
  const text = `${formatPath(target)}?${textOf(query).order}`
  const { resource } = target.collection
  const scope = caller === noScope ? noScope : scopeOfCaller(caller, resource)
  return scope === noScope ? text : `${text}#${formatScope(scope)}`
}

function formatScope(scope: Scope): string {
  const hasLists = Object.values(scope).some(Array.isArray)
  // A replacer takes several times as long.
  return hasLists ? JSON.stringify(scope, sortLists) : JSON.stringify(scope)
}

// The order of several owners means nothing.
function sortLists(_: string, value: unknown): unknown {
  return Array.isArray(value) ? value.toSorted() : value
}

/** A query as text, without its cursor. */
interface Text {
  /** The search and the total order. */
  readonly order: string
  /** The search, the order and the limit, as parameters. */
  readonly page: string
}

const texts = new WeakMap<Query, Text>()

function textOf(query: Query): Text {
  const cached = texts.get(query)
  if (cached) return cached
  const { limit, offset, after, isCut, words, fields, include, ...order } = query
  const text = { order: formatQuery(order), page: formatQuery(toPage(query)) }
  // A query that can still change is written anew each time.
  if (Object.isFrozen(query)) texts.set(query, text)
  return text
}

/** Returns the parameters of a page. The page after an offset begins at a cursor. */
export function toPage({
  q,
  words,
  where,
  sort,
  offset,
  after,
  isCut,
  ...parameters
}: Query): Parameters {
  const order = askedOrder(sort)
  return {
    ...parameters,
    q: q || undefined,
    where: where.length === 0 ? undefined : where,
    sort: order.length === 0 ? undefined : order,
  }
}

function askedOrder(sort: readonly SortField[]): readonly SortField[] {
  const last = sort.at(-1)
  return last?.field === 'id' && last.direction === 'asc' ? sort.slice(0, -1) : sort
}

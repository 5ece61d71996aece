import { typedOrder } from '../model/dates.ts'
import type { HttpRequest } from '../model/http.ts'
import { isId } from '../model/id.ts'
import { maxIncluding } from '../model/limits.ts'
import { byId, noQuery, type Query, type SortField } from '../model/operation.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import type { AnyRegistry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import { wordsOf } from '../model/search.ts'
import type { Target } from '../model/target.ts'
import { formatCursor, parseCursor, readPosition, valuesOf } from './cursor.ts'
import { parameterIssue, problemOfQuery } from './parameter-issue.ts'
import type { Parameters } from './parameters.ts'
import { formatPath } from './path.ts'
import { formatQuery } from './query.ts'

/**
 * Returns the meaning of parameters for a target: the words of the search, a total order, the
 * position to go on from. The inverse of {@link toParameters}.
 *
 * @throws {ProblemError} `invalid_cursor`.
 */
export function toQuery(parameters: Parameters, target: Target): Query {
  const { resource } = target.collection
  const defaultLimit = target.kind === 'collection' ? resource.defaultLimit : undefined
  if (isEmpty(parameters)) {
    return defaultLimit === undefined ? noQuery : Object.freeze({ ...noQuery, limit: defaultLimit })
  }
  const { q = '', where = noQuery.where, sort, limit = defaultLimit, ...rest } = parameters
  const { offset, after, fields, include, dry_run: _, ...others } = rest
  if (offset !== undefined) checkOffset(limit, after)
  if (include !== undefined && target.kind === 'collection') checkIncluding(limit)
  const query = {
    ...others,
    q,
    words: q === '' ? noQuery.words : wordsOf(q),
    where,
    sort: totalOrder(sort, resource),
    limit,
    offset: offset ?? 0,
    after: undefined,
    fields,
    include,
  }
  if (after === undefined) return query
  // The server never wrote a cursor for a parent that cannot exist.
  const binding = target.parents.every(isId) ? bindingOf(query, target) : undefined
  return {
    ...query,
    after: readPosition(parseCursor(after, binding), query, resource),
  }
}

// A page by number has a size, and begins at no other item.
function checkOffset(limit: number | undefined, after: string | undefined): void {
  if (limit !== undefined && after === undefined) return
  const message = limit === undefined ? 'needs a "limit"' : 'and "after" exclude each other'
  throw problemOfQuery([parameterIssue('bad_parameter', 'offset', message)])
}

// Each page has a bound on the items that the core reads beside.
function checkIncluding(limit = Number.POSITIVE_INFINITY): void {
  if (limit <= maxIncluding) return
  const message = `needs a "limit" of at most ${maxIncluding}`
  throw problemOfQuery([parameterIssue('bad_parameter', 'include', message)])
}

function isEmpty({ q, ...others }: Parameters): boolean {
  return !q && Object.values(others).every((value) => value === undefined)
}

/** Returns the parameters of a query. The inverse of {@link toQuery}. */
export function toParameters(query: Query, target: Target): Parameters {
  const { after } = query
  return {
    ...toPage(query),
    offset: query.offset || undefined,
    after:
      after === undefined
        ? undefined
        : formatCursor(valuesOf(after, query), bindingOf(query, target)),
  }
}

/** Bytes that every page leaves for the cursor in its link to the next page. */
export const leastRoom = 1024

/** A request and its registry. */
export interface RequestOfRegistry {
  readonly request: HttpRequest
  readonly registry: AnyRegistry
}

/** Returns the most bytes of a link's URL, without the prefix of a host. */
export function mostOf({ request, registry }: RequestOfRegistry): number {
  return registry.limits.target - (request.base ?? '').length
}

/**
 * Refuses a list whose link to the next page would have no room for a cursor.
 *
 * @throws {ProblemError} `uri_too_long`.
 */
export function checkRoom(query: Query, target: Target, received: RequestOfRegistry): void {
  const { limit } = query
  const most = mostOf(received)
  // Escapes and the digits of `1e20` make a link at most four times as long as the URL. The version
  // and the limit come on top.
  if (limit === undefined || 4 * received.request.url.length + 100 + leastRoom <= most) return
  // No link leads to a parent that cannot exist.
  if (!target.parents.every(isId)) return
  const { length } = urlOfPage('', query, target)
  if (length + leastRoom <= most) return
  throw problem(
    'uri_too_long',
    `The path and parameters have ${length} bytes: use at most ${most - leastRoom}`,
  )
}

/** Returns the path and query of the page after a cursor: same `q`, `sort` and `limit`. */
export function urlOfPage(cursor: string, query: Query, target: Target): string {
  const { page } = textOf(query)
  const after = encodeURIComponent(cursor.toWellFormed())
  return `${formatPath(target)}?${page}${page && '&'}after=${after}`
}

/**
 * Makes a query for a request with faulty parameters. Reading a member throws the fault, so that
 * authorization, which reads none, comes first.
 */
export function throwingQuery(fault: ProblemError): Query {
  const refuse = {
    enumerable: true,
    get(): never {
      throw fault
    },
  }
  return Object.create(null, {
    q: refuse,
    words: refuse,
    where: refuse,
    sort: refuse,
    limit: refuse,
    offset: refuse,
    after: refuse,
    fields: refuse,
    include: refuse,
  })
}

/** Returns the text that a cursor is bound to: version, path, q and sort, without the limit. */
export function bindingOf(query: Query, target: Target): string {
  return `${formatPath(target)}?${textOf(query).order}`
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
  const known = texts.get(query)
  if (known) return known
  const { limit, offset, after, words, fields, include, ...order } = query
  const text = { order: formatQuery(order), page: formatQuery(toPage(query)) }
  // A query that can still change is written anew each time.
  if (Object.isFrozen(query)) texts.set(query, text)
  return text
}

// The page after an offset begins at a cursor.
function toPage({ q, words, where, sort, offset, after, ...others }: Query): Parameters {
  const asked = askedOrder(sort)
  return {
    ...others,
    q: q || undefined,
    where: where.length === 0 ? undefined : where,
    sort: asked.length === 0 ? undefined : asked,
  }
}

function totalOrder(
  sort: readonly SortField[] | undefined,
  resource: Resource,
): readonly SortField[] {
  if (sort === undefined) return byId
  const typed = typedOrder(sort, resource)
  return sort.some(({ field }) => field === 'id') ? typed : [...typed, ...byId]
}

function askedOrder(sort: readonly SortField[]): readonly SortField[] {
  const last = sort.at(-1)
  return last?.field === 'id' && last.direction === 'asc' ? sort.slice(0, -1) : sort
}

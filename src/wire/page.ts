import type { HttpRequest } from '../model/http.ts'
import { isId } from '../model/id.ts'
import { byId, noQuery, type Query, type SortField } from '../model/operation.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import type { AnyRegistry } from '../model/registry.ts'
import { wordsOf } from '../model/search.ts'
import type { Target } from '../model/target.ts'
import { formatCursor, parseCursor } from './cursor.ts'
import { noParameters, type Parameters } from './parameters.ts'
import { formatPath } from './path.ts'
import { readPosition, valuesOf } from './position.ts'
import { formatQuery } from './query.ts'

/**
 * What parameters mean for a target: the words of the search, a total order, the place to go on from.
 * The inverse of {@link toParameters}.
 *
 * @throws {ProblemError} `invalid_cursor`.
 */
export function toQuery(parameters: Parameters, target: Target): Query {
  const { resource } = target.collection
  const defaultLimit = target.kind === 'collection' ? resource.defaultLimit : undefined
  if (parameters === noParameters || isEmpty(parameters)) {
    return defaultLimit === undefined ? noQuery : Object.freeze({ ...noQuery, limit: defaultLimit })
  }
  const { q = '', sort, limit = defaultLimit, after, ...others } = parameters
  const query = {
    ...others,
    q,
    words: q === '' ? noQuery.words : wordsOf(q),
    sort: totalOrder(sort),
    limit,
    after: undefined,
  }
  if (after === undefined) return query
  // No page was ever written for a parent that cannot exist.
  const binding = target.parents.every(isId) ? bindingOf(query, target) : undefined
  return {
    ...query,
    after: readPosition(parseCursor(after, binding), query, resource),
  }
}

function isEmpty({ q, ...others }: Parameters): boolean {
  return !q && Object.values(others).every((value) => value === undefined)
}

/** The parameters that ask for a query. The inverse of {@link toQuery}. */
export function toParameters(query: Query, target: Target): Parameters {
  const { after } = query
  return {
    ...toPage(query),
    after:
      after === undefined
        ? undefined
        : formatCursor(valuesOf(after, query), bindingOf(query, target)),
  }
}

/** Bytes that every page leaves for the cursor in the link to the next. */
export const leastRoom = 1024

/** A request, and the registry it is for. */
export interface Received {
  readonly request: HttpRequest
  readonly registry: AnyRegistry
}

/** The bytes that the URL of a link may have, the prefix of a host left out. */
export function mostOf({ request, registry }: Received): number {
  return registry.limits.target - (request.base ?? '').length
}

/**
 * Makes sure that the link to the next page of a list has room for a cursor.
 *
 * @throws {ProblemError} `uri_too_long`.
 */
export function checkRoom(query: Query, target: Target, received: Received): void {
  const { limit } = query
  const most = mostOf(received)
  // A link is three times as long as what was sent at most, where all of it is escaped, and as the version and the limit are.
  if (limit === undefined || 3 * received.request.url.length + 100 + leastRoom <= most) return
  const { length } = urlOfPage('', query, target)
  if (length + leastRoom <= most) return
  throw problem(
    'uri_too_long',
    `A page leaves ${leastRoom} of ${most} bytes for the cursor of the next, but its path and parameters have ${length}`,
  )
}

/** The path and query of the page that goes on from a cursor: same `q`, `sort` and `limit`. */
export function urlOfPage(cursor: string, query: Query, target: Target): string {
  const { page } = textOf(query)
  const after = encodeURIComponent(cursor.toWellFormed())
  return `${formatPath(target)}?${page}${page && '&'}after=${after}`
}

/**
 * Stands in for the query of a request whose parameters are faulty: whoever looks into it gets the fault,
 * whoever does not (authorization) comes first.
 */
export function faultyQuery(fault: ProblemError): Query {
  const refuse = {
    enumerable: true,
    get(): never {
      throw fault
    },
  }
  return Object.create(null, {
    q: refuse,
    words: refuse,
    sort: refuse,
    limit: refuse,
    after: refuse,
  })
}

/** What a cursor is bound to: version, path, q and sort, but not how long the pages are. */
export function bindingOf(query: Query, target: Target): string {
  return `${formatPath(target)}?${textOf(query).order}`
}

/** A query as it is written, but for the place to go on from. */
interface Text {
  /** The search and the total order. */
  readonly order: string
  /** What asks for the search, the order and the length of pages. */
  readonly page: string
}

const texts = new WeakMap<Query, Text>()

function textOf(query: Query): Text {
  const known = texts.get(query)
  if (known) return known
  const { limit, after, words, ...order } = query
  const text = { order: formatQuery(order), page: formatQuery(toPage(query)) }
  // What may still be changed is written anew each time.
  if (Object.isFrozen(query)) texts.set(query, text)
  return text
}

function toPage({ q, words, sort, after, ...others }: Query): Parameters {
  const asked = askedOrder(sort)
  return { ...others, q: q || undefined, sort: asked.length === 0 ? undefined : asked }
}

function totalOrder(sort: readonly SortField[] | undefined): readonly SortField[] {
  if (sort === undefined) return byId
  return sort.some(({ field }) => field === 'id') ? sort : [...sort, ...byId]
}

function askedOrder(sort: readonly SortField[]): readonly SortField[] {
  const last = sort.at(-1)
  return last?.field === 'id' && last.direction === 'asc' ? sort.slice(0, -1) : sort
}

import type { Target } from '../contract/resource/api.ts'
import type { HttpRequest } from '../contract/resource/http.ts'
import { isId } from '../contract/resource/id.ts'
import { byId, noQuery, type Query, type SortField } from '../contract/resource/operation.ts'
import type { AnyRegistry } from '../contract/resource/registry.ts'
import { ownerFieldsOf, type Resource } from '../contract/resource/resource.ts'
import type { Caller } from '../contract/values/caller.ts'
import { typedOrder } from '../contract/values/dates.ts'
import { wordsOf } from '../contract/values/search.ts'
import type { Condition } from '../convention/filter-operators.ts'
import { maxIncluding } from '../convention/limits.ts'
import { invalidCursor, type ProblemError, problem } from '../convention/problem.ts'
import { formatCursor, isBoundTo, parseCursor, readPosition, valuesIn, valuesOf } from './cursor.ts'
import { bindingOf, toPage, urlOfPage } from './page-text.ts'
import { parameterIssue, problemOfQuery } from './parameter-issue.ts'
import type { Parameters } from './parameters.ts'

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
  const { q = '', where = noQuery.where, sort, limit = defaultLimit, ...selection } = parameters
  const { offset, after, fields, include, dry_run: _, ...extra } = selection
  if (offset !== undefined) checkOffset(limit, after)
  if (include !== undefined && target.kind === 'collection') checkIncluding({ where, limit })
  const query = {
    ...extra,
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
  // The core compares the binding of an owned resource once it knows the caller.
  const isBound = ownerFieldsOf(resource).length === 0
  // The server never wrote a cursor for a parent that cannot exist.
  const binding = target.parents.every(isId) ? bindingOf(query, target) : undefined
  const values = isBound || binding === undefined ? parseCursor(after, binding) : valuesIn(after)
  return { ...query, ...readPosition(values, query) }
}

/** A target, and the caller who asks. */
interface Called {
  readonly target: Target
  readonly caller: Caller
}

/**
 * Returns `invalid_cursor` for the cursor of another caller, and of another query of an owned
 * resource, which {@link toQuery} could not compare.
 */
export function faultOfCursor(
  cursor: string,
  query: Query,
  { target, caller }: Called,
): ProblemError | undefined {
  return isBoundTo(cursor, bindingOf(query, target, caller)) ? undefined : invalidCursor()
}

// A page by number has a size, and begins at no other item.
function checkOffset(limit: number | undefined, after: string | undefined): void {
  if (limit !== undefined && after === undefined) return
  const message = limit === undefined ? 'needs a "limit"' : 'and "after" exclude each other'
  throw problemOfQuery([parameterIssue('bad_parameter', 'offset', message)])
}

// Each page has a bound on the items that the core reads beside. A list of ids is one.
function checkIncluding(query: Pick<Query, 'where' | 'limit'>): void {
  const { limit = Number.POSITIVE_INFINITY } = query
  if (limit <= maxIncluding || query.where.some(isIdList)) return
  const message = `needs a "limit" of at most ${maxIncluding}`
  throw problemOfQuery([parameterIssue('bad_parameter', 'include', message)])
}

function isEmpty({ q, ...parameters }: Parameters): boolean {
  return !q && Object.values(parameters).every((value) => value === undefined)
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

/**
 * Returns the bytes that a page leaves for the cursor in its link to the next page: a quarter of
 * the limit of a target, at most 1,024.
 */
export function roomOf({ registry }: Pick<RequestOfRegistry, 'registry'>): number {
  return Math.min(1024, Math.floor(registry.limits.target / 4))
}

// A list of ids bounds the answer: no page follows one that takes them all.
function isWhole({ where, limit = Number.POSITIVE_INFINITY }: Query): boolean {
  return where.some((condition) => isIdList(condition) && condition.values.length <= limit)
}

function isIdList({ is, field }: Condition): boolean {
  return is === 'in' && field === 'id'
}

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
  const room = roomOf(received)
  // Escapes and the digits of `1e20` make a link at most four times as long as the URL. The version
  // and the limit come on top.
  if (limit === undefined || 4 * received.request.url.length + 100 + room <= most) return
  // No link leads to a parent that cannot exist.
  if (!target.parents.every(isId) || isWhole(query)) return
  const { length } = urlOfPage('', query, target)
  if (length + room <= most) return
  throw problem(
    'uri_too_long',
    `The path and parameters have ${length} bytes: use at most ${most - room}.`,
  )
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

function totalOrder(
  sort: readonly SortField[] | undefined,
  resource: Resource,
): readonly SortField[] {
  if (sort === undefined) return byId
  const typed = typedOrder(sort, resource)
  return sort.some(({ field }) => field === 'id') ? typed : [...typed, ...byId]
}

import type { RelatedResource, Target } from '../contract/resource/api.ts'
import { isId } from '../contract/resource/id.ts'
import {
  noScope,
  type Query,
  type RelatedConditions,
  type RelatedField,
  type Scope,
  type SortField,
} from '../contract/resource/operation.ts'
import { type Caller, scopeOfCaller } from '../contract/values/caller.ts'
import { relatedIn } from '../contract/values/related.ts'
import type { Condition } from '../convention/filter-operators.ts'
import { problem } from '../convention/problem.ts'
import { formatLink, parseLink } from './link.ts'
import { isIdList, type Parameters } from './parameters.ts'
import { formatPath } from './path.ts'
import { formatQuery } from './query.ts'

/** Writes the link to the page after a cursor. The inverse of {@link parseNextLink}. */
export function formatNextLink(
  cursor: string,
  {
    base,
    query,
    target,
  }: { readonly base: string; readonly query: Query; readonly target: Target },
): string {
  return formatLink({ next: base + urlOfPage(cursor, query, target) })
}

/**
 * Reads the cursor of the next page from a `Link` header; `undefined` for none. The inverse of
 * {@link formatNextLink}.
 *
 * @throws {URIError} For a broken escape.
 */
export function parseNextLink(header: string): string | undefined {
  const { next = '' } = parseLink(header)
  const cursor = /[?&]after=([^&#]*)/.exec(next)?.[1]
  return cursor === undefined ? undefined : decodeURIComponent(cursor)
}

/** Returns the path and query of the page after a cursor: same `q`, `sort` and `limit`. */
export function urlOfPage(cursor: string, query: Query, target: Target): string {
  const { page } = textsOfQuery(query)
  const after = encodeURIComponent(cursor.toWellFormed())
  return `${formatPath(target)}?${page}${page && '&'}after=${after}`
}

/**
 * Returns the text that a cursor is bound to: version, path, q and sort, without the limit, and the
 * scope of the caller.
 */
export function bindingOf(query: Query, target: Target, caller: Caller = noScope): string {
  const text = `${formatPath(target)}?${textsOfQuery(query).order}`
  const { resource } = target.collection
  const scope = caller === noScope ? noScope : scopeOfCaller(caller, resource)
  return scope === noScope ? text : `${text}#${formatScope(scope)}`
}

function formatScope(scope: Scope): string {
  const hasLists = Object.values(scope).some(Array.isArray)
  // A replacer takes several times as long.
  return hasLists ? JSON.stringify(scope, sortList) : JSON.stringify(scope)
}

// The order of several owners means nothing.
function sortList(_: string, value: unknown): unknown {
  return Array.isArray(value) ? value.toSorted() : value
}

/** A query as text, without its cursor. */
interface QueryTexts {
  /** The search and the total order. */
  readonly order: string
  /** The search, the order and the limit, as parameters. */
  readonly page: string
}

const textsByQuery = new WeakMap<Query, QueryTexts>()

function textsOfQuery(query: Query): QueryTexts {
  const cached = textsByQuery.get(query)
  if (cached) return cached
  const { limit, offset, after, isCut, words, fields, include, related, ...order } = query
  const where = related === undefined ? query.where : joinRelated(query.where, related)
  const texts = {
    order: formatQuery({ ...order, where }),
    page: formatQuery(toPageParameters(query)),
  }
  // A query that can still change is written anew each time.
  if (Object.isFrozen(query)) textsByQuery.set(query, texts)
  return texts
}

/** Returns the parameters of a page. The page after an offset begins at a cursor. */
export function toPageParameters({
  q,
  words,
  where: ownConditions,
  related,
  sort,
  offset,
  after,
  isCut,
  ...parameters
}: Query): Parameters {
  const where = related === undefined ? ownConditions : joinRelated(ownConditions, related)
  const order = withoutDefaultId(sort)
  return {
    ...parameters,
    q: q || undefined,
    where: where.length === 0 ? undefined : where,
    sort: order.length === 0 ? undefined : order,
  }
}

// The core ends each order with the id.
function withoutDefaultId(sort: readonly SortField[]): readonly SortField[] {
  const last = sort.at(-1)
  return last?.field === 'id' && last.direction === 'asc' ? sort.slice(0, -1) : sort
}

/** A condition, or a field of an order. */
type Named = Pick<Condition, 'field'>

const none: readonly never[] = Object.freeze([])

/**
 * Returns the conditions on related items, reference by reference. Without any, `related` is empty,
 * or `undefined` if `sort` names no related field either. The inverse of {@link joinRelated}.
 */
export function splitRelated(
  { where, sort = none }: Pick<Query, 'where'> & { readonly sort?: Parameters['sort'] },
  related: readonly RelatedResource[],
): Pick<Query, 'where' | 'related'> {
  const isOwn = ({ field }: Named): boolean => relatedIn(field, related) === undefined
  if (where.every(isOwn)) return { where, related: sort.every(isOwn) ? undefined : none }
  const conditions = related.flatMap(({ reference: { as } }) => {
    const ofMember = where.filter(({ field }) => relatedIn(field, related)?.reference.as === as)
    const start = as.length + 1
    const unprefixed = ofMember.map((condition) => ({
      ...condition,
      field: condition.field.slice(start),
    }))
    return unprefixed.length === 0 ? [] : [{ as, where: unprefixed }]
  })
  return { where: where.filter(isOwn), related: conditions }
}

/** Returns the related field that a client names: `company.name`; `undefined` for an own one. */
export function relatedFieldOf(
  field: string,
  related: readonly RelatedResource[],
): RelatedField | undefined {
  const as = relatedIn(field, related)?.reference.as
  return as === undefined ? undefined : { as, name: field.slice(as.length + 1) }
}

/** Returns all conditions of a query, as a client names them. */
function joinRelated(
  where: readonly Condition[],
  related: readonly RelatedConditions[],
): readonly Condition[] {
  const conditions = related.flatMap(({ as, where: list }) =>
    list.map((condition) => ({ ...condition, field: `${as}.${condition.field}` })),
  )
  return [...where, ...conditions]
}

/** Returns whether each parent of a target can exist: a path names no other. */
export function hasPath({ parents }: Target): boolean {
  return parents.every(isId)
}

/** The bounds of a link to the next page, in bytes. */
export interface LinkBounds {
  /** The most bytes of its URL, without the prefix of a host. */
  readonly maxLength: number
  /** The bytes that a page leaves for the cursor: a quarter of a target, at most 1,024. */
  readonly reserve: number
}

/**
 * Refuses a list whose link to the next page would have no room for a cursor.
 *
 * @throws {ProblemError} `uri_too_long`.
 */
export function checkNextLink(
  query: Query,
  target: Target,
  { maxLength, reserve }: LinkBounds,
): void {
  if (!hasPath(target) || isOnePage(query)) return
  const { length } = urlOfPage('', query, target)
  if (length + reserve <= maxLength) return
  throw problem(
    'uri_too_long',
    `The path and parameters have ${length} bytes: use at most ${maxLength - reserve}.`,
  )
}

// No page follows one that takes all ids of a list.
function isOnePage({ where, limit = Number.POSITIVE_INFINITY }: Query): boolean {
  return where.some((condition) => isIdList(condition) && condition.values.length <= limit)
}

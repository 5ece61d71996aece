import { isId } from '../model/id.ts'
import { byId, noQuery, type Position, type Query, type SortField } from '../model/operation.ts'
import { scalarOf } from '../model/order.ts'
import type { ProblemError } from '../model/problem.ts'
import { wordsOf } from '../model/search.ts'
import type { Target } from '../model/target.ts'
import { formatCursor, parseCursor } from './cursor.ts'
import { formatPath } from './path.ts'
import { formatQuery, type Parameters } from './query.ts'

/**
 * What parameters mean for a target: the words of the search, a total order, the place to go on from.
 * The inverse of {@link toParameters}.
 *
 * @throws {ProblemError} `invalid_cursor`.
 */
export function toQuery({ q = '', sort, limit, after }: Parameters, target: Target): Query {
  const { defaultLimit } = target.collection.resource
  const isList = target.kind === 'collection'
  if (q === '' && sort === undefined && limit === undefined && after === undefined) {
    return isList && defaultLimit !== undefined
      ? Object.freeze({ ...noQuery, limit: defaultLimit })
      : noQuery
  }
  const query = {
    q,
    words: q === '' ? noQuery.words : wordsOf(q),
    sort: totalOrder(sort),
    limit: limit ?? (isList ? defaultLimit : undefined),
    after: undefined,
  }
  if (after === undefined) return query
  // No page was ever written for a parent that cannot exist.
  const binding = target.parents.every(isId) ? bindingOf(query, target) : undefined
  const values = parseCursor(after, binding, query.sort.length)
  return {
    ...query,
    after: Object.fromEntries(query.sort.map(({ field }, place) => [field, values[place] ?? null])),
  }
}

/** The parameters that ask for a query. The inverse of {@link toQuery}. */
export function toParameters(query: Query, target: Target): Parameters {
  const { after } = query
  return {
    ...toPage(query),
    after: after === undefined ? undefined : cursorOf(after, query, target),
  }
}

/** The cursor of the place where a page ended: after its last item. */
export function cursorAfter(item: object, query: Query, target: Target): string {
  const values = query.sort.map(({ field }) => scalarOf(item, field))
  return formatCursor(values, bindingOf(query, target))
}

/** The path and query of the page that goes on from a cursor: same `q`, `sort` and `limit`. */
export function urlOfPage(cursor: string, query: Query, target: Target): string {
  const { page } = textOf(query)
  return `${formatPath(target)}?${page}${page && '&'}${formatQuery({ after: cursor })}`
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

function cursorOf(position: Position, query: Query, target: Target): string {
  const values = query.sort.map(({ field }) => position[field] ?? null)
  return formatCursor(values, bindingOf(query, target))
}

// What a cursor is bound to: version, path, q and sort, but not how long the pages are.
function bindingOf(query: Query, target: Target): string {
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
  const { q, sort } = query
  const text = { order: formatQuery({ q, sort }), page: formatQuery(toPage(query)) }
  // What may still be changed is written anew each time.
  if (Object.isFrozen(query)) texts.set(query, text)
  return text
}

function toPage({ q, sort, limit }: Query): Parameters {
  const asked = askedOrder(sort)
  return { q: q === '' ? undefined : q, sort: asked.length === 0 ? undefined : asked, limit }
}

function totalOrder(sort: readonly SortField[] | undefined): readonly SortField[] {
  if (sort === undefined) return byId
  return sort.some(({ field }) => field === 'id') ? sort : [...sort, ...byId]
}

function askedOrder(sort: readonly SortField[]): readonly SortField[] {
  const last = sort.at(-1)
  return last?.field === 'id' && last.direction === 'asc' ? sort.slice(0, -1) : sort
}

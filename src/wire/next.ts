import type { Collection, Target } from '../contract/resource/api.ts'
import type { Query, Scalar, SortField } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import type { Caller } from '../contract/values/caller.ts'
import { compareBy, sortValueOf } from '../contract/values/order.ts'
import { problem } from '../convention/problem.ts'
import { formatCursor, minCutLength, toPosition } from './cursor.ts'
import { bindingOf, type LinkBounds, urlOfPage } from './page.ts'
import { isSortValueIn } from './sort-value.ts'

/** The query of a page, and the bounds of the link to the next one. */
export interface PagedQuery extends LinkBounds {
  readonly query: Query
  readonly target: Target
  readonly caller: Caller
  /**
   * The adapter judges the values of a cursor: it may have one that the schema refuses. Default:
   * false.
   */
  readonly isJudgedByAdapter?: boolean
}

/** A page that another follows. */
export interface EndedPage {
  readonly items: readonly Item[]
  /** The cursor of the page that follows. */
  readonly next: string
}

/**
 * Ends a page after its last item, and writes the cursor of the next page. If only the schema can
 * judge the values of a cursor, it ends the page after the last item that fits the schema.
 *
 * For a link that is too long, it cuts a text of the cursor. The next page then begins with the
 * first item that shares the beginning: it can repeat items, but misses none.
 *
 * @throws {ProblemError} `uri_too_long` where the next page would begin as this page did.
 */
export function endPage(pageItems: readonly Item[], page: PagedQuery): EndedPage {
  const { query, target, caller, maxLength, reserve, isJudgedByAdapter } = page
  const items = isJudgedByAdapter ? pageItems : upToLastFit(pageItems, query, target.collection)
  const last = items.at(-1) as Item
  const values = query.sort.map((sortField) => sortValueOf(last, sortField))
  const binding = bindingOf(query, target, caller)
  const cursor = formatCursor(values, binding)
  if (cursor.length <= reserve) return { items, next: cursor }
  const room = maxLength - urlOfPage('', query, target).length
  if (cursor.length <= room) return { items, next: cursor }
  const fits = (prefix: readonly Scalar[]): boolean => formatCursor(prefix, binding).length <= room
  const prefix = cutValues(values, { page, room, fits })
  const [first = {}] = items
  if (prefix && compareBy(query.sort)(first, toPosition(prefix, query.sort)) < 0) {
    return { items, next: formatCursor(prefix, binding) }
  }
  throw problem(
    'uri_too_long',
    `The link to the next page exceeds ${maxLength} bytes: ` +
      'ask for another "sort" or a higher "limit".',
  )
}

// An item can break its schema: the database may be older than the schema. A page of such items
// leaves whole, although its cursor leads nowhere.
function upToLastFit(
  items: readonly Item[],
  query: Query,
  collection: Collection,
): readonly Item[] {
  const last = items.findLastIndex((item) => isFit(item, query, collection))
  return last < 0 || last === items.length - 1 ? items : items.slice(0, last + 1)
}

function isFit(item: Item, { sort }: Query, collection: Collection): boolean {
  return sort.every((sortField) =>
    isSortValueIn(collection, sortField, sortValueOf(item, sortField)),
  )
}

interface CursorCut {
  readonly page: PagedQuery
  /** Bytes for the cursor. */
  readonly room: number
  readonly fits: (values: readonly Scalar[]) => boolean
}

// Leaves out fields, the last first, until a cut text makes the cursor fit.
function cutValues(
  values: readonly Scalar[],
  { page, room, fits }: CursorCut,
): readonly Scalar[] | undefined {
  const { query, target } = page
  const isOfSchema = (text: string, sortField: SortField): boolean =>
    isSortValueIn(target.collection, sortField, text)
  // A member of an enum has no beginning. A value off the schema is free text.
  const isLike = (text: string, value: string, sortField: SortField): boolean =>
    isOfSchema(text, sortField) || !isOfSchema(value, sortField)
  for (let index = values.length - 1; index >= 0; index--) {
    const sortField = query.sort[index] as SortField
    const before = values.slice(0, index)
    const value = values[index]
    if (typeof value !== 'string' || !fits(before)) continue
    // The same lengths for all texts, so that texts with one beginning are cut alike.
    for (let length = room; length >= minCutLength; length = Math.floor(length * 0.9)) {
      const text = length < value.length ? beginningOf(value, length, sortField) : ''
      const isFitting = text.length >= minCutLength && fits([...before, text])
      if (isFitting && isLike(text, value, sortField)) return [...before, text]
    }
  }
  return undefined
}

// Ascending, a beginning comes before all texts that have it. Descending, a greater text does.
function beginningOf(text: string, length: number, { direction }: SortField): string {
  const beginning = text.slice(0, length)
  return direction === 'asc' ? beginning : textAfter(beginning)
}

/** Returns the least text after all texts with a beginning; `''` where there is none. */
function textAfter(beginning: string): string {
  const characters = [...beginning]
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = Number(last.codePointAt(0)) + 1
    // Skips the surrogates.
    const next = code === 0xd800 ? 0xe000 : code
    if (next <= 0x10ffff) return characters.join('') + String.fromCodePoint(next)
  }
  return ''
}

import { foldCase } from '../../contract/values/order.ts'
import { elementsIn, valueReaderOf } from '../../contract/values/search.ts'
import type { FilterOperator, FilterValue } from '../../convention/filter-operators.ts'
import { fieldOf, isSame } from '../../convention/value.ts'
import { formatQuery } from '../../wire/query.ts'
import { type CheckedCollection, nextPage } from './collection.ts'
import {
  type CheckResponse,
  expect,
  fail,
  idTextOf,
  type OfferedReference,
  type ServerItem,
  skip,
} from './message.ts'
import type { OfferedFilter } from './offered-filters.ts'
import { parameterOf } from './path.ts'

/** A filter with the values that the check sends. */
export interface FilledFilter {
  readonly filter: OfferedFilter
  readonly values: readonly FilterValue[]
}

/** Writes filters as a query, percent-encoded. */
export function queryOf(filled: readonly FilledFilter[]): string {
  const where = filled.flatMap(({ filter, values }) =>
    values.map((value) => [filter.name, String(value)] as const),
  )
  return formatQuery({ where })
}

/** Writes the request of a list with filters. */
export function listWith(...filled: readonly FilledFilter[]): string {
  return `{list}?${queryOf(filled)}`
}

/** Returns the filters with one of some operators. `id` takes part where `withId` is true. */
export function filtersWith(
  { offers }: CheckedCollection,
  operators: readonly FilterOperator[],
  withId = false,
): readonly OfferedFilter[] {
  return offers.filters
    .filter(({ field, operator }) => operators.includes(operator) && (withId || field !== 'id'))
    .slice(0, maxFilters)
}

/** Returns the filter with a written name. */
export function filterNamed(
  { offers }: CheckedCollection,
  wanted: string,
): OfferedFilter | undefined {
  return offers.filters.find(({ name }) => name === wanted)
}

const maxFilters = 40
const maxLength = 200

/** Returns the values of a field that a client can send back as a filter, each once. */
export function sendableValues(
  { items }: CheckedCollection,
  field: string,
): readonly FilterValue[] {
  const read = valueReaderOf(field)
  const values = new Set(items.flatMap((item) => [read(item), ...elementsIn(item, field)]))
  return [...values].filter((value) => value !== null).filter(isSendable)
}

function isSendable(value: FilterValue): boolean {
  return typeof value !== 'string' || (value.isWellFormed() && value.length <= maxLength)
}

/** Returns every order by one field, as a query. */
export function sortOrdersOf({ sortable }: CheckedCollection): readonly string[] {
  return sortable
    .flatMap((field) => [field, `-${field}`])
    .map((order) => `sort=${encodeURIComponent(order)}`)
}

const maxSamples = 8

/** Returns filters by equality with values of listed items, at most 8. One looks into a list. */
export function samplesOf(collection: CheckedCollection): readonly FilledFilter[] {
  const plain = filtersWith(collection, ['eq', 'ne'], true)
  const [lists = [], samples = []] = [filtersWith(collection, ['has']), plain].map((filters) =>
    filters.flatMap((filter) => {
      const [value, second = value] = sendableValues(collection, filter.field)
      const chosen = filter.operator === 'eq' ? value : second
      return chosen === undefined ? [] : [{ filter, values: [chosen] }]
    }),
  )
  return [...samples.slice(0, maxSamples - 1), ...lists.slice(0, 1)]
}

/** Returns a `limit` for so many pages. */
export function pageSizeOf({ items, maxLimit }: CheckedCollection, pages: number): number {
  return Math.min(maxLimit, Math.ceil(items.length / pages))
}

/** Returns path and query of the second page. */
export async function firstNextPage({ send, path }: CheckedCollection): Promise<string> {
  const response = await send('GET', `${path}?limit=1`)
  const next = expect.items(response).length === 1 ? nextPage(response) : undefined
  return next ?? skip('No list has a link to a next page.')
}

/** Returns the cursor of the second page, encoded for a query. Skips the rule without one. */
export async function cursorOf(collection: CheckedCollection): Promise<string> {
  const next = await firstNextPage(collection)
  const after = parameterOf(next, 'after') ?? skip('The link to the next page has no "after".')
  return encodeURIComponent(after)
}

interface Word {
  readonly word: string
  readonly item: ServerItem
}

const maxWords = 6

/** Returns words of items, at most 6. */
export function wordsIn({ items, searchable }: CheckedCollection): readonly Word[] {
  const words = items.flatMap((item) =>
    (searchable ?? Object.keys(item)).flatMap((field) => {
      const value = item[field]
      if (typeof value !== 'string' || field === 'id' || field.endsWith('_id')) return []
      const word = /\p{L}{3,}/u.exec(value)?.[0]
      return word === undefined ? [] : [{ word, item }]
    }),
  )
  return words.slice(0, maxWords)
}

/** Returns pairs of different words, of different items as far as there are some. */
export function wordPairsIn(collection: CheckedCollection): readonly (readonly [Word, Word])[] {
  const words = wordsIn(collection)
  return words.flatMap((first, index) => {
    const second = words
      .slice(index + 1)
      .find(({ word, item }) => item !== first.item && foldCase(word) !== foldCase(first.word))
    return second === undefined ? [] : [[first, second] as const]
  })
}

/** A reference that `include` can name. */
export interface Includable extends OfferedReference {
  readonly include: string
}

/** Returns the references that `include` can name. */
export function includableIn({ offers }: CheckedCollection): readonly Includable[] {
  return offers.references.flatMap(({ include, ...reference }) =>
    include === undefined ? [] : [{ ...reference, include }],
  )
}

/** Writes the parameter for the members of references, percent-encoded. */
export function includeQuery(...references: readonly Includable[]): string {
  return `include=${references.map(({ include }) => encodeURIComponent(include)).join(',')}`
}

/** Returns an item that refers to another, and one that does not, as far as there are some. */
export function referringItems(
  { items }: CheckedCollection,
  { field }: OfferedReference,
): readonly ServerItem[] {
  const refers = (item: ServerItem): boolean => isGiven(fieldOf(item, field))
  const some = [items.find(refers), items.find((item) => !refers(item))]
  return some.filter((item) => item !== undefined)
}

/**
 * Expects the members of references in the items of a response, which otherwise are as the list
 * without `include` has them. Ignores items that are new.
 *
 * @param fields The fields that the response has beside the members. Default: all.
 * @throws {RuleViolation}
 */
export function expectIncluding(
  response: CheckResponse,
  references: readonly Includable[],
  { items }: CheckedCollection,
  fields?: readonly string[],
): void {
  const isList = Array.isArray(response.json)
  for (const item of isList ? expect.items(response) : [expect.item(response)]) {
    const listed = items.find(({ id }) => id === item.id)
    if (listed === undefined) continue
    const plain: Record<string, unknown> = { ...item }
    for (const { field, include } of references) {
      const problem = problemOf(item[include], listed[field])
      if (problem !== undefined)
        fail(response, `The "${include}" of the item ${listed.id} is ${problem}.`)
      delete plain[include]
    }
    const expected = Object.entries(listed).filter(([name]) => fields?.includes(name) !== false)
    if (!isSame(plain, Object.fromEntries(expected)))
      fail(response, `The item ${listed.id} has other fields than without "include".`)
  }
}

// A reference to an item that the client may not read gives null.
function problemOf(member: unknown, id: unknown): string | undefined {
  if (member === null) return undefined
  if (member === undefined) return 'missing'
  if (!isGiven(id)) return 'an item, where the field names none'
  return idTextOf(member) === String(id) ? undefined : `another item than ${String(id)}`
}

/** Tells whether a field has a value. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

import {
  listParameters,
  maxSearchLength,
  maxSortFields,
  type ParameterName,
  parameters,
} from '../model/convention.ts'
import type { SortField } from '../model/operation.ts'
import { quote } from '../model/problem.ts'
import { type Fault, fault, faultyQuery } from './fault.ts'
import { decodePercent } from './percent.ts'

/** The parameters of a request as they are written; what is `undefined` was not sent. */
export interface Parameters {
  /** Not blank. */
  readonly q?: string | undefined
  /** Not empty. */
  readonly sort?: readonly SortField[] | undefined
  readonly limit?: number | undefined
  /** A cursor, opaque here. */
  readonly after?: string | undefined
}

/** Parameters to be written; those that are `undefined` are not. */
export interface WrittenParameters {
  readonly q?: string | undefined
  /** Fields, as values or as they are written: `-birthdate`. */
  readonly sort?: readonly (SortField | string)[] | undefined
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

/** What a target takes: which parameters, which sort fields, and up to which limit. */
export interface ParameterRules {
  readonly takes: readonly ParameterName[]
  readonly sortable: readonly string[]
  readonly maxLimit: number
}

const sortSyntax = { separator: ',', descending: '-' } as const
/** The parameters of a request that has none. */
export const noParameters: Parameters = /* @__PURE__ */ Object.freeze({
  q: undefined,
  sort: undefined,
  limit: undefined,
  after: undefined,
})

/**
 * Reads `q=ann&sort=name,-birthdate&limit=20`. The inverse of {@link formatQuery}.
 * An empty `q` or `sort` is as if it were not there; `+` is a space. A repeated `sort` is one list.
 * The grammar is flat: `sort[]` is another name.
 *
 * @param search Percent-encoded, without the `?`.
 * @throws {ProblemError} The code of the first fault, all of them in `issues`: `bad_percent_encoding`, `unknown_parameter`
 *   (with the `allowed` ones), `repeated_parameter`, `bad_parameter`, `sort_invalid`, `sort_unknown_field`, `sort_duplicate_field`.
 * @see docs/requests.md, "Reading"
 */
export function parseQuery(search: string, rules: ParameterRules): Parameters {
  if (search === '') return noParameters
  const texts: Texts = { q: undefined, sort: undefined, limit: undefined, after: undefined }
  const faults: Fault[] = []
  for (let start = 0; start < search.length && faults.length < maxFaults; start++) {
    if (search[start] === '&') continue
    const mark = search.indexOf('&', start)
    const end = mark < 0 ? search.length : mark
    readPair(search.slice(start, end), texts, { rules, faults })
    start = end
  }
  const parameters = readParameters(texts, rules, faults)
  if (faults.length > 0) throw faultyQuery(faults)
  return parameters
}

// Nobody reads more of them, and each takes as long as a whole query.
const maxFaults = 50

type Texts = Record<ParameterName, string | undefined>

function readPair(
  pair: string,
  texts: Texts,
  { rules, faults }: { readonly rules: ParameterRules; readonly faults: Fault[] },
): void {
  const equals = pair.indexOf('=')
  const written = equals < 0 ? pair : pair.slice(0, equals)
  const name = isTaken(written, rules) ? written : decodeForm(written)
  if (!isTaken(name, rules)) {
    faults.push(fault('unknown_parameter', name, 'is not taken here', rules.takes))
    return
  }
  const text = equals < 0 ? '' : decodeForm(pair.slice(equals + 1))
  const before = texts[name]
  if (before === undefined) texts[name] = text
  else if (listParameters.includes(name)) texts[name] = joinLists(before, text)
  else faults.push(fault('repeated_parameter', name, 'is given more than once'))
}

function joinLists(one: string, other: string): string {
  return one === '' || other === '' ? one + other : one + sortSyntax.separator + other
}

/**
 * Writes parameters, without the `?`; `''` when there are none. The inverse of {@link parseQuery}.
 * Half an emoji, which no URL can hold, becomes U+FFFD.
 */
export function formatQuery(written: WrittenParameters): string {
  let search = ''
  for (const name of parameters) {
    const value = Object.hasOwn(written, name) ? written[name] : undefined
    if (value === undefined) continue
    const text = typeof value === 'object' ? formatSort(value) : `${value}`
    search += `${search && '&'}${name}=${encode(text)}`
  }
  return search
}

// The comma may stand as it is (RFC 3986 §3.4), and reads better so.
function encode(text: string): string {
  if (/^[\w.~,-]*$/.test(text)) return text
  return encodeURIComponent(text.toWellFormed()).replaceAll('%2C', ',')
}

/**
 * Reads `name,-birthdate` → name ascending, then birthdate descending. The inverse of {@link formatSort}.
 *
 * @throws {ProblemError} `sort_invalid` for an empty item or more than 8, `sort_unknown_field` (with the `allowed` ones), `sort_duplicate_field`.
 */
export function parseSort(text: string, sortable: readonly string[]): SortField[] {
  const sort = text === '' ? [] : splitSort(text)
  const faults: Fault[] = []
  findFaultsOfSort(sort, sortable, faults)
  if (faults.length > 0) throw faultyQuery(faults)
  return sort
}

/** Writes `name,-birthdate`. The inverse of {@link parseSort}. Fields may be written already: `-birthdate`. */
export function formatSort(sort: readonly (SortField | string)[]): string {
  return sort.map(formatSortField).join(sortSyntax.separator)
}

function splitSort(text: string): SortField[] {
  if (!text.includes(sortSyntax.separator)) return [parseSortField(text)]
  return text.split(sortSyntax.separator, maxSortFields + 1).map(parseSortField)
}

function parseSortField(text: string): SortField {
  return text.charAt(0) === sortSyntax.descending
    ? { field: text.slice(sortSyntax.descending.length), direction: 'desc' }
    : { field: text, direction: 'asc' }
}

function formatSortField(sortField: SortField | string): string {
  if (typeof sortField === 'string') return sortField
  const { field, direction } = sortField
  return direction === 'desc' ? sortSyntax.descending + field : field
}

function isTaken(name: string, { takes }: ParameterRules): name is ParameterName {
  const known: readonly string[] = takes
  return known.includes(name)
}

function readParameters(texts: Texts, rules: ParameterRules, faults: Fault[]): Parameters {
  const { q, sort: order, limit, after } = texts
  const sort = order === undefined || order === '' ? undefined : splitSort(order)
  if (q !== undefined) findFaultsOfSearch(q, faults)
  if (sort !== undefined) findFaultsOfSort(sort, rules.sortable, faults)
  if (limit !== undefined) findFaultsOfLimit(limit, rules.maxLimit, faults)
  return {
    q: q !== undefined && /\S/u.test(q) ? q : undefined,
    sort,
    limit: limit === undefined ? undefined : Number(limit),
    after,
  }
}

function findFaultsOfSearch(q: string, faults: Fault[]): void {
  if (/\p{Cc}/u.test(q)) faults.push(fault('bad_parameter', 'q', 'holds a control character'))
  else if (q.length > maxSearchLength && [...q].length > maxSearchLength)
    faults.push(fault('bad_parameter', 'q', `is longer than ${maxSearchLength} characters`))
}

function findFaultsOfSort(
  sort: readonly SortField[],
  sortable: readonly string[],
  faults: Fault[],
): void {
  if (sort.length > maxSortFields) {
    faults.push(fault('sort_invalid', 'sort', `names more than ${maxSortFields} fields`))
    return
  }
  for (let place = 0; place < sort.length; place++) {
    const { field } = sort[place] as SortField
    if (field === '') faults.push(fault('sort_invalid', 'sort', 'holds an empty field'))
    else if (!sortable.includes(field)) {
      faults.push(fault('sort_unknown_field', 'sort', `cannot be by ${quote(field)}`, sortable))
    } else if (place > 0 && sort.findIndex((other) => other.field === field) < place)
      faults.push(fault('sort_duplicate_field', 'sort', `names ${quote(field)} twice`))
  }
}

function findFaultsOfLimit(limit: string, maxLimit: number, faults: Fault[]): void {
  const value = Number(limit)
  // One number is written in one way only.
  if (Number.isInteger(value) && value >= 1 && value <= maxLimit && `${value}` === limit) return
  faults.push(fault('bad_parameter', 'limit', `is not a whole number from 1 to ${maxLimit}`))
}

function decodeForm(text: string): string {
  const spaced = text.includes('+') ? withSpaces(text) : text
  return spaced.includes('%') ? decodePercent(spaced, 'query') : spaced
}

// Faster than replacing them, the more of them there are.
function withSpaces(text: string): string {
  let spaced = ''
  for (let at = 0; at < text.length; at++) spaced += text[at] === '+' ? ' ' : text[at]
  return spaced
}

import {
  maxSearchLength,
  maxSortFields,
  type ParameterName,
  type ProblemCode,
} from '../model/convention.ts'
import type { SortField } from '../model/operation.ts'
import { type Issue, problem, quote } from '../model/problem.ts'
import { decodePercent } from './percent.ts'

/** The parameters of a request as they are written; what is missing was not sent. */
export interface Parameters {
  /** Not blank. */
  readonly q?: string
  /** Not empty. */
  readonly sort?: readonly SortField[]
  readonly limit?: number
  /** A cursor, opaque here. */
  readonly after?: string
}

/** What a target takes: which parameters, which sort fields, and up to which limit. */
export interface ParameterRules {
  readonly takes: readonly ParameterName[]
  readonly sortable: readonly string[]
  readonly maxLimit: number
}

const sortSyntax = { separator: ',', descending: '-' } as const
/** The parameters of a request that has none. */
export const noParameters: Parameters = Object.freeze({})

/**
 * Reads `q=ann&sort=name,-birthdate&limit=20`. The inverse of {@link formatQuery}.
 * An empty `q` or `sort` is as if it were not there; `+` is a space. The grammar is flat: `sort[]` is another name.
 *
 * @param search Percent-encoded, without the `?`.
 * @throws {ProblemError} The code of the first fault, all of them in `issues`: `bad_percent_encoding`, `unknown_parameter`
 *   (with the `allowed` ones), `repeated_parameter`, `bad_parameter`, `sort_invalid`, `sort_unknown_field`, `sort_duplicate_field`.
 * @see docs/requests.md, "Reading"
 */
export function parseQuery(search: string, rules: ParameterRules): Parameters {
  if (search === '') return noParameters
  const texts = new Map<string, string>()
  const faults: Fault[] = []
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodeForm(equals < 0 ? pair : pair.slice(0, equals))
    if (texts.has(name)) faults.push(fault('repeated_parameter', name, 'is given more than once'))
    else if (isTaken(name, rules))
      texts.set(name, equals < 0 ? '' : decodeForm(pair.slice(equals + 1)))
    else faults.push(fault('unknown_parameter', name, 'is not taken here', rules.takes))
  }
  const parameters = readParameters(texts, rules, faults)
  if (faults.length > 0) throw faultyQuery(faults)
  return parameters
}

/** Writes parameters, without the `?`; `''` when there are none. The inverse of {@link parseQuery}. */
export function formatQuery({ q, sort, limit, after }: Parameters): string {
  const pairs: string[] = []
  if (q !== undefined) pairs.push(`q=${encodeURIComponent(q)}`)
  // The comma may stand as it is (RFC 3986 §3.4), and reads better so.
  if (sort !== undefined) pairs.push(`sort=${sort.map(encodeSortField).join(sortSyntax.separator)}`)
  if (limit !== undefined) pairs.push(`limit=${limit}`)
  if (after !== undefined) pairs.push(`after=${encodeURIComponent(after)}`)
  return pairs.join('&')
}

/**
 * Reads `name,-birthdate` → name ascending, then birthdate descending. The inverse of {@link formatSort}.
 *
 * @throws {ProblemError} `sort_invalid` for an empty item or more than 8, `sort_unknown_field` (with the `allowed` ones), `sort_duplicate_field`.
 */
export function parseSort(text: string, sortable: readonly string[]): SortField[] {
  const sort = splitSort(text)
  const faults = faultsOfSort(sort, sortable)
  if (faults.length > 0) throw faultyQuery(faults)
  return sort
}

/** Writes `name,-birthdate`. The inverse of {@link parseSort}. */
export function formatSort(sort: readonly SortField[]): string {
  return sort.map(formatSortField).join(sortSyntax.separator)
}

function splitSort(text: string): SortField[] {
  if (text === '') return []
  return text.split(sortSyntax.separator, maxSortFields + 1).map(parseSortField)
}

function parseSortField(text: string): SortField {
  return text.startsWith(sortSyntax.descending)
    ? { field: text.slice(sortSyntax.descending.length), direction: 'desc' }
    : { field: text, direction: 'asc' }
}

function formatSortField({ field, direction }: SortField): string {
  return direction === 'desc' ? sortSyntax.descending + field : field
}

function encodeSortField(sortField: SortField): string {
  return encodeURIComponent(formatSortField(sortField))
}

type Fault = Issue & { readonly code: ProblemCode }

function fault(
  code: ProblemCode,
  parameter: string,
  message: string,
  allowed?: readonly string[],
): Fault {
  const issue = {
    code,
    parameter: parameter.slice(0, 64).toWellFormed(),
    message: `${quote(parameter)} ${message}`,
  }
  return allowed === undefined ? issue : { ...issue, allowed }
}

function faultyQuery(faults: readonly Fault[]): Error {
  const first = faults[0] as Fault
  const members = first.allowed === undefined ? {} : { allowed: first.allowed }
  return problem(first.code, first.message, { issues: faults, ...members })
}

function isTaken(name: string, { takes }: ParameterRules): boolean {
  return takes.some((parameter) => parameter === name)
}

function readParameters(
  texts: ReadonlyMap<string, string>,
  rules: ParameterRules,
  faults: Fault[],
): Parameters {
  const q = texts.get('q') ?? ''
  const sort = splitSort(texts.get('sort') ?? '')
  const limit = texts.get('limit')
  const after = texts.get('after')
  faults.push(
    ...faultsOfSearch(q),
    ...faultsOfSort(sort, rules.sortable),
    ...faultsOfLimit(limit, rules.maxLimit),
  )
  return {
    ...(/\S/u.test(q) ? { q } : {}),
    ...(sort.length > 0 ? { sort } : {}),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(after === undefined ? {} : { after }),
  }
}

function faultsOfSearch(q: string): Fault[] {
  if (/\p{Cc}/u.test(q)) return [fault('bad_parameter', 'q', 'holds a control character')]
  if (q.length <= maxSearchLength || [...q].length <= maxSearchLength) return []
  return [fault('bad_parameter', 'q', `is longer than ${maxSearchLength} characters`)]
}

function faultsOfSort(sort: readonly SortField[], sortable: readonly string[]): Fault[] {
  if (sort.length > maxSortFields) {
    return [fault('sort_invalid', 'sort', `names more than ${maxSortFields} fields`)]
  }
  const faults: Fault[] = []
  for (const [place, { field }] of sort.entries()) {
    const isRepeated = sort.findIndex((other) => other.field === field) < place
    if (field === '') faults.push(fault('sort_invalid', 'sort', 'holds an empty field'))
    else if (!sortable.includes(field)) {
      faults.push(fault('sort_unknown_field', 'sort', `cannot be by ${quote(field)}`, sortable))
    } else if (isRepeated)
      faults.push(fault('sort_duplicate_field', 'sort', `names ${quote(field)} twice`))
  }
  return faults
}

function faultsOfLimit(limit: string | undefined, maxLimit: number): Fault[] {
  if (limit === undefined || (/^[1-9]\d{0,15}$/.test(limit) && Number(limit) <= maxLimit)) return []
  return [fault('bad_parameter', 'limit', `is not a whole number from 1 to ${maxLimit}`)]
}

function decodeForm(text: string): string {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text, 'query')
}

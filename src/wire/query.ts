import {
  maxSearchLength,
  maxSortFields,
  type ParameterName,
  type ProblemCode,
  parameters,
} from '../model/convention.ts'
import type { SortField } from '../model/operation.ts'
import { type Issue, problem, quote } from '../model/problem.ts'
import { defined } from './defined.ts'
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
export const noParameters: Parameters = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.create(null),
)

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

/**
 * Writes parameters, without the `?`; `''` when there are none. The inverse of {@link parseQuery}.
 * Half an emoji, which no URL can hold, becomes U+FFFD.
 */
export function formatQuery({ sort, ...rest }: WrittenParameters): string {
  const texts = defined({ ...rest, sort: sort && formatSort(sort) })
  return parameters
    .filter((name) => Object.hasOwn(texts, name))
    .map((name) => `${name}=${encode(`${texts[name]}`)}`)
    .join('&')
}

// The comma may stand as it is (RFC 3986 §3.4), and reads better so.
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%2C', ',')
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

/** Writes `name,-birthdate`. The inverse of {@link parseSort}. Fields may be written already: `-birthdate`. */
export function formatSort(sort: readonly (SortField | string)[]): string {
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

function formatSortField(sortField: SortField | string): string {
  if (typeof sortField === 'string') return sortField
  const { field, direction } = sortField
  return direction === 'desc' ? sortSyntax.descending + field : field
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
  const allowed = Object.hasOwn(first, 'allowed') ? first.allowed : undefined
  return problem(first.code, first.message, {
    issues: faults,
    ...(allowed === undefined ? {} : { allowed }),
  })
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
  return defined({
    q: /\S/u.test(q) ? q : undefined,
    sort: sort.length > 0 ? sort : undefined,
    limit: limit === undefined ? undefined : Number(limit),
    after,
  })
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

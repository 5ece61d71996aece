import type { SortField } from '../contract/resource/operation.ts'
import { type Filter, filterNameOf, filtersOf, isFilters } from '../contract/schema/filter.ts'
import { filtersIn, relatedIn } from '../contract/values/related.ts'
import {
  type Condition,
  type FilterOperator,
  filterOperatorNames,
  filterOperators,
  maxConditions,
} from '../convention/filter-operators.ts'
import { maxRelatedFields } from '../convention/limits.ts'
import {
  type ParameterName,
  type ParameterOf,
  parameterNames,
  parameters,
} from '../convention/operations.ts'
import { quote } from '../convention/problem.ts'
import { pairsOfCondition, readFilter, type WrittenPair } from './filter.ts'
import {
  type ParameterIssue,
  parameterIssue,
  problemOfQuery,
  unknownParameter,
} from './parameter-issue.ts'
import {
  countRelated,
  formatSort,
  joinSorts,
  noParameters,
  type ParameterRules,
  type Parameters,
  type Reading,
  readers,
  type SingleParameter,
} from './parameters.ts'
import { decodePercent } from './percent.ts'

/** Parameters to write. Each sort field is a value, or text already: `-birthdate`. */
export type WrittenParameters = Omit<Parameters, ParameterOf<'filters' | 'fields'>> & {
  /** Conditions, or parameters as text: `['status:ne', 'new']`. */
  readonly [Name in ParameterOf<'filters'>]?: readonly (Condition | WrittenPair)[] | undefined
} & { readonly [Name in ParameterOf<'fields'>]?: readonly (SortField | string)[] | undefined }

type Text = string | number | true | readonly string[]

/** Parameters of a client, each as text or a list of texts. */
export type ParameterTexts = {
  readonly [Name in ParameterName]?:
    | (Name extends SingleParameter ? Text : readonly WrittenPair[])
    | undefined
}

// A client reads no more of them, and each may be as long as a query.
const maxIssues = 50

/**
 * Reads `q=ann&sort=name,-birthdate&limit=20`. The inverse of {@link formatQuery}.
 * An empty `q` or `sort` counts as absent; `+` is a space. The values of a repeated `sort` make one
 * list. The grammar is flat: `sort[]` is another name.
 *
 * @param search Percent-encoded, without the `?`.
 * @throws {ProblemError} The code of the first fault, all of them in `issues`:
 *   `bad_percent_encoding`, `unknown_parameter` (with the `allowed` ones), `repeated_parameter`,
 *   `bad_parameter`, `sort_invalid`, `sort_unknown_field`, `sort_duplicate_field`.
 * @see docs/requests.md, C4.1 to C4.8
 */
export function parseQuery(search: string, rules: ParameterRules): Parameters {
  if (search === '') return noParameters
  const texts: Texts = new Map()
  const reading: Reading = { rules, issues: [] }
  const { issues } = reading
  let isFiltered = false
  for (let start = 0; start < search.length && issues.length < maxIssues; ) {
    const mark = search.indexOf('&', start)
    const end = mark < 0 ? search.length : mark
    if (end > start && readPair(search.slice(start, end), texts, reading)) isFiltered = true
    start = end + 1
  }
  const values: Record<string, unknown> = { ...noParameters }
  for (const name of singleNames) {
    const written = texts.get(name)
    if (written === undefined) continue
    values[name] = readers[parameters[name].type](written.reduce(joinSorts), name, reading)
  }
  if (isFiltered) values.where = readFilters(texts, reading)
  if (issues.length > 0) throw problemOfQuery(issues)
  return values
}

/** The texts of each parameter, more than one where it may be repeated. */
type Texts = Map<string, string[]>

const singleNames = /* @__PURE__ */ parameterNames.filter((name) => !isFilters(name))
const singles: ReadonlySet<string> = /* @__PURE__ */ new Set(singleNames)
const noFilters: ReadonlyMap<string, Filter> = /* @__PURE__ */ new Map()

function filtersFor(rules: ParameterRules): ReadonlyMap<string, Filter> {
  if (!rules.takes.some(isFilters)) return noFilters
  // Most resources have no references.
  return rules.related?.length ? filtersIn(rules) : filtersOf(rules.resource)
}

// Returns true for a filter.
function readPair(pair: string, texts: Texts, { rules, issues }: Reading): boolean {
  const equals = pair.indexOf('=')
  const written = equals < 0 ? pair : pair.slice(0, equals)
  const allowed: readonly string[] = rules.takes
  const isPlain = singles.has(written) && allowed.includes(written)
  const name = isPlain ? written : decodeForm(written)
  const filter = isPlain ? undefined : filtersFor(rules).get(name)
  if (filter === undefined && !(singles.has(name) && allowed.includes(name))) {
    issues.push(
      unknownFilter(name, rules) ??
        idOfRelated(name, rules) ??
        unknownParameter(name, namesOf(rules), rules.reason),
    )
    return false
  }
  const sent = equals < 0 ? '' : pair.slice(equals + 1)
  const text = coded.test(sent) ? decodeForm(sent) : sent
  const before = texts.get(name)
  if (before === undefined) texts.set(name, [text])
  else if (repeats(name, filter)) before.push(text)
  else
    issues.push(parameterIssue('repeated_parameter', name, 'stands more than once: send it once'))
  return filter !== undefined
}

// The issue of an operator that a field does not take; `undefined` for the name of no such field.
function unknownFilter(name: string, rules: ParameterRules): ParameterIssue | undefined {
  const [field = ''] = name.split(':', 1)
  const own = [...filtersFor(rules)].filter(([, filter]) => filter.field.name === field)
  const [first] = own
  if (first === undefined) return undefined
  const written = name.slice(field.length) || '='
  const isSent = (operator: FilterOperator): boolean => filterNameOf(field, operator) === name
  const operator = filterOperatorNames.find(isSent)
  const { isList } = first[1].field
  const operators = own.map(([key]) => (isList ? key : key.slice(field.length) || '='))
  const reason = operator === undefined ? '.' : reasonOf(operator, first[1])
  const fault = `${quote(field)} has no ${quote(written)}${reason}`
  const message = `${fault} It takes ${operators.join(', ')}.`
  return { ...unknownParameter(name, namesOf(rules)), message }
}

function reasonOf(operator: FilterOperator, { field }: Filter): string {
  const { needs, takes } = filterOperators[operator]
  if (field.isList) return ': it is a list.'
  if (takes === 'element') return ': only lists do.'
  return needs === 'filterable' ? '.' : `: only ${needs} fields do.`
}

// The issue of `company.id`, which the item holds as `company_id`.
function idOfRelated(name: string, rules: ParameterRules): ParameterIssue | undefined {
  const [path = ''] = name.split(':', 1)
  const reference = relatedIn(path, rules.related)?.reference
  if (!rules.takes.some(isFilters) || path !== `${reference?.as}.id`) return undefined
  const message = `${quote(path)} is the field ${quote(`${reference?.field}`)}: filter by that.`
  return { ...unknownParameter(name, namesOf(rules)), message }
}

function repeats(name: string, filter: Filter | undefined): boolean {
  if (filter) return filterOperators[filter.operator].repeats
  const { type } = parameters[name as SingleParameter]
  return type === 'fields' || type === 'names'
}

/**
 * Returns the parameters that a target takes, as a client writes them. Filters of related items
 * come last: a problem names only the first ones.
 */
export function namesOf(rules: ParameterRules): readonly string[] {
  const filters = [...filtersFor(rules).keys()]
  const isOwn = (name: string): boolean => relatedIn(name, rules.related) === undefined
  const own = rules.takes.flatMap((name) => (isFilters(name) ? filters.filter(isOwn) : name))
  return [...own, ...filters.filter((name) => !isOwn(name))]
}

function readFilters(texts: Texts, { issues, rules }: Reading): readonly Condition[] | undefined {
  const where: Condition[] = []
  let count = 0
  let relatedCount = sortedRelated(texts, rules)
  // In canonical order, whatever order the client wrote.
  for (const [name, filter] of filtersFor(rules)) {
    const values = texts.get(name)
    if (values === undefined) continue
    count++
    if (count > maxConditions) {
      issues.push(
        parameterIssue(
          'bad_parameter',
          name,
          `is one filter too many: send at most ${maxConditions}`,
        ),
      )
      break
    }
    if (relatedIn(name, rules.related) !== undefined) relatedCount++
    if (relatedCount > maxRelatedFields) {
      const message = `is one field of related items too many: send at most ${maxRelatedFields}`
      issues.push(parameterIssue('bad_parameter', name, message))
      break
    }
    const condition = readFilter(filter, values, { resource: rules.resource, issues })
    if (condition !== undefined) where.push(condition)
  }
  return where.length === 0 ? undefined : where
}

// An order that names too many has an issue already.
function sortedRelated(texts: Texts, rules: ParameterRules): number {
  const sort = texts.get('sort')
  if (!rules.related?.length || sort === undefined) return 0
  return Math.min(countRelated(sort.join(), rules), maxRelatedFields)
}

/**
 * Writes parameters, without the `?`; `''` when there are none. The inverse of {@link parseQuery}.
 * A lone surrogate, which no URL can hold, becomes U+FFFD.
 */
export function formatQuery(written: WrittenParameters): string {
  const { where, sort } = written
  const texts = { ...written, where: where?.flatMap(pairsOf), sort: sort && formatSort(sort) }
  return formatTexts(texts, parameterNames)
}

function pairsOf(filter: Condition | WrittenPair): readonly WrittenPair[] {
  return isPair(filter) ? [filter] : pairsOfCondition(filter)
}

function isPair(filter: Condition | WrittenPair): filter is WrittenPair {
  return Array.isArray(filter)
}

/** Writes the parameters of these names as {@link formatQuery} does: a client has only texts. */
export function formatTexts(texts: ParameterTexts, names: readonly ParameterName[]): string {
  let search = ''
  const write = (name: string, text: string): void => {
    search += `${search && '&'}${name}=${text}`
  }
  for (const name of names) {
    if (!Object.hasOwn(texts, name)) continue
    if (isFilters(name)) {
      for (const [key, text] of texts[name] ?? []) write(encodeFilter(key), encodeFilter(text))
    } else if (texts[name] !== undefined) write(name, encode(`${texts[name]}`))
  }
  return search
}

// A comma needs no escape (RFC 3986 §3.4), and reads better without.
function encode(text: string): string {
  if (/^[\w.~,-]*$/.test(text)) return text
  return encodeURIComponent(text.toWellFormed()).replaceAll('%2C', ',')
}

// A colon needs no escape either: `birthdate:gte`, `23:59:59Z`.
function encodeFilter(text: string): string {
  return encode(text).replaceAll('%3A', ':')
}

const coded = /[%+]/

function decodeForm(text: string): string {
  const spaced = text.replaceAll(pluses, ' ')
  return spaced.includes('%') ? decodePercent(spaced, 'query') : spaced
}

// A quarter quicker than a text, for thousands of them.
const pluses = /\+/g

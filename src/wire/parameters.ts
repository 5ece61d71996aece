import type { MountedReference, RelatedResource } from '../contract/resource/api.ts'
import type { Query, SortField } from '../contract/resource/operation.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { hiddenIn } from '../contract/resource/variant.ts'
import { fieldNamesOf } from '../contract/schema/outline.ts'
import { relatedIn, sortableOf } from '../contract/values/related.ts'
import type { Condition } from '../convention/filter-operators.ts'
import {
  maxIncluding,
  maxRelatedFields,
  maxSearchLength,
  maxSortFields,
} from '../convention/limits.ts'
import {
  type ParameterName,
  type ParameterOf,
  type ParameterRow,
  type ParameterType,
  parameterNames,
  parameters,
} from '../convention/operations.ts'
import { quote } from '../convention/problem.ts'
import {
  type ParameterIssue,
  parameterIssue,
  problemOfQuery,
  remedyFor,
} from './parameter-issue.ts'

/** The value of a parameter of each type. */
interface Values {
  /** Not blank. */
  readonly text: string
  /** Not empty. */
  readonly fields: readonly SortField[]
  readonly integer: number
  /** Opaque here. */
  readonly cursor: string
  /** Not empty, in canonical order. */
  readonly filters: readonly Condition[]
  /** Not empty, each once. */
  readonly names: readonly string[]
  readonly flag: true
}

/** The parameters of a request; `undefined` where the client sent none. */
export type Parameters = {
  readonly [Name in ParameterName]?: Values[(typeof parameters)[Name]['type']] | undefined
}

/** The parameters of a request without any. */
export const noParameters: Parameters = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.fromEntries(
    /* @__PURE__ */ parameterNames.map((name) => [name, undefined]),
  ),
)

/** The parameters that a target takes, its sort fields, and its greatest limit. */
export interface ParameterRules {
  readonly takes: readonly ParameterName[]
  readonly sortable: readonly string[]
  readonly maxLimit: number
  /** The resource whose filters and fields a client can name. */
  readonly resource: Resource
  /** The resources whose fields a client can name with a dot. Default: none. */
  readonly related?: readonly RelatedResource[]
  /** The members that a client can include. */
  readonly includes: readonly string[]
  /** Why the target takes no parameter, in a sentence; `undefined` for a plain one. */
  readonly reason?: string | undefined
}

/** The rules for a query, and the issues found so far. */
export interface Reading {
  readonly rules: ParameterRules
  readonly issues: ParameterIssue[]
}

/** A parameter of one name: all but the filters. */
export type SingleParameter = Exclude<ParameterName, ParameterOf<'filters'>>

/**
 * Reads the text of a parameter, by its type; `undefined` for a blank text and an empty sort. Adds
 * each fault to the issues.
 */
export const readers: {
  readonly [Type in Exclude<ParameterType, 'filters'>]: (
    text: string,
    name: SingleParameter,
    reading: Reading,
  ) => Values[Type] | undefined
} = {
  text(text, name, { issues }) {
    if (/\p{Cc}/u.test(text))
      issues.push(parameterIssue('bad_parameter', name, 'must hold no control character'))
    else if (text.length > maxSearchLength && [...text].length > maxSearchLength) {
      const message = `must have at most ${maxSearchLength} characters`
      issues.push(parameterIssue('bad_parameter', name, message))
    }
    return /\S/u.test(text) ? text : undefined
  },
  fields(text, _, { rules, issues }) {
    return text === '' ? undefined : readSort(text, rules, issues)
  },
  integer(text, name, { rules: { maxLimit }, issues }) {
    const row: ParameterRow = parameters[name]
    // Own bounds only, also where an attacker changed `Object.prototype`.
    const { least, most } = { least: 1, most: maxLimit, ...row }
    const value = Number(text)
    // A number has one spelling.
    const isFit = Number.isInteger(value) && value >= least && value <= most && `${value}` === text
    if (!isFit) {
      const message = `must be a whole number from ${least} to ${most}`
      issues.push(parameterIssue('bad_parameter', name, message))
    }
    return value
  },
  names(text, name, { rules, issues }) {
    if (text === '') return undefined
    const row: ParameterRow = parameters[name]
    const { most = 1, names: source } = row
    const names = text.split(separator, most + 1)
    if (names.length > most) {
      const listed = source === 'countable' ? rules.resource.countable : undefined
      issues.push(parameterIssue('bad_parameter', name, `takes at most ${most} names`, listed))
      return names
    }
    const allowed = namesFor(source, rules)
    if (names.includes('')) issues.push(parameterIssue('bad_parameter', name, emptyName, allowed))
    const unknown = names.find(
      (candidate) => candidate !== '' && allowed?.includes(candidate) === false,
    )
    if (allowed !== undefined && unknown !== undefined) {
      const message = `does not take ${quote(unknown)}. ${remedyFor(unknown, allowed)}`
      issues.push(parameterIssue('bad_parameter', name, message, allowed))
    }
    return [...new Set(names)]
  },
  cursor: (text) => text,
  flag(text, name, { issues }) {
    if (text !== 'true')
      issues.push(parameterIssue('bad_parameter', name, 'must be true, or left out'))
    return true
  },
}

function namesFor(
  source: ParameterRow['names'],
  { includes, resource }: ParameterRules,
): readonly string[] | undefined {
  if (source === 'includes') return includes
  return source === 'countable' ? resource.countable : visibleFieldsOf(resource)
}

const emptyName = 'holds an empty name: write names between commas'
const separator = ','
const descending = '-'

// `undefined`: any field but the hidden ones, which no response has anyway.
function visibleFieldsOf(resource: Resource): readonly string[] | undefined {
  const hidden = hiddenIn(resource)
  return fieldNamesOf(resource)?.filter((field) => !hidden.includes(field))
}

/**
 * Reads `name,-birthdate` → name ascending, then birthdate descending. The inverse of {@link
 * formatSort}.
 *
 * @throws {ProblemError} `sort_invalid` for an empty field or more than 8, `sort_unknown_field`
 *   (with the `allowed` ones), `sort_duplicate_field`.
 */
export function parseSort(text: string, sortable: readonly string[]): readonly SortField[] {
  const issues: ParameterIssue[] = []
  const sort = readSort(text, { sortable }, issues)
  if (issues.length > 0) throw problemOfQuery(issues)
  return sort
}

/**
 * Writes `name,-birthdate`. The inverse of {@link parseSort}. A field may be text already:
 * `-birthdate`.
 */
export function formatSort(sort: readonly (SortField | string)[]): string {
  return sort.map(formatSortField).join(separator)
}

/** Joins the values of a repeated `sort`. */
export function joinSorts(first: string, second: string): string {
  return first === '' || second === '' ? first + second : first + separator + second
}

// Reads as `parseSort`, but adds each fault to the issues.
function readSort(text: string, rules: SortRules, issues: ParameterIssue[]): readonly SortField[] {
  if (text === '') return []
  const { sortable, related } = rules
  const sort = text.split(separator, maxSortFields + 1).map(parseSortField)
  if (sort.length > maxSortFields) {
    issues.push(parameterIssue('sort_invalid', 'sort', `takes at most ${maxSortFields} fields`))
    return sort
  }
  for (const [index, { field }] of sort.entries()) {
    if (field === '')
      issues.push(
        parameterIssue('sort_invalid', 'sort', 'holds an empty field: write names between commas'),
      )
    else if (field !== 'id' && !sortable.includes(field) && !sortableOf(related).includes(field))
      issues.push(unsortable(field, rules))
    else if (sort.findIndex((earlier) => earlier.field === field) < index)
      issues.push(parameterIssue('sort_duplicate_field', 'sort', `names ${quote(field)} twice`))
  }
  if (related?.length && relatedAmong(sort, rules) > maxRelatedFields) {
    const message = `names too many fields of related items: send at most ${maxRelatedFields}`
    issues.push(parameterIssue('bad_parameter', 'sort', message))
  }
  return sort
}

function relatedAmong(sort: readonly SortField[], { related }: SortRules): number {
  return sort.filter(({ field }) => relatedIn(field, related) !== undefined).length
}

/** Counts the fields of related items in the text of an order. Ignores its faults. */
export function countRelated(text: string, rules: SortRules): number {
  return relatedAmong(text.split(separator, maxSortFields).map(parseSortField), rules)
}

/** The fields that an order can name. */
type SortRules = Pick<ParameterRules, 'sortable' | 'related'>

// Names the fields of the reference that the client means, if it means one.
function unsortable(field: string, { sortable, related }: SortRules): ParameterIssue {
  const reference = referenceMeantBy(field, related)
  const relatedFields = reference ? sortableOf(related).filter(startsWith(`${reference.as}.`)) : []
  const allowed = [...new Set(['id', ...sortable]), ...relatedFields]
  const isId = field === `${reference?.as}.id`
  const hint = reference && isId ? `: it is the field ${quote(reference.field)}` : ''
  const message = `Cannot sort by ${quote(field)}${hint}. Sortable: ${allowed.join(', ')}.`
  return { ...parameterIssue('sort_unknown_field', 'sort', '', allowed), message }
}

// `company.nme`, `company` and `company_id` mean the reference `company`.
function referenceMeantBy(
  field: string,
  related: SortRules['related'],
): MountedReference | undefined {
  const named = related?.find(({ reference: { as, field: own } }) => as === field || own === field)
  return (named ?? relatedIn(field, related))?.reference
}

function startsWith(start: string): (name: string) => boolean {
  return (name) => name.startsWith(start)
}

function parseSortField(text: string): SortField {
  return text.startsWith(descending)
    ? { field: text.slice(descending.length), direction: 'desc' }
    : { field: text, direction: 'asc' }
}

function formatSortField(sortField: SortField | string): string {
  if (typeof sortField === 'string') return sortField
  const { field, direction } = sortField
  return direction === 'desc' ? descending + field : field
}

/**
 * Makes sure that a page by number has a size, and no cursor.
 *
 * @throws {ProblemError} `bad_parameter`.
 */
export function checkOffset(limit: number | undefined, after: string | undefined): void {
  if (limit !== undefined && after === undefined) return
  const message = limit === undefined ? 'needs a "limit"' : 'and "after" exclude each other'
  throw problemOfQuery([parameterIssue('bad_parameter', 'offset', message)])
}

/**
 * Makes sure that a page bounds the items that the core reads beside it: by `limit` or by ids.
 *
 * @throws {ProblemError} `bad_parameter`.
 */
export function checkIncluding(query: Pick<Query, 'where' | 'limit'>): void {
  const { limit = Number.POSITIVE_INFINITY } = query
  if (limit <= maxIncluding || query.where.some(isIdList)) return
  const message = `needs a "limit" of at most ${maxIncluding}`
  throw problemOfQuery([parameterIssue('bad_parameter', 'include', message)])
}

/** Returns whether a condition lists the ids of the items. */
export function isIdList({ is, field }: Condition): boolean {
  return is === 'in' && field === 'id'
}

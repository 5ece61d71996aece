import { maxSortFields } from '../model/convention.ts'
import type { SortField } from '../model/operation.ts'
import { quote } from '../model/problem.ts'
import { type ParameterIssue, parameterIssue, problemOfQuery } from './parameter-issue.ts'

const separator = ','
const descending = '-'

/**
 * Reads `name,-birthdate` → name ascending, then birthdate descending. The inverse of {@link
 * formatSort}.
 *
 * @throws {ProblemError} `sort_invalid` for an empty field or more than 8, `sort_unknown_field`
 *   (with the `allowed` ones), `sort_duplicate_field`.
 */
export function parseSort(text: string, sortable: readonly string[]): readonly SortField[] {
  const issues: ParameterIssue[] = []
  const sort = readSort(text, sortable, issues)
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
export function joinSorts(one: string, other: string): string {
  return one === '' || other === '' ? one + other : one + separator + other
}

/** Reads as {@link parseSort}, but adds each fault to the issues. */
export function readSort(
  text: string,
  sortable: readonly string[],
  issues: ParameterIssue[],
): readonly SortField[] {
  if (text === '') return []
  const sort = text.split(separator, maxSortFields + 1).map(parseSortField)
  if (sort.length > maxSortFields) {
    issues.push(parameterIssue('sort_invalid', 'sort', `names more than ${maxSortFields} fields`))
    return sort
  }
  for (const [index, { field }] of sort.entries()) {
    if (field === '') issues.push(parameterIssue('sort_invalid', 'sort', 'holds an empty field'))
    else if (!sortable.includes(field)) {
      const message = `cannot be by ${quote(field)}`
      issues.push(parameterIssue('sort_unknown_field', 'sort', message, sortable))
    } else if (sort.findIndex((other) => other.field === field) < index)
      issues.push(parameterIssue('sort_duplicate_field', 'sort', `names ${quote(field)} twice`))
  }
  return sort
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

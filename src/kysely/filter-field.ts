import type { Condition, FilterType } from '../convention/filter-operators.ts'
import { isMoment } from '../convention/format.ts'
import { problem } from '../convention/problem.ts'
import type { Family, TextPlace } from './engine.ts'
import { type BoundField, fieldFor, type Table } from './table.ts'

/** The place of the text that a condition looks for. */
export const placesOfParts: { readonly [Is in Condition['is']]?: TextPlace } = {
  contains: 'anywhere',
  startsWith: 'start',
  endsWith: 'end',
}

/** Tells whether a condition looks for a part of a text. */
export function isPartKind(is: Condition['is']): boolean {
  return placesOfParts[is] !== undefined
}

const textFamilies: readonly Family[] = ['text', 'any']
const anyText: readonly Family[] = ['text', 'any', 'digits', 'uuid', 'other', 'date', 'time']

/** The families of columns whose text fields each type of filter compares with. */
const familiesOfFilter: Readonly<Record<FilterType, readonly Family[]>> = {
  text: [...anyText, 'binary'],
  number: [],
  integer: [],
  boolean: [],
  date: [...textFamilies, 'date'],
  time: [...textFamilies, 'time'],
  uuid: [...textFamilies, 'uuid', 'other'],
  'date-time': [...textFamilies, 'timestamp'],
}

const equalities: ReadonlySet<Condition['is']> = new Set(['in', 'notIn', 'inOrMissing'])

/** Tells whether the filters of a field compare texts, but its column compares moments. */
export function isMomentAsText({ type, stored, isDate }: BoundField): boolean {
  return type === 'text' && stored.family === 'timestamp' && !isDate
}

/** Tells whether a field is text, and its column holds numbers and bytes too. */
export function isLooseText({ type, stored }: BoundField): boolean {
  return type === 'text' && stored.isLoose === true && stored.family !== 'digits'
}

/**
 * Returns the field of a filter.
 *
 * @throws {TypeError} When the column of the field does not compare as the filter does.
 * @throws {ProblemError} `bad_parameter` when a text filter compares with moments, and a value is
 *   none.
 */
export function filteredField(
  table: Table,
  { field: name, type, is, values }: Pick<Condition, 'field' | 'type' | 'is' | 'values'>,
): BoundField {
  const field = fieldFor(table, name)
  const { family } = field.stored
  if (name === 'id' || is === 'missing' || is === 'present') return field
  const wanted = type === 'integer' ? 'number' : type === 'boolean' ? type : 'text'
  const isNumeric = type === 'number' || type === 'integer' || type === 'boolean'
  const isFit = isNumeric ? field.type === type || field.type === wanted : field.type === 'text'
  if (type === 'text' && isMomentAsText(field)) {
    const isMoments = values.every((value) => isMoment(`${value}`))
    if (equalities.has(is) && isMoments) return field
    throw badFilter(field)
  }
  const isPart = isPartKind(is) && family === 'timestamp'
  if (isFit && !isPart && (isNumeric || familiesOfFilter[type].includes(family))) return field
  const compared = isPart ? 'parts of texts' : type
  throw new TypeError(
    `The filter "${name}" of "${table.resource.name}" compares ${compared}, ` +
      `but the column "${field.column}" is of type ${field.stored.type}: change one of them.`,
  )
}

function badFilter({ name }: BoundField) {
  const message = 'takes moments only, as in "2026-01-31T12:00:00Z", with "=" or ":ne"'
  const issues = [{ parameter: name, code: 'bad_parameter', message }]
  return problem('bad_parameter', `"${name}" ${message}`, { issues })
}

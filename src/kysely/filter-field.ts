import type { Condition } from '../model/condition.ts'
import type { FilterType } from '../model/filter-operators.ts'
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

/**
 * Returns the field of a filter.
 *
 * @throws {TypeError} When the column of the field does not compare as the filter does.
 */
export function filteredField(
  table: Table,
  { field: name, type, is }: Pick<Condition, 'field' | 'type' | 'is'>,
): BoundField {
  const field = fieldFor(table, name)
  const { family } = field.stored
  if (name === 'id' || is === 'missing' || is === 'present') return field
  const wanted = type === 'integer' ? 'number' : type === 'boolean' ? type : 'text'
  const isNumeric = type === 'number' || type === 'integer' || type === 'boolean'
  const isFit = isNumeric ? field.type === type || field.type === wanted : field.type === 'text'
  const isPart = isPartKind(is) && family === 'timestamp'
  if (isFit && !isPart && (isNumeric || familiesOfFilter[type].includes(family))) return field
  const compared = isPart ? 'parts of texts' : type
  throw new TypeError(
    `The filter "${name}" of "${table.resource.name}" compares ${compared}, ` +
      `but the column "${field.column}" is of type ${field.stored.type}: change one of them.`,
  )
}

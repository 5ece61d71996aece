import { idFor } from '../contract/resource/id.ts'
import { typeOfId } from '../contract/resource/operation.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { type Filter, filterNameOf } from '../contract/schema/filter.ts'
import { compareValues } from '../contract/values/order.ts'
import { digitsOf, isHeldExactly, isWhole } from '../convention/decimal.ts'
import {
  type Comparison,
  type Condition,
  type FilterOperator,
  type FilterType,
  type FilterValue,
  filterOperatorNames,
  filterOperators,
  maxFilterValues,
} from '../convention/filter-operators.ts'
import { isDay, isMoment, isOfFormat, isUuid } from '../convention/format.ts'
import { maxSearchLength } from '../convention/limits.ts'
import { type ParameterIssue, parameterIssue } from './parameter-issue.ts'

/** A parameter and its value, before percent-encoding. */
export type WrittenPair = readonly [name: string, value: string]

/** The resource of a filter, and the issues found so far. */
export interface FilterReading {
  readonly resource: Resource
  readonly issues: ParameterIssue[]
}

/**
 * Reads the texts of a filter as a condition; `undefined` if every item meets it. Adds each fault
 * to the issues. The inverse of {@link pairsOfCondition}.
 */
export function readFilter(
  filter: Filter,
  texts: readonly string[],
  { resource, issues }: FilterReading,
): Condition | undefined {
  const { field, operator } = filter
  const parameter = filterNameOf(field.name, operator)
  if (texts.length > maxFilterValues) {
    issues.push(
      parameterIssue('bad_parameter', parameter, `takes at most ${maxFilterValues} values`),
    )
    return undefined
  }
  const { is, repeats } = filterOperators[operator]
  const values: FilterValue[] = []
  for (const text of texts) {
    const value = readValue(text, filter, resource)
    if (typeof value !== 'object') values.push(value)
    // A text that is no id names no item.
    else if (field.type !== 'id' || !repeats) {
      const { fault, allowed } = { allowed: undefined, ...value }
      issues.push(parameterIssue('bad_parameter', parameter, fault, allowed))
      // A client reads one of them, and each holds all allowed values.
      break
    }
  }
  const type = field.type === 'id' ? typeOfId(values[0]) : field.type
  const condition = { field: field.name, type }
  const isFolded =
    filterOperators[operator].needs === 'sortable' && resource.folded.includes(field.name)
  if (typeof is === 'object') return { ...condition, is: is[values[0] ? 0 : 1], values: [] }
  if (is === 'notIn' && values.length === 0) return undefined
  const sortedValues = [...new Set(values)].sort(compareValues)
  return { ...condition, is, values: sortedValues, ...(isFolded && { folded: true }) }
}

function readValue(
  text: string,
  { field, operator }: Filter,
  resource: Resource,
): FilterValue | Fault {
  const { takes } = filterOperators[operator]
  if (takes === 'boolean') return readers.boolean(text)
  if (takes === 'text') return readTextPart(text)
  if (field.type === 'id')
    return idFor(resource, text) ?? { fault: 'must be an id of this resource' }
  return readFieldValue(text, { type: field.type, values: field.values })
}

/** The values that a filter on a field takes. */
interface FilteredValues {
  readonly type: FilterType
  /** `undefined`: any of the type. */
  readonly values: readonly FilterValue[] | undefined
}

/** Reads a value that the client compares a field with. An object is the fault of the text. */
export function readFieldValue(
  text: string,
  { type, values }: FilteredValues,
): FilterValue | Fault {
  const value = readers[type](text)
  if (typeof value === 'object' || values === undefined || values.includes(value)) return value
  return { fault: `must be one of ${values.join(', ')}`, allowed: values.map(String) }
}

/** The fault of a value, after the name of its parameter. */
interface Fault {
  readonly fault: string
  readonly allowed?: readonly string[]
}

const readers: { readonly [Type in FilterType]: (text: string) => FilterValue | Fault } = {
  text: (text) => (text.includes('\0') ? { fault: 'must not hold NUL' } : text),
  number: (text) => numberIn(text) ?? faultOfNumber(text),
  integer(text) {
    const number = numberIn(text)
    if (Number.isInteger(number)) return Number(number)
    return isWhole(text) ? faultOfNumber(text) : { fault: 'must be a whole number' }
  },
  boolean: (text) =>
    text === 'true' || text === 'false' ? text === 'true' : { fault: 'must be true or false' },
  date: /* @__PURE__ */ textReader(isDay, 'a date, as in 2020-12-31'),
  'date-time': /* @__PURE__ */ textReader(
    isMoment,
    'a time of RFC 3339, as in 2020-12-31T23:59:59Z; write + as %2B',
  ),
  time: /* @__PURE__ */ textReader(
    (text) => hour.test(text) && isOfFormat('time', text),
    'a time of day, as in 23:59:59',
  ),
  uuid: /* @__PURE__ */ textReader(isUuid, 'a UUID'),
}

// A database holds more hours than a day has.
const hour = /^(?:[01]\d|2[0-3]):/
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

function numberIn(text: string): number | undefined {
  // Without the sign of -0.
  const number = Number(text) + 0
  if (!jsonNumber.test(text) || !Number.isFinite(number)) return undefined
  const isExact = isWhole(text) ? isHeldExactly(text) : digitsOf(text) === digitsOf(`${number}`)
  return isExact ? number : undefined
}

function faultOfNumber(text: string): Fault {
  const fault = jsonNumber.test(text) ? 'must be a number that a double holds' : 'must be a number'
  return { fault }
}

function textReader(
  isFit: (text: string) => boolean,
  form: string,
): (text: string) => FilterValue | Fault {
  return (text) => (isFit(text) ? text : { fault: `must be ${form}` })
}

function readTextPart(text: string): FilterValue | Fault {
  if (text === '') return { fault: 'must not be empty' }
  const isLong = text.length > maxSearchLength && [...text].length > maxSearchLength
  return isLong ? { fault: `must have at most ${maxSearchLength} characters` } : readers.text(text)
}

/** Writes a condition as parameters. The inverse of {@link readFilter}. */
export function pairsOfCondition({ field, is, values }: Condition): readonly WrittenPair[] {
  const parameter = filterNameOf(field, operatorOf(is))
  if (is === 'missing' || is === 'present') return [[parameter, `${is === 'missing'}`]]
  // The empty text is no id, and stands for any other that is none.
  const texts = values.length === 0 ? [''] : values.map(String)
  return texts.map((text) => [parameter, text])
}

function operatorOf(comparison: Comparison): FilterOperator {
  const isOwn = (operator: FilterOperator): boolean => {
    const { is } = filterOperators[operator]
    const all: readonly Comparison[] = [is].flat()
    return all.includes(comparison)
  }
  // Each comparison has a row.
  return filterOperatorNames.find(isOwn) as FilterOperator
}

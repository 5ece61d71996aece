import { sql } from 'kysely'
import type { Condition, FilterValue } from '../convention/filter-operators.ts'
import { momentKey } from '../convention/format.ts'
import { givesBack, toMicroseconds } from './bound.ts'
import { encode, isTextOfOther } from './codec.ts'
import type { Sql } from './engine.ts'
import { isLooseText } from './filter-field.ts'
import { isFindable } from './fit.ts'
import { jsonListOf } from './json-list.ts'
import { Parameter, type StatementValues } from './statement.ts'
import type { BoundField, Table } from './table.ts'

/** The condition that no item meets. */
export const neverMet = sql`1 = 0`

/** Returns the number of parameters for values. Few sizes make few statements. */
export function paddedSize(size: number): number {
  return size === 0 ? 0 : 2 ** Math.ceil(Math.log2(size))
}

/** A condition and its index in the query. */
export interface PlacedCondition {
  readonly condition: Condition
  readonly index: number
}

/**
 * Tells whether a list is one parameter where the engine reads lists of JSON. Engines take 32,766
 * parameters or a few more.
 */
export function isLongList(size: number): boolean {
  return size > 1000
}

type Encode = (value: FilterValue) => unknown

/** A list of at least one value, which differ with each request. */
export interface ListedValues<Value> {
  /** The number of values. */
  readonly size: number
  readonly valuesOf: (values: StatementValues) => readonly Value[]
  /** Makes the value of a parameter. */
  readonly encode: (value: Value) => unknown
}

/** Returns the values of a list for `in (…)`, each as `make` writes it. */
export function parameterList<Value>(
  { engine }: Table,
  { size, valuesOf, encode }: ListedValues<Value>,
): (make: (value: Sql) => Sql) => Sql {
  if (engine.listed !== undefined && (engine.hasBatches === true || isLongList(size))) {
    const all = sql`${new Parameter((values) => jsonListOf(valuesOf(values).map(encode)))}`
    return (make) => engine.listed?.(all, make) ?? neverMet
  }
  // The values of the request, the last one repeated.
  const parameters = Array.from({ length: paddedSize(size) }, (_, at) => {
    return new Parameter((values) => {
      const all = valuesOf(values)
      const value = all[Math.min(at, all.length - 1)]
      return value === undefined ? null : encode(value)
    })
  })
  return (make) => sql.join(parameters.map((parameter) => make(sql`${parameter}`)))
}

function listOf(table: Table, { condition, index }: PlacedCondition, encode: Encode) {
  const valuesOf = ({ query }: StatementValues) => query.where[index]?.values ?? []
  return parameterList(table, { size: condition.values.length, valuesOf, encode })
}

/** Returns the condition that a field has one of the values. */
export function isAmong(table: Table, field: BoundField, placed: PlacedCondition): Sql {
  const { engine } = table
  const { stored } = field
  if (placed.condition.values.length === 0) return neverMet
  const isText = isMomentText(field, placed.condition)
  const list = listOf(table, placed, (value) =>
    soughtValue(table, field, isText ? momentKey(`${value}`) : value),
  )
  // An index serves the first condition, and the second one compares exactly.
  const column = sql.id(stored.name)
  const isSame = sql`${column} in (${list((value) => engine.writable(stored, value))})`
  const isExactOnly = stored.isGuarded === true || stored.isClock === true
  if (stored.equalsExactly && stored.family !== 'time' && !isExactOnly) return isSame
  const isExact = sql`${engine.exact(stored)} in (${list((value) => value)})`
  return isExactOnly ? isExact : sql`${isSame} and ${isExact}`
}

// A value that the column cannot hold becomes `null`, which equals nothing.
function soughtValue({ engine }: Table, field: BoundField, value: FilterValue): unknown {
  const { stored } = field
  if (stored.family === 'digits') return engine.digits(stored, `${value}`) ?? null
  if (stored.family === 'timestamp') {
    const moment = toMicroseconds(`${value}`)
    return moment === undefined ? null : encode(field, moment, engine)
  }
  if (stored.type === 'decimal' && isPlainNumber(value)) return value
  const isHeld = isFindable(field, value, engine) && givesBack(stored, value)
  return isHeld ? encode(field, value, engine) : null
}

// MySQL compares a decimal exactly with a number, and with 64 bits with a text or an exponent.
function isPlainNumber(value: FilterValue): boolean {
  return typeof value === 'number' && !`${value}`.includes('e')
}

function isMomentText({ stored }: BoundField, { type }: Condition): boolean {
  return type === 'date-time' && stored.family !== 'timestamp'
}

/** Returns the condition that a field has none of the values, or is missing. */
export function isAmongNone(table: Table, field: BoundField, placed: PlacedCondition): Sql {
  const { engine } = table
  const { stored } = field
  // No engine takes an empty list.
  if (placed.condition.values.length === 0) return sql`1 = 1`
  const isOne = isAmong(table, field, placed)
  // A missing value, and a `null` for a value that no column holds, make the comparison unknown.
  if (!isMomentText(field, placed.condition)) {
    const isNone = sql`(${isOne}) is not true`
    return isLooseText(field) ? sql`${isNone} and ${isNoOther(field, placed)}` : isNone
  }
  const keys = listOf(table, placed, (value) => momentKey(`${value}`))
  const key = sql`${engine.momentKey(stored)} in (${keys((value) => value)})`
  return sql`(${isOne} or not (${hasStoredForm(engine.ordered(stored))}) and ${key}) is not true`
}

// A number or bytes in a column of text may leave as one of the texts.
function isNoOther({ stored }: BoundField, { index }: PlacedCondition): Sql {
  const isClear = new Parameter(({ query }) =>
    Number(query.where[index]?.values.every((value) => !isTextOfOther(`${value}`))),
  )
  return sql`(typeof(${sql.id(stored.name)}) in ('text', 'null') or ${isClear} = 1)`
}

/** Returns the condition that a text may be a moment in the form that the adapter stores. */
export function hasStoredForm(text: Sql): Sql {
  return sql`substr(${text}, 11, 1) = 'T' and substr(${text}, 24) = 'Z'`
}

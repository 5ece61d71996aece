import { sql } from 'kysely'
import { isClock, isUuid } from '../model/format.ts'
import { foldCase } from '../model/search.ts'
import { type Column, type Engine, type Fault, type Given, isHindrance } from './engine.ts'
import { isWithin } from './length.ts'
import { describe } from './postgres-table.ts'

/**
 * PostgreSQL, and what speaks its language. Texts are ordered by code point whatever the collation of the column; an
 * index serves that order where the column's collation is `"C"`.
 *
 * @see https://www.postgresql.org/docs/current/collation.html
 */
export const postgres: Engine = {
  isEmbedded: false,
  comparesRows: true,
  findsRanges: false,
  locking: sql`for update`,
  unset: sql`default`,
  describe,
  begin: sql`begin`,
  readable(column) {
    const value = sql.id(column.name)
    if (column.family === 'timestamp') return timestampText(column)
    if (column.family === 'date') return sql`to_char(${value}, 'YYYY-MM-DD')`
    if (column.family === 'text' || column.family === 'boolean') return value
    // Wide numbers come as text anyway, and JSON is read here, whatever the driver would make of it.
    return column.family === 'number' ? value : sql`${value}::text`
  },
  // An offset is worked in, not dropped.
  writable: ({ type }, value) =>
    type === 'timestamp' ? sql`cast(${value} as timestamptz) at time zone 'UTC'` : value,
  ordered: (column) => (column.ordersExactly ? sql.id(column.name) : exact(column)),
  exact,
  // The defaults are the convention's: nothing is greater than anything.
  sorted: (ordered, direction) => (direction === 'asc' ? ordered : sql`${ordered} desc`),
  // The collation "C" ignores the case of ASCII only, and fast; what else there is takes the long way.
  contains(column, { pattern }, folding) {
    const text = column.family === 'text' ? sql.id(column.name) : sql`${sql.id(column.name)}::text`
    const folded =
      folding === undefined
        ? sql`upper(lower(${text}))`
        : sql`upper(lower(${text} collate "und-x-icu") collate "und-x-icu")`
    return sql`(${text} collate "C" ilike ${pattern} escape '!'
      or octet_length(${text}) <> char_length(${text}) and ${folded} collate "C" like ${pattern} escape '!')`
  },
  fold: foldCase,
  lettersFor: () => '',
  canHold,
  mayGive({ type, family }, value) {
    if (type === 'uuid') return isUuid(`${value}`)
    if (type === 'time') return value === '24:00:00' || isClock(`${value}`)
    return family !== 'number' || isNumberOf(type, Number(value), value)
  },
  // To the microsecond, not rounded up into the next year.
  encode: ({ family }, value) =>
    family === 'timestamp' && typeof value === 'string'
      ? value.replace(/(\.\d{6})\d+/, '$1')
      : value,
  faultOf,
}

function canHold({ type, length }: Column, value: unknown): boolean {
  if (typeof value !== 'string') return true
  if (type === 'uuid') return isUuid(value)
  // Spaces at the end are dropped without an error.
  if (type === 'bpchar' && value.endsWith(' ')) return false
  return length === undefined || isWithin(value, length)
}

const bounds: ReadonlyMap<string, bigint> = new Map([
  ['int2', 2n ** 15n],
  ['int4', 2n ** 31n],
  ['int8', 2n ** 63n],
])

// What a type does not hold PostgreSQL refuses to compare with it, and a number that is too small for a float4 as well.
function isNumberOf(type: string, number: number, given: Given): boolean {
  const bound = bounds.get(type)
  if (bound === undefined) return type !== 'float4' || number === 0 || isFloat4(number)
  if (!Number.isInteger(number)) return false
  const whole = BigInt(given)
  return whole >= -bound && whole < bound
}

function isFloat4(number: number): boolean {
  const rounded = Math.fround(number)
  return rounded !== 0 && Number.isFinite(rounded) === Number.isFinite(number)
}

function exact(column: Column) {
  const value = sql.id(column.name)
  if (column.family === 'number') return sql`${value}::float8`
  return column.family === 'text' ? sql`${value} collate "C"` : sql`${value}::text collate "C"`
}

// Microseconds, all of them: a page goes on after the very value.
function timestampText({ name, type }: Column) {
  const value = type === 'timestamptz' ? sql`${sql.id(name)} at time zone 'UTC'` : sql.id(name)
  return sql`to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

// By SQLSTATE, whose first two characters are its class.
const faults: readonly (readonly [state: RegExp, kind: Fault['kind']])[] = [
  [/^23505|^23P01/, 'unique'],
  [/^23503|^23001/, 'reference'],
  [/^23502/, 'required'],
  [/^23514|^22|^23000|^54000|^P0001/, 'value'],
  [/^40001|^40P01|^55P03/, 'again'],
  [/^57014/, 'late'],
  [/^08|^53|^57P0|^25006|^58/, 'away'],
]

function faultOf(error: object): Fault | undefined {
  const { code, column, detail, constraint, table } = Object(error)
  const kind = faults.find(([state]) => state.test(String(code)))?.[1]
  if (kind === undefined || isHindrance(kind)) return kind && { kind }
  // The text around the columns is translated, the parentheses are not.
  const [, names = ''] = /\(([^()]+)\)=\(/.exec(String(detail)) ?? []
  const columns = typeof column === 'string' ? [column] : names.split(', ')
  return {
    kind,
    columns: columns.map((name) => name.replaceAll('"', '')).filter((name) => name !== ''),
    key: typeof constraint === 'string' ? constraint : undefined,
    table: typeof table === 'string' ? table : undefined,
  }
}

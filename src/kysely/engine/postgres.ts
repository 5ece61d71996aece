import { sql } from 'kysely'
import { foldCase } from '../../contract/values/search.ts'
import { isDay, isMoment, isUuid } from '../../convention/format.ts'
import { faultOfValue } from '../../convention/value.ts'
import {
  type ChangedTable,
  type ColumnChanges,
  collatedType,
  type DeclaredKind,
  type DeclaringEngine,
  declaredType,
  emptyIn,
  type Fix,
  quoted,
  textTypes,
  unlike,
  type Words,
} from './declarations.ts'
import { exactDigits, type FloatForm, floatDigits, isHalfway, isWithin, scaled } from './digits.ts'
import type { Column, DatabaseFailure, Family, PresentScalar, Sql } from './engine.ts'
import { arrayFrom, arrayText } from './list-text.ts'
import { momentKeyInPostgres } from './moment-text.ts'
import { describePostgresTable, surroundPostgresTable } from './postgres-table.ts'

/**
 * PostgreSQL and compatible databases. The adapter orders texts by code point in every collation.
 * An index serves that order if the column's collation is `"C"`.
 *
 * @see https://www.postgresql.org/docs/current/collation.html
 */
export const postgres: DeclaringEngine = {
  name: 'PostgreSQL',
  speaks: ({ adapter, comparison }) =>
    comparison === '"a" = $1' && adapter.supportsTransactionalDdl === true,
  transactions: { kind: 'dialect' },
  hasDeadlines: true,
  foldsNames: false,
  maxParameters: 30_000,
  maxListed: 1000,
  comparesRows: true,
  findsRanges: false,
  locking: sql`for update`,
  unset: sql`default`,
  describe: describePostgresTable,
  surround: surroundPostgresTable,
  words: () => words,
  changes: changesInPostgres,
  isOddText: (text, most) =>
    sql`(char_length(${text}) > ${sql.lit(most)} or ${text} ~ '[\\u0001-\\u001f\\u007f-\\u009f]')`,
  readable(column) {
    const value = sql.id(column.name)
    if (column.family === 'timestamp') return timestampText(column)
    if (column.family === 'date') return dayText(value)
    if (column.family === 'text' || column.family === 'boolean') return value
    if (column.family === 'list') return arrayText(column, postgres.readable)
    if (column.family === 'binary') return sql`encode(${value}, 'hex')`
    if (isMoneyDigits(column)) return sql`${value}::numeric::text`
    // The adapter parses JSON and numbers of many digits itself, whatever the driver would do.
    const isPlain = column.family === 'number' && !exactNumbers.has(column.type)
    return isPlain ? value : sql`${value}::text`
  },
  // As text, which every driver sends unchanged: postgres.js derives the encoding from a
  // parameter's type.
  writable(column, value) {
    const { type, family } = column
    const text = sql`cast(${value} as text)`
    if (family === 'list') return arrayFrom(column, text, postgres.writable)
    if (family === 'binary') return sql`decode(${text}, 'hex')`
    // Applies an offset instead of dropping it.
    if (type === 'timestamp') return sql`cast(${text} as timestamptz) at time zone 'UTC'`
    if (isMoneyDigits(column)) return sql`cast(cast(${text} as numeric) as money)`
    return rewritten.has(type) ? sql`cast(${text} as ${sql.id(type)})` : value
  },
  ordered: (column) => (column.ordersExactly ? sql.id(column.name) : exact(column)),
  exact,
  double: ({ name }) => sql`cast(${sql.id(name)} as float8)`,
  listed: (list, make) => sql`select ${make(sql.id('element'))}
    from json_array_elements_text(cast(cast(${list} as text) as json)) as listed(element)`,
  fromList({ type, family }, text) {
    if (family === 'number' || (family === 'digits' && type !== 'money'))
      return sql`cast(${text} as numeric)`
    return typed.has(family) ? sql`cast(${text} as ${sql.id(type)})` : text
  },
  momentKey: ({ name }) => momentKeyInPostgres(sql.id(name)),
  // PostgreSQL's defaults are the convention's: null sorts as the greatest value.
  sorted: (ordered, direction) => (direction === 'asc' ? ordered : sql`${ordered} desc`),
  // The collation "C" ignores the case of ASCII only, and fast. Other texts need the slow
  // comparison.
  contains(column, { pattern }, folding) {
    const value = isMoneyDigits(column) ? sql`${sql.id(column.name)}::numeric` : sql.id(column.name)
    const text = column.family === 'text' ? value : sql`${value}::text`
    // An index serves exactly the expression of its definition.
    if (column.hasTrigrams)
      return sql`upper(lower(${text} collate "und-x-icu")) like ${pattern} escape '!'`
    const folded =
      folding === undefined
        ? sql`upper(lower(${text}))`
        : sql`upper(lower(${text} collate "und-x-icu") collate "und-x-icu")`
    return sql`(${text} collate "C" ilike ${pattern} escape '!'
      or octet_length(${text}) <> char_length(${text})
        and ${folded} collate "C" like ${pattern} escape '!')`
  },
  fold: foldCase,
  lettersFor: () => '',
  canHold,
  digits: digitsFor,
  hasOwnForm: ({ family }, text) =>
    family === 'time' ? text === '24:00:00' : isBeyondYears(family, text),
  mayGive({ type, family }, value) {
    // PostgreSQL has no NUL, and rejects JSON with half a character.
    if (typeof value === 'string' && faultOfValue(value) !== undefined) return false
    if (type === 'uuid') return isUuid(`${value}`)
    if (family === 'boolean') return typeof value === 'boolean'
    return family !== 'number' || isNumberOf(type, value)
  },
  encode: (_, value) =>
    Array.isArray(value)
      ? JSON.stringify(value.map((element) => (element === null ? null : `${element}`)))
      : value,
  failureOf: faultOf,
}

const typed: ReadonlySet<Family> = new Set(['uuid', 'date', 'time', 'boolean'])

const rewritten: ReadonlySet<string> = new Set(['json', 'jsonb', 'timestamptz'])

function canHold(column: Column, value: unknown): boolean {
  const { type, family, length, allowed } = column
  if (typeof value !== 'string') return true
  if (allowed !== undefined) return allowed.includes(value)
  if (family === 'digits') return digitsFor(column, value) !== undefined
  if (type === 'uuid') return isUuid(value)
  // PostgreSQL drops spaces at the end silently.
  if (type === 'bpchar' && value.endsWith(' ')) return false
  return length === undefined || isWithin(value, length)
}

const bounds: ReadonlyMap<string, bigint> = new Map([
  ['int2', 2n ** 15n],
  ['int4', 2n ** 31n],
  ['int8', 2n ** 63n],
])

const exactNumbers: ReadonlySet<string> = new Set(['int8', 'numeric'])

// PostgreSQL rejects a comparison with a value that the type cannot hold, and with a number too
// small for a float4.
function isNumberOf(type: string, value: PresentScalar): boolean {
  const isEndless = typeof value === 'string' && !/\d/.test(value)
  if (type === 'float8') return isEndless || typeof value !== 'string'
  if (type === 'float4') return isEndless || (typeof value !== 'string' && isFloat4(Number(value)))
  const bound = bounds.get(type)
  if (bound === undefined) return true
  if (!Number.isInteger(Number(value)) || `${value}`.includes('.')) return false
  const integer = BigInt(value)
  return integer >= -bound && integer < bound
}

const exponent = (power: number): string =>
  `${power < 0 ? '-' : '+'}${`${Math.abs(power)}`.padStart(2, '0')}`

const floats: ReadonlyMap<string, FloatForm> = new Map([
  ['float4', { plain: [-4, 6], exponent }],
  ['float8', { plain: [-4, 15], exponent }],
])

function digitsFor(column: Column, text: string): string | undefined {
  const { type, scale = 0 } = column
  if (type === 'money') return scaled(text, scale) === text && isMoney(text) ? text : undefined
  if (/^(?:NaN|-?Infinity)$/.test(text)) {
    const isHeld = isNumberOf(type, text) && (text === 'NaN' || column.integers === undefined)
    return isHeld ? text : undefined
  }
  const form = floats.get(type)
  const number = Number(text)
  if (form === undefined) {
    const held = exactDigits(column, text)
    return held !== undefined && isNumberOf(type, held) ? held : undefined
  }
  if (!isNumberOf(type, number)) return undefined
  const short = type === 'float4' ? `${shortestSingle(Math.fround(number))}` : shortest(number)
  return floatDigits(text, short, form)
}

// As for numbers of 32 bits below. JavaScript takes such digits: 1e23, here 9.999999999999999e+22.
function shortest(number: number): string {
  const short = `${number}`
  if (!isHalfway(short, number)) return short
  const means = (digits: string): boolean => Number(digits) === number && !isHalfway(digits, number)
  const longer = [15, 16, 17].map((digits) => number.toPrecision(digits))
  return longer.find(means) ?? short
}

// The least numbers have one digit. Between two of equal distance, PostgreSQL writes the even one.
function shortestSingle(single: number): number {
  const rounded = (digits: number): number => Number(toEven(single, digits))
  const digits = [1, 2, 3, 4, 5, 6, 7, 8].find((some) => isWithinHalf(rounded(some), single))
  return rounded(digits ?? 9)
}

// PostgreSQL takes no digits halfway to the next number, though they are read as this one.
function isWithinHalf(number: number, single: number): boolean {
  const mirrored = 2 * number - single
  return Math.fround(number) === single && (number === single || Math.fround(mirrored) !== mirrored)
}

// JavaScript rounds a tie away from zero: 471982.125 → 4.7198213e+5, and here 4.7198212e+5.
function toEven(single: number, digits: number): string {
  const [exact = '', exponent = ''] = single.toExponential(digits).split('e')
  const isTie = exact.endsWith('5') && Number(`${exact}e${exponent}`) === single
  const isEven = /[02468]\.?5$/.test(exact)
  return isTie && isEven ? `${exact.slice(0, -1)}e${exponent}` : single.toPrecision(digits)
}

// It has 64 bits.
function isMoney(text: string): boolean {
  const least = BigInt(text.replace('.', ''))
  return BigInt.asIntN(64, least) === least
}

function isFloat4(number: number): boolean {
  const rounded = Math.fround(number)
  return number === 0 || (rounded !== 0 && Number.isFinite(rounded))
}

// The text of money depends on the locale of the database.
function isMoneyDigits({ type, family }: Column): boolean {
  return type === 'money' && family === 'digits'
}

function exact(column: Column) {
  const value = sql.id(column.name)
  if (isMoneyDigits(column)) return sql`${value}::numeric::text collate "C"`
  return column.family === 'text' ? sql`${value} collate "C"` : sql`${value}::text collate "C"`
}

// All microseconds: a page continues after exactly this value.
function timestampText({ name, type }: Column) {
  const value = type === 'timestamptz' ? sql`(${sql.id(name)} at time zone 'UTC')` : sql.id(name)
  const era = sql`case when ${value} < '0001-01-01' then ' BC' else '' end`
  const text = sql`to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ${era}`
  // `to_char` returns nothing for `infinity`.
  return sql`coalesce(${text}, ${value}::text)`
}

// `to_char` returns nothing, drops the era or fails for other dates.
function dayText(value: Sql): Sql {
  const isPlain = sql`${value} between '0001-01-01' and '9999-12-31'`
  return sql`case when ${isPlain} then to_char(${value}, 'YYYY-MM-DD') else ${value}::text end`
}

const daySyntax = /^([1-9]\d{4,6}|\d{4}(?=.* BC$))(-\d\d-\d\d)(T[\d:.]+Z)?( BC)?$/
const greatestYear: { readonly [Of in Family]?: number } = { date: 5_874_897, timestamp: 294_276 }

// A date or timestamp that RFC 3339 cannot write: `infinity`, `-infinity`, years beyond 9999, and
// years before 1 as `0044-03-15 BC`.
function isBeyondYears(family: Family, text: string): boolean {
  if (text === 'infinity' || text === '-infinity') return true
  const [, digits, monthAndDay = '', clock = '', era] = daySyntax.exec(text) ?? []
  if (digits === undefined || (family === 'date') !== (clock === '')) return false
  const year = era === undefined ? Number(digits) : 1 - Number(digits)
  // The first day is in 4714 BC.
  if (year > Number(greatestYear[family]) || year > 0 !== (era === undefined)) return false
  if (year < -4713 || (year === -4713 && monthAndDay < '-11-24')) return false
  // The calendar repeats after 400 years.
  const same = `${2000 + (((year % 400) + 400) % 400)}${monthAndDay}`
  return clock === '' ? isDay(same) : isMoment(`${same}${clock}`)
}

// By SQLSTATE. Its first two characters are its class.
const failures: readonly (readonly [state: RegExp, kind: DatabaseFailure['kind']])[] = [
  [/^23505|^23P01/, 'unique'],
  [/^23503|^23001/, 'reference'],
  [/^23502/, 'required'],
  [/^23514|^22|^23000|^428C9|^44000|^54000|^P0001/, 'value'],
  [/^40001|^40P01|^55P03/, 'retry'],
  [/^57014/, 'timeout'],
  [/^42703|^42P01|^42804|^42883|^42809|^55000/, 'changed'],
  [/^42501/, 'denied'],
  [/^08|^53|^57P0|^25006|^58/, 'unavailable'],
]

function faultOf(error: object): DatabaseFailure | undefined {
  const { code, detail, constraint, routine, ...details } = Object(error)
  // The names of `pg` and of postgres.js.
  const { column = details.column_name } = details
  // The plan of a prepared statement no longer matches the table.
  const isStale = code === '0A000' && routine === 'RevalidateCachedQuery'
  const kind = isStale ? 'changed' : failures.find(([state]) => state.test(String(code)))?.[1]
  if (kind === undefined) return undefined
  // PostgreSQL translates the text around the columns, but not the parentheses.
  const [, names = ''] = (code === '428C9' ? quotedName : listedNames).exec(String(detail)) ?? []
  const columns = typeof column === 'string' ? [column] : names.split(', ')
  return {
    kind,
    columns: columns.map((name) => name.replaceAll('"', '')).filter((name) => name !== ''),
    key: typeof constraint === 'string' ? constraint : undefined,
  }
}

const listedNames = /\(([^()]+)\)=\(/
// The name of a generated column, in the quotes of any language.
const quotedName = /["«»„“]\s?([^"«»„“”]+)/

const words: Words = {
  types: {
    ...textTypes,
    number: 'double precision',
    integer: 'bigint',
    date: 'date',
    'date-time': 'timestamptz',
    uuid: 'uuid',
    json: 'jsonb',
    bytes: 'bytea',
  },
  counted: 'bigint generated by default as identity',
  collated: ' collate "C"',
  collatedIndex: ' collate "C"',
  quote: '"',
  hasSchemas: true,
  quotesDefaults: true,
  indexes: {
    isPartial: true,
    collatesOwners: false,
    isQualified: false,
    sorted: 'sorted',
    maxRowBytes: 2600,
  },
}

function changesInPostgres(changed: ChangedTable): ColumnChanges {
  const { words, table, surroundings, pending } = changed
  const { fixed, primary } = surroundings
  const change = (column: Column, ...parts: readonly string[]) => alter(changed, column, parts)
  const retype = (column: Column, kind: DeclaredKind): Fix | undefined => {
    const type = words.types[kind]
    if (fixed.has(column.name) || column.isGenerated) return undefined
    const digits = column.type === 'money' ? '::numeric' : ''
    const value = `${quoted(words, column.name)}${digits}::${type}`
    const statement = change(column, `type ${collatedType(words, type)} using ${value}`)
    const obstacle = unlike(table, column.name, value)
    pending.set(column.name, { type, isCollated: true, obstacle })
    return { statement, obstacle }
  }
  return {
    retype,
    shorten: () => undefined,
    collate(column) {
      if (fixed.has(column.name) || column.isComputed) return undefined
      pending.set(column.name, { ...pending.get(column.name), isCollated: true })
      return { statement: change(column, `type ${collatedType(words, declaredType(column))}`) }
    },
    require: (column, isRequired) => {
      if (isRequired)
        return { statement: change(column, 'set not null'), obstacle: emptyIn(table, column.name) }
      return primary.has(column.name) ? undefined : { statement: change(column, 'drop not null') }
    },
    dropDefault: (column) => ({ statement: change(column, 'drop default') }),
    count: (column) => countInPostgres(changed, column),
  }
}

function alter({ words, name }: ChangedTable, column: Column, parts: readonly string[]): string {
  const all = parts.map((action) => `alter column ${quoted(words, column.name)} ${action}`)
  return `alter table ${name} ${all.join(', ')};`
}

function countInPostgres(changed: ChangedTable, column: Column): Fix | undefined {
  const { words, table, surroundings } = changed
  const isWhole = /^int[248]$/.test(column.type)
  if (!isWhole && surroundings.fixed.has(column.name)) return undefined
  const retyped = isWhole ? [] : [`type bigint using ${quoted(words, column.name)}::bigint`]
  const counting = ['set not null', 'add generated by default as identity']
  const statement = alter(changed, column, [...retyped, ...counting])
  return { statement, obstacle: emptyIn(table, column.name) }
}

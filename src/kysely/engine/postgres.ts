import { sql } from 'kysely'
import { foldCase } from '../../contract/values/order.ts'
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
  lengthOf,
  quoted,
  textTypes,
  unlike,
  type Words,
} from './declarations.ts'
import {
  exactDigits,
  type FloatForm,
  floatDigits,
  isWithin,
  scaled,
  shortest,
  shortestSingle,
} from './digits.ts'
import {
  type Column,
  type ColumnKind,
  type DatabaseFailure,
  type FormsByKind,
  type PresentScalar,
  type Sql,
  type SqlForm,
  scaleOf,
} from './engine.ts'
import { arrayFrom, arrayText, listsOfPostgres } from './list-text.ts'
import { memberInPostgres } from './member-text.ts'
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
  foldsNames: false,
  maxParameters: 30_000,
  maxListed: 1000,
  comparesRows: true,
  locking: sql`for update`,
  counting: 'statement',
  unset: sql`default`,
  describe: describePostgresTable,
  surround: surroundPostgresTable,
  words: () => postgresWords,
  changes: changesInPostgres,
  isOddText: (text, most) =>
    sql`(char_length(${text}) > ${sql.lit(most)} or ${text} ~ '[\\u0001-\\u001f\\u007f-\\u009f]')`,
  readable: (column) => (formsOf[column.kind]?.read ?? readText)(column),
  writable: (column, value) => formsOf[column.kind]?.write?.(column, value) ?? value,
  ordered: (column) => (column.order === 'exact' ? sql.id(column.name) : exact(column)),
  exact,
  double: ({ name }) => sql`cast(${sql.id(name)} as float8)`,
  listed: (list, make) => sql`select ${make(sql.id('element'))}
    from json_array_elements_text(cast(cast(${list} as text) as json)) as listed(element)`,
  fromList({ type, kind }, text) {
    if (kind === 'number' || (kind === 'digits' && type !== 'money'))
      return sql`cast(${text} as numeric)`
    return typed.has(kind) ? sql`cast(${text} as ${sql.id(type)})` : text
  },
  lists: listsOfPostgres,
  member: memberInPostgres,
  momentKey: ({ name }) => momentKeyInPostgres(sql.id(name)),
  // PostgreSQL's defaults are the convention's: null sorts as the greatest value.
  sorted: (ordered, direction) => (direction === 'asc' ? ordered : sql`${ordered} desc`),
  // The collation "C" ignores the case of ASCII only, and fast. Other texts need the slow
  // comparison.
  contains(column, { pattern }, folding) {
    const value = isMoneyDigits(column) ? sql`${sql.id(column.name)}::numeric` : sql.id(column.name)
    const text = column.kind === 'text' ? value : sql`${value}::text`
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
  hasOwnForm: ({ kind }, text) =>
    kind === 'time' ? text === '24:00:00' : isBeyondYears(kind, text),
  mayGive({ type, kind }, value) {
    // PostgreSQL has no NUL, and rejects JSON with half a character.
    if (typeof value === 'string' && faultOfValue(value) !== undefined) return false
    if (type === 'uuid') return isUuid(`${value}`)
    if (kind === 'boolean') return typeof value === 'boolean'
    return kind !== 'number' || isNumberOf(type, value)
  },
  encode: (_, value) =>
    Array.isArray(value)
      ? JSON.stringify(value.map((element) => (element === null ? null : `${element}`)))
      : value,
  failureOf: faultOf,
}

const typed: ReadonlySet<ColumnKind> = new Set(['uuid', 'date', 'time', 'boolean'])

const readText = ({ name }: Column): Sql => sql`${sql.id(name)}::text`
const plain: SqlForm = { read: ({ name }) => sql.id(name) }
const text = (value: Sql) => sql`cast(${value} as text)`
const writeType = ({ type }: Column, value: Sql): Sql =>
  sql`cast(${text(value)} as ${sql.id(type)})`

// Writes text, which every driver sends unchanged: postgres.js asks the type of a parameter.
const formsOf: FormsByKind = {
  text: plain,
  boolean: plain,
  // The adapter parses numbers of many digits itself, whatever the driver would do. JSON too.
  number: {
    read: (column) => (exactNumbers.has(column.type) ? readText(column) : sql.id(column.name)),
  },
  digits: {
    read: (column) =>
      column.type === 'money' ? sql`${sql.id(column.name)}::numeric::text` : readText(column),
    write: ({ type }, value) =>
      type === 'money' ? sql`cast(cast(${text(value)} as numeric) as money)` : value,
  },
  json: { read: readText, write: writeType },
  date: { read: dayText },
  timestamp: {
    read: timestampText,
    // Applies an offset instead of dropping it.
    write: (column, value) =>
      column.type === 'timestamp'
        ? sql`cast(${text(value)} as timestamptz) at time zone 'UTC'`
        : writeType(column, value),
  },
  binary: {
    read: ({ name }) => sql`encode(${sql.id(name)}, 'hex')`,
    write: (_, value) => sql`decode(${text(value)}, 'hex')`,
  },
  list: {
    read: (column) => arrayText(column, postgres.readable),
    write: (column, value) => arrayFrom(column, text(value), postgres.writable),
  },
}

function canHold(column: Column, value: unknown): boolean {
  const { type, kind } = column
  if (typeof value !== 'string') return true
  if (kind === 'enum') return column.allowed.includes(value)
  if (kind === 'digits') return digitsFor(column, value) !== undefined
  if (type === 'uuid') return isUuid(value)
  // PostgreSQL drops spaces at the end silently.
  if (type === 'bpchar' && value.endsWith(' ')) return false
  const length = lengthOf(column)
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
  const { type } = column
  if (type === 'money')
    return scaled(text, scaleOf(column) ?? 0) === text && isMoney(text) ? text : undefined
  if (/^(?:NaN|-?Infinity)$/.test(text)) {
    const isHeld = isNumberOf(type, text) && (text === 'NaN' || scaleOf(column) === undefined)
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
function isMoneyDigits({ type, kind }: Column): boolean {
  return type === 'money' && kind === 'digits'
}

function exact(column: Column) {
  const value = sql.id(column.name)
  if (isMoneyDigits(column)) return sql`${value}::numeric::text collate "C"`
  return column.kind === 'text' ? sql`${value} collate "C"` : sql`${value}::text collate "C"`
}

// All microseconds: a page continues after exactly this value.
function timestampText({ name, type }: Column): Sql {
  const value = type === 'timestamptz' ? sql`(${sql.id(name)} at time zone 'UTC')` : sql.id(name)
  const era = sql`case when ${value} < '0001-01-01' then ' BC' else '' end`
  const text = sql`to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ${era}`
  // `to_char` returns nothing for `infinity`.
  return sql`coalesce(${text}, ${value}::text)`
}

// `to_char` returns nothing, drops the era or fails for other dates.
function dayText({ name }: Column): Sql {
  const value = sql.id(name)
  const isPlain = sql`${value} between '0001-01-01' and '9999-12-31'`
  return sql`case when ${isPlain} then to_char(${value}, 'YYYY-MM-DD') else ${value}::text end`
}

const daySyntax = /^([1-9]\d{4,6}|\d{4}(?=.* BC$))(-\d\d-\d\d)(T[\d:.]+Z)?( BC)?$/
const greatestYear: { readonly [Of in ColumnKind]?: number } = {
  date: 5_874_897,
  timestamp: 294_276,
}

// A date or timestamp that RFC 3339 cannot write: `infinity`, `-infinity`, years beyond 9999, and
// years before 1 as `0044-03-15 BC`.
function isBeyondYears(kind: ColumnKind, text: string): boolean {
  if (text === 'infinity' || text === '-infinity') return true
  const [, digits, monthAndDay = '', clock = '', era] = daySyntax.exec(text) ?? []
  if (digits === undefined || (kind === 'date') !== (clock === '')) return false
  const year = era === undefined ? Number(digits) : 1 - Number(digits)
  // The first day is in 4714 BC.
  if (year > Number(greatestYear[kind]) || year > 0 !== (era === undefined)) return false
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

/** The words of PostgreSQL in statements that declare columns. */
export const postgresWords: Words = {
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
  fold: (text, folding) =>
    folding
      ? `upper(lower(${text} collate "und-x-icu") collate "und-x-icu")`
      : `upper(lower(${text}))`,
  isOther: (a, b) => `${a} is distinct from ${b}`,
  collatedIndex: ' collate "C"',
  quote: '"',
  hasSchemas: true,
  quotesDefaults: true,
  foldSuffix: "not null default ''",
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
    if (fixed.has(column.name) || column.origin !== 'client') return undefined
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
      if (fixed.has(column.name) || column.origin === 'computed') return undefined
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

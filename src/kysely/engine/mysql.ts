import { sql } from 'kysely'
import { foldCase } from '../../contract/values/order.ts'
import { byWord } from './catalog.ts'
import { type DeclaringEngine, lengthOf } from './declarations.ts'
import { exactDigits, floatDigits, isWithin, scaled, wholeNumber } from './digits.ts'
import {
  type Column,
  type ColumnKind,
  type DatabaseFailure,
  type FormsByKind,
  type Sql,
  type SqlForm,
  scaleOf,
} from './engine.ts'
import { isInOrder, listsOfMysql, setText } from './list-text.ts'
import { memberInMysql } from './member-text.ts'
import { momentKeyInMysql } from './moment-text.ts'
import { changesInMysql, wordsOfMysql } from './mysql-changes.ts'
import { describeMysqlTable, surroundMysqlTable } from './mysql-table.ts'

/**
 * MySQL and MariaDB. The adapter orders and compares texts by code point in every collation. An
 * index serves that if the collation is binary without padding: `utf8mb4_nopad_bin` (MariaDB),
 * `utf8mb4_0900_bin` (MySQL).
 *
 * @see https://mariadb.com/kb/en/supported-character-sets-and-collations/
 */
export const mysql: DeclaringEngine = {
  name: 'MySQL or MariaDB',
  speaks: ({ comparison }) => comparison === '`a` = ?',
  foldsNames: true,
  maxParameters: 30_000,
  maxListed: 1000,
  comparesRows: false,
  locking: sql`for update`,
  counting: 'transaction',
  unset: sql`default`,
  describe: describeMysqlTable,
  surround: surroundMysqlTable,
  words: wordsOfMysql,
  changes: changesInMysql,
  isOddText: (text, most) =>
    sql`(char_length(${text}) > ${sql.lit(most)} or ${text} rlike '\\\\p{Cc}')`,
  readable: (column) => formsOf[column.kind]?.read?.(column) ?? sql.id(column.name),
  writable: (column, value) => formsOf[column.kind]?.write?.(column, value) ?? value,
  ordered: (column) => (column.order === 'exact' ? sql.id(column.name) : exact(column)),
  exact,
  double: ({ name }) => sql`cast(${sql.id(name)} as double)`,
  lists: listsOfMysql,
  member: memberInMysql,
  momentKey: ({ name }) =>
    momentKeyInMysql(sql`(convert(${sql.id(name)} using utf8mb4) collate utf8mb4_bin)`),
  sorted(ordered, direction, isNullable) {
    if (direction === 'asc') return isNullable ? sql`${ordered} is null, ${ordered}` : ordered
    return isNullable ? sql`${ordered} is null desc, ${ordered} desc` : sql`${ordered} desc`
  },
  // Most texts have ASCII letters only. Other texts need the slow comparison.
  contains(column, { pattern, letters }, folding) {
    const value = column.kind === 'digits' ? digitsIn(column) : sql.id(column.name)
    const text = sql`convert(${value} using utf8mb4) collate utf8mb4_bin`
    const short = column.order === 'exact' ? sql.id(column.name) : text
    const like = sql`like ${pattern} escape '!'`
    const isFound = sql`${folded(text, folding)} ${like}`
    const hasLetters = sql`${text} rlike ${sql.lit(`[${letters}]`)}`
    const isFoundWide =
      letters === ''
        ? isFound
        : sql`${isFound} or ${hasLetters} and ${folded(expanded(text, letters), folding)} ${like}`
    const isWide = sql`length(${short}) <> char_length(${short})`
    return sql`if(${isWide}, ${isFoundWide}, upper(${short}) ${like})`
  },
  fold: foldCase,
  lettersFor: (word) =>
    longer
      .filter(([, folded]) => [...folded].some((letter) => word.includes(letter)))
      .map(([letter]) => letter)
      .join(''),
  encode({ kind, type }, value) {
    if (typeof value === 'number') return toNumber(type, value)
    if (Array.isArray(value)) return value.join()
    return kind === 'timestamp' && typeof value === 'string' ? toTimestamp(value) : value
  },
  canHold,
  digits: digitsFor,
  hasOwnForm: ({ kind }, text) => (kind === 'time' ? isTime(text) : isZeroDay(kind, text)),
  mayGive(column, value) {
    if (column.type === 'float') return isSingle(Number(value))
    if (column.kind !== 'number') return hasLetters(column, `${value}`)
    const isWhole = column.number.precision === 'whole'
    return isWhole ? Number.isInteger(Number(value)) : Number.isFinite(Number(value))
  },
  failureOf: faultOf,
}

// mysql2 parses doubles itself and sometimes misses the last bit. Some options make it round other
// numbers.
const wide: ReadonlySet<string> = new Set(['double', 'bigint', 'decimal'])

const readText = ({ name, type }: Column): Sql =>
  type === 'double' ? textOfDouble(sql.id(name)) : sql`cast(${sql.id(name)} as char)`

// In groups, MariaDB cuts a text without a length after 22 characters: -1.7976931348623157e308 has
// one more, and -0.0000000000000010000000036274937 a dozen.
function textOfDouble(value: Sql): Sql {
  return sql`cast(${value} as char(64))`
}

// mysql2 parses JSON itself: a longtext in MariaDB, and `json` in MySQL.
const readUtf8 = ({ name }: Column): Sql => sql`convert(${sql.id(name)} using utf8mb4)`

const asText: SqlForm = { read: readText }

const numbers: SqlForm = {
  read(column) {
    const value = sql.id(column.name)
    if (column.type === 'bit') return sql`cast(${value} + 0 as char)`
    // A cast to text keeps only 6 digits.
    if (column.type === 'float') return textOfDouble(sql`cast(${value} as double)`)
    return wide.has(column.type) ? readText(column) : value
  },
  // MySQL takes the digits of a text for bytes.
  write: ({ type }, value) => (type === 'bit' ? sql`cast(${value} as unsigned)` : value),
}

const formsOf: FormsByKind = {
  text: {
    read: (column) => (column.type === 'longtext' ? readUtf8(column) : sql.id(column.name)),
  },
  number: numbers,
  boolean: numbers,
  digits: { read: digitsIn },
  json: { read: readUtf8 },
  date: { read: ({ name }) => sql`date_format(${sql.id(name)}, '%Y-%m-%d')` },
  timestamp: {
    read: (column) =>
      sql`date_format(${inUtc(column, sql.id(column.name))}, '%Y-%m-%dT%H:%i:%s.%fZ')`,
    // The zero date has no time zone.
    write: ({ type }, value) =>
      type === 'timestamp'
        ? sql`if(${value} like '0000%', ${value},
          convert_tz(${value}, '+00:00', @@session.time_zone))`
        : value,
  },
  binary: {
    read: ({ name }) => sql`hex(${sql.id(name)})`,
    write: (_, value) => sql`unhex(${value})`,
  },
  list: { read: setText },
  time: asText,
  enum: asText,
  other: asText,
}

// A cast of a "float" without a scale keeps only 6 digits, and ZEROFILL adds zeros.
function digitsIn(column: Column): Sql {
  const { name, type, declared = '' } = column
  const value = sql.id(name)
  if (type === 'float' && scaleOf(column) === undefined)
    return textOfDouble(sql`cast(${value} as double)`)
  const number = declared.includes('zerofill') ? sql`${value} + 0` : value
  return type === 'double' ? textOfDouble(number) : sql`cast(${number} as char)`
}

// MySQL compares a FLOAT with 64 bits, and a decimal with a number with an exponent too.
function toNumber(type: string, value: number): unknown {
  if (type === 'decimal') return `${value}`
  return type === 'float' ? Math.fround(value) : value
}

function isSingle(number: number): boolean {
  return Number.isFinite(Math.fround(number))
}

function hasLetters(column: Column, text: string): boolean {
  return !('lacks' in column && column.lacks?.test(text))
}

function canHold(column: Column, value: unknown): boolean {
  const { type, kind } = column
  if (kind === 'digits') return digitsFor(column, `${value}`) !== undefined
  if (kind === 'binary') return true
  if (type === 'float') return isSingle(Number(value))
  // A year of two digits means another year.
  if (type === 'year') return value === 0 || canHoldYear(Number(value))
  if (kind === 'list') return isInOrder(value, column.element)
  if (typeof value !== 'string') return true
  if (kind === 'enum') return column.allowed.includes(value)
  if (!hasLetters(column, value)) return false
  const length = lengthOf(column)
  // MySQL drops spaces at the end silently: those of a "char", and those beyond the length.
  if (!value.endsWith(' '))
    return type.endsWith('text') || length === undefined || isWithin(value, length)
  if (length === undefined || type === 'char') return type !== 'char'
  return type === 'varchar'
    ? isWithin(value, length)
    : new TextEncoder().encode(value).length <= length
}

// MariaDB writes 17 digits with a point where the last is a fraction: 1391816369654615.2
function floatForm(stored: number) {
  return { plain: [-15, Number.isInteger(stored) ? 15 : 16], exponent: String } as const
}

function digitsFor(column: Column, text: string): string | undefined {
  const { type } = column
  const scale = scaleOf(column)
  // MySQL takes a year of two digits for another year.
  if (type === 'year')
    return text === '0000' || (wholeNumber.test(text) && canHoldYear(Number(text)))
      ? text
      : undefined
  if (type !== 'double' && type !== 'float') return exactDigits(column, text)
  const stored = type === 'float' ? Math.fround(Number(text)) : Number(text)
  if (!Number.isFinite(stored)) return undefined
  if (scale === undefined) return floatDigits(text, `${stored}`, floatForm(stored))
  const held = scaled(text, scale)
  return held === stored.toFixed(scale) ? held : undefined
}

function canHoldYear(year: number): boolean {
  return year > 1900 && year < 2156
}

function exact(column: Column): Sql {
  if (column.kind === 'digits') return sql`cast(${mysql.readable(column)} as binary)`
  return sql`cast(convert(${sql.id(column.name)} using utf8mb4) as binary)`
}

function inUtc(column: Column, value: Sql): Sql {
  return column.type === 'timestamp'
    ? sql`coalesce(convert_tz(${value}, @@session.time_zone, '+00:00'), ${value})`
    : value
}

// A time may be a span of up to 838 hours in either direction.
function isTime(text: string): boolean {
  const [, hours] = /^-?(\d{2,3}):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/.exec(text) ?? []
  return Number(hours) < 839
}

// A date may lack its month or day, and have the year 0.
const zeroDay = /^(?:0000-(?:0\d|1[0-2])|\d{4}-00|\d{4}-(?:0\d|1[0-2])(?=-00))-(?:[0-2]\d|3[01])$/
const clockSyntax = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/

function isZeroDay(kind: ColumnKind, text: string): boolean {
  const [, day = '', clock] = /^([^T]+)(?:T(.+))?$/.exec(text) ?? []
  if (!zeroDay.test(day)) return false
  return kind === 'date' ? clock === undefined : clockSyntax.test(clock ?? '')
}

// Letters whose other case is several letters, which no collation maps.
const longer: readonly (readonly [letter: string, folded: string])[] = [
  ...'ßŉǰΐΰևẖẗẘẙẚẞὐὒὔὖᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯ',
  ...'ᾲᾳᾴᾶᾷᾼῂῃῄῆῇῌῒΐῖῗῢΰῤῦῧῲῳῴῶῷῼﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ',
].map((letter) => [letter, foldCase(letter)])

function folded(text: Sql, folding = 'utf8mb4_unicode_520_ci'): Sql {
  // `İ` is the only letter with a longer lower case.
  const lower = sql`lower(replace(${text}, 'İ', 'i̇') collate ${sql.raw(folding)})`
  return sql`upper(${lower}) collate utf8mb4_bin`
}

function expanded(text: Sql, letters: string): Sql {
  return [...letters].reduce<Sql>(
    (inner, letter) => sql`replace(${inner}, ${sql.lit(letter)}, ${sql.lit(foldCase(letter))})`,
    text,
  )
}

// MySQL does not accept RFC 3339. It needs a space for the T, UTC, and microseconds.
function toTimestamp(text: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) return text.replace('T', ' ').replace('Z', '')
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? []
  const digits = fraction.slice(0, 6).padEnd(1, '0')
  return `${time.toISOString().slice(0, 19).replace('T', ' ')}.${digits}`
}

const failures = byWord<DatabaseFailure['kind']>({
  unique: '1022 1062 1169 1586',
  reference: '1216 1217 1451 1452 1761 1762',
  required: '1048 1263 1364 1566',
  value: '1264 1265 1292 1366 1367 1406 1411 3140 3819 4025 1690 1369 1300 3854 1153 1644',
  retry: '1205 1213 3572 1020',
  timeout: '1317 1969 3024',
  changed: '1054 1146 1356',
  denied: '1142 1143 1370',
  unsupported: '1288 1348 1393 1394 1395 1471',
  unavailable:
    '1040 1041 1037 1038 1042 1047 1053 1077 1079 1152 1158 1159 1160 1161 1021 1114 1129 1184 ' +
    '1203 1226 1290 1836 1792 1927 2002 2003 2006 2013 4031',
})

function faultOf(error: object): DatabaseFailure | undefined {
  const { errno, sqlMessage } = Object(error)
  const kind = failures[errno]
  if (kind === undefined) return undefined
  const message = String(sqlMessage)
  const [, key] = /for key '(?:[^']*\.)?([^'.]+)'/.exec(message) ?? []
  const isReferred = kind === 'reference' ? errno !== 1216 && errno !== 1452 : undefined
  return { kind, columns: columnsIn(message), key, isReferred }
}

function columnsIn(message: string): readonly string[] {
  const [, keys] = /FOREIGN KEY \(([^()]+)\)/.exec(message) ?? []
  if (keys !== undefined) return keys.split(', ').map((name) => name.replaceAll('`', ''))
  const [, column] = /(?:column|field) [`']?(?:[^`'. ]+`?\.`?)*([^`'. ]+)[`']/i.exec(message) ?? []
  return column === undefined ? [] : [column]
}

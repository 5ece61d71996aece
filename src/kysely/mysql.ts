import { sql } from 'kysely'
import { foldCase } from '../model/search.ts'
import { type Column, type Engine, type Fault, isHindrance, type Sql } from './engine.ts'
import { isWithin } from './length.ts'
import { describe } from './mysql-table.ts'

/**
 * MySQL and MariaDB. Texts are ordered and compared by code point whatever the collation of the column; an index
 * serves that where the collation is binary and pads nothing: `utf8mb4_nopad_bin` (MariaDB), `utf8mb4_0900_bin` (MySQL).
 *
 * @see https://mariadb.com/kb/en/supported-character-sets-and-collations/
 */
export const mysql: Engine = {
  isEmbedded: false,
  comparesRows: false,
  findsRanges: true,
  locking: sql`for update`,
  unset: sql`default`,
  describe,
  begin: sql`begin`,
  readable(column) {
    const value = sql.id(column.name)
    if (column.family === 'date') return sql`date_format(${value}, '%Y-%m-%d')`
    if (column.family === 'timestamp')
      return sql`date_format(${inUtc(column, value)}, '%Y-%m-%dT%H:%i:%s.%fZ')`
    if (column.type === 'bit') return sql`${value} + 0`
    // mysql2 reads JSON by itself: of MariaDB, which calls it a longtext, and of MySQL.
    if (column.family === 'json' || column.type === 'longtext')
      return sql`convert(${value} using utf8mb4)`
    // mysql2 reads the digits of a double by itself, and misses its last bit at times.
    return column.family === 'other' ||
      column.family === 'time' ||
      column.type === 'double' ||
      column.type === 'bigint'
      ? sql`cast(${value} as char)`
      : value
  },
  writable: (column, value) =>
    column.type === 'timestamp' ? sql`convert_tz(${value}, '+00:00', @@session.time_zone)` : value,
  ordered: (column) => (column.ordersExactly ? sql.id(column.name) : exact(column)),
  exact,
  sorted(ordered, direction, isNullable) {
    if (direction === 'asc') return isNullable ? sql`${ordered} is null, ${ordered}` : ordered
    return isNullable ? sql`${ordered} is null desc, ${ordered} desc` : sql`${ordered} desc`
  },
  // The case of ASCII is all there is in most texts; what else there is takes the long way.
  contains(column, { pattern, letters }, folding) {
    const text = sql`convert(${sql.id(column.name)} using utf8mb4) collate utf8mb4_bin`
    // Such a column holds that already.
    const short = column.ordersExactly ? sql.id(column.name) : text
    const like = sql`like ${pattern} escape '!'`
    const isFound = sql`${folded(text, folding)} ${like}`
    const hasLetters = sql`${text} rlike ${sql.lit(`[${letters}]`)}`
    const isFoundWide =
      letters === ''
        ? isFound
        : sql`${isFound} or ${hasLetters} and ${folded(expanded(text, letters), folding)} ${like}`
    return sql`if(length(${short}) <> char_length(${short}), ${isFoundWide}, upper(${short}) ${like})`
  },
  fold: foldCase,
  lettersFor: (word) =>
    longer
      .filter(([, folded]) => [...folded].some((part) => word.includes(part)))
      .map(([letter]) => letter)
      .join(''),
  encode: (column, value) =>
    column.family === 'timestamp' && typeof value === 'string' ? toTimestamp(value) : value,
  canHold,
  mayGive({ family, isWhole, lacks }, value) {
    if (family === 'time') return isTime(`${value}`)
    if (family === 'number')
      return isWhole ? Number.isInteger(Number(value)) : Number.isFinite(Number(value))
    return !lacks?.test(`${value}`)
  },
  faultOf,
}

function canHold({ type, length, allowed, lacks }: Column, value: unknown): boolean {
  // One of two digits means another.
  if (type === 'year') return value === 0 || (Number(value) > 1900 && Number(value) < 2156)
  if (typeof value !== 'string') return true
  if (allowed !== undefined) return allowed.includes(value)
  if (lacks?.test(value)) return false
  // Spaces at the end are dropped without an error: those of a "char", and those beyond the length.
  if (!value.endsWith(' '))
    return type.endsWith('text') || length === undefined || isWithin(value, length)
  if (length === undefined || type === 'char') return type !== 'char'
  return type === 'varchar'
    ? isWithin(value, length)
    : new TextEncoder().encode(value).length <= length
}

function exact(column: Column): Sql {
  if (column.family === 'number') return sql`cast(${sql.id(column.name)} as double)`
  return sql`cast(convert(${sql.id(column.name)} using utf8mb4) as binary)`
}

function inUtc(column: Column, value: Sql): Sql {
  return column.type === 'timestamp'
    ? sql`convert_tz(${value}, @@session.time_zone, '+00:00')`
    : value
}

// A time may be a span: up to 838 hours, to either side.
function isTime(text: string): boolean {
  const [, hours] = /^-?(\d{2,3}):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/.exec(text) ?? []
  return Number(hours) < 839
}

// Letters whose other case is several letters, which no collation knows.
const longer: readonly (readonly [letter: string, folded: string])[] = [
  ...'ßŉǰΐΰևẖẗẘẙẚẞὐὒὔὖᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯ',
  ...'ᾲᾳᾴᾶᾷᾼῂῃῄῆῇῌῒΐῖῗῢΰῤῦῧῲῳῴῶῷῼﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ',
].map((letter) => [letter, foldCase(letter)])

function folded(text: Sql, folding = 'utf8mb4_unicode_520_ci'): Sql {
  // The one lower case that is longer is put in its place by hand.
  const lower = sql`lower(replace(${text}, 'İ', 'i̇') collate ${sql.raw(folding)})`
  return sql`upper(${lower}) collate utf8mb4_bin`
}

function expanded(text: Sql, letters: string): Sql {
  return [...letters].reduce<Sql>(
    (inner, letter) => sql`replace(${inner}, ${sql.lit(letter)}, ${sql.lit(foldCase(letter))})`,
    text,
  )
}

// MySQL takes no RFC 3339: a space for the T, the offset worked in, to the microsecond.
function toTimestamp(text: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) return text
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? []
  return `${time.toISOString().slice(0, 19).replace('T', ' ')}.${fraction.slice(0, 6).padEnd(1, '0')}`
}

const faults: readonly (readonly [numbers: readonly number[], kind: Fault['kind']])[] = [
  [[1022, 1062, 1169, 1586], 'unique'],
  [[1216, 1217, 1451, 1452, 1761, 1762], 'reference'],
  [[1048, 1263, 1364, 1566], 'required'],
  [
    [1264, 1265, 1292, 1366, 1367, 1406, 1411, 3140, 3819, 4025, 1690, 1300, 3854, 1153, 1644],
    'value',
  ],
  [[1205, 1213, 3572, 1020], 'again'],
  [[1317, 1969, 3024], 'late'],
  [
    [
      1040, 1041, 1037, 1038, 1042, 1047, 1053, 1077, 1079, 1152, 1158, 1159, 1160, 1161, 1021,
      1114, 1129, 1184, 1203, 1226, 1290, 1836, 1792, 1927, 2002, 2003, 2006, 2013, 4031,
    ],
    'away',
  ],
]

function faultOf(error: object): Fault | undefined {
  const { errno, sqlMessage } = Object(error)
  const kind = faults.find(([numbers]) => numbers.includes(errno))?.[1]
  if (kind === undefined || isHindrance(kind)) return kind && { kind }
  const message = String(sqlMessage)
  const [, key] = /for key '(?:[^']*\.)?([^'.]+)'/.exec(message) ?? []
  // 1451 says that others refer to what is written, 1452 that it refers to nothing.
  const [, table] = /fails \(`[^`]*`\.`([^`]*)`/.exec(message) ?? []
  return { kind, columns: columnsIn(message), key, table }
}

function columnsIn(message: string): readonly string[] {
  const [, keys] = /FOREIGN KEY \(([^()]+)\)/.exec(message) ?? []
  if (keys !== undefined) return keys.split(', ').map((name) => name.replaceAll('`', ''))
  const [, column] = /(?:column|field) [`']?(?:[^`'. ]+`?\.`?)*([^`'. ]+)[`']/i.exec(message) ?? []
  return column === undefined ? [] : [column]
}

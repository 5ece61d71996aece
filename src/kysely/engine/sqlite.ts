import { sql } from 'kysely'
import { foldCase } from '../../contract/values/order.ts'
import { digitsOf } from '../../convention/decimal.ts'
import { type DeclaringEngine, textTypes, type Words } from './declarations.ts'
import { type FloatForm, floatDigits, scaled, wholeNumber } from './digits.ts'
import { type Column, type DatabaseFailure, type Sql, scaleOf, type TextPlace } from './engine.ts'
import { listsOfSqlite } from './list-text.ts'
import { memberInSqlite } from './member-text.ts'
import { momentKeyInSqlite } from './moment-text.ts'
import {
  describeSqliteTable,
  foldFunction,
  isClockText,
  surroundSqliteTable,
} from './sqlite-table.ts'

/**
 * SQLite behind a service, or through any driver. Its types are only hints. It folds the case of
 * ASCII only, unless it has {@link foldFunction}.
 *
 * @see https://www.sqlite.org/datatype3.html
 */
export const sqlite: DeclaringEngine = {
  name: 'SQLite',
  speaks: ({ comparison }) => comparison === '"a" = ?',
  foldsNames: true,
  maxParameters: 30_000,
  maxListed: 1000,
  // SQLite uses no index for a row comparison with an explicit collation.
  comparesRows: false,
  locking: sql``,
  unset: sql`null`,
  rowColumn: (index) => sql.id('=rows', `column${index + 1}`),
  describe: describeSqliteTable,
  surround: surroundSqliteTable,
  words: (_, { isStrict }) => (isStrict ? wordsOfStrict : sqliteWords),
  isOddText: (text, most) => sql`(length(${text}) > ${sql.lit(most)}
    or instr(cast(${text} as blob), x'00') > 0 or ${text} glob
      '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*')`,
  readable(column) {
    const value = sql.id(column.name)
    // `hex(null)` is an empty text.
    if (column.kind === 'binary') return sql`iif(${value} is null, null, hex(${value}))`
    if (column.loose?.isClock) return momentIn(column)
    return column.kind === 'digits' ? digitsIn(column) : value
  },
  writable: ({ kind }, value) => (kind === 'binary' ? sql`unhex(${value})` : value),
  ordered: exact,
  exact,
  double: ({ name }) => sql`cast(${sql.id(name)} as real)`,
  listed: (list, make) => sql`select ${make(sql`value`)} from json_each(${list})`,
  lists: listsOfSqlite,
  member: memberInSqlite,
  momentKey: (column) =>
    momentKeyInSqlite(column.loose?.isClock ? momentIn(column) : sql.id(column.name)),
  sorted(ordered, direction, isNullable) {
    if (direction === 'asc') return isNullable ? sql`${ordered} asc nulls last` : ordered
    return isNullable ? sql`${ordered} desc nulls first` : sql`${ordered} desc`
  },
  // LIKE ignores the case of ASCII, and most texts have nothing else.
  contains(column, { word, pattern, letters, place }, folding) {
    const text = textIn(column)
    const isFound = sql`${text} like ${pattern} escape '!'`
    if (folding === undefined) {
      return letters === ''
        ? isFound
        : sql`${isFound} and ${hasAt(place, sql`lower(${text})`, sql`lower(${word})`)}`
    }
    const isWide = sql`length(cast(${text} as blob)) <> length(${text})`
    const folded = sql`nounful_fold(${text})`
    // A text with one of these letters is wide.
    if (letters !== '') return sql`${isWide} and ${hasAt(place, folded, word)}`
    return sql`(${isFound} or ${isWide} and ${folded} like ${pattern} escape '!')`
  },
  // Without the function, a letter beyond ASCII matches only itself.
  fold: (word, folding) => (folding === undefined ? word : foldCase(word)),
  lettersFor: (word) => (mixedUp.test(word) ? '\ufffd' : ''),
  encode: (_, value) => (typeof value === 'boolean' ? Number(value) : value),
  canHold(column, value) {
    if (typeof value !== 'string') return true
    if (column.kind === 'digits') return looseDigits(column, value) !== undefined
    return column.loose?.affinity === 'none' || !numeric.test(value)
  },
  digits: looseDigits,
  // SQLite accepts any text.
  hasOwnForm: () => false,
  // SQLite compares any two values and never confuses them.
  mayGive: () => true,
  failureOf: faultOf,
}

// LIKE takes the last two characters of the first plane for U+FFFD, the replacement character.
const mixedUp = /[\ufffd-\uffff]/

const numeric = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

// Finds a word that LIKE would confuse with other words.
function hasAt(place: TextPlace, text: Sql, word: Sql): Sql {
  if (place === 'anywhere') return sql`instr(${text}, ${word})`
  const range = place === 'start' ? sql`1, length(${word})` : sql`-length(${word}), length(${word})`
  return sql`substr(${text}, ${range}) = ${word}`
}

// The form that the adapter stores.
function momentIn({ name }: Column): Sql {
  const value = sql.id(name)
  return sql`case when ${isClockText(value)}
    then substr(${value}, 1, 10) || 'T' || substr(${value}, 12, 8) || '.'
      || substr(${value}, 21) || substr('000', length(substr(${value}, 21)) + 1) || 'Z'
    else ${value} end`
}

// The text of the field.
function textIn(column: Column): Sql {
  if (column.loose?.isClock) return sql`(${momentIn(column)})`
  return column.kind === 'digits' ? sql`(${digitsIn(column)})` : sql.id(column.name)
}

function exact(column: Column): Sql {
  if (column.kind === 'digits') return sql`(${digitsIn(column)}) collate binary`
  if (column.loose?.isClock) return sql`(${momentIn(column)}) collate binary`
  const text = sql.id(column.name)
  return column.kind === 'text' ? sql`${text} collate binary` : text
}

// SQLITE_CONSTRAINT_TRIGGER: a trigger rejects the write with its own message.
const raised = 1811

// By messages, which every driver keeps. Codes have many names.
const failures: readonly (readonly [message: RegExp, failure: DatabaseFailure['kind']])[] = [
  [/UNIQUE constraint failed|PRIMARY KEY constraint failed/, 'unique'],
  [/FOREIGN KEY constraint failed/, 'reference'],
  [/NOT NULL constraint failed/, 'required'],
  [/CHECK constraint failed|datatype mismatch|cannot store|string or blob too big/, 'value'],
  [/database (?:table |schema )?is locked|SQLITE_BUSY|SQLITE_LOCKED/, 'locked'],
  [/no such (?:table|column)|has no column named|because it is a view/, 'changed'],
  [/is full|readonly database|unable to open|disk I\/O error/, 'unavailable'],
]

function faultOf(error: object): DatabaseFailure | undefined {
  const message = String(Reflect.get(error, 'message'))
  const isRaised = Reflect.get(error, 'errcode') === raised
  const kind = isRaised ? 'value' : failures.find(([words]) => words.test(message))?.[1]
  if (kind === undefined) return undefined
  const [, names = ''] = /(?:UNIQUE|NOT NULL) constraint failed: ([^(:]+)/.exec(message) ?? []
  const columns = names.split(', ').map((name) => name.trim().replace(/^.*\./, ''))
  return { kind, columns: columns.filter((name) => name !== '') }
}

// A double holds all numbers of so many digits, and SQLite writes them without an exponent.
const mostDigits = 15
const bound = 10 ** mostDigits

/** Returns the text of a number in a column of digits, with the scale of its type. */
function digitsIn(column: Column): Sql {
  const value = sql.id(column.name)
  const scale = scaleOf(column) ?? 0
  const isInteger = sql`typeof(${value}) = 'integer'`
  const isPlain = sql`typeof(${value}) = 'real' and abs(${value}) < ${sql.lit(bound)}`
  const rounded = sql`cast(${value} as integer)`
  const short = sql`printf('%!.15g', ${value})`
  const fixed = sql`printf(${sql.lit(`%.${scale}f`)}, ${value})`
  const withScale =
    scale > 0
      ? sql`when ${isInteger} then ${value} || ${sql.lit(`.${'0'.repeat(scale)}`)}
          when ${isPlain} and cast(${fixed} as real) = ${value} then ${fixed}`
      : sql``
  return sql`case ${withScale}
    when typeof(${value}) = 'blob' then 'X''' || hex(${value}) || ''''
    when typeof(${value}) <> 'real' then cast(${value} as text)
    when ${isPlain} and ${rounded} = ${value} then cast(${rounded} as text)
    when cast(${short} as real) = ${value} then ${short} else printf('%!.17g', ${value}) end`
}

const form: FloatForm = {
  plain: [-4, mostDigits],
  exponent: (power) => `${power < 0 ? '-' : '+'}${`${Math.abs(power)}`.padStart(2, '0')}`,
  point: '.0',
}

/**
 * Returns a text as {@link digitsIn} returns it from a column that stores it as a number, and
 * `undefined` for another text.
 */
function looseDigits(column: Column, text: string): string | undefined {
  const { type, loose } = column
  const scale = scaleOf(column)
  const isInteger = wholeNumber.test(text)
  // SQLite keeps whole numbers of 64 bits, and the first 15 digits of other numbers.
  const isHeld = isInteger && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
  if (/int/i.test(type)) return isHeld ? text : undefined
  const number = Number(text)
  // A column of doubles stores whole numbers as doubles.
  const isNumeric = loose?.affinity !== 'real'
  if (isHeld && isNumeric) return scale === undefined ? text : scaled(text, scale)
  if (digitsOf(text).length > mostDigits) return undefined
  if (scale !== undefined) return Math.abs(number) < bound ? scaled(text, scale) : undefined
  // SQLite stores it as a whole number.
  if (isNumeric && Number.isInteger(number) && Math.abs(number) < 2 ** 63) return undefined
  const isSubnormal = number !== 0 && Math.abs(number) < leastNormal
  return isSubnormal ? undefined : floatDigits(text, `${number}`, form)
}

// Lesser doubles have fewer digits than SQLite writes.
const leastNormal = 1e-290

/** The words of SQLite in statements that declare columns. */
export const sqliteWords: Words = {
  types: textTypes,
  counted: 'integer',
  collated: ' collate binary',
  collatedIndex: ' collate binary',
  quote: '"',
  hasSchemas: false,
  quotesDefaults: true,
  foldSuffix: "not null default ''",
  fold: (text, folding) => (folding ? `${folding}(${text})` : `upper(${text})`),
  isOther: (a, b) => `${a} is not ${b}`,
  indexes: { isPartial: true, collatesOwners: true, isQualified: true, sorted: 'by' },
}

// It knows few types.
const wordsOfStrict: Words = {
  ...sqliteWords,
  types: { ...textTypes, boolean: 'integer', json: 'text' },
}

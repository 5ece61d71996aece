import { sql } from 'kysely'
import { foldCase } from '../model/search.ts'
import { holdsDigits } from './digits.ts'
import type { Column, Engine, Sql } from './engine.ts'
import { type DatabaseFailure, isOperational } from './failure.ts'
import { describeSqliteTable, foldFunction, isClockText } from './sqlite-table.ts'

/**
 * SQLite behind a service, or through any driver. Its own words for types are only hints, and it folds the case of
 * ASCII only, unless it was taught {@link foldFunction}.
 *
 * @see https://www.sqlite.org/datatype3.html
 */
export const sqlite: Engine = {
  // Not where a collation is named, as it is here for texts.
  comparesRows: false,
  findsRanges: false,
  locking: sql``,
  unset: sql`null`,
  describe: describeSqliteTable,
  readable(column) {
    const value = sql.id(column.name)
    // The digits of nothing are an empty text.
    if (column.family === 'binary') return sql`iif(${value} is null, null, hex(${value}))`
    if (column.isClock) return momentIn(column)
    return column.family === 'digits' ? digitsIn(column) : value
  },
  writable: ({ family }, value) => (family === 'binary' ? sql`unhex(${value})` : value),
  ordered: exact,
  exact,
  sorted(ordered, direction, isNullable) {
    if (direction === 'asc') return isNullable ? sql`${ordered} asc nulls last` : ordered
    return isNullable ? sql`${ordered} desc nulls first` : sql`${ordered} desc`
  },
  // LIKE ignores the case of ASCII, which is all there is in most texts.
  contains(column, { word, pattern, letters }, folding) {
    const text = sql.id(column.name)
    const isFound = sql`${text} like ${pattern} escape '!'`
    if (folding === undefined) {
      return letters === '' ? isFound : sql`${isFound} and instr(lower(${text}), lower(${word}))`
    }
    const isWide = sql`length(cast(${text} as blob)) <> length(${text})`
    const folded = sql`nounful_fold(${text})`
    // A text with one of them is wide.
    if (letters !== '') return sql`${isWide} and instr(${folded}, ${word})`
    return sql`(${isFound} or ${isWide} and ${folded} like ${pattern} escape '!')`
  },
  // Untaught, it takes a letter beyond ASCII for itself only.
  fold: (word, folding) => (folding === undefined ? word : foldCase(word)),
  lettersFor: (word) => (mixedUp.test(word) ? '\ufffd' : ''),
  encode: (_, value) => (typeof value === 'boolean' ? Number(value) : value),
  canHold(column, value) {
    if (typeof value !== 'string') return true
    if (column.family === 'digits') return holdsDigits(column, value)
    return column.isNumeric !== true || !numeric.test(value)
  },
  // It takes any text.
  hasOwnForm: () => false,
  // It compares any two values, and takes none for another.
  mayGive: () => true,
  failureOf: faultOf,
}

/** SQLite in this process. */
export const embedded: Engine = {
  ...sqlite,
  isEmbedded: true,
  // Writers wait at the start: a transaction that has read before it writes fails when another has written meanwhile.
  begin: sql`begin immediate`,
}

// LIKE takes the last two characters of the first plane for U+FFFD, which stands for what is none.
const mixedUp = /[\ufffd-\uffff]/

const numeric = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

// The fewest digits that are this double.
function digitsIn({ name }: Column): Sql {
  const value = sql.id(name)
  const short = sql`printf('%!.15g', ${value})`
  return sql`case when typeof(${value}) <> 'real' then cast(${value} as text)
    when cast(${short} as real) = ${value} then ${short} else printf('%!.17g', ${value}) end`
}

// To the form of RFC 3339, in UTC.
function momentIn({ name }: Column): Sql {
  const value = sql.id(name)
  return sql`case when ${isClockText(value)}
    then substr(${value}, 1, 10) || 'T' || substr(${value}, 12) || 'Z' else ${value} end`
}

function exact(column: Column): Sql {
  if (column.family === 'digits') return sql`(${digitsIn(column)}) collate binary`
  if (column.isClock) return sql`(${momentIn(column)}) collate binary`
  const text = sql.id(column.name)
  return column.family === 'text' ? sql`${text} collate binary` : text
}

// SQLITE_CONSTRAINT_TRIGGER: what a trigger refuses, in words of its own.
const raised = 1811

// By their messages, which every driver hands on, while codes come under many names.
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
  if (kind === undefined || isOperational(kind)) return kind && { kind }
  const [, names = ''] = /(?:UNIQUE|NOT NULL) constraint failed: ([^(:]+)/.exec(message) ?? []
  const columns = names.split(', ').map((name) => name.trim().replace(/^.*\./, ''))
  return { kind, columns: columns.filter((name) => name !== '') }
}

import { sql } from 'kysely'
import { foldCase } from '../model/search.ts'
import {
  type Column,
  type Engine,
  type Family,
  type Fault,
  isHindrance,
  type Reference,
  type Session,
} from './engine.ts'

/** The function that SQLite is taught to fold case with, since its own knows ASCII only. */
export const foldFunction = 'nounful_fold'

/**
 * SQLite, in this process or behind a service. Its own words for types are only hints, and it folds the case of
 * ASCII only, unless it was taught {@link foldFunction}.
 *
 * @see https://www.sqlite.org/datatype3.html
 */
export const sqlite: Engine = {
  isEmbedded: true,
  // Not where a collation is named, as it is here for texts.
  comparesRows: false,
  findsRanges: false,
  locking: sql``,
  unset: sql`null`,
  async describe(database, table) {
    const [name, schema = 'main'] = table.split('.').reverse()
    const { rows } = await sql<DescribedColumn>`
      select name, type, "notnull", dflt_value, pk, hidden
      from pragma_table_xinfo(${name}, ${schema})`.execute(database)
    if (rows.length === 0) return undefined
    const isSingleKey = rows.filter(({ pk }) => pk > 0).length === 1
    const isTaught = await knowsFold(database)
    // A key that names no column means that of the other table, which is called so here as everywhere.
    const { rows: references } = await sql<Reference>`
      select "from" as column, "table" as "table", coalesce("to", 'id') as key
      from pragma_foreign_key_list(${name}, ${schema})`.execute(database)
    return {
      columns: rows.map((row) => toColumn(row, isSingleKey)),
      keys: new Map(),
      references,
      longSort: { start: sql``, hint: sql`` },
      returns: { insert: true, update: true, delete: true },
      folding: isTaught ? foldFunction : undefined,
    }
  },
  // Writers wait at the start: a transaction that has read before it writes fails when another has written meanwhile.
  begin: sql`begin immediate`,
  readable: (column) => sql.id(column.name),
  writable: (_, value) => value,
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
  // What looks like a number would become one, in a column that is none of texts by its name.
  canHold: ({ family, type }, value) =>
    family !== 'text' || /CHAR|CLOB|TEXT/i.test(type) || !numeric.test(String(value)),
  faultOf,
}

// LIKE takes the last two characters of the first plane for U+FFFD, which stands for what is none.
const mixedUp = /[\ufffd-\uffff]/

const numeric = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

// Cloudflare's D1 does not tell its functions to anybody, and has none but its own.
async function knowsFold(database: Session): Promise<boolean> {
  try {
    const { rows } =
      await sql`select 1 from pragma_function_list where name = ${foldFunction}`.execute(database)
    return rows.length > 0
  } catch (error) {
    if (String(error).includes('not authorized')) return false
    throw error
  }
}

function exact(column: Column) {
  const text = sql.id(column.name)
  return column.family === 'text' ? sql`${text} collate binary` : text
}

interface DescribedColumn {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
  readonly hidden: number
}

function toColumn(column: DescribedColumn, isSingleKey: boolean): Column {
  const { name, type, notnull, dflt_value, pk, hidden } = column
  const family = familyOf(type.toUpperCase())
  return {
    name,
    type,
    family,
    isNullable: notnull === 0 && pk === 0,
    // The one kind of key that SQLite counts up by itself.
    isGenerated: dflt_value !== null || (isSingleKey && pk > 0 && /^integer$/i.test(type)),
    isComputed: hidden > 1,
    whenMissing: notnull && dflt_value !== null ? sql.raw(`(${dflt_value})`) : undefined,
    isWhole: false,
    // Whole numbers are stored as such, but for columns of doubles, and cannot all be read again.
    most: /REAL|FLOA|DOUB/i.test(type) ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER,
    equalsExactly: family !== 'text',
    ordersExactly: false,
    isLong: false,
  }
}

// The rules by which SQLite itself reads a declared type, after the words it does not know but people write.
const families: readonly (readonly [words: RegExp, family: Family])[] = [
  [/^$|ANY/, 'any'],
  [/BLOB/, 'other'],
  [/BOOL/, 'boolean'],
  [/JSON/, 'json'],
  [/DATE|TIME|UUID/, 'text'],
  [/INT/, 'number'],
  [/CHAR|CLOB|TEXT/, 'text'],
]

function familyOf(type: string): Family {
  return families.find(([words]) => words.test(type))?.[1] ?? 'number'
}

// SQLITE_CONSTRAINT_TRIGGER: what a trigger refuses, in words of its own.
const raised = 1811

// By their messages, which every driver hands on, while codes come under many names.
const faults: readonly (readonly [message: RegExp, fault: Fault['kind']])[] = [
  [/UNIQUE constraint failed|PRIMARY KEY constraint failed/, 'unique'],
  [/FOREIGN KEY constraint failed/, 'reference'],
  [/NOT NULL constraint failed/, 'required'],
  [/CHECK constraint failed|datatype mismatch|cannot store|string or blob too big/, 'value'],
  [/database (?:table |schema )?is locked|SQLITE_BUSY|SQLITE_LOCKED/, 'again'],
  [/is full|readonly database|unable to open|disk I\/O error/, 'away'],
]

function faultOf(error: object): Fault | undefined {
  const message = String(Reflect.get(error, 'message'))
  const isRaised = Reflect.get(error, 'errcode') === raised
  const kind = isRaised ? 'value' : faults.find(([words]) => words.test(message))?.[1]
  if (kind === undefined || isHindrance(kind)) return kind && { kind }
  const [, names = ''] = /(?:UNIQUE|NOT NULL) constraint failed: ([^(:]+)/.exec(message) ?? []
  const columns = names.split(', ').map((name) => name.trim().replace(/^.*\./, ''))
  return { kind, columns: columns.filter((name) => name !== '') }
}

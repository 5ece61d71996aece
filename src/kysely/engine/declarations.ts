import { type RawBuilder, sql } from 'kysely'
import type { Awaitable } from '../../convention/awaitable.ts'
import type { FilterType } from '../../convention/filter-operators.ts'
import type { Column, Engine, IndexColumn, Session, Sql } from './engine.ts'

/** The type of a member, by its filter. */
export type MemberType = 'text' | 'number' | 'boolean'

/** A member of an object of JSON, for the conditions of a filter. */
export interface Member {
  /** A row to select from: its column `=value` has the value of the type. */
  readonly row: Sql
  /** The condition that the member has a value of the type. */
  readonly isTyped: Sql
  /** The condition that the member is text, a number or a boolean. Never unknown. */
  readonly isPresent: Sql
  /** As in {@link Column}. */
  readonly loose?: Column['loose']
}

/** An engine with the statements that declare and change its tables. */
export interface DeclaringEngine extends Engine {
  /** Returns a member of the object in a column; `undefined` for a column without JSON. */
  member(column: Column, name: string, type: MemberType): Member | undefined
  /**
   * Returns what statements that change a table have to respect.
   *
   * @param deletion The column that marks deleted rows.
   */
  surround(database: Session, table: string, deletion?: string): Promise<Surroundings>
  /** Returns the words of statements that declare columns of a table. */
  words(database: Session, surroundings: Surroundings): Awaitable<Words>
  /** Returns the statements that change columns. Default: the engine has none. */
  changes?(table: ChangedTable): ColumnChanges
}

/** What statements that change a table have to respect. */
export interface Surroundings {
  /** The columns of each index of all rows, or of those that are not deleted. */
  readonly indexes: readonly (readonly IndexColumn[])[]
  /** The names that a new index cannot have. */
  readonly names: readonly string[]
  /** The columns whose type views, foreign keys or other objects of the database need. */
  readonly fixed: ReadonlySet<string>
  /** The columns of the primary key. */
  readonly primary: ReadonlySet<string>
  /** The columns that each unique key has to have, since they divide the table. */
  readonly partition: readonly string[]
  /** The collations of columns, where a statement has to declare a column again. */
  readonly collations: ReadonlyMap<string, string>
  /** The bytes that a column takes of an index, where the engine counts them. */
  readonly bytes: ReadonlyMap<string, number>
  /** A table of SQLite that takes few types only. */
  readonly isStrict: boolean
  /** The table would be in a schema that does not exist. */
  readonly lacksSchema: boolean
}

/** The kinds of columns that a statement declares. A `key` is a text that an index can hold. */
export type DeclaredKind = FilterType | 'key' | 'json' | 'bytes'

/** The words of an engine in statements that declare columns and indexes. */
export interface Words {
  readonly types: Readonly<Record<DeclaredKind, string>>
  /** The type of an id that the database counts up. */
  readonly counted: string
  /** Follows the type of a text that sorts by code point. */
  readonly collated: string
  /** Follows a column of an index that sorts by code point. */
  readonly collatedIndex: string
  readonly quote: string
  /** A statement creates a schema. */
  readonly hasSchemas: boolean
  /** The catalogue writes the texts among defaults in quotes. */
  readonly quotesDefaults: boolean
  /** Follows the type of a fold that each row has. Rows without one get the empty text. */
  readonly foldSuffix: string
  readonly indexes: IndexWords
  /** Returns the fold of a text, as far as the engine knows it. */
  fold(text: string, folding: string | undefined): string
  /** Returns the condition that two values differ, or one of them is null. */
  isOther(a: string, b: string): string
}

/** The words of an engine in statements that make indexes. */
interface IndexWords {
  /** An index can hold only the rows that are not deleted. */
  readonly isPartial: boolean
  /** The columns that are compared for equality only need the collation too. */
  readonly collatesOwners: boolean
  /** The schema stands before the name of the index, not of its table. */
  readonly isQualified: boolean
  /** The word for a collation in the name of an index. */
  readonly sorted: 'sorted' | 'by'
  /** The most bytes of a row in an index. Default: the engine rejects no row. */
  readonly maxRowBytes?: number
}

/** A statement that fixes a table. */
export interface Fix {
  readonly statement: string
  /** What rows could hinder it. Default: nothing. */
  readonly obstacle?: Obstacle
}

/** Rows that hinder a statement. */
export interface Obstacle {
  /** Finds a row, or fails, where the statement would fail. */
  readonly probe: RawBuilder<unknown>
  readonly message: string
}

/** What earlier statements for a table make of its columns. */
export type Pending = Map<string, PendingColumn>

interface PendingColumn {
  readonly type?: string
  /** Sorts by code point. */
  readonly isCollated?: boolean
  readonly obstacle?: Obstacle | undefined
}

/** A table whose columns statements change. */
export interface ChangedTable {
  readonly table: string
  readonly words: Words
  /** In quotes. */
  readonly name: string
  readonly surroundings: Surroundings
  readonly pending: Pending
}

/** The statements that change a column. `undefined`: the engine would refuse it. */
export interface ColumnChanges {
  /** Changes the type of a column. */
  retype(column: Column, kind: DeclaredKind): Fix | undefined
  /** Changes a text of any length to one that an index holds. */
  shorten(column: Column): Fix | undefined
  /** Sorts a column of text by code point. */
  collate(column: Column): Fix | undefined
  /** Lets a column take no value, or requires one. */
  require(column: Column, isRequired: boolean): Fix | undefined
  dropDefault(column: Column): Fix | undefined
  /** Lets the database count up the numbers of a column. */
  count(column: Column): Fix | undefined
}

/** The types of a database that keeps dates as text. */
export const textTypes: Words['types'] = {
  key: 'text',
  text: 'text',
  number: 'real',
  integer: 'integer',
  boolean: 'boolean',
  date: 'text',
  time: 'text',
  'date-time': 'text',
  uuid: 'text',
  json: 'json',
  bytes: 'blob',
}

/** Returns a name in quotes. */
export function quoted({ quote }: Words, name: string): string {
  return quote + name.replaceAll(quote, quote + quote) + quote
}

/** Returns the name of a table in quotes, with its schema. */
export function quotedTable(words: Words, table: string): string {
  return table
    .split('.')
    .map((segment) => quoted(words, segment))
    .join('.')
}

/** Returns a type that sorts by code point, if it is one of text. */
export function collatedType({ collated }: Words, type: string): string {
  return `${type}${/^(?:\w*text|\w*char|enum)/.test(type) ? collated : ''}`
}

/** Returns the most characters of a column's texts. Default: any number. */
export function lengthOf(column: Column): number | undefined {
  return 'length' in column ? column.length : undefined
}

/** Returns the type of a column as a statement declares it. */
export function declaredType(column: Column): string {
  const { declared, type } = column
  const length = lengthOf(column)
  const isSized = length !== undefined && type.endsWith('char')
  return declared ?? `${type}${isSized ? `(${length})` : ''}`
}

/** The rows that `doctor` looks at. */
const mostRows = 1_000_000

/** The rows without a value in a column. */
export function emptyIn(table: string, column: string): Obstacle {
  return {
    probe: sql`select 1 from ${some(table)} where ${sql.id(column)} is null limit 1`,
    message: `Rows have no value in "${column}": give them one first.`,
  }
}

/** The rows that share the values of a key. */
export function twiceIn(table: string, columns: readonly string[]): Obstacle {
  const all = columns.map((column) => sql.id(column))
  const isWhole = sql.join(
    all.map((column) => sql`${column} is not null`),
    sql` and `,
  )
  return {
    probe: sql`select 1 from ${some(table)} where ${isWhole}
      group by ${sql.join(all)} having count(*) > 1 limit 1`,
    message: `Rows share the values of (${columns.join(', ')}): change them first.`,
  }
}

/** The rows that are too long for an index. */
export function longInIndex(
  table: string,
  columns: readonly Column[],
  maxBytes: number,
): Obstacle | undefined {
  const texts = columns.filter(
    (column) => column.kind === 'text' && (column.length ?? maxBytes) * 4 > maxBytes / 4,
  )
  if (texts.length === 0) return undefined
  const bytes = texts.map(({ name }) => sql`coalesce(octet_length(${sql.id(name)}), 0)`)
  return {
    probe: sql`select 1 from ${some(table)}
      where ${sql.join(bytes, sql` + `)} > ${sql.lit(maxBytes)} limit 1`,
    message: 'Rows are too long for an index: shorten them first.',
  }
}

/** The rows whose values do not convert. */
export function unlike(table: string, column: string, converted: string): Obstacle {
  const value = sql.raw(converted)
  return {
    probe: sql`select 1 from ${some(table)} having count(${value}) < 0`,
    message: `Rows have other values in "${column}": change them first.`,
  }
}

/** The rows with a value that meets a condition. */
export function meetingIn(table: string, column: string, condition: string): Obstacle {
  return {
    probe: sql`select 1 from ${some(table)} where ${sql.id(column)} ${sql.raw(condition)} limit 1`,
    message: `Rows have other values in "${column}": change them first.`,
  }
}

/** The first rows of a table. */
function some(table: string): RawBuilder<unknown> {
  return sql`(select * from ${sql.table(table)} limit ${sql.lit(mostRows)}) as ${sql.id('=some')}`
}

// PostgreSQL has the shortest names: 63 bytes.
const longest = 63

/** Returns the name of a new index, which no other of the schema has. */
export function indexName(parts: readonly string[], names: readonly string[]): string {
  const usedNames = new Set(names.map((name) => name.toLowerCase()))
  const [table = '', form = '', ...columns] = parts
  const fullName = `${table}_${form}_${columns.join('_')}`
  let name = cut(fullName, '')
  for (let next = 2; usedNames.has(name.toLowerCase()); next++) name = cut(fullName, `_${next}`)
  return name
}

// A long name ends with a number that its cut part makes.
function cut(name: string, end: string): string {
  if (bytesIn(name + end) <= longest) return name + end
  const tail = `_${hashOf(name)}${end}`
  let start = [...name].slice(0, longest)
  while (bytesIn(start.join('') + tail) > longest) start = start.slice(0, -1)
  return start.join('') + tail
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length
}

// FNV-1a.
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** Returns the nullability and default of a column. MariaDB has texts of defaults in quotes. */
export function columnSuffix({ isNullable, standard }: Column, { quotesDefaults }: Words): string {
  const isQuoted = standard === undefined || quotesDefaults || /^[('"]/.test(standard)
  const value = isQuoted ? standard : `'${standard.replaceAll("'", "''")}'`
  return `${isNullable ? '' : ' not null'}${value === undefined ? '' : ` default ${value}`}`
}

/** The surroundings of a table with nothing around it. */
export const noSurroundings: Surroundings = {
  indexes: [],
  names: [],
  fixed: new Set(),
  primary: new Set(),
  partition: [],
  collations: new Map(),
  bytes: new Map(),
  isStrict: false,
  lacksSchema: false,
}

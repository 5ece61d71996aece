import { type RawBuilder, sql } from 'kysely'
import type { Column, Obstacle, Words } from './engine.ts'

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

/** Returns a type that sorts by code point, if it is one of text. */
export function collatedType({ collated }: Words, type: string): string {
  return `${type}${/^(?:\w*text|\w*char|enum)/.test(type) ? collated : ''}`
}

/** Returns the type of a column as a statement declares it. */
export function declaredType({ declared, type, length }: Column): string {
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
    ({ family, length = maxBytes }) => family === 'text' && length * 4 > maxBytes / 4,
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

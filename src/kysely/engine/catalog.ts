import type { RawBuilder } from 'kysely'
import type { ForeignKey, IndexColumn, Session } from './engine.ts'

// In the order of the key. A `null` stands for an expression.
interface KeyPart {
  readonly key: string
  readonly column: string | null
}

// In the order of the key.
interface ReferencePart {
  readonly name: string | number
  readonly column: string
  /** The referenced table and column. */
  readonly schema: string
  readonly table: string
  readonly key: string
}

/** Returns the columns of unique keys by name. Leaves out keys over an expression. */
export async function readKeys(
  database: Session,
  statement: RawBuilder<KeyPart>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await statement.execute(database)
  const keys = new Map<string, readonly string[]>()
  for (const [key, parts] of groupedBy(rows, ({ key }) => key)) {
    const columns = parts.flatMap(({ column }) => column ?? [])
    if (columns.length === parts.length) keys.set(key, columns)
  }
  return keys
}

/** Returns the foreign keys of a table. */
export async function readForeignKeys(
  database: Session,
  statement: RawBuilder<ReferencePart>,
): Promise<readonly ForeignKey[]> {
  const { rows } = await statement.execute(database)
  return [...groupedBy(rows, ({ name }) => name).values()].map((parts) => ({
    columns: parts.map(({ column }) => column),
    table: parts.slice(0, 1).flatMap(({ schema, table }) => [schema, table]),
    keys: parts.map(({ key }) => key),
  }))
}

/** Tells whether a statement returns a row. */
export async function hasRows(database: Session, statement: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await statement.execute(database)
  return rows.length > 0
}

function groupedBy<Row, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): ReadonlyMap<Key, readonly Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? []
    group.push(row)
    groups.set(keyOf(row), group)
  }
  return groups
}

/** Inverts lists of words: `{ text: 'char varchar' }` → `{ char: 'text', varchar: 'text' }`. */
export function byWord<Key extends string>(
  lists: Readonly<Partial<Record<Key, string>>>,
): Readonly<Record<string, Key>> {
  const entries = Object.entries(lists) as [Key, string][]
  return Object.fromEntries(
    entries.flatMap(([key, words]) => words.split(' ').map((word) => [word, key])),
  )
}

/** A column of an index, in the order of the index. A `null` stands for an expression. */
export interface IndexPart extends KeyPart {
  /** The index sorts the column by code point. SQL may give 0 or 1. */
  readonly isExact: boolean | number
}

/** Returns the columns of each index up to the first expression. */
export function leadingColumns(parts: readonly IndexPart[]): readonly (readonly IndexColumn[])[] {
  return [...groupedBy(parts, ({ key }) => key).values()].map((all) => {
    const end = all.findIndex(({ column }) => column === null)
    const leading = all.slice(0, end < 0 ? all.length : end)
    return leading.map(({ column, isExact }) => ({
      column: column ?? '',
      isExact: Number(isExact) === 1,
    }))
  })
}

/** Returns the names that a statement gives. */
export async function namesFrom<Name extends string | null>(
  database: Session,
  statement: RawBuilder<{ readonly name: Name }>,
): Promise<readonly Name[]> {
  const { rows } = await statement.execute(database)
  return rows.map(({ name }) => name)
}

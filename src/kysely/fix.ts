import { sql } from 'kysely'
import type { Resource } from '../contract/resource/resource.ts'
import { requiredFieldsOf } from '../contract/schema/required.ts'
import type { Column, Session, Surroundings, TableDescription } from './engine.ts'
import type { ColumnField } from './field.ts'
import { type ColumnChanges, changesOf, type Pending } from './fix-column.ts'
import { indexName } from './index-name.ts'
import { type Fix, longInIndex, twiceIn } from './obstacle.ts'
import type { Store } from './table.ts'
import { collatedType, kindOf, ofMariaDb, ofStrict, quoted, type Words, words } from './words.ts'

/** Writes the SQL statements that fix a table. `undefined`: the engine has no such statement. */
export interface FixWriter extends ColumnChanges {
  readonly surroundings: Surroundings
  createTable(fields: readonly ColumnField[]): Fix | undefined
  addColumn(field: ColumnField): Fix | undefined
  /** Adds the column that marks deleted rows. */
  addDeletion(): Fix | undefined
  addIndex(index: NewIndex): Fix | undefined
  /** Tells whether an earlier statement changes the type of a column. */
  isRetyped(column: string): boolean
}

/** An index to add. */
interface NewIndex {
  /** Of the rows that are not deleted, or unique. */
  readonly kind: 'unique index' | 'index'
  /** The columns at the start, which are compared for equality only. Default: none. */
  readonly owners?: readonly string[]
  readonly columns: readonly string[]
}

type FixStore = Pick<Store, 'engine' | 'database' | 'softDelete'>

/** A table to fix. */
interface Home {
  readonly table: string
  readonly resource: Resource
  /** `undefined` for a table that the database lacks. */
  readonly described?: TableDescription
}

/** Returns the fixWriter of a table. Reads the catalogue alone. */
export async function createFixWriter(store: FixStore, home: Home): Promise<FixWriter> {
  const { engine, database, softDelete } = store
  const { table } = home
  const surroundings = await engine.surround(database, table, softDelete)
  const { dialect } = engine
  const isMariaDb = dialect === 'mysql' && (await versionOf(database)).includes('MariaDB')
  const some = isMariaDb ? ofMariaDb : words[dialect]
  const own = surroundings.isStrict ? ofStrict : some
  const name = table
    .split('.')
    .map((part) => quoted(own, part))
    .join('.')
  const columns = new Map(home.described?.columns.map((column) => [column.name, column]))
  const pending: Pending = new Map()
  const names = [...surroundings.names]
  const target = { ...home, store, own, name, surroundings, columns, pending, names }
  return {
    surroundings,
    ...changesOf(dialect, { ...home, own, name, surroundings, pending }),
    ...additionsTo(target),
    addIndex: (index) => addIndex(target, index),
    isRetyped: (column) => pending.get(column)?.type !== undefined,
  }
}

interface FixTarget extends Home {
  readonly store: FixStore
  readonly own: Words
  /** In quotes. */
  readonly name: string
  readonly surroundings: Surroundings
  readonly columns: ReadonlyMap<string, Column>
  readonly pending: Pending
  /** The names of indexes that exist, and of those that earlier statements make. */
  readonly names: string[]
}

function additionsTo(
  target: FixTarget,
): Pick<FixWriter, 'createTable' | 'addColumn' | 'addDeletion'> {
  const { own, name, resource, store } = target
  const { softDelete } = store
  const typeOf = (field: ColumnField): string =>
    collatedType(own, own.types[kindOf(field, resource)])
  const moment = collatedType(own, own.types['date-time'])
  const required = requiredFieldsOf(resource.schema) ?? []
  const declared = (field: ColumnField): string => {
    const { column, isNullable } = field
    const start = quoted(own, column)
    if (column === softDelete) return `${start} ${moment}`
    if (field.name === 'id')
      return `${start} ${field.type === 'number' ? own.counted : typeOf(field)} primary key`
    const rest = required.includes(field.name) && !isNullable ? ' not null' : ''
    return `${start} ${typeOf(field)}${rest}`
  }
  const add = (column: string, type: string): Fix => ({
    statement: `alter table ${name} add column ${quoted(own, column)} ${type};`,
  })
  return {
    addColumn: (field) => add(field.column, typeOf(field)),
    addDeletion: () => (softDelete === undefined ? undefined : add(softDelete, moment)),
    createTable(fields) {
      const isExtra =
        softDelete !== undefined && fields.every(({ column }) => column !== softDelete)
      const extra = isExtra ? [`${quoted(own, softDelete)} ${moment}`] : []
      return createTable(target, [...fields.map(declared), ...extra])
    },
  }
}

function createTable(
  { own, name, table, surroundings }: FixTarget,
  columns: readonly string[],
): Fix | undefined {
  if (!surroundings.lacksSchema)
    return { statement: `create table ${name} (${columns.join(', ')});` }
  const [, schema = ''] = table.split('.').reverse()
  return own.hasSchemas ? { statement: `create schema ${quoted(own, schema)};` } : undefined
}

function addIndex(target: FixTarget, { kind, owners = [], ...index }: NewIndex) {
  const wanted = [...new Set([...owners, ...index.columns])]
  const { table, store, surroundings, columns: described } = target
  const isUnique = kind === 'unique index'
  const columns = isUnique ? wanted : shortened(wanted, target)
  const lacks = surroundings.partition.some((name) => !columns.includes(name))
  if (bytesOf(columns, target) > mostBytes || (isUnique && lacks)) return undefined
  const all = columns.flatMap((column) => described.get(column) ?? [])
  const [pending] = columns.flatMap((column) => target.pending.get(column)?.obstacle ?? [])
  const rows = isUnique ? twiceIn(table, columns) : longInIndex(store.engine.dialect, table, all)
  const obstacle = pending ?? rows
  const statement = statementOfIndex(target, { kind, owners, columns })
  return { statement, ...(obstacle && { obstacle }) }
}

function statementOfIndex(target: FixTarget, { kind, owners = [], columns }: NewIndex): string {
  const { own, names, store } = target
  const { softDelete, engine } = store
  const { dialect } = engine
  const isUnique = kind === 'unique index'
  const isPartial = !isUnique && softDelete !== undefined && dialect !== 'mysql'
  const where = isPartial ? ` where ${quoted(own, softDelete)} is null` : ''
  const [plain = '', schema] = target.table.split('.').reverse()
  const listed = columns.map((column) => {
    const isCompared = dialect !== 'sqlite' && owners.includes(column)
    return quoted(own, column) + (isCompared ? '' : collationIn(target, column))
  })
  const isSorted = dialect === 'postgres' && listed.some((text) => text.endsWith(own.collatedIndex))
  const form = isUnique ? 'key' : isPartial ? 'present' : isSorted ? 'sorted' : 'by'
  const name = indexName([plain, form, ...columns], names)
  names.push(name)
  const named = quoted(own, name)
  // SQLite names the schema of the index, not of the table.
  const isInside = dialect === 'sqlite' && schema !== undefined
  const [start, table] = isInside
    ? [`${quoted(own, schema)}.${named}`, quoted(own, plain)]
    : [named, target.name]
  return `create ${kind} ${start} on ${table} (${listed.join(', ')})${where};`
}

// InnoDB holds so many bytes of an index.
const mostBytes = 3072
// A text of 255 characters.
const keyBytes = 255 * 4

function bytesOf(columns: readonly string[], { surroundings, pending }: FixTarget): number {
  const sizes = columns.map((column) =>
    pending.get(column)?.type === undefined ? (surroundings.bytes.get(column) ?? 0) : keyBytes,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

// InnoDB adds the primary key by itself.
function shortened(columns: readonly string[], target: FixTarget): readonly string[] {
  const { primary } = target.surroundings
  const isAdded = primary.size === 1 && primary.has(columns.at(-1) ?? '') && columns.length > 1
  return isAdded && bytesOf(columns, target) > mostBytes ? columns.slice(0, -1) : columns
}

// An index serves the order by code point if it has that collation.
function collationIn({ columns, own, pending }: FixTarget, name: string): string {
  const column = columns.get(name)
  const isOther = column?.family === 'text' && !column.ordersExactly && !isBinary(column)
  return isOther && pending.get(name)?.isCollated !== true ? own.collatedIndex : ''
}

// In SQLite alone, a column that compares exactly sorts so too.
function isBinary({ isLoose, equalsExactly }: Column): boolean {
  return isLoose === true && equalsExactly
}

async function versionOf(database: Session): Promise<string> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(database)
  return rows[0]?.version ?? ''
}

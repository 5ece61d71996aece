import { sql } from 'kysely'
import type { Resource } from '../../contract/resource/resource.ts'
import { requiredFieldsOf } from '../../contract/schema/required.ts'
import type { Column, Engine, Session, Surroundings, TableDescription } from '../engine/engine.ts'
import type { ColumnField } from '../options.ts'
import { indexName } from './index-name.ts'
import {
  emptyIn,
  type Fix,
  longInIndex,
  meetingIn,
  type Obstacle,
  twiceIn,
  unlike,
} from './obstacle.ts'
import {
  collatedType,
  columnSuffix,
  declaredType,
  isRoomy,
  kindOf,
  maxIndexBytes,
  ofMariaDb,
  ofStrict,
  quoted,
  type Words,
  words,
} from './words.ts'

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

interface FixStore {
  readonly engine: Engine
  readonly database: Session
  readonly softDelete?: string | undefined
}

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
  if (bytesOf(columns, target) > maxIndexBytes || (isUnique && lacks)) return undefined
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
  return isAdded && bytesOf(columns, target) > maxIndexBytes ? columns.slice(0, -1) : columns
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

/** The statements that change a column. `undefined`: the engine has none, or would refuse it. */
export interface ColumnChanges {
  /** ColumnChanges the type of a column to that of its field. */
  retype(field: ColumnField, column: Column): Fix | undefined
  /** ColumnChanges the type of a column to that of a moment. */
  retypeDeletion(column: Column): Fix | undefined
  /** ColumnChanges a text of any length to one that an index holds. */
  shorten(column: Column): Fix | undefined
  /** Sorts a column of text by code point. */
  collate(column: Column): Fix | undefined
  /** Lets a column take no value, or requires one. */
  require(column: Column, isRequired: boolean): Fix | undefined
  dropDefault(column: Column): Fix | undefined
  /** Lets the database count up the numbers of a column. */
  count(column: Column): Fix | undefined
}

interface ChangedTable {
  readonly table: string
  readonly resource: Resource
  readonly own: Words
  /** In quotes. */
  readonly name: string
  readonly surroundings: Surroundings
  readonly pending: Pending
}

/** What earlier statements of the same fixWriter make of columns. */
export type Pending = Map<string, PendingColumn>

interface PendingColumn {
  readonly type?: string
  /** Sorts by code point. */
  readonly isCollated?: boolean
  readonly obstacle?: Obstacle
}

/** Returns the statements that change a column of a table. SQLite has none. */
export function changesOf(dialect: Engine['dialect'], changed: ChangedTable): ColumnChanges {
  return changes[dialect](changed)
}

const none = (): undefined => undefined

const changes: Readonly<Record<Engine['dialect'], (changed: ChangedTable) => ColumnChanges>> = {
  sqlite: () => ({
    retype: none,
    retypeDeletion: none,
    shorten: none,
    collate: none,
    require: none,
    dropDefault: none,
    count: none,
  }),
  postgres: changesInPostgres,
  mysql: changesInMysql,
}

function changesInPostgres(changed: ChangedTable): ColumnChanges {
  const { own, table, resource, surroundings, pending } = changed
  const { fixed, primary } = surroundings
  const change = (column: Column, ...parts: readonly string[]) => alter(changed, column, parts)
  const toType = (column: Column, type: string): Fix | undefined => {
    if (fixed.has(column.name) || column.isGenerated) return undefined
    const digits = column.type === 'money' ? '::numeric' : ''
    const value = `${quoted(own, column.name)}${digits}::${type}`
    const statement = change(column, `type ${collatedType(own, type)} using ${value}`)
    const obstacle = unlike(table, column.name, value)
    pending.set(column.name, { type, isCollated: true, obstacle })
    return { statement, obstacle }
  }
  return {
    retype: (field, column) => toType(column, own.types[kindOf(field, resource)]),
    retypeDeletion: (column) => toType(column, own.types['date-time']),
    shorten: none,
    collate(column) {
      if (fixed.has(column.name) || column.isComputed) return undefined
      pending.set(column.name, { ...pending.get(column.name), isCollated: true })
      return { statement: change(column, `type ${collatedType(own, declaredType(column))}`) }
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

function alter({ own, name }: ChangedTable, column: Column, parts: readonly string[]): string {
  const all = parts.map((part) => `alter column ${quoted(own, column.name)} ${part}`)
  return `alter table ${name} ${all.join(', ')};`
}

function countInPostgres(changed: ChangedTable, column: Column): Fix | undefined {
  const { own, table, surroundings } = changed
  const isWhole = /^int[248]$/.test(column.type)
  if (!isWhole && surroundings.fixed.has(column.name)) return undefined
  const retyped = isWhole ? [] : [`type bigint using ${quoted(own, column.name)}::bigint`]
  const counting = ['set not null', 'add generated by default as identity']
  const statement = alter(changed, column, [...retyped, ...counting])
  return { statement, obstacle: emptyIn(table, column.name) }
}

// MySQL declares the whole column again, with what earlier statements change.
function changesInMysql(changed: ChangedTable): ColumnChanges {
  const { own, name, table, resource, surroundings, pending } = changed
  const { fixed, indexes, primary } = surroundings
  const modify = (column: Column) => declareAgain(changed, column)
  const toType = (column: Column, type: string): Fix | undefined => {
    const isIndexed = indexes.some((index) => index.some((part) => part.column === column.name))
    if (fixed.has(column.name) || (isIndexed && /text$|blob$|^json$/.test(type))) return undefined
    const isShort = type.startsWith('varchar')
    const long = `is not null and char_length(${quoted(own, column.name)}) > 255`
    const obstacle = meetingIn(table, column.name, isShort ? long : 'is not null')
    pending.set(column.name, { type, isCollated: true, ...(isShort && { obstacle }) })
    const statement = modify({ ...column, standard: undefined })
    return type.endsWith('text') ? { statement } : { statement, obstacle }
  }
  return {
    retype: (field, column) => toType(column, own.types[kindOf(field, resource)]),
    retypeDeletion: (column) => toType(column, own.types['date-time']),
    shorten: (column) => toType(column, own.types.key),
    collate(column) {
      const isFixed = fixed.has(column.name) || column.isComputed
      if (isFixed || !isRoomy(column, surroundings)) return undefined
      pending.set(column.name, { ...pending.get(column.name), isCollated: true })
      return { statement: modify(column) }
    },
    require(column, isRequired) {
      const isFixed = fixed.has(column.name) || primary.has(column.name)
      if (column.isGenerated || isFixed) return undefined
      const statement = modify({ ...column, isNullable: !isRequired })
      return isRequired ? { statement, obstacle: emptyIn(table, column.name) } : { statement }
    },
    dropDefault: ({ name: column }) => ({
      statement: `alter table ${name} alter column ${quoted(own, column)} drop default;`,
    }),
    count: (column) => countInMysql(changed, column),
  }
}

function declareAgain(changed: ChangedTable, column: Column): string {
  const { own, name, surroundings, pending } = changed
  const { type = declaredType(column), isCollated = false } = pending.get(column.name) ?? {}
  const collation = isCollated ? undefined : surroundings.collations.get(column.name)
  const [set] = collation?.split('_') ?? []
  const isKept = collation !== undefined && /text|char|enum|set/.test(type)
  const declared = isKept
    ? `${type} character set ${set} collate ${collation}`
    : collatedType(own, type)
  return `alter table ${name} modify ${quoted(own, column.name)} ${declared}${columnSuffix(column, own)};`
}

function countInMysql({ own, name, table, surroundings }: ChangedTable, column: Column) {
  const { fixed, indexes, names } = surroundings
  if (fixed.has(column.name)) return undefined
  const type = /int$/.test(column.type) ? declaredType(column) : 'bigint'
  const quotedName = quoted(own, column.name)
  // The counted column begins an index.
  const index = quoted(own, indexName([table.replace(/^.*\./, ''), 'by', column.name], names))
  const isLed = indexes.some(([first]) => first?.column === column.name)
  const rest = isLed ? '' : `, add index ${index} (${quotedName})`
  return {
    statement: `alter table ${name} modify ${quotedName} ${type} auto_increment${rest};`,
    obstacle: emptyIn(table, column.name),
  }
}

import { ownerFieldsOf, type Resource } from '../../contract/resource/resource.ts'
import { filtersOf, readFilterable } from '../../contract/schema/filter.ts'
import { requiredFieldsOf } from '../../contract/schema/required.ts'
import type { Mismatch } from '../../convention/mismatch.ts'
import {
  type ChangedTable,
  type ColumnChanges,
  collatedType,
  type DeclaredKind,
  type DeclaringEngine,
  type Fix,
  indexName,
  longInIndex,
  type Obstacle,
  type Pending,
  quoted,
  quotedTable,
  type Surroundings,
  twiceIn,
  type Words,
} from '../engine/declarations.ts'
import type { Column, Session, TableDescription } from '../engine/engine.ts'
import { type ColumnField, type FoldMap, foldsIn } from '../options.ts'

/** Writes the SQL statements that fix a table. `undefined`: the engine has no such statement. */
export interface FixWriter extends Omit<ColumnChanges, 'retype'> {
  /** Changes the type of a column to that of its field. */
  retype(field: ColumnField, column: Column): Fix | undefined
  /** Changes the type of a column to that of a moment. */
  retypeDeletion(column: Column): Fix | undefined
  /** An index has a collation of its words. */
  readonly collatesIndexes: boolean
  readonly surroundings: Surroundings
  createTable(fields: readonly ColumnField[]): Fix | undefined
  /**
   * Returns the columns of a new table, as they stand in its statement.
   *
   * @param further What the fields do not tell of their columns, by field. Default: nothing.
   */
  declareColumns(
    fields: readonly ColumnField[],
    further?: ReadonlyMap<string, FurtherColumn>,
  ): readonly string[]
  addColumn(field: ColumnField): Fix | undefined
  /** Adds the column that holds the fold of a field. */
  addFold(field: ColumnField, column: string): Fix | undefined
  /** Fills the column of a fold where it is missing or stale. */
  fillFold(field: ColumnField, column: string, folding: string | undefined): Fix
  /** Adds the column that marks deleted rows. */
  addDeletion(): Fix | undefined
  addIndex(index: NewIndex): Fix | undefined
  /** Tells whether an earlier statement changes the type of a column. */
  isRetyped(column: string): boolean
}

/** What a field does not tell of its column. */
interface FurtherColumn {
  /** Default: the kind that fits the field. */
  readonly kind?: DeclaredKind | undefined
  /** Follows the type: ` default now()`. Default: nothing. */
  readonly suffix?: string
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
  readonly engine: DeclaringEngine
  readonly database: Session
  readonly softDelete?: string | undefined
  readonly folded?: FoldMap
}

/** A table to fix. */
interface Home {
  readonly table: string
  readonly resource: Resource
  /** `undefined` for a table that the database lacks. */
  readonly described?: Pick<TableDescription, 'columns'>
}

/** Returns the fixWriter of a table. Reads the catalogue alone. */
export async function createFixWriter(store: FixStore, home: Home): Promise<FixWriter> {
  const { engine, database, softDelete, folded } = store
  const surroundings = await engine.surround(database, home.table, softDelete)
  const words = await engine.words(database, surroundings)
  const worded = { ...home, words, surroundings, ...(folded && { folded }) }
  return fixWriterIn({ ...worded, softDelete }, engine.changes)
}

/** A table to fix, with the words of its database. */
export interface WordedHome extends Home {
  readonly softDelete?: string | undefined
  readonly folded?: FoldMap
  readonly words: Words
  readonly surroundings: Surroundings
}

/** Returns the fixWriter of a table whose surroundings are known. */
export function fixWriterIn(
  home: WordedHome,
  changesOf: DeclaringEngine['changes'] = () => noChanges,
): FixWriter {
  const { words, surroundings } = home
  const columns = new Map(home.described?.columns.map((column) => [column.name, column]))
  const pending: Pending = new Map()
  const names = [...surroundings.names]
  const target = { ...home, name: quotedTable(words, home.table), columns, pending, names }
  const { retype, ...changes } = changesOf(target)
  return {
    surroundings,
    collatesIndexes: words.collatedIndex !== '',
    ...changes,
    retype(field, column) {
      const kind = kindOf(field, home.resource)
      // An index is to hold it, so longer texts are an obstacle.
      return retype(column, kind === 'text' && isSought(field.name, home.resource) ? 'key' : kind)
    },
    retypeDeletion: (column) => retype(column, 'date-time'),
    ...additionsTo(target),
    fillFold: (field, column, folding) => fillFold(target, [field, column], folding),
    addIndex: (index) => addIndex(target, index),
    isRetyped: (column) => pending.get(column)?.type !== undefined,
  }
}

const none = (): undefined => undefined

const noChanges: ColumnChanges = {
  retype: none,
  shorten: none,
  collate: none,
  require: none,
  dropDefault: none,
  count: none,
}

interface FixTarget extends WordedHome, ChangedTable {
  readonly columns: ReadonlyMap<string, Column>
  /** The names of indexes that exist, and of those that earlier statements make. */
  readonly names: string[]
}

function additionsTo(
  target: FixTarget,
): Pick<FixWriter, 'createTable' | 'declareColumns' | 'addColumn' | 'addFold' | 'addDeletion'> {
  const { words, name, softDelete } = target
  const moment = collatedType(words, words.types['date-time'])
  const declared = (field: ColumnField, { kind, suffix: end = '' }: FurtherColumn = {}): string => {
    const { column } = field
    const start = quoted(words, column)
    if (column === softDelete) return `${start} ${moment}`
    if (field.name === 'id') {
      const isCounted = field.type === 'number'
      const type = isCounted ? words.counted : `${typeOf(target, field)} not null`
      return `${start} ${type} primary key`
    }
    const suffix = isRequired(target, field) ? ' not null' : ''
    return `${start} ${typeOf(target, field, kind)}${suffix}${end}`
  }
  const add = (column: string, type: string): Fix => ({
    statement: `alter table ${name} add column ${quoted(words, column)} ${type};`,
  })
  const declareColumns: FixWriter['declareColumns'] = (fields, further) => {
    const isExtra = softDelete !== undefined && fields.every(({ column }) => column !== softDelete)
    const extra = isExtra ? [`${quoted(words, softDelete)} ${moment}`] : []
    const folds = foldsOf(target, fields).map(
      ([field, column]) => `${quoted(words, column)} ${foldTypeOf(target, field)}`,
    )
    return [...fields.map((field) => declared(field, further?.get(field.name))), ...folds, ...extra]
  }
  return {
    addColumn: (field) => add(field.column, typeOf(target, field)),
    addFold: (field, column) => add(column, foldTypeOf(target, field)),
    addDeletion: () => (softDelete === undefined ? undefined : add(softDelete, moment)),
    declareColumns,
    createTable: (fields) => createTable(target, declareColumns(fields)),
  }
}

function isRequired({ resource }: FixTarget, { name, isNullable }: ColumnField): boolean {
  return !isNullable && requiredFieldsOf(resource.schema)?.includes(name) === true
}

function typeOf(
  { words, resource }: FixTarget,
  field: ColumnField,
  kind = kindOf(field, resource),
): string {
  return collatedType(words, words.types[kind])
}

// No index orders a fold that may be missing.
function foldTypeOf(target: FixTarget, field: ColumnField): string {
  const type = typeOf(target, field)
  return isRequired(target, field) ? `${type} ${target.words.foldSuffix}` : type
}

type FoldOfField = readonly [field: ColumnField, column: string]

function foldsOf({ folded = {} }: FixTarget, fields: readonly ColumnField[]): FoldOfField[] {
  return foldsIn(folded).flatMap(({ field: name, column }) => {
    const field = fields.find((candidate) => candidate.name === name)
    return field ? [[field, column] as const] : []
  })
}

function fillFold({ words, name }: FixTarget, [field, column]: FoldOfField, folding?: string): Fix {
  const target = quoted(words, column)
  const fold = words.fold(quoted(words, field.column), folding)
  const isStale = words.isOther(target, fold)
  return { statement: `update ${name} set ${target} = ${fold} where ${isStale};` }
}

function createTable(
  { words, name, table, surroundings }: FixTarget,
  columns: readonly string[],
): Fix | undefined {
  if (!surroundings.lacksSchema)
    return { statement: `create table ${name} (${columns.join(', ')});` }
  const [, schema = ''] = table.split('.').reverse()
  return words.hasSchemas ? { statement: `create schema ${quoted(words, schema)};` } : undefined
}

function addIndex(target: FixTarget, { kind, owners = [], ...index }: NewIndex) {
  const wanted = [...new Set([...owners, ...index.columns])]
  const { table, words, surroundings, columns: described } = target
  const isUnique = kind === 'unique index'
  const columns = isUnique ? wanted : shortened(wanted, target)
  const lacks = surroundings.partition.some((name) => !columns.includes(name))
  if (bytesOf(columns, target) > maxIndexBytes || (isUnique && lacks)) return undefined
  const all = columns.flatMap((column) => described.get(column) ?? [])
  const [pending] = columns.flatMap((column) => target.pending.get(column)?.obstacle ?? [])
  const { maxRowBytes = Number.MAX_VALUE } = words.indexes
  const rows = isUnique ? twiceIn(table, columns) : longInIndex(table, all, maxRowBytes)
  const obstacle = pending ?? rows
  const statement = statementOfIndex(target, { kind, owners, columns })
  return { statement, ...(obstacle && { obstacle }) }
}

function statementOfIndex(target: FixTarget, { kind, owners = [], columns }: NewIndex): string {
  const { words, names, softDelete } = target
  const { collatesOwners, isQualified, sorted } = words.indexes
  const isUnique = kind === 'unique index'
  const isPartial = !isUnique && softDelete !== undefined && words.indexes.isPartial
  const where = isPartial ? ` where ${quoted(words, softDelete)} is null` : ''
  const [plain = '', schema] = target.table.split('.').reverse()
  const listed = columns.map((column) => {
    const isCompared = !collatesOwners && owners.includes(column)
    return quoted(words, column) + (isCompared ? '' : collationIn(target, column))
  })
  const isSorted =
    words.collatedIndex !== '' && listed.some((text) => text.endsWith(words.collatedIndex))
  const form = isUnique ? 'key' : isPartial ? 'present' : isSorted ? sorted : 'by'
  const name = indexName([plain, form, ...columns], names)
  names.push(name)
  const named = quoted(words, name)
  const [start, table] =
    isQualified && schema !== undefined
      ? [`${quoted(words, schema)}.${named}`, quoted(words, plain)]
      : [named, target.name]
  return `create ${kind} ${start} on ${table} (${listed.join(', ')})${where};`
}
// InnoDB holds so many bytes of an index.
const maxIndexBytes = 3072

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
function collationIn({ columns, words, pending }: FixTarget, name: string): string {
  const column = columns.get(name)
  const isPlain = column === undefined || sortsPlainly(column)
  return isPlain || pending.get(name)?.isCollated === true ? '' : words.collatedIndex
}

/** Tells whether a column itself sorts as the convention does. */
export function sortsPlainly({ kind, order, loose, equality }: Column): boolean {
  // In SQLite alone, a column that compares exactly sorts so too.
  return kind !== 'text' || order === 'exact' || (loose !== undefined && equality === 'exact')
}

const formats: ReadonlySet<string> = new Set(['integer', 'date', 'time', 'date-time', 'uuid'])

/** Returns the kind of the column that fits a field. */
export function kindOf(field: ColumnField, resource: Resource): DeclaredKind {
  const { name, isBase64 } = field
  // A revision of any type counts up.
  const { type = name === resource.revision ? 'number' : 'text' } = field
  if (isBase64) return 'bytes'
  if (type === 'json' || type === 'boolean') return type
  if (type === 'number' && (name === 'id' || name === resource.revision)) return 'integer'
  const read = readFilterable([name], resource.schema)
  const format = typeof read === 'string' ? undefined : read[0]?.type
  const isNumber = format === 'integer'
  if (
    format !== undefined &&
    format !== 'id' &&
    formats.has(format) &&
    isNumber === (type === 'number')
  )
    return format
  if (type === 'number') return type
  const isKey = isIdentifying(name, resource) || (isSought(name, resource) && field.isShort)
  return isKey ? 'key' : 'text'
}

// The fields that hold an id.
function isIdentifying(name: string, resource: Resource): boolean {
  const isReference = resource.references.some(({ field }) => field === name)
  const isOwner = ownerFieldsOf(resource).includes(name)
  return name === 'id' || name.endsWith('_id') || isOwner || isReference
}

/** Tells whether clients sort or filter by a field. */
export function isSought(name: string, resource: Resource): boolean {
  const filters = [...filtersOf(resource).values()]
  return resource.sortable.includes(name) || filters.some(({ field }) => field.name === name)
}

const obstacles = new WeakMap<Mismatch, Obstacle>()

/** Returns a finding with the statement that fixes it. */
export function mismatchWith(about: Omit<Mismatch, 'fix'>, fix: Fix | undefined): Mismatch {
  if (fix === undefined) return about
  const finding = { ...about, fix: fix.statement }
  if (fix.obstacle !== undefined) obstacles.set(finding, fix.obstacle)
  return finding
}

/** Returns a finding without its statement if rows hinder that. Reads the table. */
export async function withoutHindered(database: Session, finding: Mismatch): Promise<Mismatch> {
  const obstacle = obstacles.get(finding)
  if (obstacle === undefined || !(await isHindered(database, obstacle))) return finding
  const { fix: _, ...about } = finding
  return { ...about, message: `${about.message} ${obstacle.message}` }
}

async function isHindered(database: Session, { probe }: Obstacle): Promise<boolean> {
  try {
    const { rows } = await probe.execute(database)
    return rows.length > 0
  } catch {
    return true
  }
}

/** A finding about a field, and the statement that fixes it. */
export interface Advice extends Pick<Mismatch, 'message'> {
  readonly field: string
  readonly fix: Fix | undefined
}

/** Returns an advice. */
export function advised(field: string, message: string, fix?: Fix): Advice {
  return { field, message, fix }
}

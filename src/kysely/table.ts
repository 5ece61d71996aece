import { sql } from 'kysely'
import { bind } from '../contract/resource/binding.ts'
import type { Operation, Scope, SortField } from '../contract/resource/operation.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import { methodSets } from '../convention/adapter-methods.ts'
import type { Awaitable } from '../convention/awaitable.ts'
import { type OperationKind, operationKinds, operations } from '../convention/operations.ts'
import { type ProblemError, problem } from '../convention/problem.ts'
import type { DeclaringEngine } from './engine/declarations.ts'
import type {
  Database,
  Row,
  Session,
  SliceReads,
  Sql,
  TableDescription,
  WriteKind,
} from './engine/engine.ts'
import type { BoundField } from './fields.ts'
import type { ColumnMap, FoldMap, Naming, Search } from './options.ts'
import type { RunContext, Statement, StatementValues } from './sql/statement.ts'

/** The column that holds the moment when an item was deleted. */
export type Deletion = Pick<BoundField, 'type' | 'stored'>

/** The table of a resource: the fields of the contract with their columns in the database. */
export interface Table {
  readonly engine: DeclaringEngine
  readonly resource: Resource
  readonly name: Sql
  /** The name without its schema. */
  readonly tableName: string
  readonly fields: readonly BoundField[]
  /** The fields of an item: all but those that only a body holds. */
  readonly itemFields: readonly BoundField[]
  readonly field: ReadonlyMap<string, BoundField>
  /** The columns of folds, by field. */
  readonly folds: ReadonlyMap<string, BoundField>
  readonly described: TableDescription
  /** `undefined` if a deletion removes the row. */
  readonly deletion: Deletion | undefined
  /** The columns of the unique keys, and of the adapter's own `key`. */
  readonly keys: readonly (readonly string[])[]
  /** No two items of the table have the same id, for all owners together. */
  readonly isUniqueById: boolean
  /** Only the adapter's `key` says that an id names one item, and no key of the database. */
  readonly isTrusted: boolean
  readonly statements: Map<string, Statement>
  /** All columns of an item, as results have them. */
  readonly selection: Sql
  /** The table below a view that takes the writes. Default: the writes go to the table itself. */
  readonly base: BaseTable | undefined
}

/** The table below a view. It takes the writes. */
interface BaseTable {
  readonly name: Sql
  /** Its columns. The view has further ones. */
  readonly columns: ReadonlySet<string>
}

/** The database of a request, the options of its adapter, and the tables that were looked up. */
export interface Store {
  readonly engine: DeclaringEngine
  readonly database: Database
  /** The database as the user gave it: another adapter may have the same. */
  readonly source: object
  /** The database is an open transaction of the caller, who ends it. */
  readonly isJoined: boolean
  readonly table: string
  readonly writeTo: string | undefined
  readonly columns: ColumnMap
  readonly naming?: Naming | undefined
  readonly key: readonly string[] | undefined
  readonly timeout: number
  readonly search?: Search | undefined
  readonly softDelete?: string | undefined
  readonly folded: FoldMap
  /** The condition of the items that exist for the caller. Default: all. */
  readonly visible?: Sql | undefined
  readonly tables: WeakMap<Resource, Table>
  nextId?(): Item['id']
  readonly onCreate?: ((item: object) => Awaitable<object>) | undefined
  readonly onUpdate?: ((item: object, stored: object) => Awaitable<object>) | undefined
}

/** An item of a write. */
export interface WrittenItem {
  readonly item: object
  /** The index of the item in the request. */
  readonly place: number
  /** The fields that the write changes. Default: all. */
  readonly changed?: readonly string[] | undefined
}

/** A field of one of several items that breaks a constraint. `place` is the item's index. */
export interface Violation {
  readonly place: number
  readonly field: string
}

/** One attempt of an operation: its table, session and state. */
export interface StorageTask extends RunContext {
  readonly store: Store
  readonly operation: Operation
  readonly table: Table
  session: Session
  /** A statement has written outside a transaction. Default: false. */
  hasWritten?: boolean
  /** The running statement writes several items. Default: false. */
  isShared?: boolean
  /** Each item has a statement of its own, which tells the rejected item. Default: false. */
  readonly isSplit?: boolean
  /** The written items, for the issues of a constraint. Default: none. */
  written?: readonly WrittenItem[]
  /** The unique fields of a bulk whose items exchange values. Default: none. */
  exchanges?: readonly Violation[]
  /** The states of the read rows by id, if the database cannot lock them. */
  readonly states: Map<Item['id'], unknown>
  /** The index of the written item in a bulk. Default: unknown. */
  index?: number | undefined
}

/** A read that may take slices. */
export interface LongRead {
  readonly task: StorageTask
  readonly values: StatementValues
  readonly slices: SliceReads
}

/** Returns the field of a name. */
export function fieldFor({ field, resource }: Table, name: string): BoundField {
  const bound = field.get(name)
  if (bound) return bound
  throw new TypeError(
    `"${resource.name}" has no column for the field "${name}": name one in "columns".`,
  )
}

/** A field of an order, with the column that it compares. */
interface OrderedField {
  readonly field: BoundField
  readonly direction: 'asc' | 'desc'
}

/** Returns the fields of an order. A folded one compares by its fold, then by its text. */
export function orderedFields(table: Table, sort: readonly SortField[]): readonly OrderedField[] {
  return sort.flatMap((sortField, place) => {
    const { field: name, direction, type, related } = sortField
    if (related !== undefined)
      return joinedFields(sortField, place).map(({ field }) => ({ field, direction }))
    const field = { field: fieldFor(table, name), direction }
    return type === 'folded' ? [{ field: foldFor(table, name), direction }, field] : [field]
  })
}

/** A field of related items, in their table and in a statement that joins them. */
interface JoinedField {
  readonly source: BoundField
  readonly field: BoundField
}

/**
 * Returns the fields that a field of related items compares: its fold, if it is folded, and itself.
 * An item without a related item misses the values.
 *
 * @param place The place in the order, which makes the names of the columns. No column has one.
 */
export function joinedFields(
  { field: name, related }: SortField,
  place: number,
): readonly JoinedField[] {
  const { join } = { ...related }
  if (!(join?.selection instanceof TableSelection)) return []
  const { table, operation } = join.selection
  const order = operation.query.sort.slice(join.place, join.place + 1)
  return orderedFields(table, order).map(({ field: source }, at) => {
    const column = `${place}.${at}=`
    const stored = { ...source.stored, name: column, isNullable: true }
    const own = source.foldOf === undefined ? { name } : { name: `\0${name}`, foldOf: name }
    return { source, field: { ...source, ...own, column, alias: `${column}=`, stored } }
  })
}

function foldFor({ folds, resource }: Table, name: string): BoundField {
  const fold = folds.get(name)
  if (fold) return fold
  throw new TypeError(
    `"${resource.name}" has no column for the fold of "${name}": name one in "folded".`,
  )
}

/** Returns the folds that a write of some fields fills. */
export function writtenFolds({ folds }: Table, fields: readonly BoundField[]) {
  if (folds.size === 0) return []
  return fields.flatMap(({ name }) => {
    const fold = folds.get(name)
    return fold === undefined || fold.stored.origin === 'computed' ? [] : [fold]
  })
}

/**
 * Checks that a statement about one id has read or written at most one row.
 *
 * @throws {TypeError} For more rows: the "key" of the adapter is wrong. The database rolls the
 *   write back.
 */
export function checkSingle({ tableName, resource }: Table, rows: number): void {
  if (rows < 2) return
  throw new TypeError(
    `An id of "${resource.name}" names ${rows} rows of "${tableName}": ` +
      'name the fields that identify an item in "key".',
  )
}

/** Tells whether a key says that an id names one item of the owners in these fields. */
export function hasUniqueId(table: Table, owners: readonly string[]): boolean {
  const keyColumns = ['id', ...owners].map((name) => fieldFor(table, name).column)
  return table.keys.some((key) => key.every((column) => keyColumns.includes(column)))
}

/** Tells whether an id names at most one item in a scope. */
export function isUniqueIn(table: Table, scope: Scope): boolean {
  return table.isUniqueById || hasUniqueId(table, ownersIn(scope))
}

/** Returns the owners of a scope. Below several, an id may name an item of each. */
export function ownersIn(scope: Scope): readonly string[] {
  return Object.keys(scope).filter((name) => name !== 'id' && !Array.isArray(scope[name]))
}

/** Tells whether the body of an operation is an array, so that pointers begin with an index. */
export function isBulk({ items, ids }: Operation): boolean {
  return items !== undefined || ids !== undefined
}

const writeKinds: { readonly [Kind in OperationKind]?: WriteKind } = {
  create: 'insert',
  update: 'update',
  patch: 'update',
  updateMany: 'update',
  patchMany: 'update',
  delete: 'delete',
  deleteAll: 'delete',
  deleteMany: 'delete',
}

/**
 * Checks that a table supports the statements of an operation. A view may not.
 *
 * @throws {ProblemError} `method_not_allowed`.
 */
export function checkSupported(table: Table, operation: Operation): void {
  if (!isSupported(table, operation.kind)) throw notSupported(table, operation)
}

/** Returns the problem of an unsupported operation, with the supported methods. */
export function notSupported(table: Table, operation: Operation, cause?: unknown): ProblemError {
  const { kind, resource } = operation
  const kinds = operationKinds.filter(
    (candidate) => isSupported(table, candidate) && writeKinds[candidate] !== writeKinds[kind],
  )
  const methods = kinds.flatMap((candidate) => methodSets[candidate][0] ?? [])
  const adapter = Object.fromEntries(methods.map((method) => [method, () => undefined]))
  const allow = bind(resource, adapter).methods.get(operations[kind].target)?.allow ?? ''
  return problem('method_not_allowed', undefined, { allow, cause })
}

function isSupported(table: Table, kind: OperationKind): boolean {
  const { described, engine, isTrusted, base } = table
  const writing = writeKinds[kind] === 'delete' ? deletingKind(table) : writeKinds[kind]
  if (writing === undefined) return true
  // The engine could not undo a write of two items.
  const isFinal = engine.transactions?.kind === 'batch'
  if ((isTrusted || base !== undefined) && isFinal && writing !== 'insert') return false
  return described.supports[writing]
}

/** Returns the conditions that an item is not deleted. */
export function notDeleted({ deletion }: Table): readonly Sql[] {
  return deletion === undefined ? [] : [sql`${sql.id(deletion.stored.name)} is null`]
}

/** Returns the kind of the statement that deletes an item. */
export function deletingKind({ deletion }: Pick<Table, 'deletion'>): WriteKind {
  return deletion === undefined ? 'delete' : 'update'
}

/**
 * Throws for a written item that the database does not return.
 *
 * @throws {ProblemError} `forbidden`, if the adapter hides items.
 */
export function throwNotReturned({ store, operation: { resource, scope } }: StorageTask): never {
  if (store.visible !== undefined) {
    throw problem('forbidden', 'The item would then be outside the items that you may see.')
  }
  throw new TypeError(
    `The database did not return the written item of "${resource.name}", ` +
      `or the item is outside the scope ${JSON.stringify(scope)}: ` +
      'keep the fields of the scope in "onCreate", "onUpdate" and the database.',
  )
}

/** Returns this moment as the column of a deletion holds it. */
export function momentFor({ type }: Deletion): string | number {
  return type === 'number' ? Date.now() : new Date().toISOString()
}

/** An item that replaces a stored item. */
export interface ItemReplacement extends WrittenItem {
  readonly stored: Item
  readonly values: StatementValues
  /** Read-only fields to write nevertheless. */
  readonly setFields: readonly string[]
}

/** A reference to an item that cannot exist, since the column cannot hold its id. */
export class BrokenReference extends Error {}

/** Returns the item of a row. A null column is a missing field, unless the field may be null. */
export function itemFrom(
  { itemFields }: { readonly itemFields: readonly BoundField[] },
  row: Row,
): Item {
  const item: Record<string, unknown> = {}
  for (const { name, alias, decode, isNullable } of itemFields) {
    const value = row[alias]
    if (value === null || value === undefined) {
      if (isNullable) item[name] = null
    } else item[name] = decode === undefined ? value : decode(value)
  }
  // The core rejects items with ids of another type.
  return item as unknown as Item
}

/** Returns the state of a row; `undefined` if the database has locks. */
export function stateOf({ engine, itemFields }: Table): Sql | undefined {
  return engine.rowState?.(itemFields.map(({ column }) => column))
}

/** Items of a table, for a statement on another table of the same database. */
export class TableSelection {
  readonly store: Store
  readonly table: Table
  readonly operation: Operation
  /** Makes the conditions of its scope and filters. */
  readonly conditions: () => readonly Sql[]
  /** Returns the part of a statement's key for these. */
  readonly key: () => string

  constructor(
    place: Pick<TableSelection, 'store' | 'table' | 'operation'>,
    { conditions, key }: Pick<TableSelection, 'conditions' | 'key'>,
  ) {
    this.store = place.store
    this.table = place.table
    this.operation = place.operation
    this.conditions = conditions
    this.key = key
  }
}

import type { Operation } from '../model/operation.ts'
import type { Item, Resource } from '../model/resource.ts'
import type { Column, Database, Engine, Session, Sql, TableDescription } from './engine.ts'
import type { ColumnField, ColumnMap, FieldType } from './field.ts'
import type { Search } from './options.ts'
import type { RunContext, Statement } from './statement.ts'

/** Makes the value of a field from the driver's value of its column. */
export type Decode = (value: unknown) => unknown

/** A field and its column. */
export interface BoundField extends ColumnField {
  readonly type: FieldType
  readonly stored: Column
  /** The name of the field in a result. */
  readonly alias: string
  /** Makes the field from the driver's value, or `undefined` if the field is that value. */
  readonly decode: Decode | undefined
}

/** The table of a resource: the fields of the contract with their columns in the database. */
export interface Table {
  readonly engine: Engine
  readonly resource: Resource
  readonly name: Sql
  /** The name without its schema. */
  readonly tableName: string
  readonly fields: readonly BoundField[]
  readonly field: ReadonlyMap<string, BoundField>
  readonly described: TableDescription
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
export interface BaseTable {
  readonly name: Sql
  /** Its columns. The view has further ones. */
  readonly columns: ReadonlySet<string>
}

/** A database, the options of its adapter, and the tables that were looked up. */
export interface Store {
  readonly engine: Engine
  readonly database: Database
  readonly table: string
  readonly writeTo: string | undefined
  readonly columns: ColumnMap
  readonly key: readonly string[] | undefined
  readonly timeout: number
  readonly search?: Search | undefined
  readonly tables: WeakMap<Resource, Table>
  nextId?(): Item['id']
  // TypeScript compares the parameters of a method in both directions, so that a function of any
  // shape fits.
  onCreate?(item: object): object
  onUpdate?(item: object, stored: object): object
}

/** One attempt of an operation: its table, session and state. */
export interface StorageTask extends RunContext {
  readonly store: Store
  readonly operation: Operation
  readonly table: Table
  session: Session
  /** A statement has written outside a transaction. Default: false. */
  hasWritten?: boolean
  /** The written items, for the issues of a constraint. Default: none. */
  written?: readonly object[]
  /** The index of the written item in a bulk. Default: unknown. */
  index?: number | undefined
}

/** Returns the field of a name. */
export function fieldFor({ field, resource }: Table, name: string): BoundField {
  const bound = field.get(name)
  if (bound) return bound
  throw new TypeError(
    `"${resource.name}" has no column for the field "${name}": name one in "columns".`,
  )
}

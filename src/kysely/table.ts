import type { Operation } from '../contract/resource/operation.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import type { Awaitable } from '../convention/awaitable.ts'
import type { Column, Database, Engine, Session, Sql, TableDescription } from './engine.ts'
import type { ColumnField, ColumnMap, FieldType, Naming, ValueForm } from './field.ts'
import type { Search } from './options.ts'
import type { RunContext, Statement } from './statement.ts'

/** Makes the value of a field from the driver's value of its column. */
export type Decode = (value: unknown) => unknown

/** The values of a column, or the elements of a column of lists. */
export interface BoundValue extends ValueForm {
  readonly type: FieldType
  readonly stored: Column
  /** Makes the value from the driver's value, or `undefined` if the value is that value. */
  readonly decode: Decode | undefined
}

/** A field and its column. */
export interface BoundField extends ColumnField, BoundValue {
  readonly type: FieldType
  /** The name of the field in a result. */
  readonly alias: string
  /** The elements of a column of lists. Default: the column holds no list. */
  readonly element: BoundValue | undefined
}

/** The column of a value, and of the elements where it holds a list. */
export type StoredValue = Pick<BoundValue, 'type' | 'stored'> & {
  readonly element?: BoundField['element']
}

/** The column that holds the moment when an item was deleted. */
export type Deletion = Pick<BoundField, 'type' | 'stored'>

/** The table of a resource: the fields of the contract with their columns in the database. */
export interface Table {
  readonly engine: Engine
  readonly resource: Resource
  readonly name: Sql
  /** The name without its schema. */
  readonly tableName: string
  readonly fields: readonly BoundField[]
  /** The fields of an item: all but those that only a body holds. */
  readonly shown: readonly BoundField[]
  readonly field: ReadonlyMap<string, BoundField>
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
  readonly engine: Engine
  readonly database: Database
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
  /** The written items, for the issues of a constraint. Default: none. */
  written?: readonly WrittenItem[]
  /** The unique fields of a bulk whose items exchange values. Default: none. */
  exchanges?: readonly Violation[]
  /** The states of the read rows by id, if the database cannot lock them. */
  readonly states: Map<Item['id'], unknown>
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

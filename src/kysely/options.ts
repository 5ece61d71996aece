import type { Expression, Kysely, SqlBool } from 'kysely'
import type {
  AdapterShape,
  ChangingOperation,
  CreateOperation,
  Operation,
} from '../contract/resource/operation.ts'
import type { FieldOf } from '../contract/resource/resource.ts'
import type { Awaitable } from '../convention/awaitable.ts'
import type { ColumnOptions, Naming } from './field.ts'

/** A search as a client sends it. */
export interface SearchTerms {
  /** The text of the search. */
  readonly q: string
  /** The words of the search. */
  readonly words: readonly string[]
  /** The fields to search: those of `searchable` that the caller may see. */
  readonly fields: readonly string[]
}

/** Returns the SQL condition of the items that match a search. */
export type Search = (terms: SearchTerms) => Expression<SqlBool>

/**
 * A database, or a function that returns the database or transaction of a request. `ready()` calls
 * the function without a context: it checks the returned database, and none for `undefined`.
 */
export type DatabaseSource<Context = unknown, Tables = unknown> =
  | Kysely<Tables>
  | ((context: Context | undefined) => Kysely<Tables> | undefined)

/** The functions of an adapter that get the operation and the context of a request. */
export interface KyselyHooks {
  // TypeScript compares the parameters of a method in both directions, so that a function of any
  // shape fits.
  onCreate?(item: object, operation: Operation, context: unknown): Awaitable<object>
  onUpdate?(item: object, stored: object, operation: Operation, context: unknown): Awaitable<object>
  visible?(context: unknown, operation: Operation): Expression<SqlBool> | undefined
}

/** The options of {@link kyselyAdapter}. Only the table is required. */
export interface KyselyOptions<S extends AdapterShape> {
  /** The table, with its schema if the connection uses another one: `employees`, `hr.employees`. */
  readonly table: string
  /**
   * The columns with another name or type than their fields: `{ birthdate: 'born_on', tags: { type:
   * 'json' } }`. Name all fields if the resource's schema does not name them as JSON Schema.
   * Default: columns have the names of their fields. A field of `create` that `schema` lacks needs
   * a column here to be stored, and so does one that only `onCreate` and `onUpdate` set:
   * `{ updated_by: { writeOnly: true } }`. No response holds it.
   */
  readonly columns?: ColumnsOf<S>
  /**
   * Returns the column of a field that `columns` does not name: `snakeCase` for `created_at`
   * of `createdAt`. An option of its own, since a resource may have a field `naming`. Default: the
   * name of the field.
   */
  readonly naming?: Naming
  /**
   * The table that the adapter writes to, if `table` is a view over it. It makes the ids. Reads use
   * the view, whose other columns need `readOnly`. Default: `table`.
   */
  readonly writeTo?: string
  /**
   * The fields that identify an item of a view without a known unique key: `['id']` or
   * `['company_id', 'id']`. A table needs a unique key of its own. Default: the keys that the
   * database knows.
   */
  readonly key?: readonly FieldOf<S['item']>[]
  /**
   * Returns the id of a new item that has none. Default: the default of the column, else a UUID of
   * version 7.
   */
  readonly nextId?: () => S['item']['id']
  /**
   * Returns the fields that the server sets on a new item: `(item, operation, { user }) => ({
   * created_by: user })`. Gets the fields of `create` that `schema` lacks, too. Default: none.
   */
  readonly onCreate?: (
    item: S['create'],
    operation: CreateOperation<S>,
    context: S['context'],
  ) => Awaitable<SetFields<S>>
  /** Returns the fields that the server sets when an item is replaced or patched. Default: none. */
  readonly onUpdate?: (
    item: S['item'],
    stored: S['item'],
    operation: ChangingOperation<S>,
    context: S['context'],
  ) => Awaitable<SetFields<S>>
  /**
   * Returns the SQL condition of the items that exist for a caller, and `undefined` for all. It is
   * part of every statement. A write whose result does not meet it is the problem `forbidden`
   * (403). D1 does not take it. Default: all.
   */
  readonly visible?: (
    context: S['context'],
    operation: Operation<S>,
  ) => Expression<SqlBool> | undefined
  /**
   * The column of the moment when an item was deleted. A deletion sets it, and keeps the row. A
   * timestamp, text (RFC 3339), or a number of milliseconds since 1970. Default: a deletion removes
   * the row.
   */
  readonly softDelete?: string
  /** Searches with an index. Default: LIKE finds every word in some searchable field. */
  readonly search?: Search
  /**
   * The milliseconds that an operation may take, with the wait for a connection. After that it is
   * the problem `unavailable` (503). Default 10,000.
   */
  readonly timeout?: number
}

type NameOf<S extends AdapterShape> = FieldOf<S['item']> | FieldOf<S['create']>

// A type of fields alone has no index signature.
type WithColumns<Fields, Value> = Fields & (object | { readonly [column: string]: Value })

type ColumnsOf<S extends AdapterShape> = WithColumns<
  { readonly [Field in NameOf<S>]?: string | ColumnOptions },
  string | ColumnOptions | undefined
>

/** Fields that the server sets, with columns that no item shows. */
type SetFields<S extends AdapterShape> = WithColumns<Partial<S['item'] & S['create']>, unknown>

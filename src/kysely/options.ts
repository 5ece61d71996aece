import type { Expression, SqlBool } from 'kysely'
import type { AdapterShape } from '../model/operation.ts'
import type { FieldOf } from '../model/resource.ts'
import type { ColumnOptions } from './field.ts'

/** A search as a client sends it. */
export interface SearchTerms {
  /** The text of the search. */
  readonly q: string
  /** The words of the search. */
  readonly words: readonly string[]
}

/** Returns the SQL condition of the items that match a search. */
export type Search = (terms: SearchTerms) => Expression<SqlBool>

/** The options of {@link kyselyAdapter}. Only the table is required. */
export interface KyselyOptions<S extends AdapterShape> {
  /** The table, with its schema if the connection uses another one: `employees`, `hr.employees`. */
  readonly table: string
  /**
   * The columns with another name or type than their fields: `{ birthdate: 'born_on', tags: { type:
   * 'json' } }`. Name all fields if the resource's schema does not name them as JSON Schema.
   * Default: columns have the names of their fields.
   */
  readonly columns?: { readonly [Field in FieldOf<S['item']>]?: string | ColumnOptions }
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
   * Returns the fields that the server sets on a new item: `() => ({ created_at: new
   * Date().toISOString() })`. Default: none.
   */
  readonly onCreate?: (item: S['create']) => Partial<S['item']>
  /** Returns the fields that the server sets when an item is replaced. Default: none. */
  readonly onUpdate?: (item: S['item'], stored: S['item']) => Partial<S['item']>
  /** Searches with an index. Default: LIKE finds every word in some searchable field. */
  readonly search?: Search
  /**
   * The milliseconds that an operation may take, with the wait for a connection. After that it is
   * the problem `unavailable` (503). Default 10,000.
   */
  readonly timeout?: number
}

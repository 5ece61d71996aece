import type { Expression, SqlBool } from 'kysely'
import type { AdapterShape } from '../model/operation.ts'
import type { FieldOf } from '../model/resource.ts'
import type { ColumnOptions } from './field.ts'

/** A search, as a client asks for it. */
export interface SearchTerms {
  /** As it was sent. */
  readonly q: string
  /** Its words. */
  readonly words: readonly string[]
}

/** Says in SQL which items match a search. */
export type Search = (terms: SearchTerms) => Expression<SqlBool>

/** What {@link kyselyAdapter} takes; only the table must be named. */
export interface KyselyOptions<S extends AdapterShape> {
  /** The table, with its schema where it is another than the connection's: `employees`, `hr.employees`. */
  readonly table: string
  /**
   * The columns of fields whose names or types are not the field's: `{ birthdate: 'born_on', tags: { type: 'json' } }`.
   * Where the resource's schema does not tell its fields (as JSON Schema), all of them. Default: columns are named as fields are.
   */
  readonly columns?: { readonly [Field in FieldOf<S['item']>]?: string | ColumnOptions }
  /**
   * The fields that identify an item, where the database knows no unique key: of a view, as in `['id']` or `['company_id', 'id']`.
   * A table needs a unique key of its own. Default: the keys that the database knows.
   */
  readonly key?: readonly FieldOf<S['item']>[]
  /** Makes the id of an item that comes without one. Default: the database, where the column has a default, else a UUID of version 7. */
  readonly nextId?: () => S['item']['id']
  /** The fields that the server adds to a new item: `() => ({ created_at: new Date().toISOString() })`. Default: none. */
  readonly onCreate?: (item: S['create']) => Partial<S['item']>
  /** The fields that the server changes when an item is replaced. Default: none. */
  readonly onUpdate?: (item: S['item'], stored: S['item']) => Partial<S['item']>
  /** Finds what a search asks for with an index of the database's own. Default: every word by LIKE in some searchable field. */
  readonly search?: Search
  /** Milliseconds that an operation may take, waiting for a connection included; answered 503 `unavailable` after that. Default 10,000. */
  readonly timeout?: number
}

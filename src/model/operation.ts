import type { OperationKind } from './convention.ts'
import type { Resource, Shape } from './resource.ts'

/** A value that a list can be sorted by. */
export type Scalar = string | number | boolean | null

/** One field of an order. */
export interface SortField<Field extends string = string> {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
}

/**
 * The position in an order where a page ended: the sort fields of its last item, `null` for a
 * missing value. The core cuts a text that is too long for a link. The position is then before all
 * items that begin with the cut text, and the later fields are `null`, also the id.
 */
export type Position = Readonly<Record<string, Scalar>>

/** The search, order and page of a request. */
export interface Query<Field extends string = string> {
  /** The search as sent; `''` for none. */
  readonly q: string
  /**
   * The words of `q`. An item matches if each word is in some searchable field, ignoring case.
   * Empty: every item matches.
   */
  readonly words: readonly string[]
  /**
   * A total order: the fields of `sort`, then `id` ascending unless it is among them. Missing
   * values come last ascending, first descending.
   */
  readonly sort: readonly SortField<Field | 'id'>[]
  /** The most items to return; `undefined` for all. */
  readonly limit: number | undefined
  /** Return only items after this position; `undefined` for the start. */
  readonly after: Position | undefined
}

/** The owner fields with the owners' ids: `{ company_id: '7' }`. Empty at the top. */
export type Scope = Readonly<Record<string, string | number | undefined>>

/** The scope of a collection without parents. */
export const noScope: Scope = /* @__PURE__ */ Object.freeze({})

/** The types of an adapter: of its resource, its scopes, and the caller's context. */
export interface AdapterShape extends Shape {
  readonly scope: Scope
  readonly context: unknown
}

/** An operation on a resource, as plain data. A member that its kind lacks is `undefined`. */
export interface Operation<S extends AdapterShape = AdapterShape> {
  readonly kind: OperationKind
  readonly resource: Resource
  /** `v1`, also for a path without a version. */
  readonly version: string
  /** The template of the collection: `/companies/:company_id/employees`. */
  readonly path: string
  /** Items outside do not exist for this operation. */
  readonly scope: S['scope']
  /** For `read`, `update` and `delete`. */
  readonly id: S['item']['id'] | undefined
  /** For `list`, `first`, `last` and `count`; other kinds have the order by id. */
  readonly query: Query<S['sortable']>
  /**
   * For `create` and `update`. The core reads the body inside the middleware, which sees it only
   * after `next`.
   */
  readonly item: object | undefined
  /** For `updateMany`, likewise. */
  readonly items: readonly S['item'][] | undefined
  /** For `deleteAll`: with more items in the scope, delete none and throw `too_many_affected`. */
  readonly maxAffected: number | undefined
  /**
   * For `update` and `delete`: the revision that the stored item must have at the write, else throw
   * `precondition_failed`. If the client named none, the core reads the item again, and tries
   * again.
   */
  readonly ifRevision: unknown
  /** Aborted when the client leaves, or the time is over. */
  readonly signal: AbortSignal
}

interface OperationOf<S extends AdapterShape, Kind extends OperationKind> extends Operation<S> {
  readonly kind: Kind
}

/** `GET /employees` */
export type ListOperation<S extends AdapterShape> = OperationOf<S, 'list'>

/** `POST /employees` */
export interface CreateOperation<S extends AdapterShape> extends OperationOf<S, 'create'> {
  /** Valid, with the scope's fields. The adapter adds the id and read-only fields. */
  readonly item: S['create'] & S['scope']
}

/** `PUT /employees` */
export interface UpdateManyOperation<S extends AdapterShape> extends OperationOf<S, 'updateMany'> {
  /**
   * Whole items with distinct ids and the stored read-only fields. Write all of them, or none. A
   * revision field holds the revision that the stored item must still have, else throw
   * `precondition_failed`.
   */
  readonly items: readonly S['item'][]
}

/** `DELETE /employees` */
export type DeleteAllOperation<S extends AdapterShape> = OperationOf<S, 'deleteAll'>

/** `GET /employees/7` */
export interface ReadOperation<S extends AdapterShape> extends OperationOf<S, 'read'> {
  readonly id: S['item']['id']
}

/** `PUT /employees/7` */
export interface UpdateOperation<S extends AdapterShape> extends OperationOf<S, 'update'> {
  readonly id: S['item']['id']
  /** The whole item to store, with its id and the stored read-only fields. */
  readonly item: S['item']
}

/** `DELETE /employees/7` */
export interface DeleteOperation<S extends AdapterShape> extends OperationOf<S, 'delete'> {
  readonly id: S['item']['id']
}

/** `GET /employees/first` */
export type FirstOperation<S extends AdapterShape> = OperationOf<S, 'first'>

/** `GET /employees/last` */
export type LastOperation<S extends AdapterShape> = OperationOf<S, 'last'>

/** `GET /employees/count` */
export type CountOperation<S extends AdapterShape> = OperationOf<S, 'count'>

/**
 * The outcome of an operation. `next` is the cursor of the next page, if there is one. The `items`
 * of a whole list can be a stream, which can be read once.
 */
export type Outcome =
  | {
      readonly gives: 'items'
      readonly items: readonly object[] | AsyncIterable<object>
      readonly next?: string | undefined
    }
  | { readonly gives: 'item'; readonly item: object }
  | { readonly gives: 'count'; readonly count: number }
  | { readonly gives: 'deleted'; readonly deleted: number }

/** Ids in ascending order: the default order of a list. */
export const byId: readonly SortField<'id'>[] = /* @__PURE__ */ Object.freeze([
  /* @__PURE__ */ Object.freeze({ field: 'id', direction: 'asc' } as const),
])

/** The query of a request without parameters. */
export const noQuery: Query<never> = /* @__PURE__ */ Object.freeze({
  q: '',
  words: /* @__PURE__ */ Object.freeze([]),
  sort: byId,
  limit: undefined,
  after: undefined,
})

/** Returns an own field of an item; `undefined` for none. */
export function fieldOf(item: object, field: string): unknown {
  return Object.hasOwn(item, field) ? (item as Readonly<Record<string, unknown>>)[field] : undefined
}

/** Tells whether an item is in a scope: it has each field of the scope, with the same value. */
export function isInScope(item: object, scope: Scope): boolean {
  for (const field in scope) {
    // An inherited field is none of the scope.
    if (Object.hasOwn(scope, field) && fieldOf(item, field) !== scope[field]) return false
  }
  return true
}

/** Tells whether two JSON values are equal, in any order of fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return false
  }
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(fieldOf(one, key), fieldOf(other, key)))
  )
}

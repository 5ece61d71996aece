import type { OperationKind } from './convention.ts'
import type { Resource, Shape } from './resource.ts'

/** A value a list can be ordered by. */
export type Scalar = string | number | boolean | null

/** One field of an order. */
export interface SortField<Field extends string = string> {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
}

/**
 * The place in an order where a page ended: the sort fields of its last item, `null` where it has none. Where a text is too long for a
 * link it is cut, so that the place is before all items that begin with it; the fields behind it are `null`, the id among them.
 */
export type Position = Readonly<Record<string, Scalar>>

/** What of a collection is wanted, and in which order. */
export interface Query<Field extends string = string> {
  /** The search as it was sent; `''` when there is none. */
  readonly q: string
  /** The words of `q`; an item matches when each is found, ignoring case, in some searchable field. Empty: every item matches. */
  readonly words: readonly string[]
  /** A total order: the fields asked for, then `id` ascending unless it is among them. Missing values come last ascending, first descending. */
  readonly sort: readonly SortField<Field | 'id'>[]
  /** The most items to give; `undefined` for all. */
  readonly limit: number | undefined
  /** Give only what comes after this place in the order; `undefined` for the start. */
  readonly after: Position | undefined
}

/** The fields that own, with the owner's id: `{ company_id: '7' }`. Empty at the top. */
export type Scope = Readonly<Record<string, string | number | undefined>>

/** The scope of a collection without parents. */
export const noScope: Scope = /* @__PURE__ */ Object.freeze({})

/** The types an adapter sees: a resource's, the scopes it is mounted in, and the caller's context. */
export interface AdapterShape extends Shape {
  readonly scope: Scope
  readonly context: unknown
}

/** What is asked of a resource, as plain data. What a kind does not have is `undefined`. */
export interface Operation<S extends AdapterShape = AdapterShape> {
  readonly kind: OperationKind
  readonly resource: Resource
  /** `v1`, also when the path named none. */
  readonly version: string
  /** The template of the collection: `/companies/:company_id/employees`. */
  readonly path: string
  /** What is outside does not exist for this operation. */
  readonly scope: S['scope']
  /** Of `read`, `update` and `delete`. */
  readonly id: S['item']['id'] | undefined
  /** Of `list`, `first`, `last` and `count`; the plain order by id for the others. */
  readonly query: Query<S['sortable']>
  /** Of `create` and `update`. The body is read after the middleware, so these see it only when `next` has answered. */
  readonly item: object | undefined
  /** Of `updateMany`, likewise. */
  readonly items: readonly S['item'][] | undefined
  /** Of `deleteAll`: when more would go, delete nothing and throw `too_many_affected`. */
  readonly maxAffected: number | undefined
  /**
   * Of `update` and `delete`: the version the stored item must have at that moment, else throw `precondition_failed`. Where the client
   * named none, the core reads the item again after that, and tries again.
   */
  readonly ifRevision: unknown
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** `GET /employees` */
export interface ListOperation<S extends AdapterShape> extends Operation<S> {
  readonly kind: 'list'
}

/** `POST /employees` */
export interface CreateOperation<S extends AdapterShape> extends Operation<S> {
  readonly kind: 'create'
  /** Valid, the scope's fields written in. The id and read-only fields are the adapter's to add. */
  readonly item: S['create'] & S['scope']
}

/** `PUT /employees` */
export interface UpdateManyOperation<S extends AdapterShape> extends Operation<S> {
  readonly kind: 'updateMany'
  /**
   * Whole items, no id twice, read-only fields as they are stored. All of them are written, or none. Where there is a
   * revision field, it holds the revision each item must still have at that moment, else throw `precondition_failed`.
   */
  readonly items: readonly S['item'][]
}

/** `DELETE /employees` */
export interface DeleteAllOperation<S extends AdapterShape> extends Operation<S> {
  readonly kind: 'deleteAll'
}

/** `GET /employees/7` */
export interface ReadOperation<S extends AdapterShape> extends Operation<S> {
  readonly kind: 'read'
  readonly id: S['item']['id']
}

/** `PUT /employees/7` */
export interface UpdateOperation<S extends AdapterShape> extends Operation<S> {
  readonly kind: 'update'
  readonly id: S['item']['id']
  /** The whole item to store, id included, read-only fields as they are stored. */
  readonly item: S['item']
}

/** `DELETE /employees/7` */
export interface DeleteOperation<S extends AdapterShape> extends Operation<S> {
  readonly kind: 'delete'
  readonly id: S['item']['id']
}

/** `GET /employees/first` */
export interface FirstOperation<S extends AdapterShape> extends Operation<S> {
  readonly kind: 'first'
}

/** `GET /employees/last` */
export interface LastOperation<S extends AdapterShape> extends Operation<S> {
  readonly kind: 'last'
}

/** `GET /employees/count` */
export interface CountOperation<S extends AdapterShape> extends Operation<S> {
  readonly kind: 'count'
}

/**
 * What an operation gave. `next` is the cursor of the following page, when a list was cut. The `items` of a whole list may come
 * one by one, as the adapter gives them; these can be read once.
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

/** Ids in ascending order: what a list comes in when nobody asks for another order. */
export const byId: readonly SortField<'id'>[] = /* @__PURE__ */ Object.freeze([
  /* @__PURE__ */ Object.freeze({ field: 'id', direction: 'asc' } as const),
])

/** The query of an operation that takes no parameters. */
export const noQuery: Query<never> = /* @__PURE__ */ Object.freeze({
  q: '',
  words: /* @__PURE__ */ Object.freeze([]),
  sort: byId,
  limit: undefined,
  after: undefined,
})

/** A field of an item; `undefined` unless it is the item's own. */
export function fieldOf(item: object, field: string): unknown {
  return Object.hasOwn(item, field) ? (item as Readonly<Record<string, unknown>>)[field] : undefined
}

/** Tells whether an item belongs to a scope: each of its fields equals the scope's. */
export function isInScope(item: object, scope: Scope): boolean {
  for (const field in scope) {
    // The prototype may have been tampered with; what it has is no scope.
    if (Object.hasOwn(scope, field) && fieldOf(item, field) !== scope[field]) return false
  }
  return true
}

/** Tells whether two JSON values are the same, in whatever order their fields stand. */
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

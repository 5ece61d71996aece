import type { Awaitable } from '../../convention/awaitable.ts'
import type { Condition } from '../../convention/filter-operators.ts'
import type { OperationKind } from '../../convention/operations.ts'
import type { Resource, Shape } from './resource.ts'

/** A value that a list can be sorted by. */
export type Scalar = string | number | boolean | null

/** One field of an order. */
export interface SortField<Field extends string = string> {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
  /**
   * `folded`: texts compare without case, as `q` does, and then by code point. Other types: as
   * moments. Absent: by code point.
   */
  readonly type?: 'date' | 'date-time' | 'folded'
  /** The field of a related item that `field` names: `company.name`. Default: one of the item. */
  readonly related?: RelatedField
}

/** A field of the item that a reference names. */
export interface RelatedField {
  /** The member of the reference: `company`. */
  readonly as: string
  /** The field of the related item: `name`. */
  readonly name: string
  /**
   * For an adapter: the items that have a value, and the place of the field in the order of the
   * selection. Default: the middleware gets none.
   */
  readonly join?: (SelectionJoin & { readonly place: number }) | undefined
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
  /** The filters. An item matches if every condition holds. Empty: every item matches. */
  readonly where: readonly Condition[]
  /**
   * The filters of related items: `company.name=Acme`. An adapter gets those that its storage
   * joins, each with its `join`. For others the core looks the related items up, and the adapter
   * gets a condition on their ids in `where`. Empty where only `sort` names related fields,
   * `undefined` for none of both.
   */
  readonly related?: readonly RelatedConditions[] | undefined
  /**
   * A total order: the fields of `sort`, then `id` ascending unless it is among them. Missing
   * values come last ascending, first descending. Only an adapter whose storage joins them gets
   * fields of related items.
   */
  readonly sort: readonly SortField<Field | 'id'>[]
  /** The most items to return; `undefined` for all. */
  readonly limit: number | undefined
  /**
   * The items that the client leaves out at the beginning; 0 for none. The core leaves them out
   * itself, so an adapter of yours always gets 0. `memoryAdapter` and `kyselyAdapter` leave them
   * out in the storage.
   */
  readonly offset: number
  /** Return only items after this position; `undefined` for the start. */
  readonly after: Position | undefined
  /** The core cut a text of `after`: it is the last value that is not `null`. Default: false. */
  readonly isCut?: boolean
  /**
   * The fields that the client wants, beside the id; `undefined` for all. An adapter gives whole
   * items: the core leaves out the other fields.
   */
  readonly fields: readonly string[] | undefined
  /**
   * The references whose items the client wants beside, by member: `['company']`; `undefined` for
   * none. The core reads and adds them.
   */
  readonly include: readonly string[] | undefined
  /** For `countBy`: the fields whose values make the groups, one or two. Default: none. */
  readonly by?: readonly string[] | undefined
}

/** The conditions that the item of a reference meets. Without such an item none holds. */
export interface RelatedConditions {
  /** The member of the reference: `company`. */
  readonly as: string
  /** Conditions on fields of the related item. */
  readonly where: readonly Condition[]
  /** For an adapter: the items that meet the conditions. Default: the middleware gets none. */
  readonly join?: SelectionJoin | undefined
}

/** The condition that a field of an item holds the id of an item of a selection. */
interface SelectionJoin {
  readonly field: string
  /** What the `selection` of an adapter has returned. */
  readonly selection: object
}

/** The value of an owner field, or several: any of them. An empty list holds no item. */
export type OwnerValue = string | number | readonly (string | number)[]

/** The owner fields of the item with the owners' ids: `{ company_id: '7' }`. Empty at the top. */
export type Scope = Readonly<Record<string, OwnerValue | undefined>>

/**
 * Returns the field of an item that alone names its parents, the last id of its path. `undefined`
 * where several ids have to agree, and without parents.
 */
export function parentFieldOf({
  owners: [field, ...further],
  parameters,
}: {
  readonly owners: readonly string[]
  readonly parameters: readonly string[]
}): string | undefined {
  return further.length === 0 && field === parameters.at(-1) ? field : undefined
}

/** Returns the values of a scope's field: `{ company_id: '7' }` → `['7']`. Several are a list. */
export function ownerValues(scope: Scope, field: string): readonly (string | number)[] {
  const value = scope[field] ?? []
  return typeof value === 'object' ? value : [value]
}

/** The scope of a collection without parents. */
export const noScope: Scope = /* @__PURE__ */ Object.freeze({})

/** A parent in the path of an operation. */
export interface PathParent {
  readonly resource: Resource
  /** As the parent's `id` schema gives it; the text of the path for an id that no item can have. */
  readonly id: string | number
}

/** The parents of an operation at the top. */
export const noParents: readonly PathParent[] = /* @__PURE__ */ Object.freeze([])

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
  /**
   * The parents in the path, outermost first, also those whose ids are no fields of the item.
   * The core makes sure that each lies in the one before, after the middleware (C1.3).
   */
  readonly parents: readonly PathParent[]
  /** For `read`, `update`, `patch`, `delete`, and the `create` of a PUT whose item is absent. */
  readonly id: S['item']['id'] | undefined
  /** For `list`, `first`, `last`, `count`, `deleteMany`; other kinds have the order by id. */
  readonly query: Query<S['sortable']>
  /**
   * For `create`, `update` and `patch`. The core reads the body inside the middleware, which sees
   * it only after `next`.
   */
  readonly item: object | undefined
  /** For `updateMany` and a `create` of many items, likewise. */
  readonly items: readonly object[] | undefined
  /** For `patchMany`, likewise: the distinct ids of the items to change, in their order. */
  readonly ids: readonly S['item']['id'][] | undefined
  /** The client wants to see what a write would store. The core calls no method that writes. */
  readonly isDryRun: boolean
  /** Its version or path is deprecated, by the option `lifecycle` of `defineApi`. */
  readonly isDeprecated: boolean
  /**
   * For `deleteAll` and `deleteMany`: with more items, delete none and throw `too_many_affected`.
   * A middleware sees it before `next`, too.
   */
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

/**
 * The outcome of an operation. `next` is the cursor of the next page, if there is one. `total` is
 * the number of all matching items, if the client asked for it. The `items`
 * of a whole list can be a stream, which can be read once.
 */
export type Outcome =
  | {
      readonly gives: 'items'
      readonly items: readonly object[] | AsyncIterable<object>
      readonly next?: string | undefined
      readonly total?: number | undefined
    }
  | { readonly gives: 'item'; readonly item: object }
  | ({ readonly gives: 'count'; readonly count: number } & Partial<Groups>)
  | { readonly gives: 'deleted'; readonly deleted: number }

/** The groups of a count by values. */
export interface Groups {
  /** Each with its values by field, and its number of items. The largest come first. */
  readonly groups: readonly object[]
  /** There are more groups than these. */
  readonly more?: true | undefined
}

/** Ids in ascending order: the default order of a list. */
export const byId: readonly SortField<'id'>[] = /* @__PURE__ */ Object.freeze([
  /* @__PURE__ */ Object.freeze({ field: 'id', direction: 'asc' } as const),
])

/** Returns the condition that a field holds one of these ids. No item meets that of no ids. */
export function conditionOfIds(field: string, ids: readonly (string | number)[]): Condition {
  // Without an id nothing tells the type of the field.
  return { field: ids.length > 0 ? field : 'id', is: 'in', values: ids, type: typeOfId(ids[0]) }
}

/** Returns the type of the values of a condition on ids. */
export function typeOfId(id: unknown): 'number' | 'text' {
  return typeof id === 'number' ? 'number' : 'text'
}

/** The query of a request without parameters. */
export const noQuery: Query<never> = /* @__PURE__ */ Object.freeze({
  q: '',
  words: /* @__PURE__ */ Object.freeze([]),
  where: /* @__PURE__ */ Object.freeze([]),
  related: undefined,
  sort: byId,
  limit: undefined,
  offset: 0,
  after: undefined,
  fields: undefined,
  include: undefined,
  by: undefined,
})

// A new item has one owner, whatever the scope of its caller holds.
type Owned<S extends AdapterShape> = {
  readonly [Field in keyof S['scope']]: Exclude<S['scope'][Field], readonly unknown[]>
}

interface OperationOf<S extends AdapterShape, Kind extends OperationKind> extends Operation<S> {
  readonly kind: Kind
}

/** `GET /employees` */
export type ListOperation<S extends AdapterShape> = OperationOf<S, 'list'>

/** `POST /employees` */
export interface CreateOperation<S extends AdapterShape> extends OperationOf<S, 'create'> {
  /** Valid, with the scope's fields. The adapter adds the id and read-only fields. */
  readonly item: S['create'] & Owned<S>
}

/** `POST /employees` with an array */
export interface CreateManyOperation<S extends AdapterShape> extends OperationOf<S, 'create'> {
  /** Each as the item of {@link CreateOperation}. Create all of them, or none. */
  readonly items: readonly (S['create'] & Owned<S>)[]
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

/** `DELETE /employees?status=left` */
export interface DeleteManyOperation<S extends AdapterShape> extends OperationOf<S, 'deleteMany'> {
  readonly maxAffected: number
}

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

/**
 * Changes a stored item. Returns the whole item to store, or the stored one itself for no change.
 * It may throw a problem, and it may run again with a newer item.
 */
export type Change<Stored> = (stored: Stored) => Awaitable<Stored>

/**
 * Changes stored items, as {@link Change} does one: `undefined` stands for an absent one.
 */
export type ChangeMany<Stored> = (
  stored: readonly (Stored | undefined)[],
) => Awaitable<readonly Stored[]>

/** `PATCH /employees/7`, and a `PUT` that has to keep read-only fields. */
export interface ModifyOperation<S extends AdapterShape>
  extends OperationOf<S, 'patch' | 'update'> {
  readonly id: S['item']['id']
}

/** `PATCH /employees` */
export interface ModifyManyOperation<S extends AdapterShape> extends OperationOf<S, 'patchMany'> {
  readonly ids: readonly S['item']['id'][]
}

/** An operation that changes stored items. */
export type ChangingOperation<S extends AdapterShape> =
  | UpdateOperation<S>
  | UpdateManyOperation<S>
  | ModifyOperation<S>
  | ModifyManyOperation<S>

/** `DELETE /employees/7` */
export interface DeleteOperation<S extends AdapterShape> extends OperationOf<S, 'delete'> {
  readonly id: S['item']['id']
}

/** Judges stored items: throws for one that must not be deleted. It may run again. */
export type Judge<Stored> = (stored: readonly Stored[]) => void

/** `GET /employees/first` */
export type FirstOperation<S extends AdapterShape> = OperationOf<S, 'first'>

/** `GET /employees/last` */
export type LastOperation<S extends AdapterShape> = OperationOf<S, 'last'>

/** `GET /employees/count` */
export type CountOperation<S extends AdapterShape> = OperationOf<S, 'count'>

import type { Awaitable } from '../../convention/awaitable.ts'
import type { OperationKind } from '../../convention/operations.ts'
import type { AdapterShape, Operation } from './operation.ts'

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

/** `GET /employees/first` */
export type FirstOperation<S extends AdapterShape> = OperationOf<S, 'first'>

/** `GET /employees/last` */
export type LastOperation<S extends AdapterShape> = OperationOf<S, 'last'>

/** `GET /employees/count` */
export type CountOperation<S extends AdapterShape> = OperationOf<S, 'count'>

import type { AdapterMethod } from '../../convention/adapter-methods.ts'
import type { Awaitable } from '../../convention/awaitable.ts'
import type { Examination, Mismatch } from '../../convention/mismatch.ts'
import type { OperationKind, TargetKind } from '../../convention/operations.ts'
import type { Chunk } from '../../convention/stream.ts'
import type { Api, Collection, MountedReference, ParametersOf } from './api.ts'
import type { UncheckedRules } from './item-rules.ts'
import type {
  AdapterShape,
  Change,
  ChangeMany,
  CountOperation,
  CreateManyOperation,
  CreateOperation,
  DeleteAllOperation,
  DeleteManyOperation,
  DeleteOperation,
  FirstOperation,
  Judge,
  LastOperation,
  ListOperation,
  ModifyManyOperation,
  ModifyOperation,
  Operation,
  ReadOperation,
  Scalar,
  UpdateManyOperation,
  UpdateOperation,
} from './operation.ts'
import type { Item, Resource, Shape } from './resource.ts'

/** Writes a value of a field as its storage returns it. */
export type StoredForm = (field: string, value: unknown) => unknown

/** An absent item. */
type Absent = null | undefined

/** The table of a storage, and its columns. */
export interface TableLayout {
  /** The table, with its schema if it is not that of the connection. */
  readonly table: string
  /** The table below, if `table` is a view that the storage reads. */
  readonly writeTo?: string | undefined
  /** The columns by field: the name, or what differs from the field. */
  readonly columns: Readonly<Record<string, string | LaidOutColumn | undefined>>
  /** Returns the column of a field that `columns` does not name. Default: the name of the field. */
  readonly naming?: ((field: string) => string) | undefined
  /** The column of the moment of a deletion. Default: none. */
  readonly softDelete?: string | undefined
  /** The columns of folds, by field. Default: none. */
  readonly folded?: Readonly<Record<string, string | LaidOutFold | undefined>>
}

interface LaidOutFold {
  readonly column: string
  readonly writes?: boolean
}

interface LaidOutColumn {
  readonly name?: string
  readonly type?: 'text' | 'number' | 'boolean' | 'json'
  readonly writeOnly?: boolean
}

/** A stored resource with its table. */
export interface ResourceTable {
  readonly resource: Resource
  readonly layout: TableLayout
  /** Its collections, in the words of the stored resource. */
  readonly mounts: readonly Collection[]
  /** The stored resources that the fields name by id, by field. */
  readonly links: ReadonlyMap<string, string>
}

/** The request behind a question about the storage. */
interface Asking<Context = unknown> {
  /** The resource that is stored. */
  readonly resource: Resource
  readonly context: Context
}

/**
 * Stores a resource: one optional method an operation. The server answers 405 for a method that
 * the adapter lacks. It derives `first`, `last` and `count` from `list`, and `patch` and
 * `patchMany` from `modify` and `modifyMany`.
 *
 * Every method works inside the operation's `scope`, may throw a {@link problem}, and never sees
 * HTTP.
 */
export interface Adapter<S extends AdapterShape = AdapterShape> {
  /**
   * Returns the items that match `query`, in its order, at most `limit`. The result is an array, or
   * a stream of items or arrays, which the server sends without holding it.
   */
  list?(
    operation: ListOperation<S>,
    context: S['context'],
  ): Awaitable<readonly S['item'][] | AsyncIterable<Chunk<S['item']>>>
  /** Returns the item as stored, with its id. */
  create?(operation: CreateOperation<S>, context: S['context']): Awaitable<S['item']>
  /** Creates all items or none. Returns them as stored, in the same order. */
  createMany?(
    operation: CreateManyOperation<S>,
    context: S['context'],
  ): Awaitable<readonly S['item'][]>
  /**
   * Returns the items as stored, in the same order. Writes nothing where an id is absent, and
   * returns `null` for it.
   */
  updateMany?(
    operation: UpdateManyOperation<S>,
    context: S['context'],
  ): Awaitable<readonly (S['item'] | Absent)[]>
  /** Deletes all items in the scope, and returns their number. */
  deleteAll?(operation: DeleteAllOperation<S>, context: S['context']): Awaitable<number>
  /**
   * Deletes all items that match `query`, and returns their number. With more than `maxAffected`,
   * it deletes none and throws `too_many_affected`. It needs `count` or `list`, for dry runs.
   */
  deleteMany?(operation: DeleteManyOperation<S>, context: S['context']): Awaitable<number>
  /** Returns the item. */
  read?(operation: ReadOperation<S>, context: S['context']): Awaitable<S['item'] | Absent>
  /** Replaces the whole item, and returns it as stored. */
  update?(operation: UpdateOperation<S>, context: S['context']): Awaitable<S['item'] | Absent>
  /**
   * Reads the item, changes it by `change`, and stores the result, as one step: no other write of
   * the item comes between. Returns the item as stored. If `change` throws, it stores nothing and
   * throws the same. `PATCH` needs `read` and this method, or `read`, `update` and a revision.
   */
  modify?(
    operation: ModifyOperation<S>,
    context: S['context'],
    change: Change<S['item']>,
  ): Awaitable<S['item'] | Absent>
  /**
   * Changes the items of `ids` as `modify` does one: all or none. Gives `change` the stored items
   * in the order of `ids`, with `undefined` for an absent one.
   */
  modifyMany?(
    operation: ModifyManyOperation<S>,
    context: S['context'],
    change: ChangeMany<S['item']>,
  ): Awaitable<readonly S['item'][]>
  /** Returns the deleted item. */
  delete?(operation: DeleteOperation<S>, context: S['context']): Awaitable<S['item'] | Absent>
  /**
   * Reads the item, gives it to `judge`, and deletes it, as one step: no other write of the item
   * comes between. Returns the deleted item. If `judge` throws, it deletes nothing and throws the
   * same. A rule for deletions needs this method, or a revision.
   */
  remove?(
    operation: DeleteOperation<S>,
    context: S['context'],
    judge: Judge<S['item']>,
  ): Awaitable<S['item'] | Absent>
  /**
   * Deletes as `deleteMany` and `deleteAll` do, by the kind of the operation, and judges the items
   * as `remove` does: all of them at once, or in parts, before it deletes any for good. It gives
   * them to `judge` before it throws `too_many_affected`.
   */
  removeMany?(
    operation: DeleteManyOperation<S> | DeleteAllOperation<S>,
    context: S['context'],
    judge: Judge<S['item']>,
  ): Awaitable<number>
  /** Returns the first item that matches `query`, in its order. */
  first?(operation: FirstOperation<S>, context: S['context']): Awaitable<S['item'] | Absent>
  /** Returns the last item that matches `query`, in its order. */
  last?(operation: LastOperation<S>, context: S['context']): Awaitable<S['item'] | Absent>
  /** Returns the number of items that match `query`. */
  count?(operation: CountOperation<S>, context: S['context']): Awaitable<number>
  /**
   * Counts the items that match `query` by their values in the fields of `query.by`: `[{ status:
   * 'new', count: 30 }]`, each combination of values once. With more than 1,000 of them, it may
   * leave out all but the 1,001 largest. The core orders them. Without this method, or where it
   * returns `undefined`, the core counts over `list`.
   */
  countBy?(
    operation: CountOperation<S>,
    context: S['context'],
  ): Awaitable<readonly object[] | undefined>
  /**
   * Tells whether a stored item can have a value in a field, although `schema` says otherwise: the
   * storage may be older than the schema. The core asks only about values of a cursor that the
   * schema refuses. A value can hold NUL or a lone surrogate. Without this method, the core refuses
   * such a cursor (`invalid_cursor`), and no page ends at such an item while it can end at another.
   */
  holdsValue?(field: string, value: Scalar, asking: Asking<S['context']>): Awaitable<boolean>
  /**
   * Gets the adapters of all resources, by name, when `.adapters()` binds them. A storage that
   * knows the references can keep a referenced item from deletion. An error that it throws is one
   * of `.adapters()`.
   */
  join?(resource: Resource, adapters: Readonly<Record<string, Adapter>>): void
  /**
   * Returns what another adapter of the same storage needs to know the items of a list: those of
   * its scope that meet its filters. Returns `undefined` where no other can. The core asks it for
   * filters of related items.
   */
  selection?(operation: Operation<S>, context: S['context']): Awaitable<object | undefined>
  /**
   * Tells whether the storage can join each selection of `query.related` and `query.sort`. If so,
   * the core calls the other methods with it. An item then matches only if the field of each `join`
   * of `related` holds the id of an item of its selection. A `join` of `sort` finds the value to
   * sort by: the field at `place` in the order of the selection, or none. Each item of `list`,
   * `first` and `last` then has a member `Symbol.for('nounful.relatedValues')` with these values,
   * by the names in `sort`.
   */
  joinsSelection?(operation: Operation<S>, context: S['context']): Awaitable<boolean>
  /**
   * Returns the same object as the adapters whose `selection` it joins: OPTIONS and the OpenAPI
   * document then name the fields of related items to sort by. The core asks the adapters of this
   * library alone. Default: they name none.
   */
  storage?(): object
  /**
   * Returns the function that writes a value of a field as the storage returns it: a column of
   * `numeric(12,2)` returns "10.1" as "10.10". The core then compares what a client sends with what
   * is stored, by value. Returns `undefined` if the storage returns every value unchanged.
   */
  storedForm?(operation: Operation<S>, context: S['context']): Awaitable<StoredForm | undefined>
  /**
   * Checks that the storage fits, for `registry.ready()`. Throws or rejects with an error that
   * names every mismatch.
   *
   * @param mounts The collections of the resource.
   */
  ready?(resource: Resource, mounts: readonly Collection[]): Awaitable<void>
  /**
   * Returns the limits of a storage that is ready, for `registry.advise()`. It reads no item.
   */
  advise?(resource: Resource): Awaitable<readonly Mismatch[]>
  /**
   * Examines a storage for `nounful doctor`, which calls `ready` first. It may read items, and
   * writes nothing. An error tells nothing more where `ready` has failed.
   */
  examine?(resource: Resource, mounts: readonly Collection[]): Awaitable<Examination>
  /** Returns the table of the storage, for `nounful ddl`. Asks no database. */
  layout?(): TableLayout
}

// The resources of an api with their paths, by name.
type MountsOf<A extends Api> = {
  [Mount in MountIn<A['declaration'][keyof A['declaration']]> as Mount['name']]: Mount
}

type MountIn<Paths> = Paths extends unknown
  ? { [Path in keyof Paths & string]: MountAt<Path, StoredOf<Paths[Path]>> }[keyof Paths & string]
  : never

interface MountAt<Path extends string, R> {
  readonly name: R extends { readonly name: infer Name extends string } ? Name : never
  readonly path: Path
  readonly resource: R
}

// A view has the adapter of its base.
type StoredOf<R> = R extends { readonly shape?: { readonly base: infer H extends Shape } }
  ? Resource<H>
  : R

// Only fields of the item. A parameter of every path is in every scope, another one in some. The
// scope of a caller can hold several owners, and lacks the field for a caller of every owner.
// The last mapping makes an editor show the fields.
type ScopeOf<Path extends string, Fields, Owned> = {
  readonly [Name in Everywhere<Path, OwnersOf<Path, Fields>>]: Owner<Fields[Name]>
} & {
  readonly [Name in Exclude<
    OwnersOf<Path, Fields> | (Owned & keyof Fields),
    Everywhere<Path, OwnersOf<Path, Fields>>
  >]?: Name extends Owned
    ? Owner<Fields[Name]> | readonly Owner<Fields[Name]>[]
    : Owner<Fields[Name]>
} extends infer Scope
  ? { [Field in keyof Scope]: Scope[Field] }
  : never

type OwnersOf<Path extends string, Fields> = ParametersOf<Path> & keyof Fields

type Everywhere<Path extends string, Name extends string> = Name extends unknown
  ? [Exclude<Path, `${string}/:${Name}/${string}`>] extends [never]
    ? Name
    : never
  : never

type Owner<Value> = Extract<Value, string | number>

// Together, since the paths of a resource share one scope.
type AdapterShapeOf<Mounts, Context> = [Mounts] extends [MountAt<infer Path, Resource<infer S>>]
  ? S & { readonly scope: ScopeOf<Path, S['item'], S['ownedBy']>; readonly context: Context }
  : never

type NamesOf<A extends Api> = keyof MountsOf<A> & string

/** The adapter of one resource of an api: `AdapterFor<typeof api, 'employees'>`. */
export type AdapterFor<A extends Api, Name extends NamesOf<A>, Context = unknown> = Adapter<
  AdapterShapeOf<MountsOf<A>[Name], Context>
>

/** The adapters of an api: one for each resource, by name. */
export type AdaptersOf<A extends Api, Context = unknown> = {
  readonly [Name in NamesOf<A>]: AdapterFor<A, Name, Context>
}

// TypeScript compares a method's parameters both ways, so that an adapter of any shape fits.
interface Unchecked {
  method(operation: Operation, context: unknown): unknown
  modify(operation: Operation, context: unknown, change: Change<Item>): unknown
  modifyMany(operation: Operation, context: unknown, change: ChangeMany<Item>): unknown
  remove(operation: Operation, context: unknown, judge: Judge<Item>): unknown
  removeMany(operation: Operation, context: unknown, judge: Judge<Item>): unknown
}

/** An adapter as the core calls it. The core checks every result. */
export type UncheckedAdapter = {
  readonly [Method in AdapterMethod]?: Method extends keyof Unchecked
    ? Unchecked[Method]
    : Unchecked['method']
} & Pick<
  Adapter,
  | 'ready'
  | 'advise'
  | 'examine'
  | 'layout'
  | 'holdsValue'
  | 'storedForm'
  | 'selection'
  | 'joinsSelection'
  | 'storage'
>

/** The operations of a target, and its `Allow`. */
export interface Methods {
  /** By method; by `DELETE?` for a DELETE with a query. */
  readonly kinds: ReadonlyMap<string, OperationKind>
  readonly allow: string
}

/** A resource bound to its adapter, with the operations that both support. */
export interface Binding {
  readonly resource: Resource
  readonly adapter: UncheckedAdapter
  /** What callers may do to its items; `undefined` for everything. */
  readonly rules: UncheckedRules | undefined
  /** By kind of target. */
  readonly methods: ReadonlyMap<TargetKind, Methods>
  /** The references by whose items the storage can sort. */
  readonly joined: readonly MountedReference[]
}

import type { Api, Collection, ParametersOf } from './api.ts'
import type { Awaitable } from './awaitable.ts'
import type {
  AdapterShape,
  CountOperation,
  CreateOperation,
  DeleteAllOperation,
  DeleteOperation,
  FirstOperation,
  LastOperation,
  ListOperation,
  ReadOperation,
  UpdateManyOperation,
  UpdateOperation,
} from './operation.ts'
import type { Resource } from './resource.ts'
import type { Part } from './stream.ts'

/** What `null` and `undefined` say: there is no such item. */
type Absent = null | undefined

/**
 * Where a resource is stored: one optional method an operation. What it has, it supports; a method it lacks is
 * answered 405. `first`, `last` and `count` are derived from `list` when it lacks them.
 *
 * Every method works inside the operation's `scope` and may throw a {@link problem}; it never sees HTTP.
 */
export interface Adapter<S extends AdapterShape = AdapterShape> {
  /**
   * The items that match `query`, in its order, at most `limit` of them: an array, or one by one or some arrays after each other,
   * to be sent without being held.
   */
  list?(
    operation: ListOperation<S>,
    context: S['context'],
  ): Awaitable<readonly S['item'][] | AsyncIterable<Part<S['item']>>>
  /** The item as it was stored, with its id. */
  create?(operation: CreateOperation<S>, context: S['context']): Awaitable<S['item']>
  /** The items as they were stored, in the same order. Where an id is absent, `null` in its place, and nothing is written. */
  updateMany?(
    operation: UpdateManyOperation<S>,
    context: S['context'],
  ): Awaitable<readonly (S['item'] | Absent)[]>
  /** How many were deleted: all in the scope. */
  deleteAll?(operation: DeleteAllOperation<S>, context: S['context']): Awaitable<number>
  /** The item. */
  read?(operation: ReadOperation<S>, context: S['context']): Awaitable<S['item'] | Absent>
  /** The item as it was stored; it replaces what was there. */
  update?(operation: UpdateOperation<S>, context: S['context']): Awaitable<S['item'] | Absent>
  /** The item that was deleted. */
  delete?(operation: DeleteOperation<S>, context: S['context']): Awaitable<S['item'] | Absent>
  /** The first item that matches `query`, in its order. */
  first?(operation: FirstOperation<S>, context: S['context']): Awaitable<S['item'] | Absent>
  /** The last item that matches `query`, in its order. */
  last?(operation: LastOperation<S>, context: S['context']): Awaitable<S['item'] | Absent>
  /** How many match `query`. */
  count?(operation: CountOperation<S>, context: S['context']): Awaitable<number>
  /**
   * Looks whether the storage fits, for `registry.ready()`: no operation. Throws or rejects with an error whose message names
   * every misfit.
   *
   * @param mounts The collections of the resource.
   */
  ready?(resource: Resource, mounts: readonly Collection[]): Awaitable<void>
}

type Mounted = { readonly name: string; readonly shape?: unknown }

type PathsByName<Paths> = Paths extends unknown
  ? { [Path in keyof Paths & string as NameOf<Paths[Path]>]: Path }
  : never

type ResourcesByName<Paths> = Paths extends unknown
  ? { [Path in keyof Paths & string as NameOf<Paths[Path]>]: Paths[Path] }
  : never

type NameOf<R> = R extends Mounted ? R['name'] : never

type KeysOf<Union> = Union extends unknown ? keyof Union & string : never

type At<Union, Key extends string> = Union extends { readonly [K in Key]: infer Value }
  ? Value
  : never

// A parameter that every path has is there in every scope, the others are in some.
// Looked through once more, so that an editor shows its fields and not how they came about.
type ScopeOf<Path extends string, Fields> = {
  readonly [Name in Everywhere<Path, ParametersOf<Path>>]: Owner<Fields, Name>
} & {
  readonly [Name in Exclude<ParametersOf<Path>, Everywhere<Path, ParametersOf<Path>>>]?: Owner<
    Fields,
    Name
  >
} extends infer Scope
  ? { [Field in keyof Scope]: Scope[Field] }
  : never

type Everywhere<Path extends string, Name extends string> = Name extends unknown
  ? [Exclude<Path, `${string}/:${Name}/${string}`>] extends [never]
    ? Name
    : never
  : never

type Owner<Fields, Name extends string> = Name extends keyof Fields
  ? Extract<Fields[Name], string | number>
  : string | number

type AdapterShapeOf<R, Path extends string, Context> =
  R extends Resource<infer S>
    ? {
        name: S['name']
        item: S['item']
        createInput: S['createInput']
        create: S['create']
        updateInput: S['updateInput']
        sortable: S['sortable']
        scope: ScopeOf<Path, S['item']>
        context: Context
      }
    : never

type NamesOf<A extends Api> = KeysOf<ResourcesByName<A['declaration'][keyof A['declaration']]>>

/** The adapter of one resource of an api: `AdapterFor<typeof api, 'employees'>`. */
export type AdapterFor<A extends Api, Name extends NamesOf<A>, Context = unknown> = Adapter<
  AdapterShapeOf<
    At<ResourcesByName<A['declaration'][keyof A['declaration']]>, Name>,
    At<PathsByName<A['declaration'][keyof A['declaration']]>, Name> & string,
    Context
  >
>

/** The adapters an api needs: one a resource, by name. */
export type AdaptersOf<A extends Api, Context = unknown> = {
  readonly [Name in NamesOf<A>]: AdapterFor<A, Name, Context>
}

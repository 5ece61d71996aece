import type { Api, ParametersOf } from '../contract/resource/api.ts'
import type { FieldOf, MemberOf, Shape, TargetOf } from '../contract/resource/resource.ts'
import type {
  CallOptions,
  CreateOptions,
  DeleteAllOptions,
  DryRunOptions,
  WriteOptions,
} from './options.ts'
import type {
  CountByQuery,
  CountedPage,
  Counts,
  DeleteManyQuery,
  FirstQuery,
  ListQuery,
  Page,
  ReadManyOptions,
  ReadQuery,
} from './query.ts'
import type { RelatedFilters, RelatedOrder, Shapes } from './where.ts'

/** The client of an api, by version and noun. Made by `createClient`. */
export type Client<A extends Api = Api> = {
  readonly [Version in keyof A['declaration']]: VersionClient<A['declaration'][Version]>
}

/** The nouns at the top of a version. */
export type VersionClient<Paths> = NounsUnder<'', Paths, PathsByParent<Paths>, ShapesByName<Paths>>

/**
 * An item of an api by its version and noun, as a client gets it:
 * `ItemOf<typeof api, 'v2', 'employees'>`.
 */
export type ItemOf<
  A extends Api,
  Version extends keyof A['declaration'],
  Noun extends SplitPath<keyof A['declaration'][Version]>[1],
> = ItemsByNoun<A['declaration'][Version]>[Noun]

type ItemsByNoun<Paths> = {
  [Path in keyof Paths as SplitPath<Path>[1]]: VisibleItem<ShapeOf<Paths[Path]>>
}

/** The types of a collection at one path. */
export interface Mounted {
  readonly shape: Shape
  /** The parameters of the path. It sets those that are fields of the item. */
  readonly given: string
  /** The shapes of the items that the references name, by member. */
  readonly related: Shapes
  /** The filters of these items. */
  readonly filters: unknown
  /** The nouns under one item. */
  readonly nouns: unknown
}

/**
 * Members that a collection does not have: its items have them. The compiler names this class where
 * you forget the id, as in `companies.read()` or `companies.employees.list()`.
 */
export declare class CallItWithAnIdFirst {
  private readonly read: never
  private readonly update: never
  private readonly patch: never
  private readonly delete: never
  // A function has these two. A list has a length, and many an item a name.
  private readonly length: never
  private readonly name: never
}

declare const mounted: unique symbol

/** The methods of a collection. Call it with an id to address one item. */
export interface CollectionClient<M extends Mounted = Mounted> extends CallItWithAnIdFirst {
  /** A member of the type alone, by which functions find out `M`. */
  readonly [mounted]?: M
  /** Addresses one item, without a request. The item need not exist. */
  (id: IdOf<M>): ItemClient<M> & M['nouns']
  /** `GET`: returns the items. */
  list<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    query?: ListQuery<M['shape'], Field, Include, M['filters'], OrderIn<M>>,
    options?: CallOptions,
  ): Promise<readonly SelectedItem<M, Field, Include>[]>
  /** `GET`: returns a page, and the number of all matching items. */
  page<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    query?: ListQuery<M['shape'], Field, Include, M['filters'], OrderIn<M>>,
    options?: CallOptions,
  ): Promise<CountedPage<SelectedItem<M, Field, Include>>>
  /**
   * Returns the item of each id, `undefined` where it does not exist. Lists up to 100 ids in a
   * request, one request after another.
   */
  readMany<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    ids: readonly IdOf<M>[],
    options?: ReadManyOptions<Field, Include>,
  ): Promise<readonly (SelectedItem<M, Field, Include> | undefined)[]>
  /** Checks as below, and stores nothing. */
  create(item: CreateBody<M>, options: DryRunOptions): Promise<DryRunItem<M>>
  /** `POST`: returns the stored item. */
  create(item: CreateBody<M>, options?: CreateOptions): Promise<ItemIn<M>>
  /** Checks as below, and stores nothing. */
  createMany(
    items: readonly CreateBody<M>[],
    options: DryRunOptions,
  ): Promise<readonly DryRunItem<M>[]>
  /** `POST`: creates these items, all or none. Returns the stored items in the same order. */
  createMany(items: readonly CreateBody<M>[], options?: CallOptions): Promise<readonly ItemIn<M>[]>
  /** Checks as below, and stores nothing. */
  updateMany(items: ReplacementsOf<M>, options: DryRunOptions): Promise<readonly DryRunItem<M>[]>
  /**
   * `PUT`: replaces these items, all or none. Each has its id. Returns the stored items in the
   * same order.
   */
  updateMany(items: ReplacementsOf<M>, options?: CallOptions): Promise<readonly ItemIn<M>[]>
  /** Checks as below, and stores nothing. */
  patchMany(patches: PatchesOf<M>, options: DryRunOptions): Promise<readonly DryRunItem<M>[]>
  /**
   * `PATCH`: changes these items, all or none. Each patch has the id of its item. Returns the whole
   * stored items in the same order.
   */
  patchMany(patches: PatchesOf<M>, options?: CallOptions): Promise<readonly ItemIn<M>[]>
  /**
   * `DELETE`: deletes the items that match, all or none, and returns how many. If more than
   * `maxAffected` match, it throws `too_many_affected`.
   */
  deleteMany(query: DeleteManyQuery<M['shape'], M['filters']>): Promise<number>
  /**
   * Deletes the items of these ids: one `DELETE` each, at most six at a time. Returns an outcome
   * for each id in the same order, `{ id, item }` or `{ id, error }`.
   */
  deleteMany(
    ids: readonly IdOf<M>[],
    options?: CallOptions,
  ): Promise<readonly DeleteOutcome<ItemIn<M>>[]>
  /** `DELETE`: deletes every item of the collection. Returns how many. */
  deleteAll(options?: DeleteAllOptions): Promise<number>
  /** `GET /first`: throws `empty_collection` when no item matches. */
  first<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    query?: FirstQuery<M['shape'], Field, Include, M['filters'], OrderIn<M>>,
    options?: CallOptions,
  ): Promise<SelectedItem<M, Field, Include>>
  /** `GET /last`: throws as `first`. */
  last<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    query?: FirstQuery<M['shape'], Field, Include, M['filters'], OrderIn<M>>,
    options?: CallOptions,
  ): Promise<SelectedItem<M, Field, Include>>
  /** `GET /count`: returns how many items match; with `by`, the number of each group too. */
  count<By extends M['shape']['countable'] | undefined = undefined>(
    query?: CountByQuery<M['shape'], By, M['filters']>,
    options?: CallOptions,
  ): Promise<CountedBy<M, By>>
  /** Lists page by page, one request a page. `limit` is the size of a page. */
  pages<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    query?: ListQuery<M['shape'], Field, Include, M['filters'], OrderIn<M>>,
    options?: CallOptions,
  ): Pages<Page<SelectedItem<M, Field, Include>>>
  /** Yields the items of {@link pages} one by one. */
  items<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    query?: ListQuery<M['shape'], Field, Include, M['filters'], OrderIn<M>>,
    options?: CallOptions,
  ): Pages<SelectedItem<M, Field, Include>>
}

/** The outcome of one id of `deleteMany`: the deleted item, or the error of its request. */
export type DeleteOutcome<Item extends { readonly id: unknown }> =
  | { readonly id: Item['id']; readonly item: Item; readonly error?: never }
  | { readonly id: Item['id']; readonly item?: never; readonly error: unknown }

/** The methods of one item, beside the nouns under it. */
export interface ItemClient<M extends Mounted = Mounted> {
  /** `GET`: returns the item. */
  read<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    query?: ReadQuery<Field, Include>,
    options?: CallOptions,
  ): Promise<SelectedItem<M, Field, Include>>
  /** Checks as below, and stores nothing. */
  update(item: UpdateBody<M>, options: WriteOptions & DryRunOptions): Promise<DryRunItem<M>>
  /** `PUT`: replaces the whole item. Returns the stored item. */
  update(item: UpdateBody<M>, options?: WriteOptions): Promise<ItemIn<M>>
  /** Checks as below, and stores nothing. */
  patch(patch: PatchBody<M>, options: WriteOptions & DryRunOptions): Promise<DryRunItem<M>>
  /** `PATCH`: changes the fields that the patch names. Returns the whole stored item. */
  patch(patch: PatchBody<M>, options?: WriteOptions): Promise<ItemIn<M>>
  /** `DELETE`: returns the deleted item. */
  delete(options?: WriteOptions): Promise<ItemIn<M>>
}

/** An item of a collection, as a client gets it. */
export type ItemIn<M extends Mounted> = VisibleItem<M['shape']>
/** The names of the fields of a collection's items. */
export type FieldIn<M extends Mounted> = FieldOf<ItemIn<M>>
/**
 * The names that `include` takes. `undefined` stands for none, and makes `ReturnType` of a method
 * the item alone.
 */
export type NamesIn<M extends Mounted> = readonly FieldOf<M['related']>[] | undefined
/** The related fields that `sort` takes: `company.name`. */
export type OrderIn<M extends Mounted> = RelatedOrder<M['related']>
/** An item with these fields and included items. */
export type SelectedItem<M extends Mounted, Field, Include> = ItemWithIncluded<
  ItemWithFields<M, Field>,
  M['related'],
  Include
>

/** The number alone, where the query names no field. A value that is missing is `null`. */
export type CountedBy<M extends Mounted, By> = [By] extends [never]
  ? number
  : [By] extends [string]
    ? Counts<GroupOf<M, By>>
    : number
type GroupOf<M extends Mounted, By extends string> = {
  readonly [Field in By]: Exclude<GroupValue<M, Field>, undefined> | null
} & { readonly count: number }
type GroupValue<M extends Mounted, Field> = Field extends keyof ItemIn<M> ? ItemIn<M>[Field] : never

// The whole item where the query names no field, or a list that may hold any.
type ItemWithFields<M extends Mounted, Field> = [FieldIn<M>] extends [Field]
  ? ItemIn<M>
  : [Field] extends [never]
    ? ItemIn<M>
    : Flat<Pick<ItemIn<M>, 'id' | (Field & keyof ItemIn<M>)>>
// An editor then shows the members alone.
type Flat<Fields> = Fields extends infer Known ? { [Name in keyof Known]: Known[Name] } : never
type Pages<Value> = AsyncGenerator<Value, void, undefined>
/** The id of a collection's items. */
export type IdOf<M extends Mounted> = M['shape']['item']['id']
type PathFields<M extends Mounted> = M['given'] & keyof ItemIn<M>
/** The body of `create`. */
export type CreateBody<M extends Mounted> = WithOptional<M['shape']['createInput'], PathFields<M>>

/** The body of `update`. You may send back an item with all the fields that you read. */
export type UpdateBody<M extends Mounted> = WithOptional<
  M['shape']['updateInput'],
  PathFields<M> | 'id'
> &
  OtherFields<M>
/** The body of `patch`. */
export type PatchBody<M extends Mounted> = MergePatch<M['shape']['updateInput']> & OtherFields<M>
type OtherFields<M extends Mounted> = Partial<Omit<ItemIn<M>, keyof M['shape']['updateInput']>>
type ReplacementsOf<M extends Mounted> = readonly (UpdateBody<M> & WithId<M>)[]
type PatchesOf<M extends Mounted> = readonly (PatchBody<M> & WithId<M>)[]
type WithId<M extends Mounted> = { readonly id: IdOf<M> }
// The part of an item that the server knows before it stores the item.
type DryRunItem<M extends Mounted> = Partial<ItemIn<M>>

// The fields that the path sets are optional in the body.
type WithOptional<Input, Fields extends PropertyKey> = Input extends unknown
  ? [keyof Input & Fields] extends [never]
    ? Input
    : Without<Input, Fields> & Partial<Pick<Input, keyof Input & Fields>>
  : never

// `Omit` would lose the known names of an object with an index signature.
type Without<Input, Fields extends PropertyKey> = {
  [Name in keyof Input as Name extends Fields ? never : Name]: Input[Name]
}

/** Parents and noun: `/companies/:company_id/employees` → `['/companies', 'employees']`. */
type SplitPath<
  Path,
  Parents extends string = '',
> = Path extends `/${infer Noun}/:${string}/${infer Rest}`
  ? SplitPath<`/${Rest}`, `${Parents}/${Noun}`>
  : Path extends `/${infer Noun}`
    ? [Parents, Noun]
    : never

// Computed once a version: per collection, the cost would grow with the square of the paths.
type PathsByParent<Paths> = {
  [Path in keyof Paths & string as SplitPath<Path>[0]]: Path
}

// Looks up one parent at a time: `keyof Index` would visit the whole index for each.
type NounsUnder<Parents extends string, Paths, Index, ByName> = Index extends {
  readonly [Parent in Parents]: infer Path extends string
}
  ? {
      readonly [Child in Path as SplitPath<Child>[1]]: CollectionClient<{
        readonly shape: ShapeAt<Child, Paths>
        readonly given: ParametersOf<Child>
        readonly related: RelatedIn<ShapeAt<Child, Paths>['references'], ByName>
        readonly filters: FiltersIn<ShapeAt<Child, Paths>['references'], ByName>
        readonly nouns: NounsUnder<`${Parents}/${SplitPath<Child>[1]}`, Paths, Index, ByName>
      }> &
        NounsAfterId<NounsUnder<`${Parents}/${SplitPath<Child>[1]}`, Paths, Index, ByName>>
    }
  : unknown

// The nouns under an item, as an error on its collection names them.
type NounsAfterId<Nouns> = { readonly [Noun in keyof Nouns]: CallItWithAnIdFirst }

type ShapeAt<Path, Paths> = Paths extends {
  readonly [At in Path & string]: { readonly shape?: infer S extends Shape }
}
  ? S
  : Shape

/**
 * The shapes of a version, by the name of their resource; a view also by that of its base, which
 * an inherited reference has. Computed once a version.
 */
type ShapesByName<Paths, Base = ViewedBase<Paths>> = {
  [Path in keyof Paths as ShapeOf<Paths[Path]>['name'] | (BaseName<Paths[Path]> & Base)]: ShapeOf<
    Paths[Path]
  >
}

// Its own name comes first. Several views of a base are targets by their own names only.
type ViewedBase<Paths> = Exclude<
  SingleIn<{ [Path in keyof Paths as BaseName<Paths[Path]>]: ShapeOf<Paths[Path]>['name'] }>,
  ShapeOf<Paths[keyof Paths]>['name']
>

type SingleIn<Names> = {
  [Base in keyof Names]: IsOne<Names[Base]> extends true ? Base : never
}[keyof Names]

type IsOne<Name, All = Name> = Name extends unknown ? ([All] extends [Name] ? true : false) : never

type BaseName<Resource> =
  ShapeOf<Resource> extends { readonly base: { readonly name: infer Base extends string } }
    ? Base
    : never

/** The item of a shape as a client gets it: without the restricted fields that it may not see. */
type VisibleItem<S extends Shape> = [S['restricted']] extends [never]
  ? S['item']
  : string extends S['restricted']
    ? S['item']
    : Pick<S['item'], 'id'> &
        Omit<S['item'], S['restricted']> & {
          [Field in S['restricted'] & keyof S['item']]?: S['item'][Field]
        }

type ShapeOf<Resource> = Resource extends { readonly shape?: infer S extends Shape } ? S : Shape

/** The shapes that references lead to, by member: those of resources in the same version. */
type RelatedIn<References, ByName> = {
  [Field in keyof References & string as ByName extends IndexWith<TargetOf<References[Field]>>
    ? MemberOf<Field, References[Field]>
    : never]: ByName extends IndexWith<TargetOf<References[Field]>, infer S extends Shape>
    ? S
    : never
}

type FiltersIn<References, ByName> = [keyof References] extends [never]
  ? unknown
  : RelatedFilters<RelatedIn<References, ByName>>

// Looks up one name: `keyof ByName` would visit all shapes for each.
type IndexWith<Name, Found = unknown> = { readonly [At in Name & string]: Found }

/**
 * An item with the members of these names, optional where the names depend on a value. Without
 * names, and for a method's type before a call, the item alone.
 */
type ItemWithIncluded<Item, Related extends Shapes, Names> = [Names] extends [
  readonly (infer Name extends keyof Related)[],
]
  ? [Name] extends [never]
    ? Item
    : [Name] extends [keyof NamesRecord<Names>]
      ? Item & { [Member in Name]: VisibleItem<Related[Member]> | null }
      : Item & { [Member in Name]?: VisibleItem<Related[Member]> | null }
  : Item

// Several possible lists, or names in a list, give a union: its keys are the names in all of them.
type NamesRecord<Names, Members = unknown> = Names extends readonly [
  infer Name extends string,
  ...infer Rest,
]
  ? Name extends unknown
    ? NamesRecord<Rest, Members & Readonly<Record<Name, true>>>
    : never
  : Members

/**
 * A merge patch (RFC 7396): the members to change, at every depth of plain objects. `null` removes
 * a member that may be absent. A patch replaces an array.
 */
export type MergePatch<Value> = {
  [Name in keyof Value]?: PatchOf<Value[Name]> | NullIfOptional<Pick<Value, Name>>
}

type PatchOf<Value> = Value extends AtomicValue
  ? Value
  : Value extends object
    ? MergePatch<Value>
    : Value

type AtomicValue = string | number | boolean | null | undefined | readonly unknown[]

// An empty object fits where the member is optional.
type NullIfOptional<Member> = Record<never, never> extends Member ? null : never

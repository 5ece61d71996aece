import type { Api } from '../model/api.ts'
import type { ParametersOf } from '../model/mountable.ts'
import type { FieldOf, Shape } from '../model/resource.ts'
import type { CallOptions, DeleteAllOptions, WriteOptions } from './options.ts'
import type { Where } from './where.ts'

/** The client of an api, by version and noun. Made by `createClient`. */
export type Client<A extends Api = Api> = {
  readonly [Version in keyof A['declaration']]: VersionClient<A['declaration'][Version]>
}

/** The nouns at the top of a version. */
export type VersionClient<Paths> = NounsUnder<'', Paths, PathsByParent<Paths>>

/** The types of a collection at one path. */
export interface Mounted {
  readonly shape: Shape
  /** The parameters of the path. It sets those that are fields of the item. */
  readonly given: string
  /** The nouns under one item. */
  readonly nouns: unknown
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** The cursor of the next page; `undefined` on the last page. */
  readonly next: string | undefined
}

/** A {@link Page} with the number of all matching items. */
export interface CountedPage<Item> extends Page<Item> {
  /** `undefined` from a resource with `total: false`. */
  readonly total: number | undefined
}

/** Selects the items to count. */
export interface CountQuery<S extends Shape = Shape> {
  /** Words. An item matches when each word is in a searchable field. Default: every item. */
  readonly q?: string | undefined
  /** Filters. An item matches when it meets each of them. Default: every item. */
  readonly where?: Where<S> | undefined
}

/** Selects the fields of an item. */
export interface ReadQuery<Field extends string = string> {
  /** The fields to return, beside the id. Default, and for `[]`: all. */
  readonly fields?: readonly Field[] | undefined
}

/** Selects the first or last item, the order, and the fields. */
export interface FirstQuery<S extends Shape = Shape, Field extends string = string>
  extends CountQuery<S>,
    ReadQuery<Field> {
  /** Sort fields, the most important first; `-` means descending. Default: by id. */
  readonly sort?: readonly SortFieldOf<S['sortable'] | 'id'>[] | undefined
}

/** Selects the items to list, their order and their fields. */
export interface ListQuery<S extends Shape = Shape, Field extends string = string>
  extends FirstQuery<S, Field> {
  /** The most items to return. Default: the resource's `defaultLimit`, else all. */
  readonly limit?: number | undefined
  /** The matching items to skip, up to 10,000. Needs a limit, and excludes `after`. Default: 0. */
  readonly offset?: number | undefined
  /** A page's `next`: the list starts after it. Default: the start. */
  readonly after?: string | undefined
}

type SortFieldOf<Sortable extends string> = Sortable | `-${Sortable}`

/** The methods of a collection. Call it with an id to address one item. */
export interface CollectionClient<M extends Mounted = Mounted> {
  /** Addresses one item, without a request. The item need not exist. */
  (id: IdOf<M>): ItemClient<M> & M['nouns']
  /** `GET`: returns the items. */
  list<Field extends FieldIn<M> = FieldIn<M>>(
    query?: ListQuery<M['shape'], Field>,
    options?: CallOptions,
  ): Promise<readonly Selected<M, Field>[]>
  /** `GET`: returns a page, and the number of all matching items. */
  page<Field extends FieldIn<M> = FieldIn<M>>(
    query?: ListQuery<M['shape'], Field>,
    options?: CallOptions,
  ): Promise<CountedPage<Selected<M, Field>>>
  /**
   * Returns the item of each id, `undefined` where it does not exist. Lists up to 100 ids in a
   * request, one request after another.
   */
  readMany(
    ids: readonly IdOf<M>[],
    options?: CallOptions,
  ): Promise<readonly (ItemOf<M> | undefined)[]>
  /** `POST`: returns the stored item. */
  create(item: Created<M>, options?: CallOptions): Promise<ItemOf<M>>
  /**
   * `PUT`: replaces these items, all or none. Each has its id. Returns the stored items in the
   * same order.
   */
  updateMany(
    items: readonly (Updated<M> & { readonly id: IdOf<M> })[],
    options?: CallOptions,
  ): Promise<readonly ItemOf<M>[]>
  /** `DELETE`: deletes every item of the collection. Returns how many. */
  deleteAll(options?: DeleteAllOptions): Promise<number>
  /** `GET /first`: throws `empty_collection` when no item matches. */
  first<Field extends FieldIn<M> = FieldIn<M>>(
    query?: FirstQuery<M['shape'], Field>,
    options?: CallOptions,
  ): Promise<Selected<M, Field>>
  /** `GET /last`: throws as `first`. */
  last<Field extends FieldIn<M> = FieldIn<M>>(
    query?: FirstQuery<M['shape'], Field>,
    options?: CallOptions,
  ): Promise<Selected<M, Field>>
  /** `GET /count`: returns how many items match. */
  count(query?: CountQuery<M['shape']>, options?: CallOptions): Promise<number>
  /** Lists page by page, one request a page. `limit` is the size of a page. */
  pages<Field extends FieldIn<M> = FieldIn<M>>(
    query?: ListQuery<M['shape'], Field>,
    options?: CallOptions,
  ): Pages<Page<Selected<M, Field>>>
  /** Yields the items of {@link pages} one by one. */
  items<Field extends FieldIn<M> = FieldIn<M>>(
    query?: ListQuery<M['shape'], Field>,
    options?: CallOptions,
  ): Pages<Selected<M, Field>>
}

/** The methods of one item, beside the nouns under it. */
export interface ItemClient<M extends Mounted = Mounted> {
  /** `GET`: returns the item. */
  read<Field extends FieldIn<M> = FieldIn<M>>(
    query?: ReadQuery<Field>,
    options?: CallOptions,
  ): Promise<Selected<M, Field>>
  /** `PUT`: replaces the whole item. Returns the stored item. */
  update(item: Updated<M>, options?: WriteOptions): Promise<ItemOf<M>>
  /** `DELETE`: returns the deleted item. */
  delete(options?: WriteOptions): Promise<ItemOf<M>>
}

type ItemOf<M extends Mounted> = M['shape']['item']
type FieldIn<M extends Mounted> = FieldOf<ItemOf<M>>

// The whole item where the query names no field, or a list that may hold any.
type Selected<M extends Mounted, Field> = [FieldIn<M>] extends [Field]
  ? ItemOf<M>
  : [Field] extends [never]
    ? ItemOf<M>
    : Pick<ItemOf<M>, 'id' | (Field & keyof ItemOf<M>)>
type Pages<Value> = AsyncGenerator<Value, void, undefined>
type IdOf<M extends Mounted> = M['shape']['item']['id']
type Owners<M extends Mounted> = M['given'] & keyof ItemOf<M>
type Created<M extends Mounted> = Given<M['shape']['createInput'], Owners<M>>

// You may send back an item with all the fields that you read.
type Updated<M extends Mounted> = Given<M['shape']['updateInput'], Owners<M> | 'id'> &
  Partial<Omit<ItemOf<M>, keyof M['shape']['updateInput']>>

// The fields that the path sets are optional in the body.
type Given<Input, Fields extends PropertyKey> = Input extends unknown
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
type NounsUnder<Parents extends string, Paths, Index> = Index extends {
  readonly [Parent in Parents]: infer Path extends string
}
  ? {
      readonly [Child in Path as SplitPath<Child>[1]]: CollectionClient<{
        readonly shape: ShapeAt<Child, Paths>
        readonly given: ParametersOf<Child>
        readonly nouns: NounsUnder<`${Parents}/${SplitPath<Child>[1]}`, Paths, Index>
      }>
    }
  : unknown

type ShapeAt<Path, Paths> = Paths extends {
  readonly [At in Path & string]: { readonly shape?: infer S extends Shape }
}
  ? S
  : Shape

import type { Api, ParametersOf } from '../model/api.ts'
import type { Shape } from '../model/resource.ts'
import type { CallOptions, DeleteAllOptions, WriteOptions } from './options.ts'

/** The client of an api, by version and noun. Made by `createClient`. */
export type Client<A extends Api = Api> = {
  readonly [Version in keyof A['declaration']]: VersionClient<A['declaration'][Version]>
}

/** The nouns at the top of a version. */
export type VersionClient<Paths> = NounsUnder<'', Paths, PathsByParent<Paths>>

/** The types of a collection at one path. */
export interface Mounted {
  readonly shape: Shape
  /** The fields that the path sets: the ids of the parents. */
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

/** Selects the items to count. */
export interface CountQuery {
  /** Words. An item matches when each word is in a searchable field. Default: every item. */
  readonly q?: string | undefined
}

/** Selects the first or last item, and the order. */
export interface FirstQuery<Sortable extends string = string> extends CountQuery {
  /** Sort fields, the most important first; `-` means descending. Default: by id. */
  readonly sort?: SortOf<Sortable> | undefined
}

/** Selects the items to list, and their order. */
export interface ListQuery<Sortable extends string = string> extends FirstQuery<Sortable> {
  /** The most items to return. Default: the resource's `defaultLimit`, else all. */
  readonly limit?: number | undefined
  /** A page's `next`: the list starts after it. Default: the start. */
  readonly after?: string | undefined
}

type SortOf<Sortable extends string> = [Sortable] extends [never]
  ? never
  : readonly (Sortable | `-${Sortable}`)[]

/** The methods of a collection. Call it with an id to address one item. */
export interface CollectionClient<M extends Mounted = Mounted> {
  /** Addresses one item, without a request. The item need not exist. */
  (id: IdOf<M>): ItemClient<M> & M['nouns']
  /** `GET`: returns the items. */
  list(query?: ListQueryOf<M>, options?: CallOptions): Promise<readonly ItemOf<M>[]>
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
  first(query?: FirstQueryOf<M>, options?: CallOptions): Promise<ItemOf<M>>
  /** `GET /last`: throws as `first`. */
  last(query?: FirstQueryOf<M>, options?: CallOptions): Promise<ItemOf<M>>
  /** `GET /count`: returns how many items match. */
  count(query?: CountQuery, options?: CallOptions): Promise<number>
  /** Lists page by page, one request a page. `limit` is the size of a page. */
  pages(query?: ListQueryOf<M>, options?: CallOptions): Pages<Page<ItemOf<M>>>
  /** Yields the items of {@link pages} one by one. */
  items(query?: ListQueryOf<M>, options?: CallOptions): Pages<ItemOf<M>>
}

/** The methods of one item, beside the nouns under it. */
export interface ItemClient<M extends Mounted = Mounted> {
  /** `GET`: returns the item. */
  read(options?: CallOptions): Promise<ItemOf<M>>
  /** `PUT`: replaces the whole item. Returns the stored item. */
  update(item: Updated<M>, options?: WriteOptions): Promise<ItemOf<M>>
  /** `DELETE`: returns the deleted item. */
  delete(options?: WriteOptions): Promise<ItemOf<M>>
}

type ListQueryOf<M extends Mounted> = ListQuery<M['shape']['sortable']>
type FirstQueryOf<M extends Mounted> = FirstQuery<M['shape']['sortable']>
type ItemOf<M extends Mounted> = M['shape']['item']
type Pages<Value> = AsyncGenerator<Value, void, undefined>
type IdOf<M extends Mounted> = M['shape']['item']['id']
type Created<M extends Mounted> = Given<M['shape']['createInput'], M['given']>

// You may send back an item with all the fields that you read.
type Updated<M extends Mounted> = Given<M['shape']['updateInput'], M['given'] | 'id'> &
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

import type { Api, ParametersOf } from '../model/api.ts'
import type { Shape } from '../model/resource.ts'
import type { CallOptions, DeleteAllOptions, WriteOptions } from './options.ts'

/** The client of an api: its versions, their nouns, what is under them. Made by `createClient`. */
export type Client<A extends Api = Api> = {
  readonly [Version in keyof A['declaration']]: VersionClient<A['declaration'][Version]>
}

/** The nouns at the top of a version. */
export type VersionClient<Paths> = NounsUnder<'', Paths, PathsByParent<Paths>>

/** The types of a collection where it is mounted, in one record. */
export interface Mounted {
  readonly shape: Shape
  /** The fields that the path gives: those that own. */
  readonly given: string
  /** The nouns under one item. */
  readonly nouns: unknown
}

/** A list of a collection, cut: its items, and the cursor of what follows; `undefined` at the end. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | undefined
}

/** Which items are counted. */
export interface CountQuery {
  /** Words, each of which is in some searchable field. Default: none, every item. */
  readonly q?: string | undefined
}

/** Which items are looked at, in which order. */
export interface EndQuery<Sortable extends string = string> extends CountQuery {
  /** Fields, the first counts most; `-` before one is descending. Default: the order of ids. */
  readonly sort?: SortOf<Sortable> | undefined
}

/** Which items are listed, in which order. */
export interface ListQuery<Sortable extends string = string> extends EndQuery<Sortable> {
  /** The most items to answer. Default: what the resource says, else all. */
  readonly limit?: number | undefined
  /** A cursor, as a page's `next` gave it: list what comes after. Default: from the start. */
  readonly after?: string | undefined
}

type SortOf<Sortable extends string> = [Sortable] extends [never]
  ? never
  : readonly (Sortable | `-${Sortable}`)[]

/** A collection: what can be done with it; called with an id, one of its items. */
export interface CollectionClient<M extends Mounted = Mounted> {
  /** The item of an id, whether there is one or not: nothing is sent until something is done with it. */
  (id: IdOf<M>): ItemClient<M> & M['nouns']
  /** `GET`: the items. */
  list(
    query?: ListQuery<M['shape']['sortable']>,
    options?: CallOptions,
  ): Promise<readonly ItemOf<M>[]>
  /** `POST`: the item as it was stored. */
  create(item: Created<M>, options?: CallOptions): Promise<ItemOf<M>>
  /** `PUT`: exactly these items replaced, all or none, each with its id; as they were stored, in the same order. */
  updateMany(
    items: readonly (Updated<M> & { readonly id: IdOf<M> })[],
    options?: CallOptions,
  ): Promise<readonly ItemOf<M>[]>
  /** `DELETE`: everything in this collection; how many that were. */
  deleteAll(options?: DeleteAllOptions): Promise<number>
  /** `GET /first`; `empty_collection` is thrown when there is none. */
  first(query?: EndQuery<M['shape']['sortable']>, options?: CallOptions): Promise<ItemOf<M>>
  /** `GET /last`; likewise. */
  last(query?: EndQuery<M['shape']['sortable']>, options?: CallOptions): Promise<ItemOf<M>>
  /** `GET /count` */
  count(query?: CountQuery, options?: CallOptions): Promise<number>
  /** The list page by page, each asked for when it is wanted; `limit` is how many items one has. */
  pages(
    query?: ListQuery<M['shape']['sortable']>,
    options?: CallOptions,
  ): AsyncGenerator<Page<ItemOf<M>>, void, undefined>
  /** The items of {@link pages}, one by one. */
  items(
    query?: ListQuery<M['shape']['sortable']>,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<M>, void, undefined>
}

/** One item of a collection; the nouns under it stand beside these. */
export interface ItemClient<M extends Mounted = Mounted> {
  /** `GET` */
  read(options?: CallOptions): Promise<ItemOf<M>>
  /** `PUT`: replaces the whole item; as it was stored. */
  update(item: Updated<M>, options?: WriteOptions): Promise<ItemOf<M>>
  /** `DELETE`: the item that was deleted. */
  delete(options?: WriteOptions): Promise<ItemOf<M>>
}

type ItemOf<M extends Mounted> = M['shape']['item']
type IdOf<M extends Mounted> = M['shape']['item']['id']
type Created<M extends Mounted> = Given<M['shape']['createInput'], M['given']>

// Whoever changes an item may send back all that was read.
type Updated<M extends Mounted> = Given<M['shape']['updateInput'], M['given'] | 'id'> &
  Partial<Omit<ItemOf<M>, keyof M['shape']['updateInput']>>

// What the path says need not be said again.
type Given<Input, Fields extends PropertyKey> = Input extends unknown
  ? [keyof Input & Fields] extends [never]
    ? Input
    : Without<Input, Fields> & Partial<Pick<Input, keyof Input & Fields>>
  : never

// `Omit` would forget the names of an object that may hold others too.
type Without<Input, Fields extends PropertyKey> = {
  [Name in keyof Input as Name extends Fields ? never : Name]: Input[Name]
}

/** `companies/:company_id/employees` → the nouns of its parents and its own: `['/companies', 'employees']`. */
type PlaceOf<
  Path,
  Parents extends string = '',
> = Path extends `/${infer Noun}/:${string}/${infer Rest}`
  ? PlaceOf<`/${Rest}`, `${Parents}/${Noun}`>
  : Path extends `/${infer Noun}`
    ? [Parents, Noun]
    : never

// Once a version, so that what it costs does not grow with the square of the paths.
type PathsByParent<Paths> = {
  [Path in keyof Paths & string as PlaceOf<Path>[0]]: Path
}

// Asked for one parent at a time: `keyof` of the index would go through all of it again for each.
type NounsUnder<Parents extends string, Paths, Index> = Index extends {
  readonly [Parent in Parents]: infer Path extends string
}
  ? {
      readonly [Child in Path as PlaceOf<Child>[1]]: CollectionClient<{
        readonly shape: ShapeAt<Child, Paths>
        readonly given: ParametersOf<Child>
        readonly nouns: NounsUnder<`${Parents}/${PlaceOf<Child>[1]}`, Paths, Index>
      }>
    }
  : unknown

type ShapeAt<Path, Paths> = Paths extends {
  readonly [At in Path & string]: { readonly shape?: infer S extends Shape }
}
  ? S
  : Shape

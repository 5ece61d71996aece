import type {
  CollectionClient,
  CountedBy,
  CreateBody,
  FieldIn,
  IdOf,
  ItemIn,
  Mounted,
  NamesIn,
  OrderIn,
  PatchBody,
  SelectedItem,
  UpdateBody,
} from './fluent.ts'
import type { CallOptions, CreateOptions, WriteOptions } from './options.ts'
import type { CountByQuery, CountedPage, ListQuery, Page, ReadQuery } from './query.ts'

/** The options of a query of TanStack Query. */
export interface QueryOptions<Data> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
}

/** The options of an infinite query of TanStack Query: its pages follow the cursor. */
export interface InfiniteQueryOptions<Item> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: {
    readonly signal: AbortSignal
    readonly pageParam: string | undefined
  }) => Promise<Page<Item>>
  readonly initialPageParam: string | undefined
  readonly getNextPageParam: (page: Page<Item>) => string | undefined
}

/** The options of a mutation of TanStack Query. */
export interface MutationOptions<Data, Variables> {
  readonly mutationFn: (variables: Variables) => Promise<Data>
}

/** The queries and mutations of a collection, as options of TanStack Query. */
export interface CollectionQueries<M extends Mounted = Mounted> {
  /** The beginning of every key: `invalidateQueries({ queryKey: employees.queryKey })`. */
  readonly queryKey: readonly unknown[]
  /** Lists the items, as `list` of the client. */
  list<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    query?: ListQuery<M['shape'], Field, Include, M['filters'], OrderIn<M>>,
  ): QueryOptions<readonly SelectedItem<M, Field, Include>[]>
  /** Reads a page and the number of all matches. */
  page<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    query?: ListQuery<M['shape'], Field, Include, M['filters'], OrderIn<M>>,
  ): QueryOptions<CountedPage<SelectedItem<M, Field, Include>>>
  /** Reads page after page, for `useInfiniteQuery`. `limit` is the size of a page. */
  pages<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    query?: ListQuery<M['shape'], Field, Include, M['filters'], OrderIn<M>>,
  ): InfiniteQueryOptions<SelectedItem<M, Field, Include>>
  /** Counts the items; with `by`, those of each value too. */
  count<By extends M['shape']['countable'] | undefined = undefined>(
    query?: CountByQuery<M['shape'], By, M['filters']>,
  ): QueryOptions<CountedBy<M, By>>
  /** Reads an item. */
  read<Field extends FieldIn<M> = FieldIn<M>, const Include extends NamesIn<M> = undefined>(
    id: IdOf<M>,
    query?: ReadQuery<Field, Include>,
  ): QueryOptions<SelectedItem<M, Field, Include>>
  /** Creates an item. */
  readonly create: MutationOptions<ItemIn<M>, { item: CreateBody<M> } & CreateOptions>
  /** Replaces an item, with `ifRevision` if nobody else changed it. */
  readonly update: MutationOptions<ItemIn<M>, { id: IdOf<M>; item: UpdateBody<M> } & WriteOptions>
  /** Changes fields of an item, with `ifRevision` if nobody else changed it. */
  readonly patch: MutationOptions<ItemIn<M>, { id: IdOf<M>; patch: PatchBody<M> } & WriteOptions>
  /** Deletes an item, with `ifRevision` if nobody else changed it. */
  readonly delete: MutationOptions<ItemIn<M>, { id: IdOf<M> } & WriteOptions>
}

/**
 * Makes the options of queries and mutations of a collection, for TanStack Query 5 in any
 * framework: `useQuery(queriesOf(['v1', 'notes'], client.v1.notes).list({ limit: 20 }))`.
 *
 * @param queryKey Names the collection, with the ids of its parents.
 */
export function queriesOf<M extends Mounted>(
  queryKey: readonly unknown[],
  collection: CollectionClient<M>,
): CollectionQueries<M> {
  const keyed = <Data>(
    names: readonly unknown[],
    call: (options: CallOptions) => Promise<Data>,
  ): QueryOptions<Data> => ({
    queryKey: [...queryKey, ...names],
    queryFn: ({ signal }) => call({ signal }),
  })
  return {
    queryKey,
    list: (query) => keyed(['list', query], (options) => collection.list(query, options)),
    page: (query) => keyed(['page', query], (options) => collection.page(query, options)),
    pages: (query) => ({
      queryKey: [...queryKey, 'pages', query],
      queryFn: async ({ signal, pageParam }) => {
        const pages = collection.pages({ ...query, after: pageParam }, { signal })
        const { value } = await pages.next()
        return value ?? { items: [], next: undefined }
      },
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next,
    }),
    count: (query) => keyed(['count', query], (options) => collection.count(query, options)),
    read: (id, query) =>
      keyed(['read', id, query], (options) => collection(id).read(query, options)),
    create: { mutationFn: ({ item, ...options }) => collection.create(item, options) },
    update: { mutationFn: ({ id, item, ...options }) => collection(id).update(item, options) },
    patch: { mutationFn: ({ id, patch, ...options }) => collection(id).patch(patch, options) },
    delete: { mutationFn: ({ id, ...options }) => collection(id).delete(options) },
  }
}

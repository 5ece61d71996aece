import type { Shape } from '../contract/resource/resource.ts'
import type { CallOptions } from './options.ts'
import type { Where } from './where.ts'

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
export interface CountQuery<S extends Shape = Shape, OfRelated = unknown> {
  /** Words. An item matches when each word is in a searchable field. Default: every item. */
  readonly q?: string | undefined
  /** Filters. An item matches when it meets each of them. Default: every item. */
  readonly where?: Where<S, OfRelated> | undefined
}

/** Selects the items to count, and the fields whose values make the groups. */
export interface CountByQuery<
  S extends Shape = Shape,
  By extends string | undefined = string,
  OfRelated = unknown,
> extends CountQuery<S, OfRelated> {
  /** The fields whose values make `groups`, one or two. Default: no groups. */
  readonly by?: readonly By[] | undefined
}

/** The number of all matching items, and the number of each group. */
export interface Counts<Group> {
  readonly count: number
  /** The values of each group by field, and its number of items. The largest come first. */
  readonly groups: readonly Group[]
  /** There are more groups than these 1,000. */
  readonly more?: true | undefined
}

/** Selects the fields of an item, and the items to include. */
export interface ReadQuery<
  Field extends string = string,
  Include extends Names | undefined = Names,
> {
  /** The fields to return, beside the id. Default, and for `[]`: all. */
  readonly fields?: readonly Field[] | undefined
  /**
   * The items to add: `company` for the item that `company_id` names, `null` where it names none.
   * At most 4. A list needs a limit. Default: none.
   */
  readonly include?: Include | undefined
}

/** The options of `readMany`: the fields to return and the items to include, as of a list. */
export interface ReadManyOptions<
  Field extends string = string,
  Include extends Names | undefined = Names,
> extends CallOptions,
    ReadQuery<Field, Include> {}

/** Selects the first or last item, the order, and the fields. */
export interface FirstQuery<
  S extends Shape = Shape,
  Field extends string = string,
  Include extends Names | undefined = Names,
  OfRelated = unknown,
  Order extends string = never,
> extends CountQuery<S, OfRelated>,
    ReadQuery<Field, Include> {
  /**
   * Sort fields, the most important first; `-` means descending. `company.name` sorts by a field of
   * the related item, where the storage can. Default: by id.
   */
  readonly sort?: readonly SortFieldOf<S['sortable'] | 'id' | Order>[] | undefined
}

/** Selects the items to list, their order and their fields. */
export interface ListQuery<
  S extends Shape = Shape,
  Field extends string = string,
  Include extends Names | undefined = Names,
  OfRelated = unknown,
  Order extends string = never,
> extends FirstQuery<S, Field, Include, OfRelated, Order> {
  /** The most items to return. Default: the resource's `defaultLimit`, else all. */
  readonly limit?: number | undefined
  /** The matching items to skip, up to 10,000. Needs a limit, and excludes `after`. Default: 0. */
  readonly offset?: number | undefined
  /** A page's `next`: the list starts after it. Default: the start. */
  readonly after?: string | undefined
}

type Names = readonly string[]
type SortFieldOf<Sortable extends string> = Sortable | `-${Sortable}`

/** Selects the items to delete by `where`, `q` or both, and bounds their number. */
export interface DeleteManyQuery<S extends Shape = Shape, OfRelated = unknown>
  extends CountQuery<S, OfRelated>,
    CallOptions {
  /** The most items to delete. If more match, none is deleted: `too_many_affected`. */
  readonly maxAffected: number
  /** Deletes nothing, and returns how many items match. */
  readonly dry_run?: true
}

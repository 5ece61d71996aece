import type { Condition, FilterField } from '../../convention/filter-operators.ts'
import type { OperationKind } from '../../convention/operations.ts'
import type { MessagesOption } from '../../convention/problem.ts'
import type { StandardSchema } from '../schema/schema.ts'
import type { UncheckedRules } from './item-rules.ts'
import type { Written } from './link.ts'
import type { States } from './states.ts'

/** An item: an object of JSON values with an id. */
export interface Item {
  readonly id: string | number
}

/** The types of one resource, in one record. */
export interface Shape {
  readonly name: string
  /** An item in a response. */
  readonly item: Item
  /** The body of POST, and the item that the adapter then gets. */
  readonly createInput: unknown
  readonly create: object
  /** The body of PUT. */
  readonly updateInput: unknown
  /** The fields a client may sort by. */
  readonly sortable: string
  /** The fields a client may search in. */
  readonly searchable: string
  /** The fields a client may filter by. */
  readonly filterable: string
  /** The fields a client may count by. */
  readonly countable: string
  /** The option `references`, as declared. */
  readonly references: ReferencesOption
  /** The fields that say whose an item is. */
  readonly ownedBy: string
  /** The fields that only some callers see. */
  readonly restricted: string
  /** The shape of the resource that a view shows. */
  readonly base?: Shape
}

/** The fields that say whose an item is; `'parent'` for the owner of its parent. */
export type OwnedBy = readonly string[] | 'parent'

/** The names of an item's fields. */
export type FieldOf<Fields> = keyof Fields & string

/** A declared resource with its defaults, frozen. Made by `defineResource`. */
export interface Resource<S extends Shape = Shape> {
  readonly name: S['name']
  readonly schema: StandardSchema<unknown, S['item']>
  readonly create: StandardSchema<unknown, S['create']>
  readonly update: StandardSchema<unknown, object>
  readonly id: StandardSchema<unknown, string | number> | undefined
  readonly sortable: readonly S['sortable'][]
  /** The sortable fields that sort without case. */
  readonly folded: readonly string[]
  readonly searchable: readonly S['searchable'][]
  readonly filterable: readonly FilterField[]
  readonly countable: readonly string[]
  readonly references: readonly Reference[]
  readonly ownedBy: OwnedBy | undefined
  readonly ids: 'counted' | undefined
  /** In an operation: the fields that its caller may not see. */
  readonly restricted: readonly string[]
  readonly readOnly: readonly string[]
  readonly filled: readonly string[]
  readonly keep: readonly string[]
  /** `undefined` without states, and for a view that does not show them. */
  readonly states: States | undefined
  readonly revision: string | undefined
  readonly plural: boolean
  readonly maxLimit: number
  readonly defaultLimit: number | undefined
  readonly without: readonly OperationKind[]
  readonly bounded: boolean
  readonly idempotent: boolean
  /** A PUT to the path of an absent item creates it. */
  readonly putCreates: boolean
  readonly total: boolean | undefined
  /** How a view comes from its base; `undefined` for another resource. */
  readonly view: View | undefined
  /** The resource that is stored: for a view the one that it shows, else the resource itself. */
  readonly base: Resource
  /** @deprecated The old name of {@link Resource.base}. It goes with the next minor version. */
  readonly hub: Resource
  /** For the compiler only; never set. */
  readonly shape?: S
}

/** How the items of a view come from the items of its base, and go back. */
export interface Conversion {
  /** The resource that the adapter stores. */
  readonly base: Resource
  /** Nothing is kept at a write: each field of the base is one of the view, with its values. */
  readonly isWhole: boolean
  /** Returns the item that a client of the view sees. */
  get(stored: object): Item
  /**
   * Writes an item of the view over the stored one: what it does not say stays.
   *
   * @param named The fields that the client named; `undefined` for all that the item has.
   */
  put(item: object, stored: object, named?: readonly string[]): Written
  /** Returns what {@link get} will show of a new item, as far as that is known before. */
  getNew(created: object): object
  /** Makes a new item of the base. */
  make(item: object, named?: readonly string[]): Written
  /** Returns the values of the base for each value of a field with a table; else `undefined`. */
  valuesOf(field: string): ReadonlyMap<unknown, readonly unknown[]> | undefined
  /** Returns the fields of the base that a field of the view comes from. */
  sourcesOf(field: string): readonly string[]
  /** Returns the fields that are parts of one text with a field of the view, itself among them. */
  partsWith(field: string): readonly string[]
  /** Returns the field of the base with the same values; `undefined` for none. */
  plainOf(field: string): string | undefined
  /** Returns the conditions of the base for one of the view, which together mean the same. */
  conditionsOf(condition: Condition): readonly Condition[]
  /**
   * Returns the path in an item of the view that shows a path in an item of the base: `['address',
   * 'city']` → `['city']`. `undefined` for a path that the view hides.
   */
  pathOf(path: readonly string[]): readonly string[] | undefined
}

/** A conversion in an api. */
export interface ApiConversion extends Conversion {
  /** The author of the texts of issues. */
  readonly messages: MessagesOption
  /** What callers may do to the items of the base; `undefined` for everything. */
  readonly rules: UncheckedRules | undefined
}

/** A view as its author wrote it. */
export interface ViewOrigin {
  /** The resource that the view shows: the base, or another view of it. */
  readonly of: Resource
  /** The option `fields`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The option `hidden`. */
  readonly hidden: Readonly<Record<string, unknown>>
  /** The operations that the view offers although the resource does not. */
  readonly offers: readonly OperationKind[]
}

/** A view as its resource has it. */
export interface View extends Conversion {
  readonly origin: ViewOrigin
  /**
   * Makes the adapter of the view of the one of its base. A server without views leaves it out of
   * its bundle.
   *
   * @throws {TypeError} Where a write could undo another one in the fields that the view hides.
   */
  adapterOver<Adapter extends object>(
    view: ApiConversion,
    resource: Resource,
    adapter: Adapter,
  ): Adapter
}

/** A field that holds the id of an item of another resource. */
export interface Reference {
  readonly field: string
  /** The name of the other resource. */
  readonly to: string
  /** The member that holds the whole item in a response: `company` of `company_id`. */
  readonly as: string
}

/** The option `references`: the other resource of each field, with another member if needed. */
export type ReferencesOption = Readonly<
  Record<string, string | { readonly to: string; readonly as?: string }>
>

/** The resource that the option names for a field. */
export type TargetOf<Option> = Option extends { readonly to: infer To } ? To : Option

/** The member of a reference in a response: `company_id`, `companyId` → `company`. */
export type MemberOf<Field extends string, Option> = Option extends {
  readonly as: infer As extends string
}
  ? As
  : Field extends `${infer Name}_${Id}`
    ? Name
    : Field extends `${infer Name}${Id}`
      ? Name
      : Field

type Id = 'id' | 'Id'

const none: readonly never[] = Object.freeze([])

/** Returns the fields of the caller's scope that a resource's items have. */
export function ownerFieldsOf({ ownedBy }: Pick<Resource, 'ownedBy'>): readonly string[] {
  return ownedBy === undefined || ownedBy === 'parent' ? none : ownedBy
}

/** Returns the fields that a scope of a collection can have: those of callers and of its path. */
export function scopeFieldsOf({
  resource,
  owners,
}: {
  readonly resource: Pick<Resource, 'ownedBy'>
  readonly owners: readonly string[]
}): readonly string[] {
  const fields = ownerFieldsOf(resource)
  return fields.length === 0 ? owners : [...new Set([...fields, ...owners])]
}

/** Tells whether the items of a resource depend on `.reveal()`, beside those that they include. */
export function isRestricted({ restricted }: Pick<Resource, 'restricted'>): boolean {
  return restricted.length > 0
}

/** Tells whether a registry reveals fields, or has to hide those of a resource. */
export function needsReveal(resource: Resource, { reveal }: { readonly reveal: unknown }): boolean {
  return reveal !== undefined || isRestricted(resource)
}

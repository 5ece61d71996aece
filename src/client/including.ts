import type { MemberOf, TargetOf } from '../contract/resource/reference.ts'
import type { Shape } from '../contract/resource/resource.ts'

/** The items of a version, by the name of their resource. Computed once a version. */
export type ItemsByName<Paths> = {
  [Path in keyof Paths as ShapeOf<Paths[Path]>['name']]: SeenItem<ShapeOf<Paths[Path]>>
}

/** The item of a shape as a client gets it: without the restricted fields that it may not see. */
export type SeenItem<S extends Shape> = [S['restricted']] extends [never]
  ? S['item']
  : string extends S['restricted']
    ? S['item']
    : Pick<S['item'], 'id'> &
        Omit<S['item'], S['restricted']> & {
          [Field in S['restricted'] & keyof S['item']]?: S['item'][Field]
        }

type ShapeOf<Resource> = Resource extends { readonly shape?: infer S extends Shape } ? S : Shape

/** The items that `include` can add, by member: those of resources in the same version. */
export type IncludableIn<References, Items> = {
  [Field in keyof References & string as Items extends Named<TargetOf<References[Field]>>
    ? MemberOf<Field, References[Field]>
    : never]: Items extends Named<TargetOf<References[Field]>, infer Item> ? Item | null : never
}

// Looks up one name: `keyof Items` would visit all items for each.
type Named<Name, Item = unknown> = { readonly [At in Name & string]: Item }

/**
 * An item with the members of these names, optional where the names depend on a value. Without
 * names, and for a method's type before a call, the item alone.
 */
export type Including<Item, Includable, Names> = [Names] extends [
  readonly (infer Name extends keyof Includable)[],
]
  ? [Name] extends [never]
    ? Item
    : [Name] extends [keyof EachOf<Names>]
      ? Item & { [Member in Name]: Includable[Member] }
      : Item & { [Member in Name]?: Includable[Member] }
  : Item

// Several possible lists, or names in a list, give a union: its keys are the names in all of them.
type EachOf<Names, Before = unknown> = Names extends readonly [
  infer Name extends string,
  ...infer Rest,
]
  ? Name extends unknown
    ? EachOf<Rest, Before & Readonly<Record<Name, true>>>
    : never
  : Before

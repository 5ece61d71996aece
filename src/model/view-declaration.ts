import type { Item, Shape } from './resource.ts'
import type { IsSame, SeenLinks, ViewOptions } from './view-types.ts'

/** The options of a view beside those of a resource. The links are inferred from `fields` alone. */
export type ViewDeclaration<
  S extends Shape,
  Fields extends Item,
  Links,
  Sortable,
  ReadOnly,
> = ViewOptions<S, Fields, Links> & RefusedIn<S, Fields, NoInfer<Links>, Sortable, ReadOnly>

/**
 * The faults of a view that the compiler refuses, beside those of a single option. The name of the
 * missing option says what is wrong.
 */
type RefusedIn<S extends Shape, Fields, Links, Sortable, ReadOnly> = {
  readonly readOnly?: readonly ReadOnly[]
} & Refused<'idOfAnotherType', OtherId<S['item'], Fields>> &
  RefusedLinks<S, Fields, SeenLinks<S['item'], Fields, Links>, Sortable, ReadOnly>

type RefusedLinks<S extends Shape, Fields, Links, Sortable, ReadOnly> = unknown extends Links
  ? unknown
  : Refused<'fieldsTheViewHasNot', Exclude<keyof Links, keyof Fields>> &
      Refused<'fieldsThatNoStoreSortsBy', Exclude<Sortable, SortableIn<S, Fields, Links>>> &
      Refused<'fieldsThatMustBeReadOnly', Exclude<OnlyReadIn<Links>, ReadOnly>>

type Refused<Option extends string, Fault> = [Fault] extends [never]
  ? unknown
  : { readonly [Name in Option]: Fault }

// An item has the same id in every version.
type OtherId<Beneath extends Shape['item'], Fields> = Fields extends { readonly id: infer Id }
  ? IsSame<Beneath['id'], Id> extends true
    ? never
    : 'id'
  : 'id'

// A store sorts by what it holds: a field of the same values.
type SortableIn<S extends Shape, Fields, Links> = {
  [Field in keyof Fields]: SourceOf<Links, Field> extends S['sortable'] | 'id' ? Field : never
}[keyof Fields]

type SourceOf<Links, Field> = Field extends keyof Links ? Links[Field] : Field

// A computed field without a way back.
type OnlyReadIn<Links> = {
  [Field in keyof Links]: Links[Field] extends { readonly read: unknown }
    ? Links[Field] extends { readonly write: unknown }
      ? never
      : Field
    : never
}[keyof Links]

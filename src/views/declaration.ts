import type { IdSchemaOf } from '../contract/declare/resource-declaration.ts'
import type { Item, Shape } from '../contract/resource/resource.ts'
import type { IsSame, SeenLinks, ViewOptions } from './types.ts'

/** The options of a view beside those of a resource. The links are inferred from `fields` alone. */
export type ViewDeclaration<
  S extends Shape,
  Fields extends Item,
  Links,
  New,
  Sortable,
  Searchable,
  Filterable,
  ReadOnly extends PropertyKey,
> = IdSchemaOf<Fields> &
  ViewOptions<S, Fields, Links, { item: NoInfer<New>; readOnly: ReadOnly }> &
  RefusedIn<
    S,
    Fields,
    NoInfer<Links>,
    {
      sortable: Sortable
      searchable: Searchable
      filterable: Filterable
      readOnly: ReadOnly
    }
  >

/** The fields that a view names in some options. */
interface QueryFields {
  readonly sortable: unknown
  readonly searchable: unknown
  readonly filterable: unknown
  readonly readOnly: PropertyKey
}

/**
 * The faults of a view that the compiler refuses, beside those of a single option. The name of the
 * missing option says what is wrong.
 */
type RefusedIn<S extends Shape, Fields, Links, Used extends QueryFields> = {
  readonly readOnly?: readonly Used['readOnly'][]
} & Refused<'idOfAnotherType', OtherId<S['item'], Fields>> &
  RefusedLinks<S, Fields, SeenLinks<S['item'], Fields, Links>, Used>

type RefusedLinks<S extends Shape, Fields, Links, Used extends QueryFields> = unknown extends Links
  ? unknown
  : Refused<'fieldsTheViewHasNot', Exclude<keyof Links, keyof Fields>> &
      Refused<'fieldsThatNoStoreSortsBy', Exclude<Used['sortable'], SortableIn<S, Fields, Links>>> &
      Refused<'fieldsThatNoStoreFiltersBy', Used['filterable'] & MadeIn<Links, Filtered>> &
      Refused<'fieldsThatNoStoreSearchesIn', Used['searchable'] & MadeIn<Links, Searched>> &
      Refused<'fieldsThatMustBeReadOnly', Exclude<OnlyReadIn<Links>, Used['readOnly']>>

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

// A store filters by what a field holds, and searches in its words.
type Filtered = string | { readonly values: unknown } | { readonly absent: unknown }
type Searched = string | { readonly join: unknown } | { readonly part: unknown }

// The fields of other forms.
type MadeIn<Links, Form> = {
  [Field in keyof Links]: Links[Field] extends Form ? never : Field
}[keyof Links]

type SourceOf<Links, Field> = Field extends keyof Links ? Links[Field] : Field

// A computed field without a way back.
type OnlyReadIn<Links> = {
  [Field in keyof Links]: Links[Field] extends { readonly read: unknown }
    ? Links[Field] extends { readonly write: unknown }
      ? never
      : Field
    : never
}[keyof Links]

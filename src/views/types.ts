import type { IdSchemaOf } from '../contract/declare/resource-declaration.ts'
import type { Item, ReferencesOption, Shape } from '../contract/resource/resource.ts'

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
      Refused<'fieldsThatNoStoreFiltersBy', Used['filterable'] & MadeIn<Links, FilterableLink>> &
      Refused<'fieldsThatNoStoreSearchesIn', Used['searchable'] & MadeIn<Links, SearchableLink>> &
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
type FilterableLink = string | { readonly values: unknown } | { readonly absent: unknown }
type SearchableLink = string | { readonly join: unknown } | { readonly part: unknown }

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

/**
 * How a field of a view comes from the fields of the resource beneath. A text names a field with
 * the same values.
 */
type LinkOf<Beneath, Value> =
  | SameIn<Beneath, Value>
  | OneFieldOf<Beneath, Value>
  | TextOf<Beneath, Value>
  | MemberOf<Beneath, Value>
  | { readonly always: Value }

/** Both types hold the same values. */
type IsSame<One, Other> = [One, Other] extends [Other, One] ? true : false

type SameIn<Beneath, Value> = {
  [Field in keyof Beneath & string]-?: IsSame<Beneath[Field], Value> extends true ? Field : never
}[keyof Beneath & string]

type OneFieldOf<Beneath, Value> = {
  [Field in keyof Beneath & string]-?:
    | TableOf<Field, Exclude<Beneath[Field], null | undefined>, Value>
    | { readonly of: Field; readonly absent: NonNullable<Value> & NonNullable<Beneath[Field]> }
    | {
        readonly of: Field
        readonly read: (value: Beneath[Field]) => Value
        readonly write?: (value: Value) => Beneath[Field]
      }
}[keyof Beneath & string]

// Only a type with members that can be listed: `string` has none.
type TableOf<Field, Member, Value> = [Member] extends [string | number | boolean]
  ? string extends Member
    ? never
    : number extends Member
      ? never
      : {
          readonly of: Field
          readonly values: { readonly [Key in `${Member}`]: Exclude<Value, null | undefined> }
        }
  : never

/** The space at which a text of several words is split. */
type SplitAt = 'first' | 'last'

type TextFieldOf<Beneath> = {
  [Field in keyof Beneath & string]-?: [Beneath[Field]] extends [string | null | undefined]
    ? Field
    : never
}[keyof Beneath & string]

type TextOf<Beneath, Value> = [Value] extends [string | undefined]
  ?
      | {
          readonly join: readonly [TextFieldOf<Beneath>, TextFieldOf<Beneath>]
          readonly split: SplitAt
        }
      | { readonly part: 0 | 1; readonly of: TextFieldOf<Beneath>; readonly split: SplitAt }
  : never

type MemberOf<Beneath, Value> = {
  [Field in keyof Beneath & string]-?: NonNullable<Beneath[Field]> extends infer Object
    ? {
        [Member in keyof Object & string]-?: IsSame<Object[Member], Value> extends true
          ? { readonly in: Field; readonly field: Member }
          : never
      }[keyof Object & string]
    : never
}[keyof Beneath & string]

// A field without a link has the name and the values of one beneath.
type Unlinked<Beneath, Fields> = {
  [Field in keyof Fields & string]-?: Field extends keyof Beneath
    ? IsSame<Beneath[Field], Fields[Field]> extends true
      ? Field
      : never
    : never
}[keyof Fields & string]

/** The option `fields` of a view. */
type LinksOf<Beneath, Fields> = {
  readonly [Field in Exclude<keyof Fields & string, Unlinked<Beneath, Fields> | 'id'>]: LinkOf<
    Beneath,
    Fields[Field]
  >
} & {
  readonly [Field in Exclude<Unlinked<Beneath, Fields>, 'id'>]?: LinkOf<Beneath, Fields[Field]>
} & {
  readonly id?: 'id'
}

type SourcesOf<Link> = Link extends string
  ? Link
  : Link extends { readonly of: infer Field }
    ? Field
    : Link extends { readonly in: infer Field }
      ? Field
      : Link extends { readonly join: readonly (infer Field)[] }
        ? Field
        : never

/** The fields beneath that some fields of a view show, or some members of them. */
type ReachedBy<Fields, Links> =
  | { [Field in keyof Links]: SourcesOf<Links[Field]> }[keyof Links]
  | Exclude<keyof Fields, keyof Links>

type RequiredOf<Fields> = {
  [Field in keyof Fields]-?: Record<never, never> extends Pick<Fields, Field> ? never : Field
}[keyof Fields]

/** A value of a hidden field for new items, or a function that makes it of the new item. */
type Initial<Value, New> = Value | ((item: New) => Value)

/** The option `hidden` of a view: what new items get in the fields that no client sends. */
type HiddenOf<S extends Shape, Fields, Links, New> = {
  readonly [Field in Exclude<
    RequiredOf<S['create']>,
    ReachedBy<Fields, Links> | S['ownedBy'] | 'id'
  >]: Initial<S['create'][Field], New>
} & {
  readonly [Field in
    | Exclude<keyof S['create'], ReachedBy<Fields, Links>>
    | (ObjectsIn<Links> & keyof S['create'])]?: Initial<S['create'][Field], New>
}

// The rest of an object whose members a view shows.
type ObjectsIn<Links> = {
  [Field in keyof Links]: Links[Field] extends { readonly in: infer Source } ? Source : never
}[keyof Links]

/**
 * The links as declared, for what depends on them. The compiler does not see them where it has to
 * find the type of a function's parameter: then they are `unknown`.
 */
type SeenLinks<Beneath, Fields, Links> = [Links] extends [never]
  ? Record<never, never> extends LinksOf<Beneath, Fields>
    ? Record<never, never>
    : unknown
  : Links

/**
 * The options `fields` and `hidden`. `fields` may be left out where each field has the name of one
 * beneath.
 */
type ViewOptions<S extends Shape, Fields extends Item, Links, New extends Creation> = (Record<
  never,
  never
> extends LinksOf<S['item'], Fields>
  ? { readonly fields?: FieldsOf<S['item'], Fields, Links> }
  : { readonly fields: FieldsOf<S['item'], Fields, Links> }) &
  HiddenOption<HiddenIn<S, Fields, SeenLinks<S['item'], Fields, NoInfer<Links>>, New>>

/** The new items of a view, and the fields that their clients cannot send. */
interface Creation {
  readonly item: unknown
  readonly readOnly: PropertyKey
}

// Compared with what was declared, a fault is told at its place.
type FieldsOf<Beneath, Fields, Links> = [Links] extends [never]
  ? LinksOf<Beneath, Fields>
  : Links extends LinksOf<Beneath, Fields>
    ? Links
    : LinksOf<Beneath, Fields>

type HiddenIn<S extends Shape, Fields, Links, New extends Creation> = unknown extends Links
  ? { readonly [Field in keyof S['create']]?: Initial<S['create'][Field], New['item']> }
  : HiddenOf<S, Omit<Fields, New['readOnly']>, Omit<Links, New['readOnly']>, New['item']>

type HiddenOption<Hidden> =
  Record<never, never> extends Hidden ? { readonly hidden?: Hidden } : { readonly hidden: Hidden }

/** The options of a view that name fields, as its author declared them; `never` for none. */
interface DeclaredQueries {
  readonly sortable: string
  readonly searchable: string
  readonly filterable: string
}

interface DeclaredOthers {
  readonly references: ReferencesOption
  readonly restricted: string
}

/**
 * The types of a view: its own, and the options that name fields. It declares or inherits those,
 * with the names of its own fields.
 *
 * @see docs/requests.md, C7.1
 */
export type ViewShape<
  S extends Shape,
  Links,
  Own extends Pick<Shape, 'name' | 'item' | 'ownedBy' | 'base'>,
  Bodies extends Pick<Shape, 'createInput' | 'create' | 'updateInput'>,
  Queries extends DeclaredQueries,
  Others extends DeclaredOthers,
> = Own &
  Bodies &
  InheritedFields<S, Own['item'], [Links] extends [never] ? unknown : Links, Queries & Others>

// No interface: a declaration file of an api writes it out, and cannot name it.
type InheritedFields<
  S extends Shape,
  Fields,
  Links,
  Declared extends DeclaredQueries & DeclaredOthers,
> = {
  readonly sortable: Or<Declared['sortable'], Named<Fields, Links, S['sortable']>>
  readonly searchable: Or<Declared['searchable'], Searched<Fields, Links, S['searchable']>>
  readonly filterable: Or<Declared['filterable'], Compared<Fields, Links, S['filterable']>>
  readonly references: [keyof Declared['references']] extends [never]
    ? ReferencesOf<S['references'], Fields, Links>
    : Declared['references']
  readonly restricted: Declared['restricted'] | Reaching<Fields, Links, S['restricted']>
}

type Or<Declared, Inherited> = [Declared] extends [never] ? Inherited : Declared

// A field without a link has the name of its source.
type LinkAt<Links, Field> = Field extends keyof Links ? Links[Field] : Field

type Named<Fields, Links, Sources> = {
  [Field in keyof Fields & string]: LinkAt<Links, Field> extends Sources ? Field : never
}[keyof Fields & string]

// A store compares a value through a table or a stand-in.
type Compared<Fields, Links, Sources> = {
  [Field in keyof Fields & string]: LinkAt<Links, Field> extends
    | Sources
    | { readonly of: Sources; readonly values: unknown }
    | { readonly of: Sources; readonly absent: unknown }
    ? Field
    : never
}[keyof Fields & string]

// A text that is made of two, and one of which the view shows both parts, have the same words.
type Searched<Fields, Links, Sources> = {
  [Field in keyof Fields & string]: LinkAt<Links, Field> extends
    | Sources
    | { readonly join: readonly [Sources, Sources] }
    ? Field
    : LinkAt<Links, Field> extends {
          readonly part: infer Part
          readonly of: infer Source extends Sources
        }
      ? Links[keyof Links] extends infer Link
        ? Link extends { readonly part: Exclude<0 | 1, Part>; readonly of: Source }
          ? Field
          : never
        : never
      : never
}[keyof Fields & string]

type Reaching<Fields, Links, Sources> = [Sources] extends [never]
  ? never
  : {
      [Field in keyof Fields & string]: ReachedSources<LinkAt<Links, Field>> & Sources extends never
        ? never
        : Field
    }[keyof Fields & string]

type ReachedSources<Link> = Link extends { readonly of: infer Source }
  ? Source
  : Link extends { readonly in: infer Source }
    ? Source
    : Link extends { readonly join: readonly (infer Source)[] }
      ? Source
      : Link

type ReferencesOf<References, Fields, Links> = {
  [Field in keyof Fields & string as LinkAt<Links, Field> extends keyof References
    ? Field
    : never]: References[LinkAt<Links, Field> & keyof References]
}

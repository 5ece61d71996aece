import type { IdSchemaOf } from '../contract/declare/resource-declaration.ts'
import type { Item, ReferencesOption, Shape } from '../contract/resource/resource.ts'
import type { FieldOfKind } from '../contract/schema/schema.ts'

/** The options of a view beside those of a resource. The links are inferred from `fields` alone. */
export type ViewDeclaration<
  S extends Shape,
  Fields extends Item,
  Links,
  NewItem,
  Sortable,
  Searchable,
  Filterable,
  ReadOnly extends PropertyKey,
> = IdSchemaOf<Fields> &
  ViewOptions<S, Fields, Links, { item: NoInfer<NewItem>; readOnly: ReadOnly }> &
  DeclarationFaults<
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
interface NamedFields {
  readonly sortable: unknown
  readonly searchable: unknown
  readonly filterable: unknown
  readonly readOnly: PropertyKey
}

/**
 * The faults of a view that the compiler refuses, beside those of a single option. The name of the
 * missing option says what is wrong.
 */
type DeclarationFaults<S extends Shape, Fields, Links, Named extends NamedFields> = {
  readonly readOnly?: readonly Named['readOnly'][]
  /** A view has the states of its base. */
  readonly states?: never
} & FaultOption<'idOfAnotherType', IdMismatch<S['item'], Fields>> &
  LinkFaults<S, Fields, InferredLinks<S['item'], Fields, Links>, Named>

// A store sorts by a field of the same values only.
type LinkFaults<S extends Shape, Fields, Links, Named extends NamedFields> = unknown extends Links
  ? unknown
  : FaultOption<'fieldsTheViewHasNot', Exclude<keyof Links, keyof Fields>> &
      FaultOption<
        'fieldsThatNoStoreSortsBy',
        Exclude<Named['sortable'], PlainFields<Fields, Links, S['sortable'] | 'id'>>
      > &
      FaultOption<
        'fieldsThatNoStoreFiltersBy',
        Named['filterable'] & FieldsOfOtherForms<Links, FilterableLink>
      > &
      FaultOption<
        'fieldsThatNoStoreSearchesIn',
        Named['searchable'] & FieldsOfOtherForms<Links, SearchableLink>
      > &
      FaultOption<'fieldsThatMustBeReadOnly', Exclude<ComputedOnly<Links>, Named['readOnly']>>

type FaultOption<Option extends string, Fault> = [Fault] extends [never]
  ? unknown
  : { readonly [Name in Option]: Fault }

// An item has the same id in every version.
type IdMismatch<Source extends Shape['item'], Fields> = Fields extends { readonly id: infer Id }
  ? IsSame<Source['id'], Id> extends true
    ? never
    : 'id'
  : 'id'

// A store filters by the value of a field, and searches in its words.
type FilterableLink = string | { readonly values: unknown } | { readonly absent: unknown }
type SearchableLink = string | { readonly join: unknown } | { readonly part: unknown }

// The fields whose links have another form.
type FieldsOfOtherForms<Links, Form> = {
  [Field in keyof Links]: Links[Field] extends Form ? never : Field
}[keyof Links]

// A field without a link has the name of its source.
type LinkAt<Links, Field> = Field extends keyof Links ? Links[Field] : Field

// The computed fields that the view only reads.
type ComputedOnly<Links> = {
  [Field in keyof Links]: Links[Field] extends { readonly read: unknown }
    ? Links[Field] extends { readonly write: unknown }
      ? never
      : Field
    : never
}[keyof Links]

/**
 * How a field of a view comes from the fields of the source resource. A text names a field with the
 * same values.
 */
type LinkOf<Source, Value> =
  | PlainLinkOf<Source, Value>
  | FieldLinkOf<Source, Value>
  | TextLinkOf<Source, Value>
  | MemberLinkOf<Source, Value>
  | { readonly always: Value }

/** Both types hold the same values. */
type IsSame<A, B> = [A, B] extends [B, A] ? true : false

type PlainLinkOf<Source, Value> = {
  [Field in keyof Source & string]-?: IsSame<Source[Field], Value> extends true ? Field : never
}[keyof Source & string]

type FieldLinkOf<Source, Value> = {
  [Field in keyof Source & string]-?:
    | TableLinkOf<Field, Exclude<Source[Field], null | undefined>, Value>
    | { readonly of: Field; readonly absent: NonNullable<Value> & NonNullable<Source[Field]> }
    | {
        readonly of: Field
        readonly read: (value: Source[Field]) => Value
        readonly write?: (value: Value) => Source[Field]
      }
}[keyof Source & string]

// Only a type with members that can be listed: `string` has none.
type TableLinkOf<Field, Member, Value> = [Member] extends [string | number | boolean]
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

type TextFieldOf<Source> = {
  [Field in keyof Source & string]-?: [Source[Field]] extends [string | null | undefined]
    ? Field
    : never
}[keyof Source & string]

type TextLinkOf<Source, Value> = [Value] extends [string | undefined]
  ?
      | {
          readonly join: readonly [TextFieldOf<Source>, TextFieldOf<Source>]
          readonly split: SplitAt
        }
      | { readonly part: 0 | 1; readonly of: TextFieldOf<Source>; readonly split: SplitAt }
  : never

type MemberLinkOf<Source, Value> = {
  [Field in keyof Source & string]-?: NonNullable<Source[Field]> extends infer Object
    ? {
        [Member in keyof Object & string]-?: IsSame<Object[Member], Value> extends true
          ? { readonly in: Field; readonly field: Member }
          : never
      }[keyof Object & string]
    : never
}[keyof Source & string]

// A field without a link has the name and the values of a source field.
type FieldsLikeSource<Source, Fields> = {
  [Field in keyof Fields & string]-?: Field extends keyof Source
    ? IsSame<Source[Field], Fields[Field]> extends true
      ? Field
      : never
    : never
}[keyof Fields & string]

/** The option `fields` of a view. */
type LinksOf<Source, Fields> = {
  readonly [Field in Exclude<
    keyof Fields & string,
    FieldsLikeSource<Source, Fields> | 'id'
  >]: LinkOf<Source, Fields[Field]>
} & {
  readonly [Field in Exclude<FieldsLikeSource<Source, Fields>, 'id'>]?: LinkOf<
    Source,
    Fields[Field]
  >
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

/** The source fields that some fields of a view show, or members of them. */
type SourcesIn<Fields, Links> =
  | { [Field in keyof Links]: SourcesOf<Links[Field]> }[keyof Links]
  | Exclude<keyof Fields, keyof Links>

type RequiredOf<Fields> = {
  [Field in keyof Fields]-?: Record<never, never> extends Pick<Fields, Field> ? never : Field
}[keyof Fields]

/** A value of a hidden field for new items, or a function of the new item that makes it. */
type InitialValue<Value, NewItem> = Value | ((item: NewItem) => Value)

/** The option `hidden` of a view: what new items get in the fields that no client sends. */
type HiddenOf<S extends Shape, Fields, Links, NewItem> = {
  readonly [Field in Exclude<
    RequiredOf<S['create']>,
    SourcesIn<Fields, Links> | S['ownedBy'] | 'id'
  >]: InitialValue<S['create'][Field], NewItem>
} & {
  readonly [Field in
    | Exclude<keyof S['create'], SourcesIn<Fields, Links>>
    | (ObjectsIn<Links> & keyof S['create'])]?: InitialValue<S['create'][Field], NewItem>
}

// The rest of an object whose members a view shows.
type ObjectsIn<Links> = {
  [Field in keyof Links]: Links[Field] extends { readonly in: infer Source } ? Source : never
}[keyof Links]

/**
 * The links as declared, for what depends on them. The compiler does not see them where it has to
 * find the type of a function's parameter: then they are `unknown`.
 */
type InferredLinks<Source, Fields, Links> = [Links] extends [never]
  ? Record<never, never> extends LinksOf<Source, Fields>
    ? Record<never, never>
    : unknown
  : Links

/**
 * The options `fields` and `hidden`. `fields` may be left out where each field has the name of a
 * source field.
 */
type ViewOptions<S extends Shape, Fields extends Item, Links, NewItem extends Creation> = (Record<
  never,
  never
> extends LinksOf<S['item'], Fields>
  ? { readonly fields?: FieldsOf<S['item'], Fields, Links> }
  : { readonly fields: FieldsOf<S['item'], Fields, Links> }) &
  HiddenOption<HiddenIn<S, Fields, InferredLinks<S['item'], Fields, NoInfer<Links>>, NewItem>>

/** The new items of a view, and the fields that their clients cannot send. */
interface Creation {
  readonly item: unknown
  readonly readOnly: PropertyKey
}

// The comparison with the declared links makes the compiler report a fault at its link.
type FieldsOf<Source, Fields, Links> = [Links] extends [never]
  ? LinksOf<Source, Fields>
  : Links extends LinksOf<Source, Fields>
    ? Links
    : LinksOf<Source, Fields>

type HiddenIn<S extends Shape, Fields, Links, NewItem extends Creation> = unknown extends Links
  ? { readonly [Field in keyof S['create']]?: InitialValue<S['create'][Field], NewItem['item']> }
  : HiddenOf<
      S,
      Omit<Fields, NewItem['readOnly']>,
      Omit<Links, NewItem['readOnly']>,
      NewItem['item']
    >

type HiddenOption<Hidden> =
  Record<never, never> extends Hidden ? { readonly hidden?: Hidden } : { readonly hidden: Hidden }

/** The options of a view that name fields, as its author declared them; `never` for none. */
interface DeclaredQueries {
  readonly sortable: string
  readonly searchable: string
  readonly filterable: string
  readonly countable: string
}

interface DeclaredRoles {
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
  Identity extends Pick<Shape, 'name' | 'item' | 'ownedBy' | 'base'>,
  Bodies extends Pick<Shape, 'createInput' | 'create' | 'updateInput'>,
  Queries extends DeclaredQueries,
  Roles extends DeclaredRoles,
> = Identity &
  Bodies &
  InheritedFields<S, Identity['item'], [Links] extends [never] ? unknown : Links, Queries & Roles>

// No interface: a declaration file of an api writes it out, and cannot name it.
type InheritedFields<
  S extends Shape,
  Fields,
  Links,
  Declared extends DeclaredQueries & DeclaredRoles,
> = {
  readonly sortable: DeclaredOr<Declared['sortable'], PlainFields<Fields, Links, S['sortable']>>
  readonly searchable: DeclaredOr<
    Declared['searchable'],
    SearchableFields<Fields, Links, S['searchable']>
  >
  readonly filterable: DeclaredOr<
    Declared['filterable'],
    FilterableFields<Fields, Links, S['filterable']> | ShownMembers<Fields, Links, S['filterable']>
  >
  readonly countable: DeclaredOr<
    Declared['countable'],
    CountableFields<Fields, Links, S['countable']>
  >
  readonly references: [keyof Declared['references']] extends [never]
    ? ReferencesOf<S['references'], Fields, Links>
    : Declared['references']
  readonly restricted: Declared['restricted'] | RestrictedFields<Fields, Links, S['restricted']>
}

type DeclaredOr<Declared, Inherited> = [Declared] extends [never] ? Inherited : Declared

type PlainFields<Fields, Links, Sources> = {
  [Field in keyof Fields & string]: LinkAt<Links, Field> extends Sources ? Field : never
}[keyof Fields & string]

// A store compares a value through a table or a stand-in.
type FilterableFields<Fields, Links, Sources> = {
  [Field in keyof Fields & string]: LinkAt<Links, Field> extends
    | Sources
    | { readonly of: Sources; readonly values: unknown }
    | { readonly of: Sources; readonly absent: unknown }
    ? Field
    : never
}[keyof Fields & string]

// A member has the name that its stored object has.
type ShownMembers<Fields, Links, Sources> = Sources extends `${infer Field}.${string}`
  ? Field extends keyof Fields
    ? LinkAt<Links, Field> extends Field
      ? Sources
      : never
    : never
  : never

// A text joined from two fields has their words. The parts of a text have its words together.
type SearchableFields<Fields, Links, Sources> = {
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

// A field of several sources has groups where each source has.
type CountableFields<Fields, Links, Sources> = [Sources] extends [never]
  ? never
  : {
      [Field in keyof Fields & string]: [SourcesOf<LinkAt<Links, Field>>] extends [Sources]
        ? Field & FieldOfKind<Fields, string | number | boolean>
        : never
    }[keyof Fields & string]

type RestrictedFields<Fields, Links, Sources> = [Sources] extends [never]
  ? never
  : {
      [Field in keyof Fields & string]: SourcesOf<LinkAt<Links, Field>> & Sources extends never
        ? never
        : Field
    }[keyof Fields & string]

type ReferencesOf<References, Fields, Links> = {
  [Field in keyof Fields & string as LinkAt<Links, Field> extends keyof References
    ? Field
    : never]: References[LinkAt<Links, Field> & keyof References]
}

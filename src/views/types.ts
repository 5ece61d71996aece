import type { Item, Shape } from '../contract/resource/resource.ts'

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
export type IsSame<One, Other> = [One, Other] extends [Other, One] ? true : false

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
export type SeenLinks<Beneath, Fields, Links> = [Links] extends [never]
  ? Record<never, never> extends LinksOf<Beneath, Fields>
    ? Record<never, never>
    : unknown
  : Links

/**
 * The options `fields` and `hidden`. `fields` may be left out where each field has the name of one
 * beneath.
 */
export type ViewOptions<
  S extends Shape,
  Fields extends Item,
  Links,
  New extends Creation,
> = (Record<never, never> extends LinksOf<S['item'], Fields>
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

import type { ReferencesOption, Shape } from '../contract/resource/resource.ts'

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
      [Field in keyof Fields & string]: SourcesOf<LinkAt<Links, Field>> & Sources extends never
        ? never
        : Field
    }[keyof Fields & string]

type SourcesOf<Link> = Link extends { readonly of: infer Source }
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

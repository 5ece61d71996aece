import type { FilterType } from '../../convention/filter-operators.ts'
import type { OperationKind } from '../../convention/operations.ts'
import type { FieldOf, Item, ReferencesOption } from '../resource/resource.ts'
import type { FieldOfKind, NotJson, StandardSchema } from '../schema/schema.ts'

/** The declaration of a resource. */
export interface ResourceDeclaration<
  Fields extends Item,
  CreateInput,
  Create,
  UpdateInput,
  Update,
  Sortable,
  Searchable,
  Filterable extends string,
  References extends ReferencesOption,
  Owners = never,
  Restricted = never,
  Countable = never,
> {
  /** An item in a response, with its `id`. The compiler refuses fields that JSON cannot carry. */
  readonly schema: StandardSchema<unknown, Fields> &
    ([NotJson<Fields>] extends [never]
      ? unknown
      : { readonly fieldsThatAreNotJson: NotJson<Fields> })
  /** The body of POST, without `id` unless clients choose ids. Default: `schema`. */
  readonly create?: StandardSchema<CreateInput, Create>
  /** The body of PUT: the whole item, without `id` and read-only fields. Default: `create`. */
  readonly update?: StandardSchema<UpdateInput, Update>
  /** Checks and converts ids, at once: `z.uuid()`, `z.coerce.number()`. Default: any text. */
  readonly id?: StandardSchema<unknown, Fields['id']>
  /** Fields of text, number or boolean that `sort` may name. Default: none. */
  readonly sortable?: readonly Sortable[]
  /**
   * Sortable fields of text that sort without case, as `q` searches: `ann`, `Ann`, `Bob`. Ranges
   * compare likewise. Default: none, so that text sorts by code point: `Ann`, `Bob`, `ann`.
   */
  readonly folded?: readonly FieldOfKind<Fields, string>[]
  /** Fields of text that `q` looks into. Default: none, and no `q`. */
  readonly searchable?: readonly Searchable[]
  /**
   * Fields of text, number or boolean that clients may filter by: `status=new`. Ranges need a
   * sortable field too, `contains` a searchable one. `address.city` names a member of an object,
   * which takes both. Write `{ age: 'number' }` where the schema gives no JSON Schema. Default:
   * `id` alone.
   */
  readonly filterable?: readonly Filterable[] | { readonly [Field in Filterable]: FilterType }
  /**
   * Fields of text, number or boolean by whose values clients may count: `count?by=status`.
   * Default: none.
   */
  readonly countable?: readonly Countable[]
  /**
   * Fields that hold the id of another resource's item: `{ company_id: 'companies' }`. A write may
   * name only items that its client can read. `include=company` adds the item; write `{ to:
   * 'companies', as: 'employer' }` for another member. Default: none.
   */
  readonly references?: References
  /**
   * The fields that say whose an item is: `['tenant_id']`. A caller reaches only the items that
   * have the fields of its scope, which `.scope()` of the registry makes. `'parent'`: the owner of
   * the parent in the path. `[]`: everybody's. As soon as one resource of an api says so, each
   * must. Default: none, and no scope of the caller.
   */
  readonly ownedBy?: readonly Owners[] | 'parent'
  /**
   * `'counted'`: the ids of an owned resource are numbers, which may tell an owner how many items
   * the others create. Default: refused, where a resource has an owner.
   */
  readonly ids?: 'counted'
  /**
   * Fields that only the callers see whom `.reveal()` of the registry names: `['salary']`. For all
   * others they do not exist: no answer has them, no parameter names them, no body may hold them,
   * and a write keeps what is stored. Each is optional in `create`, or in `filled`. Default: none.
   */
  readonly restricted?: readonly Restricted[]
  /** Fields that only the server sets. A client may send them back unchanged. Default: none. */
  readonly readOnly?: readonly FieldOf<Fields>[]
  /** Required fields that a client may leave out, since the storage sets them. Default: none. */
  readonly filled?: readonly FieldOf<Fields>[]
  /**
   * Fields that a PUT may leave out: they keep the stored value. Name each field that you add to a
   * version after its release, so that a client which does not know it never erases it. Each is
   * optional in `update`. Default: none.
   */
  readonly keep?: readonly FieldOf<Fields>[]
  /**
   * The states of a field, and the moves from each: `{ status: { draft: ['published'], published:
   * [] } }`. A new item begins in the first one. The server refuses any other move. Needs a
   * `revision`, or an adapter with `modify`. Default: none.
   */
  readonly states?: StatesOf<Fields>
  /** The field that changes with every write, for `ETag`. Read-only. Default: none. */
  readonly revision?: FieldOf<Fields>
  /** The name is plural without looking so: `staff`. Default: false. */
  readonly plural?: boolean
  /** The most items of a page. Default: 1,000. */
  readonly maxLimit?: number
  /** Items of a page when the client sets no `limit`. Default: none, the whole list. */
  readonly defaultLimit?: number
  /**
   * Operations that the resource does not offer: `['deleteAll']`. `update` stands for `patch` too,
   * `updateMany` for `patchMany`, `delete` for `deleteMany`. Default: none.
   */
  readonly without?: readonly OperationKind[]
  /**
   * The only operations that the resource offers: `['list', 'read']`. It stands in place of
   * `without`. In a view: operations that it offers although its source resource does not.
   * Default: all.
   */
  readonly offers?: readonly OperationKind[]
  /** `deleteAll` needs `Prefer: max-affected`, at every path. Default: false. */
  readonly bounded?: boolean
  /**
   * A client can repeat a `create` safely by `Idempotency-Key`: the key becomes the id of the item.
   * Ids must take a UUID, and the adapter keeps an id that it gets. Default: false.
   */
  readonly idempotent?: boolean
  /**
   * A PUT to the path of an absent item creates it with that id, where the client may create. The
   * adapter keeps an id that it gets. Default: false, so that it is 404.
   */
  readonly putCreates?: boolean
  /**
   * Lists carry `X-Total-Count`: `true` always, `false` never. Default: where the client sends
   * `Prefer: count=exact`.
   */
  readonly total?: boolean
}

/** The option `states`: each value of the field is a state, and the moves lead to others. */
type StatesOf<Fields> = {
  readonly [Field in FieldOfKind<Fields, string>]?: {
    readonly [State in NonNullable<Fields[Field]> & string]: readonly NonNullable<Fields[Field]>[]
  }
}

/** The option `references` names fields of text or number. */
export type ReferencesIn<Fields extends Item, References> = string extends keyof References
  ? unknown
  : [Exclude<keyof References, FieldOfKind<Fields, string | number>>] extends [never]
    ? unknown
    : {
        readonly referencesNoField: Exclude<keyof References, FieldOfKind<Fields, string | number>>
      }

/** The option `id`: a path has ids as text, so that any other type needs a schema. */
export type IdSchemaOf<Fields extends Item> = [Fields['id']] extends [string]
  ? unknown
  : { readonly id: StandardSchema<unknown, Fields['id']> }

/** How a view gets an option that it does not name from the resource that it shows. */
interface OptionRow {
  /** The value as it is; the names of fields, translated; or not at all. */
  readonly inherit: 'value' | 'fields' | 'no'
}

/** The options of a resource. A view inherits most of them. */
// biome-ignore format: a row stays a line
export const resourceOptions = {
  schema:       { inherit: 'no' },
  create:       { inherit: 'no' },
  update:       { inherit: 'no' },
  id:           { inherit: 'no' },
  sortable:     { inherit: 'fields' },
  folded:       { inherit: 'fields' },
  searchable:   { inherit: 'fields' },
  filterable:   { inherit: 'fields' },
  countable:    { inherit: 'fields' },
  references:   { inherit: 'fields' },
  readOnly:     { inherit: 'fields' },
  filled:       { inherit: 'fields' },
  revision:     { inherit: 'fields' },
  plural:       { inherit: 'no' },
  maxLimit:     { inherit: 'value' },
  defaultLimit: { inherit: 'value' },
  without:      { inherit: 'value' },
  offers:       { inherit: 'no' },
  bounded:      { inherit: 'value' },
  total:        { inherit: 'value' },
  idempotent:   { inherit: 'value' },
  putCreates:   { inherit: 'value' },
  ownedBy:      { inherit: 'fields' },
  ids:          { inherit: 'value' },
  restricted:   { inherit: 'fields' },
  keep:         { inherit: 'fields' },
  states:       { inherit: 'fields' },
} as const satisfies Readonly<Record<string, OptionRow>>

/** The name of an option of a resource. */
export type OptionName = keyof typeof resourceOptions

import { defaultMaxLimit, type OperationKind, operationKinds } from './convention.ts'
import { checkLists, checkOptions, isRecord } from './declared.ts'
import { faultOfFields, fieldLists } from './fields.ts'
import { faultOfNoun } from './noun.ts'
import type { FieldOfKind, NotJson, StandardSchema } from './schema.ts'

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
}

/** The names of an item's fields. */
export type FieldOf<Fields> = keyof Fields & string

/** A declared resource with its defaults, frozen. Made by {@link defineResource}. */
export interface Resource<S extends Shape = Shape> {
  readonly name: S['name']
  readonly schema: StandardSchema<unknown, S['item']>
  readonly create: StandardSchema<unknown, S['create']>
  readonly update: StandardSchema<unknown, object>
  readonly id: StandardSchema<unknown, string | number> | undefined
  readonly sortable: readonly S['sortable'][]
  readonly searchable: readonly string[]
  readonly readOnly: readonly string[]
  readonly filled: readonly string[]
  readonly revision: string | undefined
  readonly plural: boolean
  readonly maxLimit: number
  readonly defaultLimit: number | undefined
  readonly without: readonly OperationKind[]
  readonly bounded: boolean
  /** For the compiler only; never set. */
  readonly shape?: S
}

/** The declaration of a resource. */
export interface ResourceDeclaration<
  Fields extends Item,
  CreateInput,
  Create,
  UpdateInput,
  Update,
  Sortable,
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
  /** Fields of text that `q` looks into. Default: none, and no `q`. */
  readonly searchable?: readonly FieldOfKind<Fields, string>[]
  /** Fields that only the server sets. A client may send them back unchanged. Default: none. */
  readonly readOnly?: readonly FieldOf<Fields>[]
  /** Required fields that a client may leave out, since the storage sets them. Default: none. */
  readonly filled?: readonly FieldOf<Fields>[]
  /** The field that changes with every write, for `ETag`. Read-only. Default: none. */
  readonly revision?: FieldOf<Fields>
  /** The name is plural without looking so: `staff`. Default: false. */
  readonly plural?: boolean
  /** The most items of a page. Default: 1,000. */
  readonly maxLimit?: number
  /** Items of a page when the client sets no `limit`. Default: none, the whole list. */
  readonly defaultLimit?: number
  /** Operations that the resource does not offer: `['deleteAll']`. Default: none. */
  readonly without?: readonly OperationKind[]
  /** `deleteAll` at a path without parents needs `Prefer: max-affected`. Default: false. */
  readonly bounded?: boolean
}

/** A path has ids as text, so that any other type needs a schema. */
type IdSchemaOf<Fields extends Item> = [Fields['id']] extends [string]
  ? unknown
  : { readonly id: StandardSchema<unknown, Fields['id']> }

// biome-ignore format: one list
const known: Record<keyof ResourceDeclaration<Item, never, never, never, never, never>, true> = {
  schema: true, create: true, update: true, id: true, sortable: true, searchable: true,
  readOnly: true, filled: true, revision: true, plural: true, maxLimit: true, defaultLimit: true,
  without: true, bounded: true,
}

/**
 * Declares a resource: the schemas of its items and bodies, its sortable and searchable fields.
 *
 * @param name A plural noun; the adapter has the same name. A suffix tells apart two versions of a
 *   noun: `employees_v2`.
 * @throws {TypeError} For a declaration against itself or the convention; the message says what to
 *   write.
 */
export function defineResource<
  const Name extends string,
  Fields extends Item,
  CreateInput = Fields,
  Create extends object = Fields,
  UpdateInput = CreateInput,
  Update extends object = Create,
  const Sortable extends FieldOfKind<Fields, string | number | boolean> = never,
>(
  name: Name,
  declaration: ResourceDeclaration<Fields, CreateInput, Create, UpdateInput, Update, Sortable> &
    IdSchemaOf<Fields>,
): Resource<{
  name: Name
  item: Fields
  createInput: CreateInput
  create: Create
  updateInput: UpdateInput
  sortable: Sortable
}> {
  checkDeclaration(name, declaration)
  const { schema, create = schema, update = create, readOnly = [], revision } = declaration
  return checked(declaration.create !== undefined, {
    name,
    schema,
    create: create as StandardSchema<unknown, Create>,
    update,
    id: declaration.id,
    sortable: frozen(declaration.sortable ?? []),
    searchable: frozen(declaration.searchable ?? []),
    readOnly: frozen(revision === undefined ? readOnly : withField(readOnly, revision)),
    filled: frozen(declaration.filled ?? []),
    revision,
    plural: declaration.plural ?? false,
    maxLimit: declaration.maxLimit ?? defaultMaxLimit,
    defaultLimit: declaration.defaultLimit,
    without: frozen(declaration.without ?? []),
    bounded: declaration.bounded ?? false,
  })
}

function checkDeclaration(name: string, declaration: unknown): void {
  if (typeof name !== 'string') {
    throw new TypeError('A resource needs a name: write defineResource("notes", { schema: … }).')
  }
  if (!isRecord(declaration)) {
    throw new TypeError(
      `Resource "${name}" has no declaration: write defineResource("${name}", { schema: … }).`,
    )
  }
  checkOptions(`Resource "${name}"`, declaration, known)
  checkLists(`Resource "${name}"`, declaration, [...fieldLists, 'without'])
}

const none: readonly never[] = Object.freeze([])

function frozen<Element>(list: readonly Element[]): readonly Element[] {
  // Most of thousands of resources have none.
  return list.length === 0 ? none : Object.freeze([...list])
}

function withField(fields: readonly string[], field: string): readonly string[] {
  return fields.includes(field) ? fields : [...fields, field]
}

function checked<Checked extends Resource>(hasCreate: boolean, resource: Checked): Checked {
  const fault =
    faultOfNoun(nounOfName(resource.name), resource.plural) ??
    faultOfSchemas(resource, hasCreate) ??
    faultOfFields(resource) ??
    faultOfWithout(resource) ??
    faultOfLimits(resource)
  if (fault !== undefined) throw new TypeError(`Resource "${resource.name}" ${fault}.`)
  return Object.freeze(resource)
}

// `employees_v2` is the employees of another version.
function nounOfName(name: string): string {
  return name.replace(/[-_]v\d+$/, '')
}

function faultOfSchemas(resource: Resource, hasCreate: boolean): string | undefined {
  for (const key of ['schema', 'create', 'update', 'id'] as const) {
    const schema: StandardSchema | undefined = resource[key]
    const isOptional = key === 'id' && schema === undefined
    if (!isOptional && typeof schema?.['~standard']?.validate !== 'function') {
      return `has a "${key}" that is no Standard Schema: write it with zod, valibot or arktype`
    }
  }
  if (resource.readOnly.length > 0 && !hasCreate && !resource.without.includes('create')) {
    return 'has read-only fields: declare a "create" schema without them, for POST'
  }
  return undefined
}

function faultOfWithout({ without }: Resource): string | undefined {
  const unknown = without.find((kind) => !operationKinds.includes(kind))
  return unknown === undefined
    ? undefined
    : `is without "${unknown}", which is no operation: name some of ${operationKinds.join(', ')}`
}

function faultOfLimits({ maxLimit, defaultLimit = 1 }: Resource): string | undefined {
  const isPositive = (limit: number): boolean => Number.isSafeInteger(limit) && limit > 0
  if (!isPositive(maxLimit)) return `has a "maxLimit" of ${maxLimit}: use a whole number from 1`
  if (isPositive(defaultLimit) && defaultLimit <= maxLimit) return undefined
  const most = `${maxLimit}, its "maxLimit"`
  return `has a "defaultLimit" of ${defaultLimit}: use a whole number from 1 to ${most}`
}

import { checkLists, checkOptions, isRecord } from './declared.ts'
import { faultOfResource, fieldLists } from './faults.ts'
import { type FilterableOption, type FilterField, readFilterable } from './filter.ts'
import { withPatches } from './kinds.ts'
import { defaultMaxLimit } from './limits.ts'
import type { Reference, ReferencesOption } from './reference.ts'
import { parseReferences } from './references.ts'
import type { FieldOf, Item, OwnedBy, Resource } from './resource.ts'
import type { IdSchemaOf, ReferencesIn, ResourceDeclaration } from './resource-declaration.ts'
import type { FieldOfKind, StandardSchema } from './schema.ts'

// biome-ignore format: one list
type AnyDeclaration =
  ResourceDeclaration<Item, never, never, never, never, never, never, never, never, never, never>

// biome-ignore format: one list
const known: Record<keyof AnyDeclaration, true> = {
  schema: true, create: true, update: true, id: true, sortable: true, searchable: true,
  filterable: true, references: true, readOnly: true, filled: true, revision: true, plural: true,
  maxLimit: true, defaultLimit: true, without: true, bounded: true, total: true, idempotent: true,
  ownedBy: true, ids: true, restricted: true, keep: true,
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
  const Searchable extends FieldOfKind<Fields, string> = never,
  const Filterable extends FieldOfKind<Fields, string | number | boolean> = never,
  const References extends ReferencesOption = Readonly<Record<never, never>>,
  const Owners extends FieldOfKind<Fields, string | number> = never,
  const Restricted extends FieldOf<Fields> = never,
>(
  name: Name,
  // biome-ignore format: one list
  declaration: ResourceDeclaration<
    Fields, CreateInput, Create, UpdateInput, Update, Sortable, Searchable, Filterable, References,
    Owners, Restricted
  > & ReferencesIn<Fields, References> & IdSchemaOf<Fields>,
): Resource<{
  name: Name
  item: Fields
  createInput: CreateInput
  create: Create
  updateInput: UpdateInput
  sortable: Sortable
  searchable: Searchable
  filterable: Filterable
  references: References
  ownedBy: NoInfer<Owners> // Inside `defineApi`, the compiler would infer every field.
  restricted: NoInfer<Restricted>
}> {
  checkDeclaration(name, declaration)
  const { schema, create = schema, update = create, id, sortable, searchable } = declaration
  const schemas = { schema, create: create as StandardSchema<unknown, Create>, update, id }
  const lists = { sortable: frozen(sortable ?? []), searchable: frozen(searchable ?? []) }
  const resource = { name, ...schemas, ...lists, ...restOf(name, declaration) }
  return checked(declaration.create !== undefined, resource)
}

/** The options that no type depends on. */
interface Untyped
  extends Pick<
    AnyDeclaration,
    'plural' | 'maxLimit' | 'defaultLimit' | 'without' | 'bounded' | 'total' | 'idempotent' | 'ids'
  > {
  readonly schema: StandardSchema
  readonly create?: StandardSchema
  readonly update?: StandardSchema
  readonly filterable?: FilterableOption
  readonly references?: ReferencesOption
  readonly ownedBy?: OwnedBy | undefined
  readonly restricted?: readonly string[]
  readonly readOnly?: readonly string[]
  readonly filled?: readonly string[]
  readonly keep?: readonly string[]
  readonly revision?: string
}

// The options without types of their own, with their defaults.
function restOf(name: string, declaration: Untyped) {
  const { readOnly = [], revision } = declaration
  return {
    filterable: frozen(filterFieldsOf(name, declaration)),
    references: frozen(referencesOf(name, declaration)),
    ownedBy: ownedByOf(declaration),
    ids: declaration.ids,
    restricted: frozen(declaration.restricted ?? []),
    readOnly: frozen(revision === undefined ? readOnly : withField(readOnly, revision)),
    filled: frozen(declaration.filled ?? []),
    keep: frozen(declaration.keep ?? []),
    revision,
    plural: declaration.plural ?? false,
    maxLimit: declaration.maxLimit ?? defaultMaxLimit,
    defaultLimit: declaration.defaultLimit,
    without: frozen(withPatches(declaration.without ?? [])),
    bounded: declaration.bounded ?? false,
    idempotent: declaration.idempotent ?? false,
    total: declaration.total,
  }
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
  const { ownedBy } = declaration
  if (ownedBy !== 'parent') checkLists(`Resource "${name}"`, { ownedBy }, ['ownedBy'])
}

function ownedByOf({ ownedBy }: Untyped): OwnedBy | undefined {
  return typeof ownedBy === 'object' ? frozen(ownedBy) : ownedBy
}

function filterFieldsOf(
  name: string,
  {
    filterable = [],
    schema,
  }: { readonly filterable?: FilterableOption; readonly schema: StandardSchema },
): readonly FilterField[] {
  // A schema that is none has its own message.
  if (typeof schema?.['~standard']?.validate !== 'function') return none
  const fields = readFilterable(filterable, schema)
  if (typeof fields === 'string') throw new TypeError(`Resource "${name}" ${fields}.`)
  return fields
}

function referencesOf(
  name: string,
  { references: option = {}, ...schemas }: Untyped,
): readonly Reference[] {
  const references = parseReferences(option, schemas)
  if (typeof references === 'string') throw new TypeError(`Resource "${name}" ${references}.`)
  return references
}

const none: readonly never[] = Object.freeze([])

function frozen<Element>(list: readonly Element[]): readonly Element[] {
  // Most of thousands of resources have none.
  return list.length === 0 ? none : Object.freeze([...list])
}

function withField(fields: readonly string[], field: string): readonly string[] {
  return fields.includes(field) ? fields : [...fields, field]
}

function checked<Checked extends Omit<Resource, 'view' | 'hub'>>(
  hasCreate: boolean,
  declared: Checked,
): Checked & Pick<Resource, 'view' | 'hub'> {
  const fault = faultOfResource(declared, hasCreate)
  if (fault !== undefined) throw new TypeError(`Resource "${declared.name}" ${fault}.`)
  const resource = {
    ...declared,
    view: undefined,
    get hub(): Resource {
      return resource
    },
  }
  return Object.freeze(resource)
}

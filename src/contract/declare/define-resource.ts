import {
  declaredList,
  faultsOfLists,
  faultsOfOptions,
  throwFaults,
} from '../../convention/declaration.ts'
import type { FilterField } from '../../convention/filter-operators.ts'
import { kindsWithout, withoutImplied, withPatches } from '../../convention/kinds.ts'
import { defaultMaxLimit } from '../../convention/limits.ts'
import { operationKinds } from '../../convention/operations.ts'
import { isRecord } from '../../convention/value.ts'
import type {
  FieldOf,
  Item,
  OwnedBy,
  Reference,
  ReferencesOption,
  Resource,
} from '../resource/resource.ts'
import { type FilterableOption, readFilterable } from '../schema/filter.ts'
import {
  type FieldOfKind,
  type FilterableIn,
  isStandardSchema,
  type StandardSchema,
} from '../schema/schema.ts'
import { faultsOfNames, faultsOfResource, fieldLists, withoutUnknownNames } from './faults.ts'
import { parseReferences, parseStates } from './field-tables.ts'
import {
  type IdSchemaOf,
  type OptionName,
  type ReferencesIn,
  type ResourceDeclaration,
  resourceOptions,
} from './resource-declaration.ts'

// biome-ignore format: one list
type AnyDeclaration = ResourceDeclaration<
  Item, never, never, never, never, never, never, never, never, never, never, never
>

const knownOptions: Readonly<Record<keyof AnyDeclaration & OptionName, unknown>> = resourceOptions

/**
 * Declares a resource: the schemas of its items and bodies, its sortable and searchable fields.
 *
 * @param name A plural noun; the adapter has the same name. A suffix tells apart two versions of a
 *   noun: `employees_v2`.
 * @throws {TypeError} For a declaration against itself or the convention. The message has a line
 *   for each fault, and says what to write.
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
  const Filterable extends FilterableIn<Fields> = never,
  const References extends ReferencesOption = Readonly<Record<never, never>>,
  const Owners extends FieldOfKind<Fields, string | number> = never,
  const Restricted extends FieldOf<Fields> = never,
  const Countable extends FieldOfKind<Fields, string | number | boolean> = never,
>(
  name: Name,
  // biome-ignore format: one list
  declaration: ResourceDeclaration<
    Fields, CreateInput, Create, UpdateInput, Update, Sortable, Searchable, Filterable, References,
    Owners, Restricted, Countable
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
  countable: Countable
  references: References
  ownedBy: NoInfer<Owners> // Inside `defineApi`, the compiler would infer every field.
  restricted: NoInfer<Restricted>
}> {
  const faults = faultsOfDeclaration(name, declaration)
  const { schema, create = schema, update = create, id } = declaration
  const schemas = { schema, create: create as StandardSchema<unknown, Create>, update, id }
  return resourceOf({ name, ...schemas, ...listsOf(declaration) }, declaration, faults)
}

// Frozen copies, which keep the types of the fields.
function listsOf<Sortable, Searchable>({ sortable, searchable }: TypedLists<Sortable, Searchable>) {
  return { sortable: frozen(sortable), searchable: frozen(searchable) }
}

interface TypedLists<Sortable, Searchable> {
  readonly sortable?: readonly Sortable[]
  readonly searchable?: readonly Searchable[]
}

/** The options of a resource whatever its types. */
export interface AnyOptions
  extends Pick<
    AnyDeclaration,
    | 'plural'
    | 'maxLimit'
    | 'defaultLimit'
    | 'without'
    | 'offers'
    | 'bounded'
    | 'total'
    | 'idempotent'
    | 'putCreates'
    | 'ids'
  > {
  readonly schema: StandardSchema
  readonly create?: StandardSchema
  readonly update?: StandardSchema
  readonly sortable?: readonly string[]
  readonly folded?: readonly string[]
  readonly searchable?: readonly string[]
  readonly filterable?: FilterableOption
  readonly countable?: readonly string[]
  readonly references?: ReferencesOption
  readonly ownedBy?: OwnedBy | undefined
  readonly restricted?: readonly string[]
  readonly readOnly?: readonly string[]
  readonly filled?: readonly string[]
  readonly keep?: readonly string[]
  readonly states?: object | undefined
  readonly revision?: string
}

// The options without types of their own, with their defaults.
function optionsOf(declaration: AnyOptions) {
  const { readOnly, revision } = declaration
  const filterable = filterFieldsOf(declaration)
  const references = referencesOf(declaration)
  const states = parseStates(declaration.states)
  const options = {
    filterable: frozen(filterable.values),
    folded: frozen(declaration.folded),
    countable: frozen(declaration.countable),
    references: frozen(references.values),
    ownedBy: ownedByOf(declaration),
    ids: declaration.ids,
    restricted: frozen(declaration.restricted),
    readOnly: frozen(
      revision === undefined ? readOnly : withField(declaredList(readOnly), revision),
    ),
    filled: frozen(declaration.filled),
    keep: frozen(declaration.keep),
    states: states.values[0],
    revision,
    plural: declaration.plural ?? false,
    maxLimit: declaration.maxLimit ?? defaultMaxLimit,
    defaultLimit: declaration.defaultLimit,
    without: frozen(withoutOf(declaration)),
    bounded: declaration.bounded ?? false,
    idempotent: declaration.idempotent ?? false,
    putCreates: declaration.putCreates ?? false,
    total: declaration.total,
  }
  const faults = [filterable, references].flatMap(({ fault }) => fault ?? [])
  const named = { ...options, sortable: frozen(declaration.sortable) }
  const optionFaults = [...faultsOfDots(named), ...faultsOfOffers(declaration)]
  return { options, faults: [...faults, ...states.faults, ...optionFaults] }
}

// A name with a dot would mean a field of the related item too.
function faultsOfDots({
  filterable,
  sortable,
  references,
}: Pick<Resource, 'filterable' | 'sortable' | 'references'>): readonly string[] {
  const uses = [
    ...filterable.map(({ name }) => ['filters', name] as const),
    ...sortable.map((name) => ['sorts', name] as const),
  ]
  return uses.flatMap(([use, name]) => {
    const reference = references.find(({ as }) => name.startsWith(`${as}.`))
    if (reference === undefined) return []
    const { field, to, as } = reference
    return [
      `${use} by "${name}", which is also a field of the "${as}" that "${field}" names: ` +
        `leave it out, or write "${field}: { to: '${to}', as: '…' }" with another name`,
    ]
  })
}

function faultsOfDeclaration(name: string, declaration: unknown): readonly string[] {
  if (typeof name !== 'string') {
    throw new TypeError('A resource needs a name: write defineResource("notes", { schema: … }).')
  }
  if (!isRecord(declaration)) {
    throw new TypeError(
      `Resource "${name}" has no declaration: write defineResource("${name}", { schema: … }).`,
    )
  }
  const place = `Resource "${name}"`
  const lists = [...fieldLists, 'without', 'offers']
  const isList = declaration.ownedBy !== 'parent'
  return [
    ...faultsOfOptions(place, declaration, knownOptions),
    ...faultsOfLists(place, declaration, isList ? [...lists, 'ownedBy'] : lists),
  ]
}

function ownedByOf({ ownedBy }: AnyOptions): OwnedBy | undefined {
  return ownedBy === undefined || ownedBy === 'parent' ? ownedBy : frozen(ownedBy)
}

function withoutOf({ without, offers }: Pick<AnyOptions, 'without' | 'offers'>) {
  if (offers === undefined) return withoutImplied(declaredList(without))
  return kindsWithout(withPatches(declaredList(offers)))
}

function faultsOfOffers({ without, offers }: AnyOptions): readonly string[] {
  if (offers === undefined) return []
  const unknownKinds = declaredList(offers).filter((kind) => !operationKinds.includes(kind))
  return [
    ...(without === undefined ? [] : ['has "offers" and "without": keep one of them']),
    ...unknownKinds.map(
      (kind) =>
        `offers "${kind}", which is no operation: name some of ${operationKinds.join(', ')}`,
    ),
  ]
}

/** An option as the library reads it, or its fault. */
interface ParsedOption<OptionValue> {
  readonly values: readonly OptionValue[]
  readonly fault?: string
}

function filterFieldsOf({ filterable = [], schema }: AnyOptions): ParsedOption<FilterField> {
  // A schema that is none has its own message.
  if (!isStandardSchema(schema)) return { values: none }
  const fields = readFilterable(filterable, schema)
  return typeof fields === 'string' ? { values: none, fault: fields } : { values: fields }
}

function referencesOf({
  references: option = {},
  ...schemas
}: AnyOptions): ParsedOption<Reference> {
  const references = parseReferences(option, schemas)
  return typeof references === 'string'
    ? { values: none, fault: references }
    : { values: references }
}

const none: readonly never[] = Object.freeze([])

function frozen<Element>(list: readonly Element[] | undefined): readonly Element[] {
  const elements = declaredList(list)
  // Most of thousands of resources have none.
  return elements.length === 0 ? none : Object.freeze([...elements])
}

function withField(fields: readonly string[], field: string): readonly string[] {
  return fields.includes(field) ? fields : [...fields, field]
}

type TypedMembers = Pick<
  Resource,
  'name' | 'schema' | 'create' | 'update' | 'id' | 'sortable' | 'searchable'
>

function resourceOf<Members extends TypedMembers>(
  typedMembers: Members,
  declaration: AnyOptions,
  faults: readonly string[],
) {
  const unknownNames = faultsOfNames(typedMembers.name, declaration)
  // An unknown name has one fault.
  const validOptions = unknownNames.length === 0 ? declaration : withoutUnknownNames(declaration)
  const { options, faults: optionFaults } = optionsOf(validOptions)
  const resourceMembers = { ...typedMembers, ...options }
  const resourceFaults = [
    ...optionFaults,
    ...faultsOfResource(resourceMembers, declaration.create !== undefined),
  ]
  throwFaults([
    ...faults,
    ...unknownNames,
    ...resourceFaults.map((fault) => `Resource "${typedMembers.name}" ${fault}.`),
  ])
  // Not by getters: V8 keeps an object with many members and a getter as a slow dictionary.
  const resource = { ...resourceMembers, view: undefined, base: unset, hub: unset }
  resource.base = resource
  resource.hub = resource
  return Object.freeze(resource)
}

// Stands for the resource itself until there is one.
const unset = undefined as unknown as Resource

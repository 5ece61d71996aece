import { kindsWithout } from '../../convention/kinds.ts'
import { nearestTo } from '../../convention/nearest.ts'
import { faultOfName } from '../../convention/noun.ts'
import { type OperationKind, operationKinds } from '../../convention/operations.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'
import { idFor } from '../resource/id.ts'
import type { OwnedBy, Resource } from '../resource/resource.ts'
import { faultOfGrouping, filterPathOf, typesAndValuesOf } from '../schema/filter.ts'
import {
  followReference,
  type JsonSchema,
  jsonSchemaOf,
  membersOf,
  propertiesOf,
  typesOf,
} from '../schema/json-schema.ts'
import { requiredFieldsOf, takenFieldsOf } from '../schema/required.ts'
import { isStandardSchema, type StandardSchema } from '../schema/schema.ts'
import { faultsOfKeep, faultsOfOwnedBy, faultsOfRestricted, faultsOfStates } from './field-roles.ts'

/** The options of a resource that name fields. */
// biome-ignore format: one list
export const fieldLists = [
  'sortable', 'folded', 'searchable', 'countable', 'readOnly', 'filled', 'keep', 'restricted',
] as const

/** A declared resource with its defaults, before the checks. */
export type DeclaredResource = Readonly<Record<(typeof fieldLists)[number], readonly string[]>> & {
  readonly name: string
  readonly schema: StandardSchema
  readonly create: StandardSchema
  readonly update: StandardSchema
  readonly id: StandardSchema<unknown, string | number> | undefined
  readonly plural: boolean
  readonly maxLimit: number
  readonly defaultLimit: number | undefined
  readonly without: readonly OperationKind[]
  readonly bounded: boolean
  readonly total: boolean | undefined
  readonly idempotent: boolean
  readonly putCreates: boolean
  readonly ownedBy: OwnedBy | undefined
  readonly ids: 'counted' | undefined
  readonly revision: string | undefined
  readonly states: Resource['states']
}

/**
 * Returns the faults of a declared resource, each with its remedy.
 *
 * @param hasCreate The declaration has a schema of its own for POST.
 */
export function faultsOfResource(
  resource: DeclaredResource,
  hasCreate: boolean,
): readonly string[] {
  const name = faultOfName(resource.name, resource.plural)
  const schemas = faultsOfSchemas(resource)
  const faults = [
    ...(name === undefined ? [] : [name]),
    ...schemas,
    ...faultsOfFields(resource),
    ...faultsOfWithout(resource),
    ...faultsOfIdleOptions(resource),
    ...faultsOfLimits(resource),
  ]
  // The other faults are those of readable schemas.
  if (schemas.length > 0) return faults
  return [
    ...faults,
    ...faultsOfReadOnly(resource, hasCreate),
    ...faultsOfIdempotent(resource),
    ...faultsOfPutCreates(resource),
    ...faultsOfOwnedBy(resource),
    ...faultsOfRestricted(resource),
    ...faultsOfKeep(resource),
    ...faultsOfStates(resource),
    ...resource.countable.flatMap((name) => faultOfGrouping(name, resource.schema) ?? []),
    ...resource.folded.flatMap((name) => faultOfFolding(name, resource) ?? []),
  ]
}

function faultsOfSchemas(resource: DeclaredResource): readonly string[] {
  const keys = ['schema', 'create', 'update', 'id'] as const
  const faultyKeys = keys.filter((key) => {
    const schema = resource[key]
    // A schema that the declaration leaves out is another one, which is judged by itself.
    const schemasBefore = keys.slice(0, keys.indexOf(key)).map((name) => resource[name])
    const isCheckedBefore = schemasBefore.includes(schema) || (key === 'id' && schema === undefined)
    return !isCheckedBefore && !isStandardSchema(schema)
  })
  return faultyKeys.map(
    (key) => `has a "${key}" that is no Standard Schema: write it with zod, valibot or arktype`,
  )
}

function faultsOfReadOnly(
  { readOnly, without }: DeclaredResource,
  hasCreate: boolean,
): readonly string[] {
  return readOnly.length > 0 && !hasCreate && !without.includes('create')
    ? ['has read-only fields: declare a "create" schema without them, for POST']
    : []
}

function faultsOfWithout({ without }: DeclaredResource): readonly string[] {
  const unknownKinds = without.filter((kind) => !operationKinds.includes(kind))
  const faults = unknownKinds.map(
    (kind) =>
      `is without "${kind}", which is no operation: name some of ${operationKinds.join(', ')}`,
  )
  return kindsWithout(without).length > 0
    ? faults
    : [...faults, 'offers no operation: leave some out of "without", or name some in "offers"']
}

/** The operations without which an option does nothing. */
export const kindsOfOption = {
  bounded: ['deleteAll'],
  total: ['list'],
  idempotent: ['create'],
  putCreates: ['create', 'update'],
  countable: ['count'],
} as const satisfies Readonly<Record<string, readonly OperationKind[]>>

function faultsOfIdleOptions(resource: DeclaredResource): readonly string[] {
  const { without, bounded, total, idempotent, putCreates, countable } = resource
  const isSet = {
    ...{ bounded, idempotent, putCreates },
    total: total !== undefined,
    countable: countable.length > 0,
  }
  return (Object.keys(kindsOfOption) as (keyof typeof kindsOfOption)[])
    .filter((name) => isSet[name])
    .flatMap((name) => {
      const kind = kindsOfOption[name].find((needed) => without.includes(needed))
      return kind ? [`has "${name}", but offers no "${kind}": leave "${name}" out`] : []
    })
}

function faultsOfIdempotent(resource: DeclaredResource): readonly string[] {
  const { name, id, idempotent, create } = resource
  const uuid = '00000000-0000-5000-8000-000000000000'
  if (!idempotent) return []
  if (idFor({ name, id }, uuid) !== uuid)
    return ['is idempotent, but its "id" takes no UUID: write "id: z.uuid()", or leave out "id"']
  return requiresId(create)
    ? ['is idempotent, so a key becomes the id: declare a "create" schema without "id", for POST']
    : []
}

function faultsOfPutCreates({ putCreates, ids }: DeclaredResource): readonly string[] {
  return putCreates && ids === 'counted'
    ? ['has "putCreates", but its database counts the ids: leave "putCreates" or "ids" out']
    : []
}

function requiresId(create: StandardSchema): boolean {
  const properties = propertiesOf(jsonSchemaOf(create) ?? {})
  const hasDefault = properties.some(([name, id]) => name === 'id' && Object.hasOwn(id, 'default'))
  return !hasDefault && requiredFieldsOf(create)?.includes('id') === true
}

function faultsOfLimits({ maxLimit, defaultLimit = 1 }: DeclaredResource): readonly string[] {
  const isPositive = (limit: number): boolean => Number.isSafeInteger(limit) && limit > 0
  if (!isPositive(maxLimit)) return [`has a "maxLimit" of ${maxLimit}: use a whole number from 1`]
  if (isPositive(defaultLimit) && defaultLimit <= maxLimit) return []
  const range = `${maxLimit}, its "maxLimit"`
  return [`has a "defaultLimit" of ${defaultLimit}: use a whole number from 1 to ${range}`]
}

function faultsOfFields(resource: DeclaredResource): readonly string[] {
  const faults = fieldLists.flatMap((key) => {
    const fields = resource[key]
    if (fields.includes('__proto__'))
      return [`names a field "__proto__" in "${key}": objects lose such a field, name it otherwise`]
    const hasRepetition = new Set(fields).size < fields.length
    return hasRepetition ? [`names a field twice in "${key}": name it once`] : []
  })
  const unsortable = resource.sortable.filter((field) => !/^[^-,][^,]*$/.test(field))
  return [
    ...faults,
    ...unsortable.map(
      (field) => `cannot sort by "${field}": use a field name without a comma or a leading "-"`,
    ),
  ]
}

function faultOfFolding(
  name: string,
  { sortable, schema }: Pick<DeclaredResource, 'sortable' | 'schema'>,
): string | undefined {
  if (name === 'id') return 'folds "id", by which every order ends: leave it out of "folded"'
  if (!sortable.includes(name))
    return `folds "${name}", by which no client sorts: add it to "sortable", or leave it out`
  return typesAndValuesOf(schema, name).types.every((type) => type === 'string')
    ? undefined
    : `folds "${name}", which is no text: leave it out of "folded"`
}

/** The options of a resource that name fields of its items. */
// biome-ignore format: one list
const fieldOptions = [
  'sortable', 'folded', 'searchable', 'filterable', 'countable', 'readOnly', 'filled', 'revision',
  'keep', 'restricted', 'references', 'ownedBy', 'states',
] as const

/** Says that a name is no field of a resource, and which field the user may mean. */
function unknownFieldText(field: string, resource: string, fields: readonly string[]): string {
  const nearest = nearestTo(field, fields)
  const remedy =
    nearest === undefined ? `Its fields: ${fields.join(', ')}.` : `Did you mean "${nearest}"?`
  return `"${field}" is no field of "${resource}". ${remedy}`
}

/** The options of a declaration that this file reads, of any type. */
interface Declaration
  extends Readonly<Partial<Record<(typeof fieldOptions)[number] | 'id', unknown>>> {
  readonly schema: StandardSchema
}

/**
 * Lists the faults of the fields of a declaration, a sentence each: names that the schema does not
 * have, an item without an id, and fields that JSON cannot carry. Lists none for a schema that does
 * not tell its fields.
 */
export function faultsOfNames(name: string, declaration: Declaration): readonly string[] {
  const { schema } = declaration
  const fields = fieldsOf(declaration)
  if (fields === undefined) return []
  // A field that JSON Schema cannot express still has its name.
  const json = jsonSchemaOf(schema, { libraryOptions: markingOptions }) ?? {}
  const members = membersOf(json)
  // A broken reference leaves nothing to judge.
  if (!members.some((member) => isRecord(fieldOf(member, 'properties')))) return []
  const properties = members.flatMap(propertiesOf)
  const faults = [
    ...fieldOptions.flatMap((option) =>
      namesIn(declaration[option])
        .filter((field) => !isNamed(field, option, fields))
        .map(
          (field) => `names "${field}" in "${option}": ${unknownFieldText(field, name, fields)}`,
        ),
    ),
    ...faultsOfId(declaration, properties),
    ...properties.flatMap(([field, property]) =>
      faultOfType(field, typeOutsideJsonIn(property, json)),
    ),
  ]
  return faults.map((fault) => `Resource "${name}" ${fault}`)
}

// Only a filter names a member of an object.
function isNamed(
  name: string,
  option: (typeof fieldOptions)[number],
  fields: readonly string[],
): boolean {
  const isPath = option === 'filterable' && fields.includes(filterPathOf(name).field)
  return isPath || fields.includes(name)
}

// Another check refuses a schema that is none.
function fieldsOf({ schema }: Declaration): readonly string[] | undefined {
  return isStandardSchema(schema) ? takenFieldsOf(schema) : undefined
}

/** Returns a declaration whose options name only fields of its schema. */
export function withoutUnknownNames<D extends Declaration>(declaration: D): D {
  const fields = [...new Set(fieldsOf(declaration))]
  const entries = fieldOptions.map((option) => {
    const isKnown = (field: unknown): boolean =>
      typeof field !== 'string' || isNamed(field, option, fields)
    const value: unknown = declaration[option]
    if (Array.isArray(value)) return [option, value.filter(isKnown)]
    if (!isRecord(value)) return [option, value === 'parent' || isKnown(value) ? value : undefined]
    return [option, Object.fromEntries(Object.entries(value).filter(([field]) => isKnown(field)))]
  })
  return { ...declaration, ...Object.fromEntries(entries) }
}

// Other checks refuse a list of other values, and a name twice.
function namesIn(option: unknown): readonly string[] {
  if (typeof option === 'string') return option === 'parent' ? [] : namesIn([option])
  const names: unknown = isRecord(option) ? Object.keys(option) : option
  if (!Array.isArray(names)) return []
  return names.filter((field) => typeof field === 'string' && field !== '__proto__')
}

type Properties = ReturnType<typeof propertiesOf>

function faultsOfId({ id }: Declaration, properties: Properties): readonly string[] {
  const schemas = properties.filter(([field]) => field === 'id').flatMap(([, schema]) => schema)
  if (schemas.length === 0) return ['has items without an id: add "id: z.string()" to "schema".']
  const types = schemas.flatMap((schema) => membersOf(schema)).flatMap(typesOf)
  return id !== undefined || types.every((type) => type === 'string')
    ? []
    : ['has ids that are no texts, as in a path: write "id: z.coerce.number()" beside "schema".']
}

/** The schema to write instead, by the type that JSON cannot carry. */
const jsonRemedies: Readonly<Record<string, string>> = {
  date: 'a text: "z.iso.datetime()"',
  bigint: 'a text or a whole number: "z.int()"',
  map: 'an object: "z.record(…)"',
  set: 'an array: "z.array(…)"',
}

function faultOfType(field: string, type: string | undefined): readonly string[] {
  if (type === undefined) return []
  const remedy = jsonRemedies[type] ?? 'another type'
  return [`holds a ${type} in "${field}", which JSON cannot carry: write ${remedy}.`]
}

const typesOutsideJson: readonly unknown[] = ['date', 'bigint', 'map', 'set', 'symbol', 'function']
const markKey = 'x-not-json'

// zod calls `override` and ArkType `fallback` for a part that JSON Schema cannot express.
const markingOptions = {
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }: ZodOverride): void => {
    const { type } = zodSchema._zod.def
    if (typesOutsideJson.includes(type)) Object.assign(jsonSchema, { [markKey]: type })
  },
  fallback: ({ code, domain, base }: ArkTypeFallback): object =>
    code === 'date' || typesOutsideJson.includes(domain) ? { [markKey]: domain ?? code } : base,
}

interface ZodOverride {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string } } }
  readonly jsonSchema: object
}

interface ArkTypeFallback {
  readonly code: string
  readonly domain?: string
  readonly base: object
}

// The type of the first value, at any depth, that JSON cannot carry.
function typeOutsideJsonIn(
  value: unknown,
  root: JsonSchema,
  visited: Set<object> = new Set(),
): string | undefined {
  if (typeof value !== 'object' || value === null || visited.has(value)) return undefined
  visited.add(value)
  const { [markKey]: type, $ref } = value as Readonly<Record<string, unknown>>
  if (typeof type === 'string') return type
  const innerValues = [
    ...Object.values(value),
    typeof $ref === 'string' && followReference($ref, root),
  ]
  for (const inner of innerValues) {
    const innerType = typeOutsideJsonIn(inner, root, visited)
    if (innerType !== undefined) return innerType
  }
  return undefined
}

import { isRecord } from '../../convention/declared.ts'
import { nearestTo } from '../../convention/nearest.ts'
import { fieldOf } from '../../convention/value.ts'
import {
  followReference,
  type JsonSchema,
  jsonSchemaOf,
  membersOf,
  typesOf,
} from './json-schema.ts'
import { propertiesOf } from './outline.ts'
import { takenFieldsOf } from './required.ts'
import { isStandardSchema, type StandardSchema } from './schema.ts'

/** The options of a resource that name fields of its items. */
// biome-ignore format: one list
const options = [
  'sortable', 'searchable', 'filterable', 'readOnly', 'filled', 'revision', 'keep', 'restricted',
  'references', 'ownedBy',
] as const

/** Says that a name is no field of a resource, and which field the user may mean. */
function noField(field: string, resource: string, fields: readonly string[]): string {
  const near = nearestTo(field, fields)
  const remedy =
    near === undefined ? `Its fields: ${fields.join(', ')}.` : `Did you mean "${near}"?`
  return `"${field}" is no field of "${resource}". ${remedy}`
}

/** The options of a declaration that this file reads, of any type. */
interface Declaration extends Readonly<Partial<Record<(typeof options)[number] | 'id', unknown>>> {
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
  const json = jsonSchemaOf(schema, { libraryOptions: marking }) ?? {}
  const members = membersOf(json)
  // A broken reference leaves nothing to judge.
  if (!members.some((member) => isRecord(fieldOf(member, 'properties')))) return []
  const properties = members.flatMap(propertiesOf)
  const faults = [
    ...options.flatMap((option) =>
      namesIn(declaration[option])
        .filter((field) => !fields.includes(field))
        .map((field) => `names "${field}" in "${option}": ${noField(field, name, fields)}`),
    ),
    ...faultsOfId(declaration, properties),
    ...properties.flatMap(([field, property]) => faultOfType(field, typeIn(property, json))),
  ]
  return faults.map((fault) => `Resource "${name}" ${fault}`)
}

// Another check refuses a schema that is none.
function fieldsOf({ schema }: Declaration): readonly string[] | undefined {
  return isStandardSchema(schema) ? takenFieldsOf(schema) : undefined
}

/** Returns a declaration whose options name only fields of its schema. */
export function withoutUnknownNames<Declared extends Declaration>(declaration: Declared): Declared {
  const fields = new Set(fieldsOf(declaration))
  const isKnown = (field: unknown): boolean => typeof field !== 'string' || fields.has(field)
  const named = options.map((option) => {
    const value: unknown = declaration[option]
    if (Array.isArray(value)) return [option, value.filter(isKnown)]
    if (!isRecord(value)) return [option, value === 'parent' || isKnown(value) ? value : undefined]
    return [option, Object.fromEntries(Object.entries(value).filter(([field]) => isKnown(field)))]
  })
  return { ...declaration, ...Object.fromEntries(named) }
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

/** What a schema of JSON holds instead of a type. */
const instead: Readonly<Record<string, string>> = {
  date: 'a text: "z.iso.datetime()"',
  bigint: 'a text or a whole number: "z.int()"',
  map: 'an object: "z.record(…)"',
  set: 'an array: "z.array(…)"',
}

function faultOfType(field: string, type: string | undefined): readonly string[] {
  if (type === undefined) return []
  const remedy = instead[type] ?? 'another type'
  return [`holds a ${type} in "${field}", which JSON cannot carry: write ${remedy}.`]
}

const unwritable: readonly unknown[] = ['date', 'bigint', 'map', 'set', 'symbol', 'function']
const mark = 'x-not-json'

// zod calls `override` and ArkType `fallback` for a part that JSON Schema cannot express.
const marking = {
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }: Overridden): void => {
    const { type } = zodSchema._zod.def
    if (unwritable.includes(type)) Object.assign(jsonSchema, { [mark]: type })
  },
  fallback: ({ code, domain, base }: Fallen): object =>
    code === 'date' || unwritable.includes(domain) ? { [mark]: domain ?? code } : base,
}

interface Overridden {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string } } }
  readonly jsonSchema: object
}

interface Fallen {
  readonly code: string
  readonly domain?: string
  readonly base: object
}

// The type of the first value, at any depth, that JSON cannot carry.
function typeIn(
  value: unknown,
  root: JsonSchema,
  visited: Set<object> = new Set(),
): string | undefined {
  if (typeof value !== 'object' || value === null || visited.has(value)) return undefined
  visited.add(value)
  const { [mark]: type, $ref } = value as Readonly<Record<string, unknown>>
  if (typeof type === 'string') return type
  const parts = [...Object.values(value), typeof $ref === 'string' && followReference($ref, root)]
  for (const inner of parts) {
    const within = typeIn(inner, root, visited)
    if (within !== undefined) return within
  }
  return undefined
}

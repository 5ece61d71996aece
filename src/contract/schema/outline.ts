import { fieldOf } from '../../convention/value.ts'
import {
  isAny,
  isJsonSchema,
  type JsonSchema,
  jsonSchemaOf,
  listOf,
  membersOf,
  propertiesOf,
  typesOf,
} from './json-schema.ts'
import type { StandardSchema } from './schema.ts'

/** The parts of a value, by its schema. */
export interface Outline {
  /** The fields of an object; `undefined` if it can have any. */
  fields: ReadonlyMap<string, Field> | undefined
  /** The fields that an object with any fields must not show. Absent: none. */
  hidden?: ReadonlySet<string>
  /** The number of required fields. */
  required: number
  /** The outline of an array's elements. */
  elements: Outline | undefined
}

/** A field, by its schema. */
export interface Field {
  readonly outline: Outline
  readonly isRequired: boolean
}

/** The outline of an unknown value. */
export const anything: Outline = { fields: undefined, required: 0, elements: undefined }

/**
 * Reads the fields of a JSON Schema at every depth, of all alternatives together. An open
 * alternative or part makes the outline open too.
 */
export function outlineOf(root: JsonSchema): Outline {
  return outlineIn([root], { root, outlines: new Map() })
}

/** The schemas of a resource: of its items, and of the bodies that write them. */
interface Schemas {
  readonly schema: StandardSchema
  readonly create: StandardSchema
  readonly update: StandardSchema
}

const names = new WeakMap<Pick<Schemas, 'schema'>, readonly string[] | undefined>()

/** Returns the fields of a resource's items; `undefined` if its schema does not tell all. */
export function fieldNamesOf(resource: Pick<Schemas, 'schema'>): readonly string[] | undefined {
  if (names.has(resource)) return names.get(resource)
  const json = jsonSchemaOf(resource.schema)
  const fields = json && outlineOf(json).fields
  const all = fields && Object.freeze([...fields.keys()])
  names.set(resource, all)
  return all
}

const hidden = new WeakMap<Schemas, ReadonlySet<string>>()

/**
 * Returns the fields that a body may hold and an item does not: those of `create` and `update` that
 * `schema` does not name. Empty if `schema` names no field.
 */
export function writeOnlyFieldsOf(resource: Schemas): ReadonlySet<string> {
  const cached = hidden.get(resource)
  if (cached) return cached
  const { schema, create, update } = resource
  const itemFields = new Set(namedIn(schema))
  const sent = itemFields.size === 0 ? [] : [...namedIn(create), ...namedIn(update)]
  const names = new Set(sent.filter((name) => !itemFields.has(name)))
  hidden.set(resource, names)
  return names
}

const lenient = { libraryOptions: { unrepresentable: 'any' } }

function namedIn(schema: StandardSchema): readonly string[] {
  // A field that JSON Schema cannot express still has its name.
  const json = jsonSchemaOf(schema) ?? jsonSchemaOf(schema, lenient)
  const members = json === undefined ? [] : membersOf(json)
  return members.flatMap(propertiesOf).map(([name]) => name)
}

interface Walk {
  readonly root: JsonSchema
  /** By schema, since a schema can hold itself. */
  readonly outlines: Map<JsonSchema, Outline>
}

function outlineIn(schemas: readonly JsonSchema[], walk: Walk): Outline {
  const only = schemas.length === 1 ? schemas[0] : undefined
  const cached = only && walk.outlines.get(only)
  if (cached) return cached
  const outline: Outline = { ...anything }
  if (only) walk.outlines.set(only, outline)
  const members = schemas.flatMap((schema) => membersOf(schema, walk.root))
  outline.fields = fieldsOf(members, walk)
  for (const { isRequired } of outline.fields?.values() ?? []) if (isRequired) outline.required++
  const elements = members.map((member) => fieldOf(member, 'items')).filter(isJsonSchema)
  if (elements.length > 0 && !members.some(isAny)) outline.elements = outlineIn(elements, walk)
  return outline
}

function fieldsOf(members: readonly JsonSchema[], walk: Walk): Outline['fields'] {
  const objects = members.filter(isOfObjects)
  if (objects.length === 0 || members.some(isAny) || !objects.every(isClosed)) return undefined
  const named = new Map<string, JsonSchema[]>()
  for (const [name, schema] of objects.flatMap(propertiesOf)) {
    named.set(name, [...(named.get(name) ?? []), schema])
  }
  return new Map(
    [...named].map(([name, schemas]) => [
      name,
      {
        outline: outlineIn(schemas, walk),
        isRequired: objects.every((object) => listOf(fieldOf(object, 'required')).includes(name)),
      },
    ]),
  )
}

function isClosed(schema: JsonSchema): boolean {
  return (
    fieldOf(schema, 'additionalProperties') === false && !Object.hasOwn(schema, 'patternProperties')
  )
}

function isOfObjects(schema: JsonSchema): boolean {
  return typesOf(schema).includes('object') || Object.hasOwn(schema, 'properties')
}

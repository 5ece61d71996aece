import { type JsonSchema, listOf, membersOf } from './json-schema.ts'
import { fieldOf } from './operation.ts'

/** The parts of a value, by its schema. */
export interface Outline {
  /** The fields of an object; `undefined` if it can have any. */
  fields: ReadonlyMap<string, Field> | undefined
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
export const anything: Outline = Object.freeze({
  fields: undefined,
  required: 0,
  elements: undefined,
})

/**
 * Reads the fields of a JSON Schema at every depth, of all alternatives together. An open
 * alternative or part makes the outline open too.
 */
export function outlineOf(root: JsonSchema): Outline {
  return outlineIn([root], { root, known: new Map() })
}

interface Walk {
  readonly root: JsonSchema
  /** By schema, since a schema can hold itself. */
  readonly known: Map<JsonSchema, Outline>
}

function outlineIn(schemas: readonly JsonSchema[], walk: Walk): Outline {
  const [first] = schemas
  const known = schemas.length === 1 && first ? walk.known.get(first) : undefined
  if (known) return known
  const outline: Outline = { ...anything }
  if (schemas.length === 1 && first) walk.known.set(first, outline)
  const members = schemas.flatMap((schema) => membersOf(schema, walk.root))
  outline.fields = fieldsOf(members, walk)
  for (const { isRequired } of outline.fields?.values() ?? []) if (isRequired) outline.required++
  const elements = members.map((member) => fieldOf(member, 'items')).filter(isObject)
  if (elements.length > 0 && !members.some(isAny)) outline.elements = outlineIn(elements, walk)
  return outline
}

function fieldsOf(members: readonly JsonSchema[], walk: Walk): Outline['fields'] {
  const objects = members.filter((member) => hasType(member, 'object'))
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

function propertiesOf(schema: JsonSchema): (readonly [string, JsonSchema])[] {
  return Object.entries(Object(fieldOf(schema, 'properties'))).map(([name, property]) => [
    name,
    isObject(property) ? property : {},
  ])
}

function isClosed(schema: JsonSchema): boolean {
  return (
    fieldOf(schema, 'additionalProperties') === false && !Object.hasOwn(schema, 'patternProperties')
  )
}

function hasType(schema: JsonSchema, type: string): boolean {
  const given = fieldOf(schema, 'type')
  return given === type || listOf(given).includes(type) || Object.hasOwn(schema, 'properties')
}

const telling = ['type', 'properties', 'enum', 'const', '$ref'] as const
const boxes = ['anyOf', 'oneOf', 'allOf'] as const

/** Tells whether a JSON Schema accepts any value. */
export function isAny(schema: JsonSchema): boolean {
  const choices = boxes.filter((key) => Object.hasOwn(schema, key))
  if (choices.some((key) => listOf(fieldOf(schema, key)).includes(true))) return true
  return choices.length === 0 && !telling.some((key) => Object.hasOwn(schema, key))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

import { type JsonSchema, jsonSchemaOf, listOf, membersOf, typesOf } from './json-schema.ts'
import { propertiesOf } from './outline.ts'
import { namedFieldsOf } from './required.ts'
import type { Resource } from './resource.ts'
import type { StandardSchema } from './schema.ts'
import { fieldOf, setField } from './value.ts'

/** The schemas of a place in a body; `undefined` where they say nothing of it. */
interface Place {
  readonly root: JsonSchema
  /** All alternatives of the place. */
  readonly members: readonly JsonSchema[]
  readonly takesNull: boolean
}

const places = new WeakMap<StandardSchema, Place | undefined>()

function placeOf(schema: StandardSchema): Place | undefined {
  if (places.has(schema)) return places.get(schema)
  const lenient = { direction: 'input', libraryOptions: { unrepresentable: 'any' } } as const
  const json = jsonSchemaOf(schema, { direction: 'input' }) ?? jsonSchemaOf(schema, lenient)
  const place = json && placeIn([json], json)
  places.set(schema, place)
  return place
}

function placeIn(schemas: readonly JsonSchema[], root: JsonSchema): Place | undefined {
  if (schemas.length === 0) return undefined
  const members = schemas.flatMap((schema) => membersOf(schema, root))
  return { root, members, takesNull: members.some(isOfNull) }
}

function isOfNull(schema: JsonSchema): boolean {
  const isConstant = Object.hasOwn(schema, 'const') && fieldOf(schema, 'const') === null
  return (
    typesOf(schema).includes('null') || listOf(fieldOf(schema, 'enum')).includes(null) || isConstant
  )
}

function placeAt(place: Place | undefined, field: string): Place | undefined {
  if (place === undefined) return undefined
  // `null` removes an entry of a record: its keys have no other way to go.
  const schemas = place.members.flatMap(propertiesOf).filter(([name]) => name === field)
  return placeIn(
    schemas.map(([, schema]) => schema),
    place.root,
  )
}

/**
 * Merges a patch into an object, which it changes and returns. Nested objects are copied. `null`
 * removes a member, but where the schema takes `null`, it is the new value. A patch replaces an
 * array.
 *
 * @param schema The schema of the merged object.
 * @see RFC 7396 §2
 */
export function mergePatch(
  members: Record<string, unknown>,
  patch: object,
  schema: StandardSchema,
): object {
  return merge(members, patch, placeOf(schema))
}

function merge(members: Record<string, unknown>, patch: object, place: Place | undefined): object {
  for (const name of Object.keys(patch)) {
    const given = fieldOf(patch, name)
    if (typeof given !== 'object' || Array.isArray(given)) {
      setField(members, name, given)
      continue
    }
    const inner = placeAt(place, name)
    if (given !== null) setField(members, name, merge(copyOf(fieldOf(members, name)), given, inner))
    else if (inner?.takesNull) setField(members, name, null)
    else Reflect.deleteProperty(members, name)
  }
  return members
}

function copyOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}
}

/**
 * Copies the part of a stored item that a patch starts from: the fields that `update` names, or all
 * but the id and the read-only fields.
 */
export function baseOf(stored: object, { update, readOnly }: Resource): Record<string, unknown> {
  const isSent = (name: string): boolean => name !== 'id' && !readOnly.includes(name)
  const names = namedFieldsOf(update) ?? Object.keys(stored).filter(isSent)
  const base: Record<string, unknown> = {}
  for (const name of names) {
    const value = fieldOf(stored, name)
    if (value !== undefined) setField(base, name, value)
  }
  return base
}

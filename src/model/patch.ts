import { type JsonSchema, jsonSchemaOf, listOf, membersOf, typesOf } from './json-schema.ts'
import { isAny, propertiesOf } from './outline.ts'
import { takenFieldsOf } from './required.ts'
import type { Resource } from './resource.ts'
import type { StandardSchema } from './schema.ts'
import { asSent, fieldOf, setField } from './value.ts'

/** The schema of a body. */
interface Whole {
  readonly root: JsonSchema
  /** JSON Schema expresses all of it. Else a part that takes anything may be one that it cannot. */
  readonly isExact: boolean
}

/** The schemas of a place in a body; `undefined` where they say nothing of it. */
interface Place extends Whole {
  readonly takesNull: boolean
  /** The schemas of its members, by name. */
  readonly members: ReadonlyMap<string, readonly JsonSchema[]>
  /** The members that were asked for. */
  readonly inner: Map<string, Place>
}

const places = new WeakMap<StandardSchema, Place | undefined>()

function placeOf(schema: StandardSchema): Place | undefined {
  if (places.has(schema)) return places.get(schema)
  const lenient = { direction: 'input', libraryOptions: { unrepresentable: 'any' } } as const
  const exact = jsonSchemaOf(schema, { direction: 'input' })
  const json = exact ?? jsonSchemaOf(schema, lenient)
  const place = json && placeIn([json], { root: json, isExact: exact !== undefined })
  places.set(schema, place)
  return place
}

function placeIn(schemas: readonly JsonSchema[], { root, isExact }: Whole): Place {
  const alternatives = schemas.flatMap((schema) => membersOf(schema, root))
  const members = new Map<string, JsonSchema[]>()
  for (const [name, schema] of alternatives.flatMap(propertiesOf)) {
    const known = members.get(name)
    if (known === undefined) members.set(name, [schema])
    else known.push(schema)
  }
  const takesNull = alternatives.some((schema) => isOfNull(schema) || (isExact && isAny(schema)))
  return { root, isExact, takesNull, members, inner: new Map() }
}

function isOfNull(schema: JsonSchema): boolean {
  const isConstant = Object.hasOwn(schema, 'const') && fieldOf(schema, 'const') === null
  return (
    typesOf(schema).includes('null') || listOf(fieldOf(schema, 'enum')).includes(null) || isConstant
  )
}

// A name in no schema is an entry of a record: `null` removes it, as nothing else could.
function placeAt(place: Place | undefined, field: string): Place | undefined {
  const schemas = place?.members.get(field)
  if (place === undefined || schemas === undefined) return undefined
  const known = place.inner.get(field)
  if (known !== undefined) return known
  const inner = placeIn(schemas, place)
  place.inner.set(field, inner)
  return inner
}

/** Tells whether a schema takes a field; also where it does not tell its fields. */
export function takesField(schema: StandardSchema, field: string): boolean {
  return takenFieldsOf(schema)?.includes(field) ?? true
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
  const names = takenFieldsOf(update) ?? Object.keys(stored).filter(isSent)
  const base: Record<string, unknown> = {}
  for (const name of names) {
    const value = asSent(fieldOf(stored, name))
    if (value !== undefined) setField(base, name, value)
  }
  return base
}

import { asSent, fieldOf, isSame, setField } from '../../convention/value.ts'
import type { Resource } from '../resource/resource.ts'
import {
  isAny,
  type JsonSchema,
  jsonSchemaOf,
  listOf,
  membersOf,
  propertiesOf,
  typesOf,
} from '../schema/json-schema.ts'
import { takenFieldsOf } from '../schema/required.ts'
import type { StandardSchema } from '../schema/schema.ts'
import { validateNow } from '../schema/validate.ts'

/** The schema of a body. */
interface BodySchema {
  readonly root: JsonSchema
  /** JSON Schema expresses all of it. Else a part that takes anything may be one that it cannot. */
  readonly isExact: boolean
}

/** The schemas of a place in a body; `undefined` where they say nothing of it. */
interface BodyNode extends BodySchema {
  readonly takesNull: boolean
  /** The schemas of its members, by name. */
  readonly members: ReadonlyMap<string, readonly JsonSchema[]>
  /** The members that were asked for. */
  readonly inner: Map<string, BodyNode>
}

const bodyNodes = new WeakMap<StandardSchema, BodyNode | undefined>()

function bodyNodeOf(schema: StandardSchema): BodyNode | undefined {
  if (bodyNodes.has(schema)) return bodyNodes.get(schema)
  const exactSchema = jsonSchemaOf(schema, { direction: 'input' })
  const json = exactSchema ?? jsonSchemaOf(schema, { ...lenient, direction: 'input' })
  const node = json && createNode([json], { root: json, isExact: exactSchema !== undefined })
  bodyNodes.set(schema, node)
  return node
}

function createNode(schemas: readonly JsonSchema[], { root, isExact }: BodySchema): BodyNode {
  const alternatives = schemas.flatMap((schema) => membersOf(schema, root))
  const members = new Map<string, JsonSchema[]>()
  for (const [name, schema] of alternatives.flatMap(propertiesOf)) {
    const memberSchemas = members.get(name)
    if (memberSchemas === undefined) members.set(name, [schema])
    else memberSchemas.push(schema)
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
function memberNode(node: BodyNode | undefined, field: string): BodyNode | undefined {
  const schemas = node?.members.get(field)
  if (node === undefined || schemas === undefined) return undefined
  const cached = node.inner.get(field)
  if (cached !== undefined) return cached
  const inner = createNode(schemas, node)
  node.inner.set(field, inner)
  return inner
}

/** Tells whether a schema takes a field; also where it does not tell its fields. */
export function takesField(schema: StandardSchema, field: string): boolean {
  return takenFieldsOf(schema)?.includes(field) ?? true
}

/** Tells whether the JSON Schema of a body names a field, in some alternative. */
export function namesField(schema: StandardSchema, field: string): boolean {
  return bodyNodeOf(schema)?.members.has(field) === true
}

/**
 * Tells whether a schema changes a value of a field. No validator tells that while another field is
 * at fault: so the field is judged by its own schema, else by the JSON Schemas of both sides.
 */
export function isTransformed(schema: StandardSchema, field: string, value: unknown): boolean {
  const member = memberOf(schema, field)
  if (member === undefined) {
    const [input, output] = (['input', 'output'] as const).map((direction) => {
      const json = jsonSchemaOf(schema, { ...lenient, direction })
      return JSON.stringify(json && membersOf(json).flatMap(propertiesOf).filter(isOf(field)))
    })
    return input !== output
  }
  // A check that waits gives no value in time: then it counts as a transform.
  return !isSame(fieldOf(validateNow(member, value) ?? {}, 'value'), value)
}

const lenient = { libraryOptions: { unrepresentable: 'any' } }

function isOf(field: string): (property: readonly [string, JsonSchema]) => boolean {
  return ([name]) => name === field
}

// An object of zod has its members' schemas as `shape`, one of valibot as `entries`.
function memberOf(schema: StandardSchema, field: string): StandardSchema | undefined {
  for (const members of ['shape', 'entries']) {
    const member: unknown = fieldOf(Object(Reflect.get(schema, members)), field)
    if (isSchema(member)) return member
  }
  return undefined
}

function isSchema(value: unknown): value is StandardSchema {
  return (
    typeof Reflect.get(Object(Reflect.get(Object(value), '~standard')), 'validate') === 'function'
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
  return merge(members, patch, bodyNodeOf(schema))
}

function merge(
  members: Record<string, unknown>,
  patch: object,
  node: BodyNode | undefined,
): object {
  for (const name of Object.keys(patch)) {
    const value = fieldOf(patch, name)
    if (typeof value !== 'object' || Array.isArray(value)) {
      setField(members, name, value)
      continue
    }
    const inner = memberNode(node, name)
    if (value !== null) setField(members, name, merge(copyOf(fieldOf(members, name)), value, inner))
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
  const isWritable = (name: string): boolean => name !== 'id' && !readOnly.includes(name)
  const names = takenFieldsOf(update) ?? Object.keys(stored).filter(isWritable)
  const base: Record<string, unknown> = {}
  for (const name of names) {
    const value = asSent(fieldOf(stored, name))
    if (value !== undefined) setField(base, name, value)
  }
  return base
}

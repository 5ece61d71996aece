import { followReference, type JsonSchema, listOf } from '../contract/schema/json-schema.ts'
import { isRecord } from '../convention/declared.ts'
import type { Node } from './walk.ts'

/** The fields of an item that a request body leaves out, or may leave out. */
export interface BodyFields {
  /** Fields that the client must not send. */
  readonly omitted: readonly string[]
  /** Optional fields, with their schemas if the item's schema lacks them. */
  readonly optional: Readonly<Record<string, unknown>>
}

interface Walk {
  readonly fields: BodyFields
  readonly root: JsonSchema
  /** The references on the way to this schema. */
  readonly path: readonly string[]
}

const constraints = [
  'properties',
  'required',
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
]
const parts = ['allOf', 'anyOf', 'oneOf', 'then', 'else']

/**
 * Changes the JSON Schema of an item to the schema of a request body. Schemas of its fields stay
 * unchanged.
 *
 * @param root The document that its references are relative to.
 */
export function reshape(schema: Node, fields: BodyFields, root: JsonSchema): Node {
  return reshapeMember(schema, { fields, root, path: [] })
}

function reshapeMember(schema: unknown, walk: Walk): Node {
  if (!isRecord(schema)) return {}
  const { $ref, ...siblings } = schema
  if (typeof $ref !== 'string') return reshapeOwn(siblings, walk)
  const target = followReference($ref, walk.root)
  // A circular reference adds nothing.
  if (!isRecord(target) || walk.path.includes($ref)) return reshapeOwn(siblings, walk)
  const inner = reshapeMember(target, { ...walk, path: [...walk.path, $ref] })
  return has(siblings, [...constraints, ...parts])
    ? { allOf: [inner, reshapeOwn(siblings, walk)] }
    : { ...inner, ...siblings }
}

function reshapeOwn(schema: Node, walk: Walk): Node {
  const { allOf, anyOf, oneOf, ...keywords } = schema
  const membersOf = (list: unknown): readonly Node[] =>
    listOf(list).map((member) => reshapeMember(member, walk))
  // `oneOf` becomes `anyOf`: without the optional fields, several alternatives may match.
  const choices = [membersOf(anyOf), membersOf(oneOf)].filter((members) => members.length > 0)
  const [choice] = choices.length === 1 ? choices : []
  const all = [...membersOf(allOf), ...(choice ? [] : choices.map((anyOf) => ({ anyOf })))]
  const branches = ['then', 'else'].filter((key) => Object.hasOwn(keywords, key))
  const changed = {
    ...keywords,
    ...(choice ? { anyOf: choice } : {}),
    ...(all.length > 0 ? { allOf: all } : {}),
    ...Object.fromEntries(branches.map((key) => [key, reshapeMember(keywords[key], walk)])),
  }
  return has(keywords, constraints) || !has(schema, parts)
    ? withFields(changed, walk.fields)
    : changed
}

function withFields(schema: Node, { omitted, optional }: BodyFields): Node {
  const { properties, required, ...keywords } = schema
  const fields = Object.entries(Object(properties)).filter(([field]) => !omitted.includes(field))
  const needed = listOf(required).filter(
    (field) => !omitted.includes(String(field)) && !Object.hasOwn(optional, String(field)),
  )
  return {
    type: 'object',
    ...keywords,
    properties: { ...optional, ...Object.fromEntries(fields) },
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(omitted.length > 0 && isOpen(keywords)
      ? { propertyNames: namesBut(omitted, keywords) }
      : {}),
  }
}

function isOpen({ additionalProperties, unevaluatedProperties }: Node): boolean {
  return additionalProperties !== false && unevaluatedProperties !== false
}

// Without this, an open schema would allow the omitted fields.
function namesBut(omitted: readonly string[], { propertyNames }: Node): Node {
  const names = { not: { enum: omitted } }
  return propertyNames === undefined ? names : { allOf: [propertyNames, names] }
}

function has(schema: object, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(schema, key))
}

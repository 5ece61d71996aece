import { isRecord } from '../model/declared.ts'
import { followReference, type JsonSchema, listOf } from '../model/json-schema.ts'
import type { Node } from './walk.ts'

/** How what is sent differs from what a schema takes, since the path tells some of it. */
export interface Shape {
  /** Fields that must not be sent. */
  readonly omitted: readonly string[]
  /** Fields that may be sent, or not, and what they hold where the schema does not know them. */
  readonly optional: Readonly<Record<string, unknown>>
}

interface Walk {
  readonly shape: Shape
  readonly root: JsonSchema
  /** The references that led here. */
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
 * A JSON Schema of items, changed to what is sent. Only the item itself is: those it holds stay as they are.
 *
 * @param root What its references are relative to.
 */
export function reshape(schema: Node, shape: Shape, root: JsonSchema): Node {
  return reshapeMember(schema, { shape, root, path: [] })
}

function reshapeMember(schema: unknown, walk: Walk): Node {
  if (!isRecord(schema)) return {}
  const { $ref, ...own } = schema
  if (typeof $ref !== 'string') return reshapeOwn(own, walk)
  const target = followReference($ref, walk.root)
  // A schema that is nothing but itself says nothing.
  if (!isRecord(target) || walk.path.includes($ref)) return reshapeOwn(own, walk)
  const inner = reshapeMember(target, { ...walk, path: [...walk.path, $ref] })
  return has(own, [...constraints, ...parts])
    ? { allOf: [inner, reshapeOwn(own, walk)] }
    : { ...inner, ...own }
}

function reshapeOwn(schema: Node, walk: Walk): Node {
  const { allOf, anyOf, oneOf, ...own } = schema
  const membersOf = (list: unknown): readonly Node[] =>
    listOf(list).map((member) => reshapeMember(member, walk))
  // Fields that may be left out could have been what told alternatives apart.
  const choices = [membersOf(anyOf), membersOf(oneOf)].filter((members) => members.length > 0)
  const [choice] = choices.length === 1 ? choices : []
  const all = [...membersOf(allOf), ...(choice ? [] : choices.map((anyOf) => ({ anyOf })))]
  const branches = ['then', 'else'].filter((key) => Object.hasOwn(own, key))
  const changed = {
    ...own,
    ...(choice ? { anyOf: choice } : {}),
    ...(all.length > 0 ? { allOf: all } : {}),
    ...Object.fromEntries(branches.map((key) => [key, reshapeMember(own[key], walk)])),
  }
  return has(own, constraints) || !has(schema, parts) ? withFields(changed, walk.shape) : changed
}

function withFields(schema: Node, { omitted, optional }: Shape): Node {
  const { properties, required, ...rest } = schema
  const kept = Object.entries(Object(properties)).filter(([field]) => !omitted.includes(field))
  const needed = listOf(required).filter(
    (field) => !omitted.includes(String(field)) && !Object.hasOwn(optional, String(field)),
  )
  return {
    type: 'object',
    ...rest,
    properties: { ...optional, ...Object.fromEntries(kept) },
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(omitted.length > 0 && isOpen(rest) ? { propertyNames: namesBut(omitted, rest) } : {}),
  }
}

function isOpen({ additionalProperties, unevaluatedProperties }: Node): boolean {
  return additionalProperties !== false && unevaluatedProperties !== false
}

// What is open takes any other field, but for those.
function namesBut(omitted: readonly string[], { propertyNames }: Node): Node {
  const names = { not: { enum: omitted } }
  return propertyNames === undefined ? names : { allOf: [propertyNames, names] }
}

function has(schema: object, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(schema, key))
}

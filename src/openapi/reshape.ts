import {
  followReference,
  isAny,
  type JsonSchema,
  listOf,
  membersOf,
  typesOf,
} from '../contract/schema/json-schema.ts'
import { isRecord } from '../convention/value.ts'
import {
  type FoundSchema,
  hasNoInner,
  isGenerated,
  lastStep,
  type Node,
  withType,
} from './json-schema.ts'
import { toTypeName } from './names.ts'

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

interface PatchWalk {
  readonly root: JsonSchema
  /** The optional fields of this object that no patch removes. */
  readonly fixed: readonly string[]
  /** The patches of referenced schemas: `$patches` of the new document. */
  readonly patches: Node[]
  /** The references to the patches, by reference to the schema. */
  readonly references: Map<string, string>
}

/**
 * Changes the JSON Schema of an object to the schema of its merge patches. At every depth of
 * objects, no field is required, and an optional field takes `null`.
 *
 * @param fixed The optional fields of the object that no patch removes.
 * @see RFC 7396
 */
export function toPatchSchema({ body, root }: FoundSchema, fixed: readonly string[]): FoundSchema {
  const patches: Node[] = []
  const patch = patchOf(body, { root, fixed, patches, references: new Map() })
  return { body: Object(patch), root: { ...root, $patches: patches } }
}

// These judge a whole object. A patch has only some of its fields, and may set fields that the
// object does not have to null.
const ofWhole: ReadonlySet<string> = new Set([
  ...['required', 'default', 'minProperties', 'maxProperties', 'unevaluatedProperties'],
  ...['dependentRequired', 'dependentSchemas', 'if', 'then', 'else', 'not'],
])

function patchOf(schema: unknown, walk: PatchWalk): unknown {
  if (!isRecord(schema)) return schema
  const types = typesOf(schema)
  // A patch replaces a value that is no object.
  if (types.length > 0 && !types.includes('object')) return withoutDefault(schema)
  const members = Object.entries(withAnyOf(schema)).filter(
    ([key, value]) => !ofWhole.has(key) && !(key === 'additionalProperties' && value === false),
  )
  const inner = { ...walk, fixed: [...walk.fixed, ...listOf(schema.required).map(String)] }
  return Object.fromEntries(members.map(([key, value]) => [key, memberOf(key, value, inner)]))
}

function withoutDefault({ default: _, ...schema }: Node): Node {
  return schema
}

// A patch may fit several alternatives.
function withAnyOf({ oneOf, ...schema }: Node): Node {
  if (oneOf === undefined) return schema
  return Object.hasOwn(schema, 'anyOf')
    ? { ...schema, allOf: [...listOf(schema.allOf), { anyOf: oneOf }] }
    : { ...schema, anyOf: oneOf }
}

function memberOf(key: string, value: unknown, walk: PatchWalk): unknown {
  switch (key) {
    case '$ref':
      return typeof value === 'string' ? referenceFor(value, walk) : value
    case 'allOf':
    case 'anyOf':
      return listOf(value).map((member) => patchOf(member, walk))
    case 'additionalProperties':
      return fieldPatch(value, undefined, walk)
    case 'properties':
    case 'patternProperties':
      return Object.fromEntries(
        Object.entries(Object(value)).map(([name, field]) => [name, fieldPatch(field, name, walk)]),
      )
    default:
      return value
  }
}

function fieldPatch(field: unknown, name: string | undefined, walk: PatchWalk): unknown {
  const patch = patchOf(field, { ...walk, fixed: [] })
  const isFixed = name !== undefined && walk.fixed.includes(name)
  return isFixed || !isRecord(patch) || takesNull(field, walk.root) ? patch : orNull(patch)
}

function takesNull(schema: unknown, root: JsonSchema): boolean {
  const members = membersOf(Object(schema), root).map((member) => withType(Object(member)))
  return members.some((member) => isAny(member) || typesOf(member).includes('null'))
}

function orNull(schema: Node): Node {
  const isPlain = hasNoInner(schema) && !['const', 'enum'].some((key) => Object.hasOwn(schema, key))
  return isPlain
    ? { ...schema, type: [...typesOf(schema), 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}

// Returns the reference to the patch of a referenced schema, whose patch may refer to itself.
function referenceFor(reference: string, walk: PatchWalk): string {
  const { root, patches, references } = walk
  const existing = references.get(reference)
  const target = followReference(reference, root)
  if (existing !== undefined || !isRecord(target)) return existing ?? reference
  const place = patches.push({}) - 1
  const name = isGenerated(reference)
    ? `__schema${place}`
    : `${toTypeName(lastStep(reference))}Patch`
  const patchReference = `#/$patches/${place}/${name}`
  references.set(reference, patchReference)
  const patch = patchOf(target, { ...walk, fixed: [] })
  patches[place] = { [name]: patch }
  // A schema without objects is its own patch.
  if (JSON.stringify(patch) === JSON.stringify(target)) references.set(reference, reference)
  return references.get(reference) ?? patchReference
}

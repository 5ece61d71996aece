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
  hasNoInner,
  isGeneratedName,
  type Node,
  nameInReference,
  type RootedSchema,
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

interface ReshapeContext {
  readonly fields: BodyFields
  readonly root: JsonSchema
  /** The references on the way to this schema. */
  readonly path: readonly string[]
}

const objectKeywords = [
  'properties',
  'required',
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
]
const applicators = ['allOf', 'anyOf', 'oneOf', 'then', 'else']

/**
 * Changes the JSON Schema of an item to the schema of a request body. Schemas of its fields stay
 * unchanged.
 *
 * @param root The document that its references are relative to.
 */
export function reshape(schema: Node, fields: BodyFields, root: JsonSchema): Node {
  return reshapeMember(schema, { fields, root, path: [] })
}

function reshapeMember(schema: unknown, context: ReshapeContext): Node {
  if (!isRecord(schema)) return {}
  const { $ref, ...siblings } = schema
  if (typeof $ref !== 'string') return reshapeKeywords(siblings, context)
  const target = followReference($ref, context.root)
  // A circular reference adds nothing.
  if (!isRecord(target) || context.path.includes($ref)) return reshapeKeywords(siblings, context)
  const inner = reshapeMember(target, { ...context, path: [...context.path, $ref] })
  return hasAnyKey(siblings, [...objectKeywords, ...applicators])
    ? { allOf: [inner, reshapeKeywords(siblings, context)] }
    : { ...inner, ...siblings }
}

function reshapeKeywords(schema: Node, context: ReshapeContext): Node {
  const { allOf, anyOf, oneOf, ...keywords } = schema
  const reshapeAll = (list: unknown): readonly Node[] =>
    listOf(list).map((member) => reshapeMember(member, context))
  // `oneOf` becomes `anyOf`: without the optional fields, several alternatives may match.
  const choices = [reshapeAll(anyOf), reshapeAll(oneOf)].filter((members) => members.length > 0)
  const [choice] = choices.length === 1 ? choices : []
  const conjuncts = [...reshapeAll(allOf), ...(choice ? [] : choices.map((anyOf) => ({ anyOf })))]
  const branches = ['then', 'else'].filter((key) => Object.hasOwn(keywords, key))
  const newSchema = {
    ...keywords,
    ...(choice ? { anyOf: choice } : {}),
    ...(conjuncts.length > 0 ? { allOf: conjuncts } : {}),
    ...Object.fromEntries(branches.map((key) => [key, reshapeMember(keywords[key], context)])),
  }
  return hasAnyKey(keywords, objectKeywords) || !hasAnyKey(schema, applicators)
    ? withFields(newSchema, context.fields)
    : newSchema
}

function withFields(schema: Node, { omitted, optional }: BodyFields): Node {
  const { properties, required, ...keywords } = schema
  const fields = Object.entries(Object(properties)).filter(([field]) => !omitted.includes(field))
  const newRequired = listOf(required).filter(
    (field) => !omitted.includes(String(field)) && !Object.hasOwn(optional, String(field)),
  )
  return {
    type: 'object',
    ...keywords,
    properties: { ...optional, ...Object.fromEntries(fields) },
    ...(newRequired.length > 0 ? { required: newRequired } : {}),
    ...(omitted.length > 0 && allowsOtherFields(keywords)
      ? { propertyNames: namesExcept(omitted, keywords) }
      : {}),
  }
}

function allowsOtherFields({ additionalProperties, unevaluatedProperties }: Node): boolean {
  return additionalProperties !== false && unevaluatedProperties !== false
}

// Without this, an open schema would allow the omitted fields.
function namesExcept(omitted: readonly string[], { propertyNames }: Node): Node {
  const names = { not: { enum: omitted } }
  return propertyNames === undefined ? names : { allOf: [propertyNames, names] }
}

function hasAnyKey(schema: object, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(schema, key))
}

interface PatchContext {
  readonly root: JsonSchema
  /** The optional fields of this object that no patch removes. */
  readonly unremovable: readonly string[]
  /** The patches of referenced schemas: `$patches` of the new document. */
  readonly patches: Node[]
  /** The references to the patches, by reference to the schema. */
  readonly references: Map<string, string>
}

/**
 * Changes the JSON Schema of an object to the schema of its merge patches. At every depth of
 * objects, no field is required, and an optional field takes `null`.
 *
 * @param unremovable The optional fields of the object that no patch removes.
 * @see RFC 7396
 */
export function toPatchSchema(
  { body, root }: RootedSchema,
  unremovable: readonly string[],
): RootedSchema {
  const patches: Node[] = []
  const patch = patchOf(body, { root, unremovable, patches, references: new Map() })
  return { body: Object(patch), root: { ...root, $patches: patches } }
}

// These judge a whole object. A patch has only some of its fields, and may set fields that the
// object does not have to null.
const wholeObjectKeywords: ReadonlySet<string> = new Set([
  ...['required', 'default', 'minProperties', 'maxProperties', 'unevaluatedProperties'],
  ...['dependentRequired', 'dependentSchemas', 'if', 'then', 'else', 'not'],
])

function patchOf(schema: unknown, context: PatchContext): unknown {
  if (!isRecord(schema)) return schema
  const types = typesOf(schema)
  // A patch replaces a value that is no object.
  if (types.length > 0 && !types.includes('object')) return withoutDefault(schema)
  const members = Object.entries(withAnyOf(schema)).filter(
    ([key, value]) =>
      !wholeObjectKeywords.has(key) && !(key === 'additionalProperties' && value === false),
  )
  const inner = {
    ...context,
    unremovable: [...context.unremovable, ...listOf(schema.required).map(String)],
  }
  return Object.fromEntries(members.map(([key, value]) => [key, keywordPatch(key, value, inner)]))
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

function keywordPatch(key: string, value: unknown, context: PatchContext): unknown {
  switch (key) {
    case '$ref':
      return typeof value === 'string' ? referenceFor(value, context) : value
    case 'allOf':
    case 'anyOf':
      return listOf(value).map((member) => patchOf(member, context))
    case 'additionalProperties':
      return fieldPatch(value, undefined, context)
    case 'properties':
    case 'patternProperties':
      return Object.fromEntries(
        Object.entries(Object(value)).map(([name, field]) => [
          name,
          fieldPatch(field, name, context),
        ]),
      )
    default:
      return value
  }
}

function fieldPatch(field: unknown, name: string | undefined, context: PatchContext): unknown {
  const patch = patchOf(field, { ...context, unremovable: [] })
  const isUnremovable = name !== undefined && context.unremovable.includes(name)
  return isUnremovable || !isRecord(patch) || takesNull(field, context.root)
    ? patch
    : withNull(patch)
}

function takesNull(schema: unknown, root: JsonSchema): boolean {
  const members = membersOf(Object(schema), root).map((member) => withType(Object(member)))
  return members.some((member) => isAny(member) || typesOf(member).includes('null'))
}

function withNull(schema: Node): Node {
  const isPlain = hasNoInner(schema) && !['const', 'enum'].some((key) => Object.hasOwn(schema, key))
  return isPlain
    ? { ...schema, type: [...typesOf(schema), 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}

// Returns the reference to the patch of a referenced schema, whose patch may refer to itself.
function referenceFor(reference: string, context: PatchContext): string {
  const { root, patches, references } = context
  const existing = references.get(reference)
  const target = followReference(reference, root)
  if (existing !== undefined || !isRecord(target)) return existing ?? reference
  const index = patches.push({}) - 1
  const name = isGeneratedName(reference)
    ? `__schema${index}`
    : `${toTypeName(nameInReference(reference))}Patch`
  const patchReference = `#/$patches/${index}/${name}`
  references.set(reference, patchReference)
  const patch = patchOf(target, { ...context, unremovable: [] })
  patches[index] = { [name]: patch }
  // A schema without objects is its own patch.
  if (JSON.stringify(patch) === JSON.stringify(target)) references.set(reference, reference)
  return references.get(reference) ?? patchReference
}

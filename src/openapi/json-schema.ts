import type { Collection } from '../contract/resource/api.ts'
import { schemaOfValues, schemasOf, typeOfSchemas } from '../contract/schema/filter.ts'
import {
  createJsonSchemaReader,
  followReference,
  type JsonSchema,
  jsonSchemaOf,
  listOf,
  type ToJsonSchema,
} from '../contract/schema/json-schema.ts'
import type { StandardSchema } from '../contract/schema/schema.ts'
import { isRecord } from '../convention/value.ts'

/** An object in a document. */
export type Node = Readonly<Record<string, unknown>>

type KeywordShape = 'one' | 'list' | 'map'

// The keywords that hold schemas. Other keywords hold values, even if they look like schemas.
const keywordShapes: ReadonlyMap<string, KeywordShape> = new Map([
  ...[
    'additionalProperties',
    'unevaluatedProperties',
    'propertyNames',
    'items',
    'additionalItems',
    'unevaluatedItems',
    'contains',
    'not',
    'if',
    'then',
    'else',
    'contentSchema',
  ].map((key) => [key, 'one'] as const),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((key) => [key, 'list'] as const),
  ...['properties', 'patternProperties', 'dependentSchemas'].map((key) => [key, 'map'] as const),
])

/** Changes an inner schema of a keyword. `field` is its property name, if it has one. */
type InnerChange = (inner: unknown, field: string | undefined, keyword: string) => unknown

/** Returns a schema with its direct inner schemas changed. */
export function mapInner(schema: Node, change: InnerChange): Node {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, changeKeyword(key, value, change)]),
  )
}

function changeKeyword(key: string, value: unknown, change: InnerChange): unknown {
  const shape = keywordShapes.get(key)
  if (shape === undefined) return value
  if (shape === 'map') {
    if (!isRecord(value)) return value
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([field, inner]) => [field, change(inner, field, key)]))
  }
  // Older dialects write tuples as a list of items.
  if (Array.isArray(value)) return value.map((inner) => change(inner, undefined, key))
  return change(value, undefined, key)
}

/** Tells whether a schema has no inner schemas: text, a number, an enum. */
export function hasNoInner(schema: Node): boolean {
  return !Object.keys(schema).some((key) => key === '$ref' || keywordShapes.has(key))
}

/**
 * Adds the `type` of a `const`, or of an `enum` whose values share one. Without it, some generators
 * make `never` of a constant. The schema still accepts the same values.
 */
export function withType(schema: Node): Node {
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : listOf(schema.enum)
  const [type, ...otherTypes] = new Set(values.map(typeOf))
  const isUnchanged = Object.hasOwn(schema, 'type') || type === undefined || otherTypes.length > 0
  return isUnchanged ? schema : { ...schema, type }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** A JSON Schema of a Standard Schema. */
export interface RootedSchema {
  /** The document that its references are relative to. */
  readonly root: JsonSchema
  /** The root, or its target if the root is only a reference. */
  readonly body: Node
}

/** Returns the JSON Schema of a schema's input or output; `undefined` when it is unknown. */
export type SchemaOf = (
  schema: StandardSchema,
  direction: 'input' | 'output',
) => RootedSchema | undefined

/** Makes a {@link SchemaOf} that tries the option `toJsonSchema` first. */
export function createSchemaOf(toJsonSchema: ToJsonSchema | undefined): SchemaOf {
  const readJsonSchema = createJsonSchemaReader(toJsonSchema)
  return (schema, direction) => {
    const root = readJsonSchema(schema, direction)
    return root && { root, body: bodyOf(root, root) }
  }
}

const documentKeywords: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$defs',
  'definitions',
  '$ref',
])

function bodyOf(schema: Node, root: Node): Node {
  const { $ref } = schema
  if (typeof $ref !== 'string' || !Object.keys(schema).every((key) => documentKeywords.has(key)))
    return schema
  const target = followReference($ref, root)
  return isRecord(target) && target !== root && target !== schema && !Object.hasOwn(target, '$ref')
    ? target
    : schema
}

const prefix = '#/components/schemas/'

/** Tells whether a reference leads to a shared schema. */
export function isComponentReference(reference: string): boolean {
  return reference.startsWith(prefix)
}

/** Returns a reference to a shared schema. */
export function refTo(name: string): Node {
  return { $ref: prefix + name }
}

// zod and arktype number unnamed schemas; arktype's numbers differ in each process.
const generatedName = /^(?:__schema|alias|domain|intersection|morph|proto|union|unit)\d+$/

/** Tells whether a reference leads to a schema without a name of its own. */
export function isGeneratedName(reference: string): boolean {
  return !reference.includes('/') || generatedName.test(nameInReference(reference))
}

/** Returns the name at the end of a reference: `#/$defs/Address` → `Address`. */
export function nameInReference(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

const groupsDescription =
  'With `by`, the values of each group and its number of items. The largest come first.'

/** Returns the schema of a count: the number, and the groups of a resource that has some. */
export function countSchema({ resource }: Pick<Collection, 'resource'>): Node {
  const { countable, schema } = resource
  const count = refTo('Count')
  if (countable.length === 0) return count
  const json = jsonSchemaOf(schema)
  const fields = countable.map((name) => {
    const type = json && typeOfSchemas(schemasOf(json, name))
    const value = type && schemaOfValues({ type, values: undefined })
    return [name, value ? { anyOf: [value, { type: 'null' }] } : {}]
  })
  const group = {
    type: 'object',
    properties: { ...Object.fromEntries(fields), count: { type: 'integer', minimum: 1 } },
    required: ['count'],
  }
  const groups = { type: 'array', items: group, description: groupsDescription }
  const more = { type: 'boolean', const: true, description: 'More groups than these 1,000 exist.' }
  return { allOf: [count, { type: 'object', properties: { groups, more } }] }
}

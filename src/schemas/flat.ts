import { listOf, typesOf } from '../contract/schema/json-schema.ts'
import { isRecord, isSame } from '../convention/value.ts'
import type { SchemaDocument, SchemaNode } from '../sets/document.ts'
import { plainForm, withNull } from '../sets/plain-form.ts'

/** A JSON Schema without references and `allOf` at its top. */
export interface FlatSchema {
  readonly node: SchemaNode
  /** Parts that no node can hold together with the others. */
  readonly more: readonly unknown[]
}

// References that lead to each other without a value in between.
const mostDepth = 50

// What a document's schemas came to. A schema that many others refer to is merged once.
const flatSchemas = new WeakMap<SchemaDocument, WeakMap<object, FlatSchema>>()

/** Merges a schema with what it refers to, and with the parts of its `allOf`. */
export function flatten(schema: unknown, document: SchemaDocument, depth = 0): FlatSchema {
  if (schema === false) return { node: { not: {} }, more: [] }
  if (!isRecord(schema) || depth > mostDepth) return { node: {}, more: [] }
  const cached = flatSchemas.get(document) ?? new WeakMap<object, FlatSchema>()
  flatSchemas.set(document, cached)
  const flat = cached.get(schema) ?? merge(schema, document, depth)
  cached.set(schema, flat)
  return flat
}

function merge(schema: SchemaNode, document: SchemaDocument, depth: number): FlatSchema {
  const { $ref, allOf, ...keywords } = schema
  const target = typeof $ref === 'string' ? document.follow(schema) : undefined
  if (typeof $ref === 'string' && target === undefined) return { node: {}, more: [schema] }
  const isAlone = target !== undefined && !document.readsSiblings
  const parts = [...(target === undefined ? [] : [target]), ...(isAlone ? [] : listOf(allOf))]
  const flat = parts.map((subschema) => flatten(subschema, document, depth + 1))
  const start: FlatSchema = { node: isAlone ? {} : plainForm(keywords), more: [] }
  const merged = flat.reduce((merged, next): FlatSchema => {
    const { node, unmerged } = mergeNodes(merged.node, next.node)
    return { node, more: [...merged.more, ...next.more, ...unmerged] }
  }, start)
  return simplified(merged, document, depth)
}

// Alternatives that one node can say: null beside another, constants, and types alone.
function simplified(flat: FlatSchema, document: SchemaDocument, depth: number): FlatSchema {
  const { anyOf, oneOf, ...keywords } = flat.node
  const all = [anyOf, oneOf].filter((choice) => choice !== undefined)
  if (all.length !== 1 || Object.keys(keywords).some((keyword) => !isAnnotation(keyword)))
    return flat
  const choices = listOf(all[0]).map((choice) => flatten(choice, document, depth + 1))
  if (choices.some(({ more }) => more.length > 0)) return flat
  const nodes = choices.map(({ node }) => node)
  const nonNull = nodes.filter((node) => !isNullOnly(node))
  const [only] = nonNull
  if (only !== undefined && nonNull.length === 1) {
    const node = nodes.length > 1 ? withNull(only) : only
    const isSaid = nodes.length === 1 || node.type !== undefined || node.enum !== undefined
    return isSaid ? { node: { ...keywords, ...node }, more: [] } : flat
  }
  const listed = nodes.map(valuesOf)
  if (listed.every((values) => values !== undefined))
    return { node: { ...keywords, enum: distinct(listed.flat()) }, more: [] }
  return nodes.every(isTypeOnly)
    ? { node: { ...keywords, type: [...new Set(nodes.flatMap(({ type }) => type))] }, more: [] }
    : flat
}

/** Tells whether a keyword says nothing of the values. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-')
}

const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$defs', 'definitions', 'components', '$comment', '$anchor', 'title'],
  ...['description', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly'],
  ...['discriminator', 'externalDocs', 'xml', 'contentMediaType', 'contentEncoding'],
])

function isNullOnly(node: SchemaNode): boolean {
  return node.type === 'null' || node.const === null
}

function valuesOf(node: SchemaNode): readonly unknown[] | undefined {
  const constraints = Object.keys(node).filter(
    (keyword) => !isAnnotation(keyword) && keyword !== 'type',
  )
  if (constraints.length !== 1) return undefined
  if (Object.hasOwn(node, 'const')) return [node.const]
  return Array.isArray(node.enum) ? node.enum : undefined
}

function distinct(values: readonly unknown[]): readonly unknown[] {
  return values.filter(
    (value, index) => !values.slice(0, index).some((earlier) => isSame(earlier, value)),
  )
}

function isTypeOnly(node: SchemaNode): boolean {
  const constraints = Object.keys(node).filter((keyword) => !isAnnotation(keyword))
  return constraints.length === 1 && typeof node.type === 'string'
}

/** Two nodes as one, and the keywords of the second that the first cannot hold. */
interface Merged {
  readonly node: SchemaNode
  readonly unmerged: readonly SchemaNode[]
}

type Merge = (value: unknown, added: unknown) => unknown

const larger: Merge = (value, added) => Math.max(Number(value), Number(added))
const smaller: Merge = (value, added) => Math.min(Number(value), Number(added))

const merges: { readonly [keyword: string]: Merge } = {
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  minimum: larger,
  exclusiveMinimum: larger,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  maximum: smaller,
  exclusiveMaximum: smaller,
  uniqueItems: (value, added) => value === true || added === true,
  required: (value, added) => [...new Set([...listOf(value), ...listOf(added)])],
  enum: (values, added) =>
    listOf(values).filter((value) => listOf(added).some((addedValue) => isSame(value, addedValue))),
  type: sharedTypes,
  properties: joinedProperties,
  items: (value, added) => ({ allOf: [value, added] }),
}

/** Merges two nodes of JSON Schema into one that means both. */
function mergeNodes(schema: SchemaNode, added: SchemaNode): Merged {
  // Whether a member is additional depends on the properties beside it.
  if (isClosed(schema) || isClosed(added)) {
    const hasMembers = [schema, added].every((node) => isRecord(node.properties) || isClosed(node))
    if (hasMembers && !isSame(schema, added)) return { node: schema, unmerged: [added] }
  }
  const node: Record<string, unknown> = { ...schema }
  const unmerged: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(added)) {
    const merge = Object.hasOwn(merges, keyword) ? merges[keyword] : undefined
    if (!Object.hasOwn(schema, keyword)) node[keyword] = value
    else if (merge !== undefined) node[keyword] = merge(schema[keyword], value)
    else if (!isSame(schema[keyword], value)) unmerged[keyword] = value
  }
  return { node, unmerged: Object.keys(unmerged).length > 0 ? [unmerged] : [] }
}

function isClosed({
  additionalProperties,
  patternProperties,
  unevaluatedProperties,
}: SchemaNode): boolean {
  return [additionalProperties, patternProperties, unevaluatedProperties].some(
    (additional) => additional !== undefined && additional !== true,
  )
}

function sharedTypes(type: unknown, addedType: unknown): unknown {
  const [first, second] = [typesOf({ type }), typesOf({ type: addedType })]
  const has = (types: readonly unknown[], type: unknown) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  return [...new Set([...first, ...second])].filter((type) => has(first, type) && has(second, type))
}

function joinedProperties(properties: unknown, added: unknown): unknown {
  const joined = new Map<string, unknown>(Object.entries(Object(properties)))
  for (const [name, schema] of Object.entries(Object(added))) {
    const property = joined.get(name)
    joined.set(
      name,
      joined.has(name) && !isSame(property, schema) ? { allOf: [property, schema] } : schema,
    )
  }
  return Object.fromEntries(joined)
}

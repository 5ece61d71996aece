import { listOf } from '../../contract/schema/json-schema.ts'
import { isRecord, isSame } from '../../convention/value.ts'
import type { SchemaNode } from '../sets/document.ts'

/** Two nodes as one, and the keywords of the second that the first cannot hold. */
export interface Merged {
  readonly node: SchemaNode
  readonly left: readonly SchemaNode[]
}

type Merge = (one: unknown, other: unknown) => unknown

const larger: Merge = (one, other) => Math.max(Number(one), Number(other))
const smaller: Merge = (one, other) => Math.min(Number(one), Number(other))

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
  uniqueItems: (one, other) => one === true || other === true,
  required: (one, other) => [...new Set([...listOf(one), ...listOf(other)])],
  enum: (one, other) =>
    listOf(one).filter((value) => listOf(other).some((two) => isSame(value, two))),
  type: sharedTypes,
  properties: joinedProperties,
  items: (one, other) => ({ allOf: [one, other] }),
}

/** Merges two nodes of JSON Schema into one that means both. */
export function mergeNodes(one: SchemaNode, other: SchemaNode): Merged {
  // Whether a member is additional depends on the properties beside it.
  if (isClosed(one) || isClosed(other)) {
    const hasMembers = [one, other].every((node) => isRecord(node.properties) || isClosed(node))
    if (hasMembers && !isSame(one, other)) return { node: one, left: [other] }
  }
  const node: Record<string, unknown> = { ...one }
  const left: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(other)) {
    const merge = Object.hasOwn(merges, keyword) ? merges[keyword] : undefined
    if (!Object.hasOwn(one, keyword)) node[keyword] = value
    else if (merge !== undefined) node[keyword] = merge(one[keyword], value)
    else if (!isSame(one[keyword], value)) left[keyword] = value
  }
  return { node, left: Object.keys(left).length > 0 ? [left] : [] }
}

function isClosed({
  additionalProperties,
  patternProperties,
  unevaluatedProperties,
}: SchemaNode): boolean {
  return [additionalProperties, patternProperties, unevaluatedProperties].some(
    (rest) => rest !== undefined && rest !== true,
  )
}

function sharedTypes(one: unknown, other: unknown): unknown {
  const [first, second] = [one, other].map((type) =>
    typeof type === 'string' ? [type] : listOf(type),
  )
  const has = (types: readonly unknown[] = [], type: unknown) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  const both = [...(first ?? []), ...(second ?? [])]
  return [...new Set(both)].filter((type) => has(first, type) && has(second, type))
}

function joinedProperties(one: unknown, other: unknown): unknown {
  const joined = new Map<string, unknown>(Object.entries(Object(one)))
  for (const [name, schema] of Object.entries(Object(other))) {
    const known = joined.get(name)
    joined.set(
      name,
      joined.has(name) && !isSame(known, schema) ? { allOf: [known, schema] } : schema,
    )
  }
  return Object.fromEntries(joined)
}

import { listOf, typesOf } from '../contract/schema/json-schema.ts'
import type { SchemaNode } from './document.ts'

/**
 * Writes the keywords of older drafts as those of draft 2020-12: the flags beside bounds of draft
 * 4, the lists in `items` until draft 7, `nullable` beside a `type` of OpenAPI 3.0. Drops bounds
 * that say no more than that a whole number is exact. The schemas inside stay the same objects.
 */
export function plainForm({
  nullable,
  items,
  additionalItems,
  exclusiveMinimum,
  exclusiveMaximum,
  ...node
}: SchemaNode): SchemaNode {
  const plain: Record<string, unknown> = {
    ...node,
    ...elementsForm(items, additionalItems),
    ...exclusiveBound('inimum', exclusiveMinimum, node.minimum),
    ...exclusiveBound('aximum', exclusiveMaximum, node.maximum),
  }
  if (exclusiveMinimum === true || isSafeBound(node, node.minimum)) delete plain.minimum
  if (exclusiveMaximum === true || isSafeBound(node, node.maximum)) delete plain.maximum
  return nullable === true && node.type !== undefined ? withNull(plain) : plain
}

function elementsForm(items: unknown, additional: unknown): SchemaNode {
  const isList = Array.isArray(items)
  const each = isList ? additional : items
  return { ...(isList && { prefixItems: items }), ...(each !== undefined && { items: each }) }
}

function exclusiveBound(end: string, exclusive: unknown, limit: unknown): SchemaNode {
  if (typeof exclusive === 'number') return { [`exclusiveM${end}`]: exclusive }
  return exclusive === true ? { [`exclusiveM${end}`]: limit } : {}
}

// Some validators add such a bound to each whole number.
function isSafeBound({ type }: SchemaNode, limit: unknown): boolean {
  return type === 'integer' && Math.abs(Number(limit)) === Number.MAX_SAFE_INTEGER
}

/** Returns a node that takes `null` beside the types and the values that it names. */
export function withNull({ const: constant, ...node }: SchemaNode): SchemaNode {
  const listed = constant === undefined ? listOf(node.enum) : [constant]
  const types = typesOf(node)
  return {
    ...node,
    ...(types.length > 0 && !types.includes('null') ? { type: [...types, 'null'] } : {}),
    ...(listed.length > 0 ? { enum: listed.includes(null) ? listed : [...listed, null] } : {}),
  }
}

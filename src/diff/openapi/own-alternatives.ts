import type { Json } from '../../contract/schema/schema.ts'
import { isJsonObject } from '../canonical.ts'
import type { JsonObject } from '../snapshot.ts'
import { childOf, elementsOf, followChain, textIn } from './json-node.ts'

/**
 * Returns a schema whose `allOf` names no schema that has the schema itself as an alternative.
 *
 * Generators write a `Pet` that is `oneOf` `Cat` and `Dog`, and a `Cat` that is `allOf` `Pet` and
 * more. By the letter no value ends that circle. They mean the fields of `Pet` alone.
 */
export function withoutOwnAlternatives(schema: JsonObject, root: JsonObject): JsonObject {
  const parts = childOf(schema, 'allOf')
  if (!Array.isArray(parts)) return schema
  return { ...schema, allOf: elementsOf(parts).map((part) => baseOf(part, root)) }
}

function baseOf(part: Json, root: JsonObject): Json {
  const reference = textIn(part, '$ref')
  const { node } = followChain(part, root)
  if (reference === undefined || !isJsonObject(node) || !returnsTo(node, root)) return part
  const { oneOf: _, anyOf: __, ...base } = node
  return base
}

// Tells whether an alternative of a schema leads to the schema, with no value in between.
function returnsTo(schema: JsonObject, root: JsonObject): boolean {
  const seen = new Set<Json>()
  const waiting = choicesOf(schema)
  for (const part of waiting) {
    const { node } = followChain(part, root)
    if (node === schema) return true
    if (node === undefined || seen.has(node)) continue
    seen.add(node)
    waiting.push(...choicesOf(node), ...elementsOf(childOf(node, 'allOf')))
  }
  return false
}

function choicesOf(schema: Json): Json[] {
  return ['oneOf', 'anyOf'].flatMap((key) => elementsOf(childOf(schema, key)))
}

import type { Json } from '../contract/schema/schema.ts'
import { isRecord } from '../convention/value.ts'
import { mapInner, type Node } from '../openapi/json-schema.ts'
import { canonicalText, compareText } from './canonical.ts'
import type { JsonObject } from './snapshot.ts'

/**
 * Returns a JSON Schema as a snapshot holds it: without its dialect, `required` and `enum` in
 * order, since their order means nothing.
 */
export function plainSchema(schema: Node): JsonObject {
  const { $schema: _, ...rest } = ordered(schema)
  // The reader of schemas returns what JSON.parse made.
  return rest as JsonObject
}

function ordered(schema: Node): Node {
  const inner = mapInner(schema, (part) => (isRecord(part) ? ordered(part) : part))
  const entries = Object.entries(inner).map(([key, value]) => [key, orderedMember(key, value)])
  return Object.fromEntries(entries)
}

function orderedMember(key: string, value: unknown): unknown {
  if ((key === '$defs' || key === 'definitions') && isRecord(value)) {
    const parts = Object.entries(value)
    return Object.fromEntries(
      parts.map(([name, part]) => [name, isRecord(part) ? ordered(part) : part]),
    )
  }
  const isList = (key === 'required' || key === 'enum') && Array.isArray(value)
  return isList ? value.toSorted(compareJson) : value
}

function compareJson(one: Json, other: Json): number {
  return compareText(canonicalText(one), canonicalText(other))
}

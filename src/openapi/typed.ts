import { listOf } from '../model/json-schema.ts'
import type { Node } from './walk.ts'

/**
 * Adds the `type` of a `const`, or of an `enum` whose values share one. Without it, some generators
 * make `never` of a constant. The schema still accepts the same values.
 */
export function withType(schema: Node): Node {
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : listOf(schema.enum)
  const [type, ...more] = new Set(values.map(typeOf))
  const isKnown = Object.hasOwn(schema, 'type') || type === undefined || more.length > 0
  return isKnown ? schema : { ...schema, type }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

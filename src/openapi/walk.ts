import { listOf } from '../contract/schema/json-schema.ts'
import { isRecord } from '../convention/declared.ts'

/** An object in a document. */
export type Node = Readonly<Record<string, unknown>>

type Holding = 'one' | 'list' | 'map'

// The keywords that hold schemas. Other keywords hold values, even if they look like schemas.
const holdings: ReadonlyMap<string, Holding> = new Map([
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

/** Changes an inner schema. `field` is its property name, if it has one. */
export type InnerChange = (inner: unknown, field: string | undefined) => unknown

/** Returns a schema with its direct inner schemas changed. */
export function mapInner(schema: Node, change: InnerChange): Node {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, changed(key, value, change)]),
  )
}

function changed(key: string, value: unknown, change: InnerChange): unknown {
  const holding = holdings.get(key)
  if (holding === undefined) return value
  if (holding === 'map') {
    if (!isRecord(value)) return value
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([field, inner]) => [field, change(inner, field)]))
  }
  // Older dialects write tuples as a list of items.
  if (Array.isArray(value)) return value.map((inner) => change(inner, undefined))
  return change(value, undefined)
}

/** Tells whether a schema has no inner schemas: text, a number, an enum. */
export function hasNoInner(schema: Node): boolean {
  return !Object.keys(schema).some((key) => key === '$ref' || holdings.has(key))
}

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

import { isRecord } from '../model/declared.ts'

/** An object of a document. */
export type Node = Readonly<Record<string, unknown>>

type Place = 'one' | 'list' | 'map'

// Where a JSON Schema holds others; whatever else it holds are values, which may look like schemas and are none.
const places: ReadonlyMap<string, Place> = new Map([
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

/** What becomes of a schema inside another; `field` is the property it is of, where it is of one. */
export type Change = (inner: unknown, field: string | undefined) => unknown

/** A schema with each of those it directly holds changed. */
export function mapInner(schema: Node, change: Change): Node {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, changed(key, value, change)]),
  )
}

function changed(key: string, value: unknown, change: Change): unknown {
  const place = places.get(key)
  if (place === undefined) return value
  if (place === 'map') {
    if (!isRecord(value)) return value
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([field, inner]) => [field, change(inner, field)]))
  }
  // Older dialects write tuples as a list of items.
  if (Array.isArray(value)) return value.map((inner) => change(inner, undefined))
  return change(value, undefined)
}

/** Tells whether a schema holds no others: a text, a number, words to choose from. */
export function isPlain(schema: Node): boolean {
  return !Object.keys(schema).some((key) => key === '$ref' || places.has(key))
}

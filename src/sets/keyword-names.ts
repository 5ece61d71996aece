import { fieldOf, isRecord } from '../convention/value.ts'
import { compareText, sortedJson } from './canonical.ts'

/** The content of a keyword of JSON Schema: plain JSON, or schemas. */
type Holds = 'json' | 'schema' | 'list' | 'map' | 'either'

const names: { readonly [H in Holds]: string } = {
  json:
    'type enum const nullable minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'minLength maxLength pattern format minItems maxItems uniqueItems minContains maxContains ' +
    'minProperties maxProperties required dependentRequired $ref $dynamicRef $recursiveRef',
  schema:
    'not if then else contains additionalItems additionalProperties propertyNames ' +
    'unevaluatedItems unevaluatedProperties',
  list: 'allOf anyOf oneOf prefixItems',
  either: 'items',
  map: 'properties patternProperties dependentSchemas dependencies',
}

/** The keywords of JSON Schema (draft 4 to 2020-12, OpenAPI 3.0) that say which values are in. */
const holdings: ReadonlyMap<string, Holds> = new Map(
  (['json', 'schema', 'list', 'either', 'map'] as const).flatMap((holds) =>
    names[holds].split(' ').map((name) => [name, holds] as const),
  ),
)

/** Returns the schemas that a schema holds directly. */
export function schemasIn(schema: object): readonly unknown[] {
  return Object.keys(schema).flatMap((keyword) => {
    const holds = holdings.get(keyword)
    const value = fieldOf(schema, keyword)
    if (holds === 'schema') return [value]
    if (holds === 'either' || holds === 'list') return Array.isArray(value) ? value : [value]
    return holds === 'map' && isRecord(value) ? Object.values(value) : []
  })
}

// The order of these lists says nothing.
const unordered = new Set(['type', 'enum', 'required', 'allOf', 'anyOf', 'oneOf'])

/**
 * Returns a schema as JSON without annotations, its members and lists in one order: two schemas
 * with equal results have the same values, if references of equal names lead to equal ones.
 */
export function essenceOf(
  schema: unknown,
  nameOf: (reference: unknown) => unknown = (reference) => reference,
): unknown {
  if (!isRecord(schema)) return schema
  return essenceOfKeywords(schema, { inner: (subschema) => essenceOf(subschema, nameOf), nameOf })
}

interface Inside {
  /** Returns what stands for a schema inside. */
  readonly inner: (subschema: unknown) => unknown
  readonly nameOf?: (reference: unknown) => unknown
}

/** Returns the essence of a schema, with something else for the schemas inside. */
export function essenceOfKeywords(
  schema: Readonly<Record<string, unknown>>,
  { inner, nameOf = (reference) => reference }: Inside,
): unknown {
  const keywords = Object.keys(schema).filter((keyword) => holdings.has(keyword))
  const members = keywords.sort().map((keyword) => {
    const value = schema[keyword]
    if (keyword === '$ref') return [keyword, nameOf(value)]
    const essence = essenceOfValue(value, holdings.get(keyword) ?? 'json', inner)
    return [keyword, unordered.has(keyword) ? orderless(essence) : essence]
  })
  return Object.fromEntries(members)
}

function essenceOfValue(
  value: unknown,
  holds: Holds,
  inner: (subschema: unknown) => unknown,
): unknown {
  if (holds === 'json') return sortedJson(value)
  if (Array.isArray(value)) return holds === 'map' ? sortedJson(value) : value.map(inner)
  if (holds !== 'map') return inner(value)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      // A dependency of draft 7 can be a list of names.
      .map((name) => [name, inner(value[name])]),
  )
}

function orderless(list: unknown): unknown {
  if (!Array.isArray(list)) return list
  const entries = list.map((element) => [JSON.stringify(element), element] as const)
  return entries
    .sort(([element], [nextText]) => compareText(element, nextText))
    .map(([, element]) => element)
}

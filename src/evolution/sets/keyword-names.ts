import { isRecord } from '../../model/declared.ts'
import { fieldOf } from '../../model/value.ts'

/** What the value of a keyword of JSON Schema holds: plain JSON, or schemas. */
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

/**
 * Returns a schema as JSON without annotations, its members in one order: two schemas with equal
 * results have the same values, if their references lead to equal ones.
 */
export function essenceOf(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const kept = Object.keys(schema).filter((keyword) => holdings.has(keyword))
  const members = kept.sort().map((keyword) => {
    const value = schema[keyword]
    return [keyword, essenceOfValue(value, holdings.get(keyword) ?? 'json')]
  })
  return Object.fromEntries(members)
}

function essenceOfValue(value: unknown, holds: Holds): unknown {
  if (holds === 'json') return sorted(value)
  if (Array.isArray(value)) return holds === 'map' ? sorted(value) : value.map(essenceOf)
  if (holds !== 'map') return essenceOf(value)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      // A dependency of draft 7 can be a list of names.
      .map((name) => [name, essenceOf(value[name])]),
  )
}

// The members of a value in one order; the order of a list counts.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}

import { isRecord } from '../../model/declared.ts'
import { fieldOf } from '../../model/value.ts'

/** What the value of a keyword of JSON Schema holds: plain JSON, or schemas. */
type Holds = 'json' | 'schema' | 'list' | 'map' | 'either'

/** The keywords of JSON Schema (draft 4 to 2020-12, OpenAPI 3.0) that say which values are in. */
const holdings: { readonly [keyword: string]: Holds } = {
  type: 'json',
  enum: 'json',
  const: 'json',
  nullable: 'json',
  minimum: 'json',
  maximum: 'json',
  exclusiveMinimum: 'json',
  exclusiveMaximum: 'json',
  multipleOf: 'json',
  minLength: 'json',
  maxLength: 'json',
  pattern: 'json',
  format: 'json',
  minItems: 'json',
  maxItems: 'json',
  uniqueItems: 'json',
  minContains: 'json',
  maxContains: 'json',
  minProperties: 'json',
  maxProperties: 'json',
  required: 'json',
  dependentRequired: 'json',
  $ref: 'json',
  $dynamicRef: 'json',
  $recursiveRef: 'json',
  not: 'schema',
  if: 'schema',
  // biome-ignore format: JSON Schema calls it so
  then: 'schema',
  else: 'schema',
  contains: 'schema',
  additionalItems: 'schema',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  unevaluatedItems: 'schema',
  unevaluatedProperties: 'schema',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  items: 'either',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  dependencies: 'map',
}

/** Returns the schemas that a schema holds directly. */
export function schemasIn(schema: object): readonly unknown[] {
  return Object.keys(schema).flatMap((keyword) => {
    const holds = Object.hasOwn(holdings, keyword) ? holdings[keyword] : undefined
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
  const kept = Object.keys(schema).filter((keyword) => Object.hasOwn(holdings, keyword))
  const members = kept.sort().map((keyword) => {
    const value = schema[keyword]
    return [keyword, essenceOfValue(value, holdings[keyword] ?? 'json')]
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

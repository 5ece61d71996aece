import fc from 'fast-check'
import type { Json } from '../../src/contract/schema/schema.ts'
import type { JsonObject } from '../../src/sets/canonical.ts'

/** The keyword: a literal member of this name makes an object look like a promise. */
export const thenName = 'then'

// Few names, small numbers and short texts, so that the keywords of two schemas meet.
const name = fc.constantFrom('a', 'b', 'ab')
const count = fc.nat({ max: 3 })
const number = fc.constantFrom(-1, 0, 0.5, 1, 1.5, 2, 3, 4, 6)
const text = fc.constantFrom('', 'a', 'b', 'ab', 'aa', '😀', 'abc')
const pattern = fc.constantFrom('a', '^a', 'b$', '^[ab]*$', '^(?!a)', '^a?$', '.', '^.{2}$')
const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null')

const scalar: fc.Arbitrary<Json> = fc.oneof(number, text, fc.boolean(), fc.constant(null))

/** A value of the same small words as the schemas. */
export const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 3,
      arbitrary: fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    },
  ),
})).value

type Part = fc.Arbitrary<JsonObject>

function keyword(name: string, value: fc.Arbitrary<Json>): Part {
  return value.map((one) => ({ [name]: one }))
}

function listOf(one: fc.Arbitrary<Json>, maxLength = 3): fc.Arbitrary<Json[]> {
  return fc.array(one, { minLength: 1, maxLength })
}

function mapOf(names: fc.Arbitrary<string>, one: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.dictionary(names, one, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
}

const plain: Part = fc.oneof(
  { weight: 5, arbitrary: keyword('type', fc.oneof(type, fc.uniqueArray(type, { minLength: 1 }))) },
  keyword('const', value),
  keyword('enum', fc.uniqueArray(value, { minLength: 1, maxLength: 3, comparator: isEqual })),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((one) =>
    keyword(one, number),
  ),
  keyword('multipleOf', fc.constantFrom(0.5, 1, 1.5, 2, 3)),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (one) => keyword(one, count),
  ),
  keyword('pattern', pattern),
  keyword('uniqueItems', fc.constant(true)),
  { weight: 4, arbitrary: keyword('required', fc.uniqueArray(name, { minLength: 1 })) },
  keyword('dependentRequired', mapOf(name, fc.uniqueArray(name))),
)

function isEqual(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

// A reference is below a value, so that a value that a schema takes ends.
const reference = fc.constantFrom({ $ref: '#/$defs/x' }, { $ref: '#/$defs/y' })

function nested(depth: number): Part {
  const same = schemaOf(depth - 1)
  const below = fc.oneof({ weight: 5, arbitrary: same }, { weight: 1, arbitrary: reference })
  return fc.oneof(
    { weight: 6, arbitrary: keyword('properties', mapOf(name, below)) },
    { weight: 3, arbitrary: keyword('additionalProperties', fc.oneof(fc.constant(false), below)) },
    keyword('patternProperties', mapOf(pattern, below)),
    keyword('propertyNames', same),
    keyword('dependentSchemas', mapOf(name, same)),
    keyword('unevaluatedProperties', below),
    { weight: 3, arbitrary: keyword('items', below) },
    { weight: 2, arbitrary: keyword('prefixItems', listOf(below, 2)) },
    keyword('unevaluatedItems', below),
    fc.record(
      { contains: below, minContains: count, maxContains: count },
      { requiredKeys: ['contains'] },
    ),
    keyword('allOf', listOf(same, 2)),
    { weight: 2, arbitrary: keyword('anyOf', listOf(same)) },
    { weight: 2, arbitrary: keyword('oneOf', listOf(same)) },
    keyword('not', same),
    fc.record({ if: same, [thenName]: same, else: same }, { requiredKeys: ['if'] }),
  )
}

function schemaOf(depth: number): fc.Arbitrary<JsonObject | boolean> {
  const part = depth === 0 ? plain : fc.oneof(plain, nested(depth))
  const schema = fc
    .array(part, { minLength: depth === 0 ? 1 : 0, maxLength: 3 })
    .map((parts): JsonObject => Object.assign({}, ...parts))
  return depth === 2 ? schema : fc.oneof({ weight: 12, arbitrary: schema }, fc.boolean())
}

const definitions = fc.record({ x: schemaOf(1), y: schemaOf(1) })

/** A JSON Schema of few keywords, with two definitions that it may refer to. */
export const schema: fc.Arbitrary<JsonObject> = fc
  .tuple(schemaOf(2), definitions)
  .map(([root, $defs]) => ({ allOf: [root], $defs }))

type Definition = JsonObject | boolean
type Ways = readonly (readonly [Definition, Definition])[]

// Most pairs of unlike schemas are no subsets for a plain reason, so some are almost alike.
function waysOf(
  one: JsonObject,
  other: JsonObject,
  { x, y }: { x: Definition; y: Definition },
): Ways {
  const not = (schema: Definition) => ({ not: schema })
  const both = (...allOf: Definition[]) => ({ allOf })
  const either = (...anyOf: Definition[]) => ({ anyOf })
  return [
    [one, other],
    [one, { ...other, ...one }],
    [{ ...one, ...other }, one],
    [
      { ...one, ...Object(x) },
      { ...one, ...Object(y) },
    ],
    [one, either(both(one, other), both(one, not(other)))],
    [{ if: x, [thenName]: one, else: other }, { oneOf: [both(one, x), both(other, not(x))] }],
    [both(one, other), not(either(not(one), not(other)))],
    [{ properties: { a: one, b: other } }, { properties: { a: either(one, x), b: other } }],
    [{ items: either(one, other) }, not({ contains: not(either(one, x)) })],
    [either(one, other), either(one, x)],
  ]
}

/** Two JSON Schemas with the same definitions: unlike, or almost alike. */
export const pair: fc.Arbitrary<readonly [JsonObject, JsonObject]> = fc
  .tuple(schemaOf(2), schemaOf(2), definitions, fc.nat())
  .map(([one, other, $defs, way]) => {
    const ways = waysOf(Object(one), Object(other), $defs)
    const [left, right] = ways[way % ways.length] ?? [one, other]
    return [
      { allOf: [left], $defs },
      { allOf: [right], $defs },
    ]
  })

import { describe } from 'vitest'
import type { Json } from '../../src/contract/schema/schema.ts'
import type { JsonObject } from '../../src/sets/canonical.ts'
import { thenName } from './random-schemas.ts'
import { judgedRows, ownRows } from './rows.ts'

const string = { type: 'string' }
const integer = { type: 'integer' }
const object = (more: JsonObject): JsonObject => ({ type: 'object', ...more })
const list = (more: JsonObject): JsonObject => ({ type: 'array', ...more })
const named = (name: string): JsonObject => ({ properties: { [name]: true } })
const needing = (name: string): JsonObject => ({ ...named(name), required: [name] })
const closed = (schema: JsonObject): JsonObject =>
  object({ ...schema, unevaluatedProperties: false })
const names = (...all: readonly string[]): JsonObject =>
  object({
    properties: Object.fromEntries(all.map((name) => [name, true])),
    additionalProperties: false,
  })
const many = Array.from({ length: 7 }, (_, index) => named(`a${index}`))

describe('unevaluated fields', () => {
  judgedRows([
    [
      'may be those of an alternative',
      closed({ anyOf: [needing('a'), needing('b')] }),
      names('a', 'b'),
      'yes',
    ],
    ['are those of no alternative', names('a', 'b'), closed({ anyOf: [named('a'), {}] }), 'no'],
    [
      'are none beside an open alternative',
      object({}),
      closed({ anyOf: [{ additionalProperties: true }, named('a')] }),
      'yes',
    ],
    [
      'are those of the other alternative',
      names('a', 'b'),
      closed({ oneOf: [needing('a'), needing('b')] }),
      'no',
    ],
    [
      'are none in the alternative that holds',
      object({ ...names('a'), required: ['a'] }),
      closed({ oneOf: [needing('a'), needing('b')] }),
      'yes',
    ],
    [
      'depend on a condition',
      closed({ if: needing('a'), [thenName]: named('b'), else: named('c') }),
      names('a', 'b', 'c'),
      'yes',
    ],
    [
      'are those of the branch not taken',
      { const: { c: 1, a: 1 } },
      closed({ if: needing('a'), [thenName]: named('b'), else: named('c') }),
      'no',
    ],
    [
      'are none in the branch taken',
      { const: { c: 1 } },
      closed({ if: needing('a'), else: named('c') }),
      'yes',
    ],
    [
      'depend on a field',
      { const: { a: 1, b: 1 } },
      closed({ ...named('a'), dependentSchemas: { a: named('b') } }),
      'yes',
    ],
    [
      'depend on a field that is not there',
      { const: { b: 1 } },
      closed({ ...named('a'), dependentSchemas: { a: named('b') } }),
      'no',
    ],
    [
      'are told by alternatives of alternatives',
      { const: { a: 1, c: 1 } },
      closed({
        allOf: [{ anyOf: [{ oneOf: [needing('a'), needing('b')] }, named('d')] }, named('c')],
      }),
      'yes',
    ],
    [
      'are of a schema',
      closed({ anyOf: [named('a'), named('b')] }),
      object({ additionalProperties: integer, ...named('a') }),
      'no',
    ],
    [
      'have names of patterns',
      { const: { xa: 1 } },
      closed({ anyOf: [{ patternProperties: { '^x': integer } }, named('a')] }),
      'yes',
    ],
    [
      'are all taken within',
      { const: { b: 1 } },
      closed({ anyOf: [{ unevaluatedProperties: integer }, named('a')] }),
      'yes',
    ],
    [
      'count for nothing in what is excluded',
      { const: { a: 1 } },
      closed({ not: { not: named('a') } }),
      'no',
    ],
    [
      'ignore alternatives that name none',
      closed({ anyOf: [{ required: ['a'] }, {}], ...named('a') }),
      names('a'),
      'yes',
    ],
  ])
  ownRows([
    [
      'are left unjudged beside too many alternatives',
      object({}),
      closed({ anyOf: many }),
      'unknown',
    ],
    [
      'are left unjudged beside too many cases',
      object({}),
      closed({ allOf: [{ anyOf: many.slice(1) }, { anyOf: [named('b')] }] }),
      'unknown',
    ],
    [
      'are left unjudged within an unjudged alternative',
      object({}),
      closed({ oneOf: [{ $ref: 'other.json' }, named('a')] }),
      'unknown',
    ],
    [
      'are left unjudged beside too many forms',
      { const: { a0: 1 } },
      closed({ oneOf: Array.from({ length: 65 }, (_, index) => needing(`a${index}`)) }),
      'unknown',
    ],
  ])
})

describe('unevaluated elements', () => {
  const firsts = (...first: readonly Json[]): JsonObject => ({ prefixItems: first })
  const whole = (schema: JsonObject): JsonObject => list({ ...schema, unevaluatedItems: false })
  const draft2019 = 'https://json-schema.org/draft/2019-09/schema'
  judgedRows([
    [
      'are none beside others',
      list({ items: integer }),
      whole({ allOf: [{ items: integer }] }),
      'yes',
    ],
    [
      'follow the longest list',
      list({ maxItems: 2 }),
      whole({ ...firsts(true), allOf: [firsts(true, true)] }),
      'yes',
    ],
    [
      'follow a reference',
      whole({ $ref: '#/$defs/a', $defs: { a: firsts(true, integer) } }),
      list({ maxItems: 2 }),
      'yes',
    ],
    [
      'are those after an alternative',
      list({ maxItems: 3 }),
      whole({ oneOf: [firsts(string), firsts(integer, true)] }),
      'no',
    ],
    [
      'are none of the objects',
      object({}),
      { dependentSchemas: { a: { items: true } }, unevaluatedItems: false },
      'yes',
    ],
  ])
  // Ajv 8.20.0 reads what alternatives and "contains" evaluate in another way than the standard.
  ownRows([
    [
      'are none beside a list of any',
      { const: ['a', 'b'] },
      whole({ anyOf: [{ items: string }, {}] }),
      'yes',
    ],
    [
      'are none that are contained',
      { const: ['a'] },
      whole({ contains: string, minContains: 0 }),
      'yes',
    ],
    ['are not contained', { const: ['a', 1] }, whole({ contains: string }), 'no'],
    [
      'were contained until 2020-12',
      { const: ['a'] },
      { ...whole({ contains: string }), $schema: draft2019 },
      'no',
    ],
    [
      'are of a schema',
      list({ items: integer }),
      list({ contains: string, unevaluatedItems: integer, minContains: 0 }),
      'yes',
    ],
    [
      'depend on no field',
      { const: [1] },
      { dependentSchemas: { a: { items: true } }, unevaluatedItems: false },
      'no',
    ],
    [
      'are all taken within',
      { const: [1] },
      whole({ anyOf: [{ unevaluatedItems: integer }, firsts()] }),
      'yes',
    ],
    [
      'are none after a list of 2019-09',
      { const: [1, 2] },
      { ...whole({ items: [true], additionalItems: integer }), $schema: draft2019 },
      'yes',
    ],
    [
      'are those after a list of 2019-09',
      { const: [1, 2] },
      { ...whole({ items: [true] }), $schema: draft2019 },
      'no',
    ],
  ])
})

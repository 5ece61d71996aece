import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/sets/canonical.ts'
import { isSubset } from '../../src/sets/subset.ts'

const string = { type: 'string' }

function fields(length: number, schema: JsonObject): JsonObject {
  const entries = Array.from({ length }, (_, index) => [`field${index}`, schema] as const)
  return Object.fromEntries(entries)
}

function variants(maxLength: number): JsonObject {
  return {
    anyOf: Array.from({ length: 12 }, (_, index) => {
      const own = index === 7 ? { ...string, maxLength } : { ...string, maxLength: 20 }
      const properties = { ...fields(8, own), kind: { const: `k${index}` } }
      return { type: 'object', properties, required: Object.keys(properties) }
    }),
  }
}

function nested(leaf: JsonObject): JsonObject {
  const node = {
    type: 'object',
    properties: {
      leaf,
      left: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
      right: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
      more: { type: 'array', items: { $ref: '#/$defs/other' } },
    },
    required: ['leaf', 'left', 'right'],
  }
  const other = { type: 'object', properties: { node: { $ref: '#/$defs/node' } } }
  return { $ref: '#/$defs/node', $defs: { node, other } }
}

function wide(schema: JsonObject): JsonObject {
  const properties = { ...fields(199, string), last: schema }
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

// The search gives up after a number of steps, so an answer bounds its work without a clock.
test.each<readonly [string, JsonObject, JsonObject, 'yes' | 'no']>([
  ['a union holds itself with a wider variant', variants(10), variants(11), 'yes'],
  ['a union lacks values of a wider variant', variants(11), variants(10), 'no'],
  ['a tree holds narrower leaves', nested({ type: 'integer' }), nested({ type: 'number' }), 'yes'],
  ['a tree lacks wider leaves', nested({ type: 'number' }), nested({ type: 'integer' }), 'no'],
  ['200 fields hold a narrower one', wide({ const: 'a' }), wide(string), 'yes'],
  ['200 fields lack a wider one', wide(string), wide({ const: 'a' }), 'no'],
])('%s', (_, old, after, answer) => {
  expect(isSubset(old, after)).toMatchObject({ answer })
})

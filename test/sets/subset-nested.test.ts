import { describe } from 'vitest'
import type { JsonObject } from '../../src/sets/canonical.ts'
import { thenName } from './random-schemas.ts'
import { judgedRows, ownRows } from './rows.ts'

const string = { type: 'string' }
const integer = { type: 'integer' }
const sibling = { $ref: '#/$defs/a', minimum: 1, $defs: { a: integer } }
const object = (more: JsonObject): JsonObject => ({ type: 'object', ...more })
const list = (more: JsonObject): JsonObject => ({ type: 'array', ...more })

describe('objects', () => {
  judgedRows([
    ['lack a field that is required', object({}), { required: ['a'] }, 'no'],
    [
      'have a field that was required',
      object({ required: ['a', 'b'] }),
      { required: ['b'] },
      'yes',
    ],
    [
      'have a wider field',
      object({ properties: { a: integer } }),
      { properties: { a: { type: 'number' } } },
      'yes',
    ],
    [
      'have a narrower field',
      object({ properties: { a: { type: 'number' } } }),
      { properties: { a: integer } },
      'no',
    ],
    [
      'may have any other field',
      object({ properties: { a: integer } }),
      { properties: { b: string } },
      'no',
    ],
    [
      'have no other field where closed',
      object({ properties: { a: integer }, additionalProperties: false }),
      { properties: { b: string } },
      'yes',
    ],
    [
      'have a field that another forbids',
      object({ required: ['a'] }),
      { properties: { a: false } },
      'no',
    ],
    [
      'have other fields of a type',
      object({ additionalProperties: integer }),
      { properties: { a: { type: 'number' } } },
      'yes',
    ],
    [
      'have fields that a pattern names',
      object({ patternProperties: { '^a': integer }, required: ['ab'] }),
      { properties: { ab: integer } },
      'yes',
    ],
    [
      'have fields that no pattern names',
      object({ patternProperties: { '^a': integer } }),
      { patternProperties: { b: integer } },
      'no',
    ],
    [
      'are closed beside a pattern',
      object({ patternProperties: { '^a$': true }, additionalProperties: false }),
      { maxProperties: 1 },
      'yes',
    ],
    [
      'have names of a length',
      object({ propertyNames: { maxLength: 1 } }),
      { propertyNames: { maxLength: 2 } },
      'yes',
    ],
    [
      'have longer names',
      object({ propertyNames: { maxLength: 2 } }),
      { propertyNames: { maxLength: 1 } },
      'no',
    ],
    [
      'have listed names',
      object({ propertyNames: { enum: ['a', 'b'] } }),
      { maxProperties: 2 },
      'yes',
    ],
    ['have no field without a name', object({ propertyNames: false }), { const: {} }, 'yes'],
    [
      'have a field beside another',
      object({ dependentRequired: { a: ['b'] }, required: ['a'] }),
      { required: ['b'] },
      'yes',
    ],
    [
      'lack a field beside another',
      object({ required: ['a'] }),
      { dependentRequired: { a: ['b'] } },
      'no',
    ],
    [
      'meet a schema beside a field',
      object({ dependentSchemas: { a: { maxProperties: 1 } }, required: ['a'] }),
      { properties: { b: false } },
      'yes',
    ],
    [
      'fail a schema beside a field',
      object({}),
      { dependentSchemas: { a: { required: ['b'] } } },
      'no',
    ],
    ['have enough fields', object({ required: ['a', 'b'] }), { minProperties: 2 }, 'yes'],
    ['have too few fields', object({ required: ['a'] }), { minProperties: 2 }, 'no'],
    ['have too many fields', object({}), { maxProperties: 3 }, 'no'],
    [
      'have no room for required fields',
      object({ required: ['a', 'b'], maxProperties: 1 }),
      false,
      'yes',
    ],
    [
      'count the evaluated fields',
      { allOf: [object({ properties: { a: true } })], unevaluatedProperties: false },
      { maxProperties: 1 },
      'yes',
    ],
    [
      'have an unevaluated field',
      object({ properties: { a: true } }),
      { properties: { a: true }, unevaluatedProperties: false },
      'no',
    ],
    [
      'have one name that two patterns need',
      {
        allOf: [
          object({ maxProperties: 1 }),
          { not: { patternProperties: { '^a': false } } },
          { not: { patternProperties: { b$: false } } },
        ],
      },
      false,
      'no',
    ],
    ['have a field named like a method', object({}), { properties: { toString: string } }, 'no'],
  ])
})

describe('lists', () => {
  judgedRows([
    ['have wider elements', list({ items: integer }), { items: { type: 'number' } }, 'yes'],
    ['have narrower elements', list({}), { items: integer }, 'no'],
    ['are empty with impossible elements', list({ items: false }), { const: [] }, 'yes'],
    [
      'have a first element',
      list({ prefixItems: [integer], minItems: 1 }),
      { contains: integer },
      'yes',
    ],
    ['may lack a first element', list({ prefixItems: [integer] }), { contains: integer }, 'no'],
    [
      'have other elements after the first',
      list({ prefixItems: [integer] }),
      { items: integer },
      'no',
    ],
    [
      'are closed after the first',
      list({ prefixItems: [integer], items: false }),
      { maxItems: 1 },
      'yes',
    ],
    ['contain an element', list({ contains: { const: 1 } }), { minItems: 1 }, 'yes'],
    [
      'contain two different elements',
      { allOf: [list({ contains: { const: 1 } }), { contains: { const: 2 } }] },
      { minItems: 2 },
      'yes',
    ],
    [
      'contain one for two',
      { allOf: [list({ contains: integer }), { contains: string }] },
      { minItems: 3 },
      'no',
    ],
    ['contain enough', list({ contains: integer, minContains: 2 }), { minItems: 2 }, 'yes'],
    [
      'contain at most',
      list({ contains: integer, maxContains: 2, items: integer }),
      { maxItems: 2 },
      'yes',
    ],
    [
      'contain more than the most',
      list({ contains: integer }),
      { contains: integer, maxContains: 1 },
      'no',
    ],
    ['contain none', list({}), { contains: integer, minContains: 0 }, 'yes'],
    ['are longer', list({ maxItems: 3 }), { maxItems: 2 }, 'no'],
    ['are shorter', list({ minItems: 1 }), { minItems: 2 }, 'no'],
    ['repeat an element', list({ minItems: 2 }), { uniqueItems: true }, 'no'],
    ['repeat no single element', list({ maxItems: 1 }), { uniqueItems: true }, 'yes'],
    [
      'have as many elements as values',
      list({ items: { type: 'boolean' }, uniqueItems: true }),
      { maxItems: 2 },
      'yes',
    ],
    [
      'repeat elements that are alike',
      list({ items: { enum: [1, 2] } }),
      { uniqueItems: true },
      'no',
    ],
    [
      'keep distinct elements beside the first',
      { allOf: [list({ uniqueItems: true, prefixItems: [string] }), {}] },
      { uniqueItems: true, prefixItems: [string] },
      'yes',
    ],
    [
      'know unevaluated elements alone',
      list({ unevaluatedItems: integer }),
      { items: integer },
      'yes',
    ],
  ])
  ownRows([
    [
      'take a list as items',
      list({ items: [integer], additionalItems: false }),
      { prefixItems: [integer], maxItems: 1 },
      'yes',
    ],
  ])
})

describe('combinations', () => {
  judgedRows([
    ['meet all parts', { allOf: [string, { minLength: 1 }] }, { minLength: 1 }, 'yes'],
    ['meet no contradiction', { allOf: [string, integer] }, false, 'yes'],
    ['meet any part', string, { anyOf: [integer, string] }, 'yes'],
    ['lose a choice', { anyOf: [integer, string] }, string, 'no'],
    ['cover a type by choices', integer, { anyOf: [{ minimum: 1 }, { maximum: 0 }] }, 'yes'],
    [
      'leave a gap between choices',
      { type: 'number' },
      { anyOf: [{ minimum: 1 }, { maximum: 0 }] },
      'no',
    ],
    ['meet exactly one', integer, { oneOf: [integer, string] }, 'yes'],
    ['meet two of one', integer, { oneOf: [integer, { type: 'number' }] }, 'no'],
    ['meet none of one', { type: 'null' }, { oneOf: [integer, string] }, 'no'],
    ['refuse a set', string, { not: integer }, 'yes'],
    ['refuse a part of a set', string, { not: { maxLength: 2 } }, 'no'],
    ['refuse a refusal', string, { not: { not: string } }, 'yes'],
    [
      'meet the condition',
      { if: string, [thenName]: { minLength: 1 }, type: 'string' },
      { minLength: 1 },
      'yes',
    ],
    ['fail behind the condition', string, { if: string, [thenName]: { minLength: 1 } }, 'no'],
    ['fail beside the condition', integer, { if: string, else: { minimum: 0 } }, 'no'],
    ['follow a reference', { $ref: '#/$defs/a', $defs: { a: integer } }, { type: 'number' }, 'yes'],
    [
      'read keywords beside a reference',
      { $ref: '#/$defs/a', minimum: 1, $defs: { a: integer } },
      { minimum: 1 },
      'yes',
    ],
    [
      'follow names of other definitions',
      { $ref: '#/$defs/a', $defs: { a: integer } },
      { $ref: '#/$defs/b', $defs: { b: integer } },
      'yes',
    ],
    [
      'tell equal names of definitions',
      { $ref: '#/$defs/a', $defs: { a: integer } },
      { $ref: '#/$defs/a', $defs: { a: string } },
      'no',
    ],
    [
      'are parts of themselves without a value between',
      { allOf: [{ $ref: '#' }] },
      string,
      'unknown',
    ],
    [
      'resolve a reference within the nearest address',
      {
        $ref: '#/$defs/a',
        $defs: { a: { $id: 'http://x/a', $ref: '#/$defs/s', $defs: { s: string } }, s: integer },
      },
      string,
      'yes',
    ],
    [
      'resolve a relative address',
      { $id: 'http://x/y/z', $ref: 'a', $defs: { a: { $id: 'http://x/y/a', ...string } } },
      string,
      'yes',
    ],
    [
      'resolve an anchor of another address',
      {
        $id: 'http://x/y/z',
        $ref: 'a#b',
        $defs: { a: { $id: 'a', $defs: { b: { $anchor: 'b', ...string } } }, b: { $anchor: 'b' } },
      },
      string,
      'yes',
    ],
    ['hold themselves', tree(integer), tree({ type: 'number' }), 'yes'],
    ['hold a narrower self', tree({ type: 'number' }), tree(integer), 'no'],
    [
      'have no endless value',
      { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] },
      false,
      'yes',
    ],
    ['hold the root', list({ items: { $ref: '#' } }), list({ items: { type: 'array' } }), 'yes'],
  ])
  ownRows([
    [
      'follow a moving reference with one target',
      { $dynamicRef: '#a', $defs: { a: { $dynamicAnchor: 'a', ...string } } },
      { $dynamicRef: '#a', $defs: { a: { $dynamicAnchor: 'a', ...integer } } },
      'no',
    ],
    [
      'follow a moving reference to itself',
      list({ items: { $recursiveRef: '#' } }),
      list({ items: { type: 'array' } }),
      'yes',
    ],
    [
      'follow a reference to a dynamic anchor',
      { $ref: '#a', $defs: { a: { $dynamicAnchor: 'a', ...string } } },
      string,
      'yes',
    ],
    [
      'leave a moving reference unjudged with two targets',
      {
        $dynamicRef: '#a',
        $defs: {
          a: { $dynamicAnchor: 'a' },
          b: { $id: 'b', $defs: { c: { $dynamicAnchor: 'a' } } },
        },
      },
      string,
      'unknown',
    ],
    ['leave a moving reference to nothing unjudged', { $dynamicRef: '#a' }, string, 'unknown'],
    [
      'leave a moving reference to one of several roots unjudged',
      { $recursiveRef: '#', $defs: { b: { $id: 'b' } } },
      string,
      'unknown',
    ],
    [
      'leave a relative reference out of the document unjudged',
      { $id: 'http://x/a/b', $ref: 'c' },
      { $id: 'http://y/a/b', $ref: 'c' },
      'unknown',
    ],
    [
      'leave what a reference out of the document evaluates unjudged',
      { const: { a: 1 } },
      { $ref: 'other.json', unevaluatedProperties: false },
      'unknown',
    ],
    [
      'leave a pattern that none reads unjudged',
      object({}),
      { patternProperties: { '(': string } },
      'unknown',
    ],
    [
      'tell references of two addresses apart',
      addresses(string, integer),
      addresses(string, string),
      'no',
    ],
    [
      'find an anchor of draft 7',
      { $ref: '#a', $defs: { b: { $id: '#a', ...string } } },
      string,
      'yes',
    ],
    [
      'take no address beside an older reference',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        allOf: [{ $id: 'http://x/y', $ref: '#/definitions/s', definitions: { s: integer } }],
        definitions: { s: string },
      },
      string,
      'yes',
    ],
    [
      'are nullable beside a type',
      { type: 'string', nullable: true },
      { type: ['string', 'null'] },
      'yes',
    ],
    ['are nullable no more', { type: 'string', nullable: true }, string, 'no'],
    [
      'list null where nullable',
      { type: 'string', nullable: true, enum: ['a'] },
      { enum: ['a', null] },
      'yes',
    ],
    ['ignore nullable without a type', { nullable: true, enum: ['a'] }, { enum: ['a'] }, 'yes'],
    [
      'ignore keywords beside an older reference',
      { $schema: 'http://json-schema.org/draft-07/schema#', ...sibling },
      sibling,
      'no',
    ],
  ])
})

// One reference leads to two definitions.
function addresses(one: JsonObject, other: JsonObject): JsonObject {
  const inner = { $id: 'http://x/a', $ref: '#/$defs/s', $defs: { s: other } }
  return { anyOf: [{ $ref: '#/$defs/s' }, inner], $defs: { s: one } }
}

function tree(value: JsonObject): JsonObject {
  const node = object({
    properties: { value, children: list({ items: { $ref: '#/$defs/node' } }) },
    required: ['value'],
  })
  return { $ref: '#/$defs/node', $defs: { node } }
}

import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import { type JsonSchema, jsonSchemaOf } from '../../src/contract/schema/json-schema.ts'
import { type Outline, outlineOf, writeOnlyFieldsOf } from '../../src/contract/schema/outline.ts'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'

// `{ id: '!', tags: { '[]': … } }`: fields by name, `!` for a required one, `any` for any value.
function told({ fields, elements }: Outline, depth = 0): unknown {
  if (depth > 4) return '…'
  if (elements) return { '[]': told(elements, depth + 1) }
  if (!fields) return 'any'
  return Object.fromEntries(
    [...fields].map(([name, { outline, isRequired }]) => [
      isRequired ? `${name}!` : name,
      told(outline, depth + 1),
    ]),
  )
}

function outlineFor(schema: StandardSchema): unknown {
  return told(outlineOf(jsonSchemaOf(schema) as JsonSchema))
}

const text = z.string()
const Node = z.object({
  id: text,
  get child() {
    return Node.nullable()
  },
})

describe('an outline tells the fields of', () => {
  // biome-ignore format: a row stays a line
  const rows: [name: string, schema: StandardSchema, told: unknown][] = [
    ['an object',            z.object({ id: text, note: text.optional() }),   { 'id!': 'any', note: 'any' }],
    ['an object of arktype', type({ '+': 'delete', id: 'string' }),           { 'id!': 'any' }],
    ['one that is open',     z.looseObject({ id: text }),                     'any'],
    ['arktype, that is open', type({ id: 'string' }),                         'any'],
    ['keys of any name',     z.record(text, text),                            'any'],
    ['anything',             z.any(),                                         'any'],
    ['no object',            text,                                            'any'],
    ['an object in another', z.object({ at: z.object({ x: text }) }),         { 'at!': { 'x!': 'any' } }],
    ['one or null',          z.object({ at: z.object({ x: text }).nullable() }), { 'at!': { 'x!': 'any' } }],
    ['one or any text',      z.object({ at: z.union([z.object({ x: text }), text]) }), { 'at!': { 'x!': 'any' } }],
    ['one or anything',      z.object({ at: z.union([z.object({ x: text }), z.any()]) }), { 'at!': 'any' }],
    ['one of two',           z.union([z.object({ a: text, id: text }), z.object({ b: text, id: text })]), { a: 'any', 'id!': 'any', b: 'any' }],
    ['one of two, one open', z.union([z.object({ a: text }), z.looseObject({ b: text })]), 'any'],
    ['elements',             z.object({ all: z.array(z.object({ x: text })) }), { 'all!': { '[]': { 'x!': 'any' } } }],
    ['elements of any kind', z.object({ all: z.array(z.any()) }),             { 'all!': { '[]': 'any' } }],
    ['elements or anything', z.object({ all: z.union([z.array(z.object({ x: text })), z.any()]) }), { 'all!': 'any' }],
  ]
  for (const [name, schema, expected] of rows) {
    test(name, () => expect(outlineFor(schema)).toEqual(expected))
  }

  test('a schema that holds itself', () => {
    const outline = outlineOf(jsonSchemaOf(Node) as JsonSchema)
    const child = outline.fields?.get('child')?.outline
    expect(child?.fields?.get('child')?.outline).toBe(child)
    expect(outline.required).toBe(2)
  })

  // biome-ignore format: a row stays a line
  const written: [name: string, schema: object, told: unknown][] = [
    ['a reference',           { $ref: '#/$defs/a', $defs: { a: { type: 'object', additionalProperties: false, properties: { x: {} } } } }, { x: 'any' }],
    ['properties without a type', { additionalProperties: false, properties: { x: true } }, { x: 'any' }],
    ['names by a pattern',    { type: 'object', additionalProperties: false, patternProperties: { '^x': {} } }, 'any'],
    ['a box that takes all',  { anyOf: [{ type: 'object', additionalProperties: false, properties: { x: {} } }, true] }, 'any'],
    ['types in a list',       { type: ['object', 'null'], additionalProperties: false, properties: { x: {} } }, { x: 'any' }],
    ['an object of no field', { type: 'object', additionalProperties: false }, {}],
    ['a constant',            { enum: ['a'] },                                'any'],
  ]
  const closed = (properties: object) => ({
    type: 'object',
    additionalProperties: false,
    properties,
  })
  const [a, b] = [closed({ a: {} }), closed({ b: {} })]
  // biome-ignore format: a row stays a line
  const shared: [name: string, schema: object, told: unknown][] = [
    ['one schema, after it was one of two',  { anyOf: [closed({ x: a, y: a }), closed({ x: b })] }, { x: { a: 'any', b: 'any' }, y: { a: 'any' } }],
    ['one of two, after it was one schema',  { anyOf: [closed({ y: a, x: a }), closed({ x: b })] }, { x: { a: 'any', b: 'any' }, y: { a: 'any' } }],
    ['elements that are nothing',            { type: 'array', items: null },  'any'],
  ]
  for (const [name, schema, expected] of [...written, ...shared]) {
    test(name, () => expect(told(outlineOf(schema))).toEqual(expected))
  }
})

// biome-ignore format: a row stays a line
const hidden: [name: string, options: object, names: string[]][] = [
  ['a body alone names',   { schema: z.object({ id: text }), create: z.object({ pin: text }) },           ['pin']],
  ['PUT alone names',      { schema: z.object({ id: text }), update: z.object({ code: text }) },          ['code']],
  ['both bodies name',     { schema: z.object({ id: text }), create: z.object({ a: text }), update: z.object({ a: text, b: text }) }, ['a', 'b']],
  ['nothing tells of',     { schema: z.record(text, text), create: z.object({ pin: text }) },             []],
]
test.each(hidden)('fields that %s are write-only: %#', (_, options, names) => {
  expect([...writeOnlyFieldsOf(Reflect.apply(defineResource, null, ['notes', options]))]).toEqual(
    names,
  )
})

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonSchemaOf } from '../../src/contract/schema/json-schema.ts'
import { allowsOtherFields, controlOf, formFieldsOf } from '../../src/explorer/forms/fields.ts'

const rows: readonly (readonly [name: string, schema: z.ZodType, field: object])[] = [
  ['text', z.string(), { type: 'text', input: 'text', isRequired: true, isNullable: false }],
  ['an optional text', z.string().optional(), { type: 'text', isRequired: false }],
  ['a text or null', z.string().nullable(), { type: 'text', isNullable: true, isRequired: true }],
  ['a date', z.iso.date(), { type: 'text', input: 'date' }],
  ['an email', z.email(), { type: 'text', input: 'email' }],
  ['a URL', z.url(), { type: 'text', input: 'url' }],
  [
    'a number',
    z.number().min(1).max(5),
    { type: 'number', hints: ['number', 'at least 1', 'at most 5'] },
  ],
  ['a whole number', z.number().int(), { type: 'number', hints: ['integer'] }],
  ['a boolean', z.boolean(), { type: 'choice', choices: [true, false] }],
  ['a boolean or null', z.boolean().nullable(), { type: 'choice', isNullable: true }],
  ['some words', z.enum(['a', 'b']), { type: 'choice', choices: ['a', 'b'] }],
  ['words or null', z.enum(['a', 'b']).nullable(), { choices: ['a', 'b'], isNullable: true }],
  ['a constant', z.literal(7), { type: 'choice', choices: [7] }],
  ['constants', z.union([z.literal('a'), z.literal(7)]), { type: 'choice', choices: ['a', 7] }],
  ['words or any number', z.union([z.enum(['a']), z.number()]), { type: 'json', choices: [] }],
  ['text or a number', z.union([z.string(), z.number()]), { type: 'json' }],
  ['a list', z.array(z.string()), { type: 'json' }],
  ['an object', z.object({ a: z.string() }), { type: 'json' }],
  ['anything', z.unknown(), { type: 'json' }],
  [
    'a preset',
    z.boolean().default(true),
    { isRequired: false, hints: ['boolean', 'true by default'] },
  ],
  [
    'a bounded text',
    z.string().min(1).max(9),
    { hints: ['string', 'not empty', 'at most 9 characters'] },
  ],
]

function fieldsFor(schema: z.ZodType): ReturnType<typeof formFieldsOf> {
  return formFieldsOf(jsonSchemaOf(schema, { direction: 'input' }))
}

// biome-ignore format: a row stays a line
const heights: readonly (readonly [text: string, rows: string | undefined])[] = [
  ['x'.repeat(80),         undefined],
  ['x'.repeat(81),         '3'],
  ['x'.repeat(149),        '4'],
  ['x'.repeat(150),        '5'],
  ['a\nb',                 '3'],
  [`a\n${'x'.repeat(50)}`, '4'],
  ['x'.repeat(5000),       '12'],
]
test.each(heights)('a text has the rows that it needs: %#', (text, rows) => {
  const [field] =
    formFieldsOf(jsonSchemaOf(z.object({ a: z.string() }), { direction: 'input' })) ?? []
  if (field === undefined) throw new Error('no field')
  const none = { reference: undefined, choices: undefined, name: undefined }
  const control = controlOf({ field, id: 'a', item: { a: text }, isPatch: true, ...none })
  expect(/ rows="(\d+)"/.exec(control.text)?.[1]).toBe(rows)
})

describe('formFieldsOf', () => {
  test.each(rows)('reads %s', (_, schema, field) => {
    expect(fieldsFor(z.object({ a: schema }))?.[0]).toMatchObject(field)
  })

  test('follows references and parts', () => {
    const schema = {
      $ref: '#/$defs/all',
      $defs: {
        all: {
          allOf: [{ properties: { a: { $ref: '#/$defs/text' } } }, { properties: { b: {} } }],
        },
        text: { type: 'string' },
      },
    }
    expect(formFieldsOf(schema)?.map(({ name, type }) => [name, type])).toEqual([
      ['a', 'text'],
      ['b', 'json'],
    ])
  })

  test('are not all where others may be', () => {
    const schemas: readonly (readonly [z.ZodType, boolean])[] = [
      [z.object({ a: z.string() }), true],
      [z.looseObject({ a: z.string() }), true],
      [z.strictObject({ a: z.string() }), false],
    ]
    for (const [schema, open] of schemas)
      expect(allowsOtherFields(jsonSchemaOf(schema, { direction: 'input' }))).toBe(open)
    expect(allowsOtherFields(undefined)).toBe(true)
    expect(allowsOtherFields({ allOf: [{}, { unevaluatedProperties: false }] })).toBe(false)
  })

  test('gives up where fields depend on others', () => {
    const one = z.object({ kind: z.literal('one'), a: z.string() })
    const two = z.object({ kind: z.literal('two'), b: z.string() })
    expect(fieldsFor(z.union([one, two]))).toBeUndefined()
    expect(fieldsFor(z.string())).toBeUndefined()
    expect(formFieldsOf(undefined)).toBeUndefined()
  })
})

import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTeller, jsonSchemaOf, membersOf } from '../../src/model/json-schema.ts'
import type { StandardSchema } from '../../src/model/schema.ts'

describe('jsonSchemaOf', () => {
  test('asks the schema itself', () => {
    expect(jsonSchemaOf(z.object({ id: z.string() }))).toMatchObject({
      type: 'object',
      required: ['id'],
    })
    expect(jsonSchemaOf(type({ id: 'string' }))).toMatchObject({ type: 'object', required: ['id'] })
  })

  const validate = (value: unknown) => ({ value })
  const standard = { version: 1 as const, vendor: 'test', validate }
  const silent: readonly (readonly [string, StandardSchema])[] = [
    ['that cannot tell', v.object({ id: v.string() })],
    ['whose output is nothing for JSON', z.object({ id: z.string().transform((id) => [id]) })],
    ['whose converter is none', { '~standard': { ...standard, jsonSchema: {} } } as StandardSchema],
    [
      'that tells no object',
      { '~standard': { ...standard, jsonSchema: { output: () => true } } } as StandardSchema,
    ],
  ]
  test.each(silent)('is undefined for a schema %s', (_, schema) => {
    expect(jsonSchemaOf(schema)).toBeUndefined()
  })
})

describe('a teller', () => {
  const known = z.object({ id: z.string().default('a') })

  test('tells both sides', () => {
    const tell = createTeller()
    expect(tell(known, 'input')).not.toHaveProperty('required')
    expect(tell(known, 'output')).toMatchObject({ required: ['id'] })
  })

  test('asks once', () => {
    let times = 0
    const tell = createTeller(() => ({ title: `${++times}` }))
    expect([tell(known, 'input'), tell(known, 'input'), tell(known, 'output')]).toEqual([
      { title: '1' },
      { title: '1' },
      { title: '2' },
    ])
  })

  test('leaves open what cannot be said', () => {
    const odd = z.object({ id: z.string(), made: z.string().transform((text) => [text]) })
    expect(createTeller()(odd, 'output')).toMatchObject({ properties: { made: {} } })
  })

  const converters: readonly (readonly [string, () => object | undefined])[] = [
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['gives nothing', () => undefined],
    ['gives a list', () => []],
    ['gives what is no JSON', () => ({ size: 1n })],
  ]
  test.each(converters)('asks the schema where a converter %s', (_, convert) => {
    expect(createTeller(convert)(known, 'output')).toMatchObject({ type: 'object' })
  })

  test('knows nothing of a schema that cannot tell', () => {
    expect(createTeller()(v.object({ id: v.string() }), 'output')).toBeUndefined()
  })
})

describe('membersOf', () => {
  const text = { type: 'string' }
  const number = { type: 'number' }
  const rows: readonly (readonly [name: string, schema: object, members: readonly object[]])[] = [
    ['a plain schema', text, [text]],
    ['alternatives', { anyOf: [text, { oneOf: [number] }] }, [text, number]],
    ['parts', { allOf: [text, number] }, [text, number]],
    ['a reference', { $ref: '#/$defs/a~1b', $defs: { 'a/b': text } }, [text]],
    ['a reference to itself', { $ref: '#' }, []],
    ['a reference to nothing', { $ref: '#/$defs/none' }, []],
    ['a reference elsewhere', { $ref: 'https://example.org/schema' }, []],
    ['what is no list', { anyOf: text, allOf: [true] }, []],
  ]
  test.each(rows)('finds %s', (_, schema, members) => {
    const found = membersOf(schema).filter((member) => 'type' in member)
    expect(found).toEqual(members)
  })
})

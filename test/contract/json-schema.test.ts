import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  createJsonSchemaReader,
  followReference,
  jsonSchemaOf,
  listOf,
  membersOf,
} from '../../src/contract/schema/json-schema.ts'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'

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
    [
      'that tells nothing',
      { '~standard': { ...standard, jsonSchema: { output: () => null } } } as StandardSchema,
    ],
  ]
  test.each(silent)('is undefined for a schema %s', (_, schema) => {
    expect(jsonSchemaOf(schema)).toBeUndefined()
  })
})

describe('a teller', () => {
  const known = z.object({ id: z.string().default('a') })

  test('tells both sides', () => {
    const tell = createJsonSchemaReader()
    expect(tell(known, 'input')).not.toHaveProperty('required')
    expect(tell(known, 'output')).toMatchObject({ required: ['id'] })
  })

  test('asks once', () => {
    let times = 0
    const tell = createJsonSchemaReader(() => ({ title: `${++times}` }))
    expect([tell(known, 'input'), tell(known, 'input'), tell(known, 'output')]).toEqual([
      { title: '1' },
      { title: '1' },
      { title: '2' },
    ])
  })

  test('leaves open what cannot be said', () => {
    const odd = z.object({ id: z.string(), made: z.string().transform((text) => [text]) })
    expect(createJsonSchemaReader()(odd, 'output')).toMatchObject({ properties: { made: {} } })
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
    expect(createJsonSchemaReader(convert)(known, 'output')).toMatchObject({ type: 'object' })
  })

  test('leaves open what JSON has no word for', () => {
    const dated = z.object({ id: z.string(), at: z.date() })
    expect(jsonSchemaOf(dated)).toBeUndefined()
    expect(createJsonSchemaReader()(dated, 'output')).toMatchObject({
      properties: { id: { type: 'string' }, at: {} },
    })
  })

  test('asks plainly first', () => {
    const tellsHow = { output: (asked: object) => ({ asked: Object.keys(asked) }) }
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => ({ value: 1 }),
        jsonSchema: tellsHow,
      },
    } as StandardSchema
    expect(createJsonSchemaReader()(schema, 'output')).toEqual({ asked: ['target'] })
  })

  test('knows nothing of a schema that cannot tell', () => {
    expect(createJsonSchemaReader()(v.object({ id: v.string() }), 'output')).toBeUndefined()
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
    ['what is no list', { anyOf: text, allOf: [true, null] }, []],
  ]
  test.each(rows)('finds %s', (_, schema, members) => {
    const found = membersOf(schema).filter((member) => 'type' in member)
    expect(found).toEqual(members)
  })
})

describe('a reference leads to', () => {
  const $defs = { a: 1, 'b/c': 2, '~1': 3, 'd e': 4, '%64': 5, 'f%': 6, d: 7 }
  const root = { $defs, '': 8 }
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [reference: string, target: unknown])[] = [
    ['#',               root],
    ['#/',              8],
    ['#/$defs',         $defs],
    ['#/$defs/a',       1],
    ['#/$defs/b~1c',    2],
    ['#/$defs/~01',     3],
    ['#/$defs/d%20e',   4],
    ['#/$defs/%64',     5],
    ['#/$defs/f%',      6],
    ['#/$defs/%61',     1],
    ['#/$defs/%zz',     undefined],
    ['#/$defs/none/a',  undefined],
    ['#/constructor',   undefined],
    ['#a',              undefined],
    ['a#/$defs/a',      undefined],
    ['/$defs/a',        undefined],
    ['',                undefined],
  ]
  for (const [reference, target] of rows) {
    test(`${JSON.stringify(target)} where it is ${reference || 'empty'}`, () => {
      expect(followReference(reference, root)).toBe(target)
    })
  }
})

test('what is no list is an empty one', () => {
  expect([[1], [], undefined, null, 'ab', { length: 1 }].map(listOf)).toEqual([
    [1],
    [],
    [],
    [],
    [],
    [],
  ])
})

import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonSchemaOf, membersOf } from '../../src/model/json-schema.ts'
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

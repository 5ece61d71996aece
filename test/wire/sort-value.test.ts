import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import type { Scalar } from '../../src/contract/resource/operation.ts'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'
import { isSortValue } from '../../src/wire/sort-value.ts'

interface JsonObject {
  readonly allOf?: readonly object[]
  readonly [keyword: string]: unknown
}

/** A schema that reports this JSON Schema, with an id, as its output. */
function told(fields: JsonObject): StandardSchema<unknown, never> {
  const { allOf = [] } = fields
  const json = { ...fields, allOf: [...allOf, { properties: { id: {} } }] }
  const jsonSchema = { input: () => json, output: () => json }
  const standard = {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => ({ value }),
    jsonSchema,
  }
  return { '~standard': standard } as never
}

function holds(schema: StandardSchema<unknown, never>, value: Scalar): boolean {
  return isSortValue(defineResource('notes', { schema }), 'field', value)
}

/** The JSON Schema of a field, values that fit, and values that do not. */
const rows: readonly (readonly [
  name: string,
  field: unknown,
  fits: readonly Scalar[],
  others: readonly Scalar[],
])[] = [
  ['text', { type: 'string' }, ['', 'a', 'é😀'], [1, true, null, '\0', 'a\ud800']],
  ['a number', { type: 'number' }, [0, -1.5, 1e300, '9007199254740993', '9007199254740992', '0.12345678901234567', '12345678901234567890.12', 'NaN', '-Infinity'], ['1', '0.1', '1.50', '09007199254740993', '1e400', '0.12345678901234567x', true, null, Number.NaN, Number.POSITIVE_INFINITY]],
  ['an integer', { type: 'integer' }, [0, -3, 1e21, '-9007199254740993'], [1.5, '1', 'NaN', 'Infinity', '-Infinity', '9007199254740993.5', null]],
  ['a boolean', { type: 'boolean' }, [true, false, 2, -1, 0.5], ['true', 1, 0, '2', null]],
  ['nothing', { type: 'null' }, [null], ['', 0, false]],
  ['several types', { type: ['string', 'null'] }, ['a', null], [1, false]],
  ['an enum', { enum: ['a', 7, null] }, ['a', 7, null], ['b', '7', false]],
  ['an enum of a type', { type: 'string', enum: ['a', 'b'] }, ['a'], ['c', null]],
  ['a const', { const: 'a' }, ['a'], ['b', null]],
  ['a format', { type: 'string', format: 'date' }, ['2026-01-01'], ['now', '', null, 1]],
  ['a format that is not known', { type: 'string', format: 'email' }, ['x'], [1]],
  ['one of two', { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] }, ['2026-01-01', null], ['now', 1]],
  ['just one of two', { oneOf: [{ type: 'integer' }, { const: 'all' }] }, [1, 'all'], ['1', 1.5, null]],
  ['all of two', { allOf: [{ type: 'string' }, { enum: ['a', 1] }] }, ['a'], [1, 'b']],
  ['a reference', { $ref: '#/$defs/day' }, ['2026-01-01'], ['now', 1]],
  ['a reference within itself', { $ref: '#/properties/field' }, ['a', 1, null], []],
  ['a reference to nowhere', { $ref: '#/$defs/none' }, ['a', 1, null], []],
  ['anything', {}, ['a', 1, true, null], ['\0']],
  ['true', true, ['a', 1, null], []],
  ['false', false, [], ['a', null]],
  ['an array, which counts as missing', { type: 'array' }, [null], ['a', 1]],
  ['an object, which counts as missing', { type: ['object', 'string'] }, [null, 'a'], [1]],
] // biome-ignore format: rows

const $defs = { day: { type: 'string', format: 'date' } }

describe.each(rows)('a field that is told to be %s', (_, field, fits, others) => {
  const required = told({ type: 'object', properties: { field }, required: ['field'], $defs })
  test.each(fits.map((value) => [value]))('may be %j', (value) => {
    expect(holds(required, value)).toBe(true)
  })
  test.each(others.map((value) => [value]))('is never %j', (value) => {
    expect(holds(required, value)).toBe(false)
  })
  test('is missing where it may be', () => {
    expect(holds(told({ type: 'object', properties: { field }, $defs }), null)).toBe(true)
  })
})

describe('a field is one of', () => {
  const text = { properties: { field: { type: 'string' } }, required: ['field'] }
  const number = { properties: { field: { type: 'number' } } }
  test('any kind of item', () => {
    const either = told({ anyOf: [text, number] })
    expect(['a', 1, null, true].map((value) => holds(either, value))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
  test('all parts of an item', () => {
    const both = told({ allOf: [text, { properties: { other: {} } }] })
    expect(['a', 1, null].map((value) => holds(both, value))).toEqual([true, false, false])
  })
  test('an item that is a reference', () => {
    const referred = told({ $ref: '#/$defs/item', $defs: { item: text } })
    expect(['a', 1, null].map((value) => holds(referred, value))).toEqual([true, false, false])
  })
  test('an item of which nothing is told', () => {
    const silent = told({})
    const untold: StandardSchema<unknown, never> = {
      '~standard': { ...silent['~standard'], jsonSchema: undefined },
    } as never
    for (const schema of [silent, untold]) {
      expect(['a', 1, true, null].every((value) => holds(schema, value))).toBe(true)
      expect(['\0', '\ud800', Number.NaN].some((value) => holds(schema, value))).toBe(false)
    }
  })
})

describe('an id is', () => {
  const ids = (id?: StandardSchema<unknown, string | number>) => {
    const resource = defineResource('notes', { schema: z.object({ id: z.any() }), id } as never)
    return (value: Scalar): boolean => isSortValue(resource, 'id', value)
  }
  const rows: readonly (readonly [
    string,
    ReturnType<typeof ids>,
    readonly Scalar[],
    readonly Scalar[],
  ])[] = [
    ['text', ids(), ['a', '7', 'a/b'], ['', '.', '..', 'first', 'a\n', '\0', 'a'.repeat(256), 7, null, true]],
    ['a number', ids(z.coerce.number().int()), [7, -1], ['7', 1.5, Number.NaN, null, true, 'a']],
    ['a UUID', ids(z.uuid()), ['0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11'], ['now', 'a', 7, null]],
  ] // biome-ignore format: rows
  test.each(rows)('%s', (_, isId, fits, others) => {
    expect(fits.filter((value) => !isId(value))).toEqual([])
    expect(others.filter(isId)).toEqual([])
  })
})

test('a schema is asked once', () => {
  let times = 0
  const json = { properties: { id: {}, field: { type: 'string' } } }
  const schema = told(json)
  const output = () => {
    times++
    return json
  }
  const counting = { input: () => json, output }
  Object.assign(schema['~standard'], { jsonSchema: counting })
  const resource = defineResource('notes', { schema, sortable: [] })
  times = 0
  for (const value of ['a', 1, null]) isSortValue(resource, 'field', value)
  isSortValue(resource, 'id', 'a')
  expect(times).toBe(1)
})

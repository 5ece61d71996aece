import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import { idFor, isId } from '../../src/contract/resource/id.ts'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'
import { refusalOf } from './thrown.ts'

describe('an id is 1 to 255 characters', () => {
  const ids = {
    digits: '7',
    'a space': ' ',
    slashes: 'a/b',
    'three dots': '...',
    'another case of a reserved word': 'First',
    'a reserved word and more': 'first!',
    'a prototype word': '__proto__',
    'a percent sign': '%2F',
    'an emoji': '😀',
    '255 letters': 'a'.repeat(255),
    '255 emoji': '😀'.repeat(255),
  }
  for (const [name, text] of Object.entries(ids)) {
    test(`${name} can be one`, () => expect(isId(text)).toBe(true))
  }

  const others = {
    nothing: '',
    first: 'first',
    last: 'last',
    count: 'count',
    'one dot': '.',
    'two dots': '..',
    NUL: 'a\0',
    'a line break': 'a\nb',
    'a C1 control': 'a\u0085',
    DEL: '\u007f',
    'a lone high surrogate': 'a\ud83d',
    'a lone low surrogate': '\ude00a',
    '256 letters': 'a'.repeat(256),
    '256 emoji': '😀'.repeat(256),
  }
  for (const [name, text] of Object.entries(others)) {
    test(`${name} is none`, () => expect(isId(text)).toBe(false))
  }
})

describe('the id schema says which ids fit', () => {
  const Item = z.object({ id: z.union([z.string(), z.number()]) })
  const read = (id: StandardSchema<unknown, string | number>, text: string) =>
    idFor(defineResource('employees', { schema: Item, id }), text)

  const whole = z.coerce.number().int().positive()
  const numbers = [
    ['1', 1],
    ['42', 42],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', undefined],
    ['01', undefined],
    ['1.0', undefined],
    ['1e0', undefined],
    ['0x1', undefined],
    ['+1', undefined],
    [' 1', undefined],
    ['1 ', undefined],
    ['１', undefined],
    ['0', undefined],
    ['-1', undefined],
    ['', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['null', undefined],
    ['true', undefined],
    ['first', undefined],
  ] as const
  for (const [text, id] of numbers) {
    test(`${JSON.stringify(text)} as a number is ${id}`, () => expect(read(whole, text)).toBe(id))
  }

  const uuid = '0b5e8a6e-3a77-4d3c-9d3e-5d6a2a4f9c11'
  for (const [name, schema] of [
    ['zod', z.uuid()],
    ['valibot', v.pipe(v.string(), v.uuid())],
    ['arktype', type('string.uuid')],
  ] as const) {
    test(`a UUID of ${name} is text`, () => expect(read(schema, uuid)).toBe(uuid))
    test(`${name} refuses what is no UUID`, () => expect(read(schema, '7')).toBeUndefined())
  }

  test('a schema that rewrites names nothing else', () => {
    const lower = z.string().toLowerCase()
    expect(read(lower, 'ann')).toBe('ann')
    expect(read(lower, 'Ann')).toBeUndefined()
  })

  test('a schema that makes neither text nor a number names nothing', () => {
    const listed = z.string().transform((text) => [text])
    expect(read(z.stringbool() as never, 'true')).toBeUndefined()
    expect(read(listed as never, '7')).toBeUndefined()
  })

  test('a schema that takes time is refused', () => {
    const slow = z.string().refine(() => Promise.resolve(true))
    expect(refusalOf(() => read(slow, '7'))).toBe(
      'The id schema of "employees" returned a promise: use a synchronous schema.',
    )
  })

  test('without one any id is itself', () => {
    const employees = defineResource('employees', { schema: z.object({ id: z.string() }) })
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(idFor(employees, text)).toBe(isId(text) ? text : undefined)
      }),
    )
  })
})

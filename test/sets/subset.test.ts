import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/sets/canonical.ts'
import { isSubset } from '../../src/sets/subset.ts'
import { judgedRows, ownRows } from './rows.ts'

const text = (more: JsonObject): JsonObject => ({ type: 'string', ...more })
const amount = (more: JsonObject): JsonObject => ({ type: 'number', ...more })

describe('types and values', () => {
  judgedRows([
    ['have integers among the numbers', { type: 'integer' }, { type: 'number' }, 'yes'],
    ['have other numbers than integers', { type: 'number' }, { type: 'integer' }, 'no'],
    ['have 1.0 among the integers', { const: 1 }, { type: 'integer' }, 'yes'],
    ['know integers as multiples of 1', amount({ multipleOf: 1 }), { type: 'integer' }, 'yes'],
    ['tell one type of two', { type: ['string', 'null'] }, { type: 'string' }, 'no'],
    ['have all types without a keyword', {}, { type: ['object', 'array', 'string'] }, 'no'],
    [
      'are all values with all types',
      {},
      { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] },
      'yes',
    ],
    ['have a constant in a list', { const: 'a' }, { enum: ['b', 'a'] }, 'yes'],
    ['have a list without one value', { enum: ['a', 'b'] }, { enum: ['a'] }, 'no'],
    ['ignore values that no type allows', text({ enum: ['a', 1] }), { const: 'a' }, 'yes'],
    ['ignore the order of members', { const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }, 'yes'],
    ['keep the order of elements', { const: [1, 2] }, { const: [2, 1] }, 'no'],
    ['list both booleans', { type: 'boolean' }, { enum: [true, false] }, 'yes'],
    ['list one boolean', { type: 'boolean' }, { enum: [true] }, 'no'],
    ['list null', { type: 'null' }, { const: null }, 'yes'],
    ['open a list', { enum: ['a'] }, { type: 'string' }, 'yes'],
    ['close a type', { type: 'string' }, { enum: ['a', 'b'] }, 'no'],
    ['have no value in false', { type: 'string' }, false, 'no'],
    ['have false in everything', false, { type: 'string' }, 'yes'],
    ['have everything in true', { type: 'string' }, true, 'yes'],
    ['have more in true', true, { type: 'string' }, 'no'],
    ['differ from a listed object', { type: 'object' }, { not: { const: { a: 1 } } }, 'no'],
    ['differ from a listed list', { type: 'array' }, { not: { enum: [[], [1]] } }, 'no'],
    [
      'tell a closed object from a listed one',
      { type: 'object', maxProperties: 0 },
      { enum: [{}] },
      'yes',
    ],
  ])
})

describe('numbers', () => {
  judgedRows([
    ['pass a lower minimum', amount({ minimum: 2 }), { minimum: 1 }, 'yes'],
    ['fail a higher minimum', amount({ minimum: 1 }), { minimum: 2 }, 'no'],
    ['fail the open end of a bound', amount({ minimum: 1 }), { exclusiveMinimum: 1 }, 'no'],
    ['pass the closed end of a bound', amount({ exclusiveMaximum: 1 }), { maximum: 1 }, 'yes'],
    [
      'have none between equal open ends',
      amount({ minimum: 1, exclusiveMaximum: 1 }),
      false,
      'yes',
    ],
    [
      'have inexact whole numbers unjudged',
      { type: 'integer', minimum: 2 ** 53 + 2, maximum: 2 ** 53 + 4 },
      false,
      'unknown',
    ],
    ['have one between equal ends', amount({ minimum: 1, maximum: 1 }), { const: 1 }, 'yes'],
    ['are bound without a type', { minimum: 1 }, { minimum: 0 }, 'yes'],
    [
      'close an open bound of integers',
      { type: 'integer', exclusiveMinimum: 1 },
      { minimum: 2 },
      'yes',
    ],
    ['close no open bound of fractions', amount({ exclusiveMinimum: 1 }), { minimum: 2 }, 'no'],
    [
      'have no integer between integers',
      { type: 'integer', minimum: 0.1, maximum: 0.9 },
      false,
      'yes',
    ],
    ['have multiples among the divisors', amount({ multipleOf: 6 }), { multipleOf: 3 }, 'yes'],
    ['have divisors beside the multiples', amount({ multipleOf: 3 }), { multipleOf: 6 }, 'no'],
    [
      'have common multiples of two divisors',
      { type: 'number', allOf: [{ multipleOf: 4 }, { multipleOf: 6 }] },
      { multipleOf: 12 },
      'yes',
    ],
    ['have decimals among decimals', amount({ multipleOf: 0.5 }), { multipleOf: 0.25 }, 'yes'],
    ['have halves beside integers', amount({ multipleOf: 0.5 }), { type: 'integer' }, 'no'],
    [
      'list the multiples between bounds',
      amount({ multipleOf: 2, minimum: 1, maximum: 5 }),
      { enum: [2, 4] },
      'yes',
    ],
  ])
  ownRows([
    ['divide by decimals exactly', { const: 0.3 }, { multipleOf: 0.1 }, 'yes'],
    [
      'have cents among tenths of cents',
      amount({ multipleOf: 0.01 }),
      { multipleOf: 0.001 },
      'yes',
    ],
    [
      'take a flag beside a bound',
      amount({ minimum: 1, exclusiveMinimum: true }),
      { exclusiveMinimum: 1 },
      'yes',
    ],
    [
      'ignore a false flag beside a bound',
      amount({ maximum: 1 }),
      { maximum: 1, exclusiveMaximum: false },
      'yes',
    ],
    [
      'fail a flag beside a bound',
      amount({ maximum: 1 }),
      { maximum: 1, exclusiveMaximum: true },
      'no',
    ],
    ['are narrow as int32', { type: 'integer' }, { type: 'integer', format: 'int32' }, 'no'],
    ['are wider as int64', { format: 'int32' }, { format: 'int64' }, 'yes'],
  ])
})

describe('texts', () => {
  judgedRows([
    ['pass a longer maximum', text({ maxLength: 3 }), { maxLength: 4 }, 'yes'],
    ['fail a shorter maximum', text({ maxLength: 4 }), { maxLength: 3 }, 'no'],
    ['fail a longer minimum', text({}), { minLength: 1 }, 'no'],
    ['are empty without length', text({ maxLength: 0 }), { const: '' }, 'yes'],
    ['count code points', { const: '😀' }, { maxLength: 1 }, 'yes'],
    ['count code points in patterns', text({ pattern: '^.$' }), { maxLength: 1 }, 'yes'],
    ['match one of two patterns', text({ pattern: '^ab$' }), { pattern: '^a' }, 'yes'],
    ['match a pattern somewhere', text({ pattern: 'a' }), { pattern: '^a' }, 'no'],
    ['match an equal pattern', text({ pattern: '^[ab]$' }), { pattern: '^(?:a|b)$' }, 'yes'],
    ['match a class of digits', text({ pattern: '^[0-9]+$' }), { pattern: '^\\d+$' }, 'yes'],
    ['match a pattern of a length', text({ pattern: '^a{2,3}$' }), { minLength: 2 }, 'yes'],
    ['miss a pattern of a length', text({ minLength: 2 }), { pattern: '^.{3}' }, 'no'],
    [
      'leave a lookahead across texts unjudged',
      text({ pattern: '^(?=.*a)b' }),
      { pattern: 'a' },
      'unknown',
    ],
    ['match a negative lookahead', text({ pattern: '^(?!a).+$' }), { pattern: '^a' }, 'no'],
    ['exclude by a negative lookahead', { enum: ['b', ''] }, { pattern: '^(?!a)' }, 'yes'],
    ['match a listed text', { enum: ['a1', 'b2'] }, { pattern: '^[a-z]\\d$' }, 'yes'],
    ['are listed by a pattern', text({ pattern: '^(?:a|b)$' }), { enum: ['a', 'b'] }, 'yes'],
    [
      'match nothing beside its opposite',
      { allOf: [text({ pattern: 'a' }), { pattern: '^b*$' }] },
      false,
      'yes',
    ],
  ])
  ownRows([
    ['have an equal format', text({ format: 'email' }), text({ format: 'email' }), 'yes'],
    ['have another known format', text({ format: 'date' }), text({ format: 'uuid' }), 'no'],
    ['have a new format', text({}), text({ format: 'date-time' }), 'no'],
    ['have a wider format', text({ format: 'uri' }), { format: 'uri-reference' }, 'yes'],
    ['have an equal unknown format', { format: 'x-code' }, { format: 'x-code' }, 'yes'],
    ['have a new unknown format', text({}), { format: 'x-code' }, 'unknown'],
    ['lose an unknown format', text({ format: 'x-code' }), { type: 'string' }, 'yes'],
    ['have a date of 10 characters', text({ format: 'date' }), { maxLength: 10 }, 'yes'],
    [
      'have a pattern narrower than the format',
      text({ format: 'email' }),
      text({ format: 'email', pattern: '^[a-z.@]+$' }),
      'no',
    ],
    [
      'have a pattern that says no more than the format',
      text({ format: 'email', pattern: '@' }),
      { pattern: '@' },
      'yes',
    ],
    [
      'leave a long format beside a pattern unjudged',
      text({ format: 'date-time', pattern: '^(?:([a-z]+-)*([a-z]+)?)$' }),
      { pattern: '^[a-z]+$' },
      'unknown',
    ],
    ['ignore a format for people', text({}), { format: 'password' }, 'yes'],
  ])
})

describe('witnesses', () => {
  test.each<readonly [string, JsonObject, JsonObject, unknown]>([
    ['are of the first type', { type: ['null', 'array'] }, { type: 'null' }, []],
    ['have the last length', { type: 'string', maxLength: 3 }, { maxLength: 2 }, /^.{3}$/su],
    ['are the listed value', { enum: [1, 2] }, { enum: [2] }, 1],
  ])('%s', (_, old, after, expected) => {
    const answer = isSubset(old, after)
    const witness = answer.answer === 'no' ? answer.witness : undefined
    if (expected instanceof RegExp) expect(witness).toMatch(expected)
    else expect(witness).toEqual(expected)
  })

  test('stand beside the reason of doubt', () => {
    const answer = isSubset({ const: 'a' }, { format: 'x-code' })
    expect(answer).toEqual({ answer: 'unknown', because: 'a keyword is not known', guess: 'a' })
  })

  test('lack where a reference leads nowhere', () => {
    const answer = isSubset({ $ref: '#/$defs/none' }, { type: 'string' })
    expect(answer).toMatchObject({ answer: 'unknown' })
  })
})

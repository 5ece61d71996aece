import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SortField } from '../../src/contract/resource/operation.ts'
import {
  compareBy,
  compareValues,
  sorted as inOrder,
  positionOf,
  reverse,
} from '../../src/contract/values/order.ts'

describe('values come in one order everywhere', () => {
  // Every value comes before the next.
  const ascending = [
    false,
    true,
    Number.NEGATIVE_INFINITY,
    -1,
    0,
    0.5,
    10,
    9007199254740991,
    Number.POSITIVE_INFINITY,
    '',
    '10',
    '9',
    'A',
    'Z',
    'a',
    'ab',
    'b',
    'ä',
    '\ud7ff',
    '\ue000',
    '～',
    '\uffff',
    '\u{10000}',
    '😀',
    '😀a',
    '😁',
    '\u{10ffff}',
    null,
  ]
  for (const [place, value] of ascending.entries()) {
    test(`${JSON.stringify(value)} is number ${place}`, () => {
      const signs = ascending.map((other) => Math.sign(compareValues(value, other)))
      expect(signs).toEqual(ascending.map((_, other) => Math.sign(place - other)))
    })
  }

  const missing = [null, undefined, {}, [], () => 1]
  for (const one of missing) {
    test(`${String(one)} equals everything else that is missing`, () => {
      for (const other of missing) expect(compareValues(one, other)).toBe(0)
    })
  }

  test('zero has no sign', () => expect(compareValues(0, -0)).toBe(0))

  test('text compares by code point', () => {
    const points = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0)
    const byPoints = (one: string, other: string) => {
      const [ones, others] = [points(one), points(other)]
      const place = ones.findIndex((point, at) => point !== others[at])
      if (place < 0) return Math.sign(ones.length - others.length)
      return Math.sign((ones[place] ?? -1) - (others[place] ?? -1))
    }
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '～', '😀', '😁') }),
    )
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(Math.sign(compareValues(one, other))).toBe(byPoints(one, other))
      }),
    )
  })
})

describe('an order compares field by field', () => {
  const items = [
    { id: '1', name: 'Bo', rank: 2 },
    { id: '2', name: 'Ann', rank: null },
    { id: '3', name: 'Ann' },
    { id: '4', name: 'Ann', rank: 1 },
  ]
  const sorted = (...sort: SortField[]) => items.toSorted(compareBy(sort)).map(({ id }) => id)
  const asc = (field: string): SortField => ({ field, direction: 'asc' })
  const desc = (field: string): SortField => ({ field, direction: 'desc' })

  const rows = [
    [[asc('id')], ['1', '2', '3', '4']],
    [[desc('id')], ['4', '3', '2', '1']],
    [
      [asc('name'), desc('id')],
      ['4', '3', '2', '1'],
    ],
    [
      [asc('name'), asc('rank'), asc('id')],
      ['4', '2', '3', '1'],
    ],
    [
      [asc('rank'), desc('id')],
      ['4', '1', '3', '2'],
    ],
    [
      [desc('rank'), asc('id')],
      ['2', '3', '1', '4'],
    ],
    [
      [asc('constructor'), desc('id')],
      ['4', '3', '2', '1'],
    ],
    [[], ['1', '2', '3', '4']],
  ] as const
  for (const [sort, ids] of rows) {
    const name = sort.map(({ field, direction }) => `${field} ${direction}`).join(', ')
    test(`by ${name || 'nothing'}`, () => expect(sorted(...sort)).toEqual(ids))
  }

  test('the reverse gives the list backwards', () => {
    const sort = [asc('name'), desc('rank'), asc('id')]
    expect(reverse(sort)).toEqual([desc('name'), asc('rank'), desc('id')])
    expect(sorted(...reverse(sort))).toEqual(sorted(...sort).toReversed())
  })

  test('items come in it, and those that are the same stay as they were', () => {
    const value = fc.constantFrom(
      'a',
      'b',
      'B',
      '😀',
      '～',
      '',
      0,
      -0,
      1,
      true,
      false,
      null,
      [],
      {},
    )
    const item = fc.record({ a: value, b: value, c: value }, { requiredKeys: [] })
    const by = fc.record({
      field: fc.constantFrom('a', 'b', 'c', 'constructor'),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), fc.array(by), (some, sort) => {
        const expected = some.toSorted(compareBy(sort))
        const found = inOrder(some.values(), sort)
        expect(found).toHaveLength(some.length)
        for (const [place, one] of found.entries()) expect(one).toBe(expected[place])
      }),
    )
  })
})

describe('a position holds the sort fields', () => {
  const sort = ['name', 'rank', 'is_active', 'tags', '__proto__', 'id'].map(
    (field): SortField => ({ field, direction: 'asc' }),
  )

  test('with null for what is missing', () => {
    const item = { id: 7, name: 'Ann', is_active: false, tags: ['a'], more: 1 }
    const position = positionOf(item, sort)
    expect(Object.entries(position)).toEqual([
      ['name', 'Ann'],
      ['rank', null],
      ['is_active', false],
      ['tags', null],
      ['__proto__', null],
      ['id', 7],
    ])
  })

  test('and compares as its item does', () => {
    const item = { id: 7, name: 'Ann' }
    expect(compareBy(sort)(positionOf(item, sort), item)).toBe(0)
  })
})

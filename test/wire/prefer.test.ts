import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPrefer, parsePrefer } from '../../src/wire/prefer.ts'

type Rows = readonly (readonly [string, readonly (readonly [string, string])[]])[]

describe('a Prefer header holds preferences, as in RFC 7240', () => {
  const headers: Rows = [
    ['', []],
    ['wait', [['wait', '']]],
    ['max-affected=10', [['max-affected', '10']]],
    [
      'max-affected=10, wait',
      [
        ['max-affected', '10'],
        ['wait', ''],
      ],
    ],
    ['a="b, c; d=e"', [['a', 'b, c; d=e']]],
    ['__proto__=1', [['__proto__', '1']]],
  ]
  for (const [header, preferences] of headers) {
    test(`reads and writes ${JSON.stringify(header)}`, () => {
      expect([...parsePrefer(header)]).toEqual(preferences)
      expect(formatPrefer(new Map(preferences))).toBe(header)
    })
  }

  const reads: Rows = [
    ['Max-Affected=10', [['max-affected', '10']]],
    ['max-affected="10"', [['max-affected', '10']]],
    ['  max-affected \t=  10  ', [['max-affected', '10']]],
    ['max-affected=10; strict; note="a, b"', [['max-affected', '10']]],
    ['max-affected;strict=10', [['max-affected', '']]],
    ['max-affected=', [['max-affected', '']]],
    ['max-affected=""', [['max-affected', '']]],
    ['max-affected=1, max-affected=2', [['max-affected', '1']]],
    ['a="b, max-affected=1"', [['a', 'b, max-affected=1']]],
    ['a="b, max-affected=1', [['a', '']]],
    ['"max-affected=1"', [['"max-affected', '1']]],
    [
      'a,,b',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    ['=1', []],
    [' , ;', []],
  ]
  for (const [header, preferences] of reads) {
    test(`reads ${JSON.stringify(header)}`, () => {
      expect([...parsePrefer(header)]).toEqual(preferences)
    })
  }

  test('what was written is read', () => {
    const token = fc.string({ unit: fc.constantFrom(..."abc019!#$%&'*+-.^_`|~"), minLength: 1 })
    const value = fc.string().filter((text) => !text.includes('"'))
    fc.assert(
      fc.property(fc.array(fc.tuple(token, value)), (pairs) => {
        const preferences = new Map(pairs)
        expect(parsePrefer(formatPrefer(preferences))).toEqual(preferences)
      }),
    )
  })

  test('thousands of quotes are read at once', () => {
    expect(parsePrefer('"'.repeat(50_000)).size).toBe(1)
    expect(parsePrefer('a,'.repeat(50_000)).size).toBe(1)
  })
})

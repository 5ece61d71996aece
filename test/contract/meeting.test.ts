import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { meeting } from '../../src/contract/values/search.ts'
import type { Condition } from '../../src/convention/filter-operators.ts'
import { momentKey } from '../../src/convention/format.ts'

type Case = readonly [
  is: Condition['is'],
  type: Condition['type'],
  values: Condition['values'],
  meets: readonly unknown[],
  fails: readonly unknown[],
]

const noon = '2020-01-01T12:00:00Z'
const missing = [undefined, null, [], {}, ['a']]

// biome-ignore format: a row stays a line
const cases: readonly Case[] = [
  ['in', 'text', ['a', 'b'], ['a', 'b'], ['A', 'ab', '', 'a ', 1, true, ...missing]],
  ['in', 'text', [], [], ['', 'a', ...missing]],
  ['in', 'number', [1, -0.5], [1, 1.0, -0.5], [0.5, '1', true, ...missing]],
  ['in', 'boolean', [false], [false], [true, 0, '', 'false', ...missing]],
  ['in', 'text', ['e\u0301'], ['e\u0301'], ['\u00e9', 'e']],
  ['in', 'date-time', [noon], [noon, '2020-01-01T12:00:00.000Z', '2020-01-01T13:00:00+01:00', '2020-01-01t12:00:00z'], ['2020-01-01T12:00:00.001Z', '2020-01-01', 'x', ...missing]],
  ['in', 'date-time', ['0001-02-03 04:05:06Z', '0060-01-01 00:00:00z'], ['0001-02-03T04:05:06.0Z', '0059-12-31T23:00:00-01:00'], ['2001-02-03T04:05:06Z', '1960-01-01T00:00:00Z']],
  ['notIn', 'text', ['a', 'b'], ['A', '', 1, ...missing], ['a', 'b']],
  ['notIn', 'date-time', [noon], ['2020-01-01T12:00:01Z', ...missing], ['2020-01-01T12:00:00.0Z']],
  ['missing', 'text', [], missing, ['', 'a', 0, false]],
  ['present', 'text', [], ['', 'a', 0, false], missing],
  ['gt', 'text', ['b'], ['ba', 'c', '\u{1f600}'], ['b', 'B', 'a', '', 1, ...missing]],
  ['gt', 'text', ['\uffff'], ['\u{10000}'], ['\ue000', '\uffff']],
  ['gte', 'text', ['b'], ['b', 'c'], ['a', ...missing]],
  ['lt', 'number', [2], [1, -3, 1.99], [2, 3, '1', ...missing]],
  ['lte', 'number', [2], [2, 1], [2.01, ...missing]],
  ['gt', 'number', [2], [3, '9007199254740993', 'Infinity', 'NaN'], [2, '-9007199254740993', '-Infinity', ...missing]],
  ['gte', 'date', ['2020-01-01'], ['2020-01-01', '2020-12-31', '10000-01-01', 'infinity'], ['2019-12-31', '-infinity', '0044-03-15 BC', ...missing]],
  ['lt', 'date-time', [noon], ['2020-01-01T11:59:59.999999999Z', '2020-01-01T12:30:00+01:00', '-infinity', '0000-00-00T00:00:00Z'], [noon, '2020-01-01T12:00:00.5Z', 'infinity', ...missing]],
  ['contains', 'text', ['SS'], ['Straße', 'STRASSE', 'ss'], ['s', '', 1, ...missing]],
  ['contains', 'text', ['%_*'], ['a%_*b'], ['axxb', '']],
  ['contains', 'text', ['n l'], ['Ann Lee'], ['Ann\tLee', 'nl']],
  ['startsWith', 'text', ['än'], ['Änne', 'ÄN'], ['Hänsel', 'a', ...missing]],
  ['startsWith', 'date-time', ['2020-'], [noon], ['2019-12-31T23:30:00-01:00', ...missing]],
  ['has', 'text', ['a', 'b'], [['a'], ['c', 'b', null], ['a', 'a']], [...missing.slice(0, 4), 'a', ['A'], [null], [1, true], [['a']], { a: 'a' }]],
  ['has', 'number', [1, 0.5], [[1], [2, 0.5]], [[], ['1'], [true], 1]],
  ['has', 'boolean', [true], [[false, true]], [[false], ['true'], [1]]],
  ['has', 'date-time', [noon], [[noon], ['x', '2020-01-01T13:00:00+01:00']], [[], ['2020-01-01T12:00:01Z'], noon]],
  ['has', 'text', [], [], [[], ['a']]],
  ['endsWith', 'text', ['Σ'], ['λόγος', 'ΛΌΓΟΣ', 'σ'], ['σα', ...missing]],
]

describe('a condition', () => {
  for (const [is, type, values, meets, fails] of cases) {
    test(`${is} ${type} ${JSON.stringify(values)}`, () => {
      const isMet = meeting([{ field: 'f', is, type, values }])
      expect(meets.filter((value) => !isMet({ f: value }))).toEqual([])
      expect(fails.filter((value) => isMet({ f: value }))).toEqual([])
    })
  }

  test('reads own fields only', () => {
    const isMissing = meeting([{ field: 'toString', is: 'missing', type: 'text', values: [] }])
    expect(isMissing({})).toBe(true)
    expect(isMissing(Object.create({ toString: 'a' }))).toBe(true)
  })
})

test('every condition has to hold', () => {
  const isMet = meeting([
    { field: 'a', is: 'gt', type: 'number', values: [1] },
    { field: 'a', is: 'lt', type: 'number', values: [3] },
    { field: 'b', is: 'present', type: 'text', values: [] },
  ])
  expect(isMet({ a: 2, b: '' })).toBe(true)
  expect(isMet({ a: 3, b: '' })).toBe(false)
  expect(isMet({ a: 2 })).toBe(false)
  expect(meeting([])({})).toBe(true)
})

test('moments are ordered as their times, to the nanosecond', () => {
  const nano = 1_000_000n
  const moment = fc
    .record({
      ms: fc.integer({ min: -30_000_000_000_000, max: 30_000_000_000_000 }),
      nanos: fc.integer({ min: 0, max: 999_999 }),
      offset: fc.integer({ min: -14 * 60, max: 14 * 60 }),
    })
    .map(({ ms, nanos, offset }) => {
      const local = new Date(ms + offset * 60_000).toISOString().slice(0, -1)
      const sign = offset < 0 ? '-' : '+'
      const minutes = Math.abs(offset)
      const two = (number: number): string => `${number}`.padStart(2, '0')
      const zone = `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
      return {
        text: `${local}${`${nanos}`.padStart(6, '0')}${zone}`,
        time: BigInt(ms) * nano + BigInt(nanos),
      }
    })
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      const [a, b] = [momentKey(one.text), momentKey(other.text)]
      expect(a < b).toBe(one.time < other.time)
      expect(a === b).toBe(one.time === other.time)
    }),
  )
})

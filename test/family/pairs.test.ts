import { expect, test } from 'vitest'
import { covering } from './contracts.ts'
import { exclusions, features } from './features.ts'
import { coverPairs, randomOf } from './pairs.ts'

type Name = keyof typeof features

const names = Object.keys(features) as Name[]

// Both orders of two features, as one text.
function formatPair(words: readonly (readonly [string, string])[]): string {
  return words
    .map((word) => word.join(': '))
    .sort()
    .join(' × ')
}

const wanted = names.flatMap((first, index) =>
  names.slice(index + 1).flatMap((second) =>
    features[first].flatMap((one) =>
      features[second].map((two) =>
        formatPair([
          [first, one],
          [second, two],
        ]),
      ),
    ),
  ),
)

test('the contracts have all allowed pairs of values', () => {
  const pairs = new Set(
    covering.rows.flatMap((row) =>
      names.flatMap((first, index) =>
        names.slice(index + 1).map((second) =>
          formatPair([
            [first, row[first]],
            [second, row[second]],
          ]),
        ),
      ),
    ),
  )
  const missing = wanted.filter((pair) => !pairs.has(pair))
  const impossible = covering.impossible.map((pair) => pair.split(' × ').sort().join(' × '))
  expect(missing.sort()).toEqual(impossible.sort())
  expect(pairs.size).toBe(covering.pairs)
  // An exclusion that leaves a pair out is one that someone wrote.
  const excluded = exclusions.flatMap(([first, values, second, others]) =>
    values.flatMap((one) =>
      others.map((two) =>
        formatPair([
          [first, one],
          [second, two],
        ]),
      ),
    ),
  )
  expect(excluded.filter((pair) => pairs.has(pair))).toEqual([])
})

test('a seed gives the same contracts', () => {
  const make = () => coverPairs(features, exclusions, randomOf(7)).rows
  expect(make()).toEqual(make())
})

test('a pair that two exclusions forbid is impossible', () => {
  const { rows, impossible } = coverPairs(
    { a: ['1', '2'], b: ['1', '2'], c: ['1', '2'] },
    [
      ['a', ['1'], 'b', ['1']],
      ['b', ['2'], 'c', ['1']],
    ],
    randomOf(1),
  )
  expect(impossible.toSorted()).toEqual(['a: 1 × b: 1', 'a: 1 × c: 1', 'b: 2 × c: 1'])
  expect(rows.some((row) => row.a === '1' && row.c === '1')).toBe(false)
})

import { type Checks, checksOf, named } from './check.ts'
import { sortSpecimens } from './operation-input.ts'
import type { NewSpecimen } from './specimens.ts'

interface Row {
  readonly rule: string
  readonly sort: readonly string[]
  /** The items in the order of `sort`. */
  readonly items: readonly NewSpecimen[]
}

// The order of code points differs from that of dictionaries and that of UTF-16.
const texts = '| |!|1|10|2|A|B|Z|_|a|a |aa|b|e\u0301|f|z|É|ß|é|Ω|～|😀|😁'.split('|')
const ranks = [-1e21, -10, -9, -0.5, 0, 0.1, 0.5, 2, 9, 10, 2 ** 53 - 1]

const byRank = ranks.map((rank) => ({ name: `rank ${rank}`, rank }))
const byFlag = [
  { name: 'no', flag: false },
  { name: 'yes', flag: true },
]
// Empty text is the first value. A missing text is no value.
const byNote = [
  { name: 'b', note: '' },
  { name: 'a', note: '0' },
  { name: 'd', note: 'z' },
  { name: 'c' },
]
const byRankThenMissing = [
  { name: 'c', rank: -1 },
  { name: 'a', rank: 0 },
  { name: 'd', rank: 1 },
  { name: 'b' },
]
const byFlagThenMissing = [...byFlag, { name: 'neither' }]

const rows: Readonly<Record<string, Row>> = {
  'list sorts text by code point': {
    rule: 'A list orders text by code point: upper case before lower, é after z, 😀 after ～.',
    sort: ['name'],
    items: named(...texts),
  },
  'list sorts numbers by size': {
    rule: 'A list orders numbers by size, not as text.',
    sort: ['rank'],
    items: byRank,
  },
  'list sorts false before true': {
    rule: 'A list orders `false` before `true`.',
    sort: ['flag'],
    items: byFlag,
  },
  'list sorts descending': {
    rule: 'Descending is the reverse of ascending.',
    sort: ['-name'],
    items: named(...texts).toReversed(),
  },
  'list sorts numbers descending': {
    rule: 'Descending is the reverse of ascending, for numbers too.',
    sort: ['-rank'],
    items: byRank.toReversed(),
  },
  ...missingRows('texts', 'note', byNote),
  ...missingRows('numbers', 'rank', byRankThenMissing),
  ...missingRows('booleans', 'flag', byFlagThenMissing),
  'list sorts by several fields': {
    rule: 'The next sort field decides between equal values, each in its own direction.',
    sort: ['rank', '-flag', 'name'],
    items: [
      { rank: 1, name: 'c' },
      { rank: 1, flag: true, name: 'b' },
      { rank: 1, flag: false, name: 'a' },
      { rank: 1, flag: false, name: 'b' },
      { rank: 2, flag: true, name: 'a' },
      { rank: 2, flag: false, name: 'c' },
      { flag: true, name: 'a' },
    ],
  },
}

const dozen = Array.from({ length: 12 }, (_, index) => ({ name: `n${index % 2}`, rank: index % 3 }))

const ties: Readonly<Record<string, readonly [rule: string, sorts: readonly string[][]]>> = {
  'list is ordered by id': ['A list without a sort is in ascending order of ids, as text.', [[]]],
  'list sorts by id descending': [
    'A list sorts by id as by any field. The core derives `last` from it.',
    [['-id'], ['-name', '-id']],
  ],
  'ties are ordered by id': [
    'The id decides between items with equal sort fields, ascending.',
    [['rank'], ['name', 'rank'], ['note']],
  ],
  'ties are ordered by id when descending': [
    'The id decides between items with equal sort fields, ascending for every direction.',
    [['-rank'], ['-name', 'rank'], ['-note']],
  ],
}

/** Checks of the order of lists. */
export const orderChecks: Checks = {
  'list gives every item': {
    rule: 'A list has every item once, and is empty for an empty collection.',
    async test(tester) {
      await tester.expectList({}, [])
      const items = await tester.createAll(dozen)
      await tester.expectList({}, sortSpecimens(items))
    },
  },
  ...checksOf(Object.entries(rows), ([name, { rule, sort, items }]) => [
    name,
    {
      rule,
      test: async (tester) => tester.expectList({ sort }, await tester.createAll(items)),
    },
  ]),
  ...checksOf(Object.entries(ties), ([name, [rule, sorts]]) => [
    name,
    {
      rule,
      async test(tester) {
        const items = await tester.createAll(dozen)
        for (const sort of sorts) await tester.expectList({ sort }, sortSpecimens(items, sort))
      },
    },
  ]),
}

function missingRows(
  values: string,
  field: string,
  items: readonly NewSpecimen[],
): Readonly<Record<string, Row>> {
  return {
    [`missing ${values} come last ascending`]: {
      rule: 'A missing value comes after every value, also after empty text.',
      sort: [field],
      items,
    },
    [`missing ${values} come first descending`]: {
      rule: 'Descending is the exact reverse: a missing value comes before every value.',
      sort: [`-${field}`],
      items: items.toReversed(),
    },
  }
}

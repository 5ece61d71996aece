import {
  type Asking,
  type Checks,
  calls,
  checksOf,
  longTexts,
  named,
  type QuestionRow,
  sortsIn,
  three,
} from '../check.ts'
import type { ListInput } from '../operation.ts'
import type { NewSpecimen } from '../specimens.ts'

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
const dozen = Array.from({ length: 12 }, (_, index) => ({ name: `n${index % 2}`, rank: index % 3 }))

const orders: Readonly<Record<string, QuestionRow>> = {
  'list sorts text by code point': [
    'A list orders text by code point: upper case before lower, é after z, 😀 after ～.',
    'name',
    named(...texts),
  ],
  'list sorts numbers by size': ['A list orders numbers by size, not as text.', 'rank', byRank],
  'list sorts false before true': ['A list orders `false` before `true`.', 'flag', byFlag],
  'list sorts descending': ['Descending is the reverse of ascending.', '-name', named(...texts)],
  'list sorts numbers descending': [
    'Descending is the reverse of ascending, for numbers too.',
    '-rank',
    byRank,
  ],
  ...missingRows('texts', 'note', byNote),
  ...missingRows('numbers', 'rank', byRankThenMissing),
  ...missingRows('booleans', 'flag', [...byFlag, { name: 'neither' }]),
  'list sorts by several fields': [
    'The next sort field decides between equal values, each in its own direction.',
    'rank,-flag,name',
    [
      { rank: 1, name: 'c' },
      { rank: 1, flag: true, name: 'b' },
      { rank: 1, flag: false, name: 'a' },
      { rank: 1, flag: false, name: 'b' },
      { rank: 2, flag: true, name: 'a' },
      { rank: 2, flag: false, name: 'c' },
      { flag: true, name: 'a' },
    ],
  ],
  'list is ordered by id': [
    'A list without a sort is in ascending order of ids, as text.',
    '',
    dozen,
  ],
  'list sorts by id descending': [
    'A list sorts by id as by any field. The core derives `last` from it.',
    '-id|-name,-id',
    dozen,
  ],
  'ties are ordered by id': [
    'The id decides between items with equal sort fields, ascending.',
    'rank|name,rank|note',
    dozen,
  ],
  'ties are ordered by id when descending': [
    'The id decides between items with equal sort fields, ascending for every direction.',
    '-rank|-name,rank|-note',
    dozen,
  ],
}

/** Checks of the order of lists. */
export const orderChecks: Checks = {
  'list gives every item': {
    rule: 'A list has every item once, and is empty for an empty collection.',
    ask: () => [calls.list(), ...dozen.map(calls.create), calls.list()],
  },
  ...checksOf(Object.entries(orders), ([name, [rule, sorts, items]]) => [
    name,
    { rule, items, ask: () => sortsIn(sorts).map((sort) => calls.list({ sort })) },
  ]),
}

function missingRows(
  values: string,
  field: string,
  items: readonly NewSpecimen[],
): Readonly<Record<string, QuestionRow>> {
  return {
    [`missing ${values} come last ascending`]: [
      'A missing value comes after every value, also after empty text.',
      field,
      items,
    ],
    [`missing ${values} come first descending`]: [
      'Descending is the exact reverse: a missing value comes before every value.',
      `-${field}`,
      items,
    ],
  }
}

const joined = 'Joined pages of every length are the list: no item twice, none missing'

// Neighbours: no double lies between two of them.
const closeNumbers = [
  ...[-1.7976931348623157e308, -1.7976931348623155e308, -5e-324, 5e-324, 1e-323, 0.3, 0.1 + 0.2],
  ...[1 - 2 ** -53, 1, 1 + 2 ** -52, 123456789.12345678, 123456789.1234568],
  ...[2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, 1e21, 1e21 + 131072],
]

// Every value of three fields beside every other.
function grid(): readonly NewSpecimen[] {
  return [undefined, '', 'x'].flatMap((note) =>
    [undefined, 0, 1].flatMap((rank) =>
      [undefined, false, true].map((flag) => ({
        name: 'n',
        ...(note === undefined ? {} : { note }),
        ...(rank === undefined ? {} : { rank }),
        ...(flag === undefined ? {} : { flag }),
      })),
    ),
  )
}

const pageRows: Readonly<Record<string, QuestionRow>> = {
  'pages go on by id': [`${joined}.`, '|-id', named(...'abcdefghijkl')],
  'pages go on in text': [
    `${joined}, with pages that end at any text.`,
    'name|-name',
    named(..."| |A|B|a|a |b|o'h|o\\|z%|É|é|e\u0301|～|😀".split('|')),
  ],
  'pages go on at numbers': [
    `${joined}, with pages that end at any number.`,
    'rank|-rank',
    [-1e21, -2, 0, 0.1, 0.1 + 0.2, 1 / 3, 9, 10, 2 ** 53 - 2, 2 ** 53 - 1].map((rank) => ({
      name: 'n',
      rank,
    })),
  ],
  'pages go on at ties': [
    `${joined}, with pages that end among equal items.`,
    'rank|-rank|name,rank',
    [1, 1, 1, 1, 2, 2, 2].map((rank) => ({ name: 'n', rank })),
  ],
  'pages go on at missing values': [
    `${joined}, with pages that end before, at or after missing values.`,
    'note|-note|rank|-rank|flag|-flag|-note,rank,-flag',
    [
      { name: 'a', note: '' },
      { name: 'b', note: 'x', rank: 1, flag: true },
      { name: 'c', rank: 0 },
      { name: 'd' },
      { name: 'e' },
      { name: 'f', flag: false },
      { name: 'g', note: 'x', flag: true },
    ],
  ],
  'pages go on in mixed directions': [
    `${joined}, with ascending and descending fields together.`,
    'rank,-name|-rank,name|-flag,rank,-name',
    [1, 1, 1, 2, 2, 2].map((rank, index) => ({
      name: 'ab'[index % 2] ?? '',
      rank,
      flag: index < 4,
    })),
  ],
  'pages go on among missing values': [
    `${joined}, with equal and missing fields in both directions.`,
    'note,rank,-flag|note,-rank,flag|-note,rank|-rank,-note,flag',
    grid(),
  ],
  'pages go on at close numbers': [
    `${joined}, with numbers that differ in their last bit.`,
    'rank|-rank,name',
    closeNumbers.map((rank) => ({ name: 'n', rank })),
  ],
  'pages go on at zeros': [
    `${joined}: 0 and -0 are one number, and the next field decides between them.`,
    'rank,name|-rank,name|rank,-name|rank',
    [-1, 0, -0, 0, -0, 1].map((rank, index) => ({ name: `${(index * 5) % 6}`, rank })),
  ],
  'pages go on at long text': [
    `${joined}, with texts that differ after some thousand characters or at their end.`,
    'name|-name|note,-name',
    named(...longTexts),
  ],
  'pages go on in every field': [
    `${joined}, in an order by all fields.`,
    '-flag,note,-rank,name,-id',
    [...grid(), ...grid(), ...grid()].map((item, index) => ({
      ...item,
      name: `${index % 2}`,
    })),
  ],
}

/** Checks of pages. */
export const pageChecks: Checks = {
  'limit bounds the list': {
    rule: 'A list with a limit is the beginning of the whole list, at most that long.',
    items: three,
    ask: () => [1, 2, 3, 4, 1000].map((limit) => calls.list({ sort: ['name'], limit })),
  },
  ...checksOf(Object.entries(pageRows), ([name, [rule, sorts, items]]) => [
    name,
    {
      rule,
      items,
      ask: () =>
        pagingAll(
          sortsIn(sorts).map((sort) => ({ sort })),
          items.length,
        ),
    },
  ]),
  'an offset leaves out the first items': {
    rule: 'A list that takes an offset leaves out that many items of its order, then limits.',
    items: three,
    async test(tester) {
      // The core leaves out the items of another list itself.
      if (!tester.skips) return
      for (const offset of [1, 2, 3, 4])
        for (const limit of [1, 2, 1000])
          await tester.ask(calls.list({ sort: ['name'], limit, offset }))
      await tester.ask(calls.list({ sort: ['name'], q: 'a', limit: 2, offset: 1 }))
    },
  },
  'pages of a search are the search': {
    rule: 'A page after a cursor has only items that match the search.',
    items: named(
      ...[...'bdfh'].map((letter) => `${letter} ann`),
      ...[...'acei'].map((letter) => `${letter} bob`),
    ),
    ask: () =>
      pagingAll(
        [['name'], ['-name']].map((sort) => ({ q: 'ann', sort })),
        4,
      ),
  },
  'a page after the last is empty': {
    rule: 'The page after the last item is empty.',
    items: three,
    ask: (_, first, __, last) => [
      calls.list({ sort: ['name'], after: last }),
      calls.list({ sort: ['-name'], after: first, limit: 5 }),
      calls.list({ sort: ['note', '-name'], after: first }),
    ],
  },
  'pages go on where an item was deleted': {
    rule: 'A cursor is a position in the order: it stays valid after its item is deleted.',
    needs: ['create', 'delete', 'list'],
    items: three,
    ask: (_, __, two) => [
      calls.delete(two),
      calls.list({ sort: ['name'], after: two }),
      calls.list({ sort: ['-name'], after: two, limit: 2 }),
    ],
  },
  'pages go on where an item was changed': {
    rule: 'A cursor is a position in the order: it does not move with its item.',
    needs: ['create', 'list', 'update'],
    items: three,
    ask: (_, __, two) => [
      calls.replace(two, { name: 'z' }),
      calls.list({ sort: ['name'], after: two }),
      calls.list({ sort: ['-name'], after: two }),
    ],
  },
  'pages go on while items are created': {
    rule: 'A new item before the cursor changes no later page. One after the cursor appears.',
    items: three,
    ask: (_, __, two) => [
      calls.list({ sort: ['name'], limit: 2 }),
      ...named('A', 'aa', 'bb').map(calls.create),
      calls.list({ sort: ['name'], after: two }),
    ],
  },
}

function* pagingAll(inputs: readonly ListInput[], count: number): Asking {
  for (const input of inputs) yield* calls.pages(input, count)
}

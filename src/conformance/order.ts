import { compareBy } from '../model/order.ts'
import { type Demand, named } from './demand.ts'
import { orderOf } from './question.ts'
import type { NewSpecimen } from './specimens.ts'

interface Row {
  readonly name: string
  readonly rule: string
  readonly sort: readonly string[]
  /** In the order that `sort` asks for. */
  readonly items: readonly NewSpecimen[]
}

// In the order of code points, which is neither that of dictionaries nor that of UTF-16.
const texts = [
  '',
  ' ',
  '!',
  '1',
  '10',
  '2',
  'A',
  'B',
  'Z',
  '_',
  'a',
  'a ',
  'aa',
  'b',
  'e\u0301',
  'f',
  'z',
  'É',
  'ß',
  'é',
  'Ω',
  '～',
  '😀',
  '😁',
]
const ranks = [-1e21, -10, -9, -0.5, 0, 0.1, 0.5, 2, 9, 10, 2 ** 53 - 1]

const byRank = ranks.map((rank) => ({ name: `rank ${rank}`, rank }))
const byFlag = [
  { name: 'no', flag: false },
  { name: 'yes', flag: true },
]
// Empty text is a value, the first there is; missing is none.
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

const rows: readonly Row[] = [
  {
    name: 'list sorts text by code point',
    rule: 'Text is ordered by Unicode code point: upper case before lower, é after z, 😀 after ～.',
    sort: ['name'],
    items: named(...texts),
  },
  {
    name: 'list sorts numbers by size',
    rule: 'Numbers are ordered by size, not as text.',
    sort: ['rank'],
    items: byRank,
  },
  {
    name: 'list sorts false before true',
    rule: 'Of booleans, `false` is the lesser.',
    sort: ['flag'],
    items: byFlag,
  },
  {
    name: 'list sorts descending',
    rule: 'Descending is the reverse of ascending.',
    sort: ['-name'],
    items: named(...texts).toReversed(),
  },
  {
    name: 'list sorts numbers descending',
    rule: 'Descending is the reverse of ascending, for numbers too.',
    sort: ['-rank'],
    items: byRank.toReversed(),
  },
  ...(
    [
      ['texts', 'note', byNote],
      ['numbers', 'rank', byRankThenMissing],
      ['booleans', 'flag', byFlagThenMissing],
    ] as const
  ).flatMap(([values, field, items]): readonly Row[] => [
    {
      name: `missing ${values} come last ascending`,
      rule: 'A missing value comes after every value, also after empty text.',
      sort: [field],
      items,
    },
    {
      name: `missing ${values} come first descending`,
      rule: 'Descending is the exact reverse: a missing value comes before every value.',
      sort: [`-${field}`],
      items: items.toReversed(),
    },
  ]),
  {
    name: 'list sorts by several fields',
    rule: 'Where a field is equal, the next one decides, each in its own direction.',
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
]

const dozen = Array.from({ length: 12 }, (_, place) => ({ name: `n${place % 2}`, rank: place % 3 }))

const ties: readonly (readonly [
  name: string,
  rule: string,
  sorts: readonly (readonly string[])[],
])[] = [
  [
    'list is ordered by id',
    'Without a sort the order is that of the ids, as text, ascending.',
    [[]],
  ],
  [
    'list sorts by id descending',
    'The id can be sorted by like any field; `last` is derived from that.',
    [['-id'], ['-name', '-id']],
  ],
  [
    'ties are ordered by id',
    'Where all sort fields are equal the id decides, ascending.',
    [['rank'], ['name', 'rank'], ['note']],
  ],
  [
    'ties are ordered by id when descending',
    'Where all sort fields are equal the id decides, ascending whatever their direction.',
    [['-rank'], ['-name', 'rank'], ['-note']],
  ],
]

/** The order lists come in. */
export const orderDemands: readonly Demand[] = [
  {
    name: 'list gives every item',
    rule: 'The list holds all there are, once each; where there are none it is empty.',
    needs: ['create', 'list'],
    async test(lab) {
      await lab.lists({}, [])
      const items = await lab.createAll(dozen)
      await lab.lists({}, items.toSorted(compareBy(orderOf())))
    },
  },
  ...rows.map(
    ({ name, rule, sort, items }): Demand => ({
      name,
      rule,
      needs: ['create', 'list'],
      async test(lab) {
        await lab.lists({ sort }, await lab.createAll(items))
      },
    }),
  ),
  ...ties.map(
    ([name, rule, sorts]): Demand => ({
      name,
      rule,
      needs: ['create', 'list'],
      async test(lab) {
        const items = await lab.createAll(dozen)
        for (const sort of sorts)
          await lab.lists({ sort }, items.toSorted(compareBy(orderOf(sort))))
      },
    }),
  ),
]

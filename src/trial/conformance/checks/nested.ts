import type { Comparison, Condition } from '../../../convention/filter-operators.ts'
import { type Asking, type Checks, calls, checksOf, queryDeletions, queryReads } from '../check.ts'
import { conditionOn, conditionsOn } from '../operation.ts'
import type { NewSpecimen } from '../specimens.ts'

const equalities = ['in', 'notIn'] as const
const bounds = ['gt', 'gte', 'lt', 'lte'] as const
const parts = ['contains', 'startsWith', 'endsWith'] as const
const presence = ['missing', 'present'] as const

/** The kinds of filters that look into a value: their group, and what each check needs of them. */
const nested = {
  'filters of members': {
    item: (text: string): Partial<NewSpecimen> => ({ data: { name: text } }),
    condition: (...texts: readonly string[]) => conditionOn('data.name', 'in', texts),
  },
  'filters of lists': {
    item: (text: string): Partial<NewSpecimen> => ({ tags: ['other', text] }),
    condition: (...texts: readonly string[]) => conditionOn('tags', 'has', texts),
  },
} as const

type Group = keyof typeof nested

const groups: readonly Group[] = ['filters of members', 'filters of lists']

// Collations, patterns and paths take some of these for equal.
const texts = [
  ...'|a|A|á|a\u0301|ß|ss|ς|Σ|a |ab|red|Red|redder|red,blue|[]|{}|😀|😁|～'.split('|'),
  ...['%', '_', '\\', '"', "'", '"a"', '$', '0', '1e0', 'null', 'true'],
]
const ranks = [-1e21, -(2 ** 53 - 1), -10, -0.5, 0, 5e-324, 0.3, 0.1 + 0.2, 9, 10, 1e21]
const words = named('École', 'ecole', 'ΟΔΟΣ', 'οδος', 'Straße', '50%', '5_', ' a', 'a', '\\', 'a😀')

function named(...names: readonly string[]): readonly NewSpecimen[] {
  return names.map((name) => ({ name: 'x', data: { name } }))
}

// A bare item has no object, the next ones no value of any type in theirs.
const bare: readonly NewSpecimen[] = [
  { name: 'bare' },
  { name: 'empty', data: {} },
  { name: 'null', data: { name: null, rank: null, flag: null } },
  { name: 'list', data: { name: [], rank: [1], flag: [true] } },
  { name: 'object', data: { name: {}, rank: { rank: 1 }, flag: { flag: true } } },
]
const valued: readonly NewSpecimen[] = [
  { name: 'zero', data: { name: '', rank: 0, flag: false } },
  { name: 'value', data: { name: 'x', rank: 1, flag: true } },
]
const otherTypes: readonly NewSpecimen[] = [
  { name: 'texts', data: { name: 'true', rank: '1', flag: 'true' } },
  { name: 'numbers', data: { name: 1, rank: 1, flag: 1 } },
  { name: 'booleans', data: { name: true, rank: true, flag: true } },
]
const namesakes: readonly NewSpecimen[] = [
  { name: 'b', rank: 1, flag: true, data: { name: 'a', rank: 2, flag: false } },
  { name: 'a', data: { name: 'b' } },
  { name: 'a', note: 'b', data: { Name: 'b', ' name': 'b' } },
  { name: 'a', data: { inner: { name: 'b' }, list: [{ name: 'b' }, 'b'] } },
  { name: 'a', data: { 'data.name': 'b', '"name"': 'b', data: { name: 'b' } } },
  { name: 'a', data: { note: 'name', other: '"name":"b"' } },
]

/** A check of filters of one kind over some items. */
type Row = readonly [rule: string, items: readonly NewSpecimen[], filters: readonly Condition[]]

function onMembers(comparisons: readonly Comparison[]): readonly Condition[] {
  return comparisons.flatMap((is) => [
    ...conditionsOn('data.name', [is], ['x', 'y', 'true', '1']),
    ...conditionsOn('data.rank', [is], [0, 1]),
    ...(bounds.some((bound) => bound === is) ? [] : conditionsOn('data.flag', [is], [true, false])),
  ])
}

const rows: Readonly<Record<string, readonly [group: Group, ...row: Row]>> = {
  'filters find members exactly': [
    'filters of members',
    'Equality of a text in an object minds case, accents, spaces and every character.',
    named(...texts),
    conditionsOn('data.name', equalities, texts),
  ],
  'filters tell members from their namesakes': [
    'filters of members',
    'A filter compares the member of its own object: no field and no deeper member of its name.',
    namesakes,
    [
      ...conditionsOn('data.name', equalities, ['a', 'b']),
      ...conditionsOn('data.rank', equalities, [1, 2]),
      ...conditionsOn('data.flag', equalities, [true, false]),
      ...presence.map((is) => conditionOn('data.name', is)),
    ],
  ],
  'missing members meet notIn and missing only': [
    'filters of members',
    'A member is missing if it is `null`, absent, a list or an object, or its object is absent.',
    [...bare, ...valued],
    [
      ...onMembers([...equalities, ...bounds, 'inOrMissing']),
      ...conditionsOn('data.name', parts, ['x']),
      ...['data.name', 'data.rank', 'data.flag'].flatMap((field) =>
        presence.map((is) => conditionOn(field, is)),
      ),
    ],
  ],
  'filters tell the types of members apart': [
    'filters of members',
    'A member with a value of another type than the filter equals none, and is present.',
    otherTypes,
    [
      ...onMembers([...equalities, ...bounds]),
      ...['data.name', 'data.rank', 'data.flag'].flatMap((field) =>
        presence.map((is) => conditionOn(field, is)),
      ),
    ],
  ],
  'bounds compare members as fields': [
    'filters of members',
    'A bound compares numbers in an object by size, and texts by code point.',
    [...ranks.map((rank) => ({ name: `${rank}`, data: { rank } })), ...named(...texts), ...bare],
    [
      ...conditionsOn('data.rank', [...equalities, ...bounds], ranks),
      ...conditionsOn('data.name', bounds, texts),
    ],
  ],
  'filters find parts of members': [
    'filters of members',
    'A part of a text in an object is found as in a field: plain, with spaces, without case.',
    words,
    conditionsOn('data.name', parts, ['éCO', 'COL', 'ος', 'ΔΟσ', 'ass', '%', '_', ' ', 'A', '\\']),
  ],
  'filters find elements of lists': [
    'filters of lists',
    '`has` finds the lists with one of its values, at any place. A missing list has none.',
    [
      { name: 'none' },
      { name: 'empty', tags: [] },
      { name: 'red', tags: ['red'] },
      { name: 'last', tags: ['blue', 'green', 'red'] },
      { name: 'twice', tags: ['blue', 'blue'] },
      { name: 'red', note: 'red', tags: ['green'] },
    ],
    [
      ...conditionsOn('tags', ['has'], ['red', 'blue', 'green', 'none']),
      conditionOn('tags', 'has', ['red', 'blue']),
      conditionOn('tags', 'has', ['none', 'green']),
      conditionOn('tags', 'has'),
    ],
  ],
  'filters find elements exactly': [
    'filters of lists',
    'An element is equal to a value as a whole text is: no part of it, and with its case.',
    [
      ...texts.map((text) => ({ name: 'x', tags: [text] })),
      { name: 'x', tags: ['re', 'd'] },
      { name: 'x', tags: ['a red one', 'reds'] },
    ],
    conditionsOn('tags', ['has'], texts),
  ],
}

const owned = ['a', 'b', undefined].flatMap((owner_id) =>
  groups.flatMap((group) =>
    ['red', 'blue'].map((text, index) => ({
      name: `${text} ${index}`,
      rank: index,
      owner_id,
      ...nested[group].item(text),
    })),
  ),
)
const scope = { owner_id: 'a' }
const isLow = conditionOn('rank', 'lt', [1])

function checksOfGroup(group: Group): Checks {
  const { condition } = nested[group]
  const where = [condition('red')]
  return {
    [`${group} hold with others`]: {
      rule: 'An item has to meet each condition, in its scope, in the order and pages of a list.',
      group,
      items: owned,
      *ask(): Asking {
        yield* [
          calls.list({ where, scope }),
          calls.list({ where: [...where, isLow], q: 'red' }),
          calls.list({ where: [isLow, condition('blue')] }),
          calls.list({ where: [...where, condition('blue')] }),
          calls.list({ where, q: 'blue' }),
        ]
        yield* calls.pages({ where, sort: ['-name'] }, 6)
      },
    },
    ...writesOfGroup(group),
    ...checksOf(queryReads, ([method, input]) => [
      `${method} honours ${group}`,
      {
        rule: `\`${method}\` tells of the items that meet the filter, in its scope.`,
        needs: ['create', method],
        group,
        items: owned,
        ask: () =>
          [{}, { scope }].flatMap((part) =>
            ['red', 'blue', 'none'].map((text) => ({
              ...input,
              ...part,
              where: [condition(text)],
            })),
          ),
      },
    ]),
  }
}

function writesOfGroup(group: Group): Checks {
  const { item, condition } = nested[group]
  return {
    [`${group} follow writes`]: {
      rule: 'A filter finds an item by its values of now, not by those before a write.',
      needs: ['create', 'list', 'update'],
      group,
      *ask(): Asking {
        const lists = ['old', 'new'].map((text) => calls.list({ where: [condition(text)] }))
        const [created] = yield calls.create({ name: 'x', ...item('old') })
        yield* lists
        if (created === undefined) return
        yield calls.replace(created, { name: 'x', ...item('new') })
        yield* lists
        yield calls.replace(created, { name: 'x' })
        yield* lists
      },
    },
    ...checksOf(queryDeletions, ([method, input]) => [
      `${method} honours ${group}`,
      {
        rule: `\`${method}\` deletes the items that meet the filter, in its scope, and no others.`,
        needs: ['create', method, 'list'],
        group,
        items: owned,
        ask: () =>
          ['red', 'none'].flatMap((text) => [
            { ...input, where: [condition(text)], scope },
            calls.list(),
          ]),
      },
    ]),
  }
}

/** Checks of filters by members of objects and by elements of lists. */
export const nestedChecks: Checks = {
  ...checksOf(Object.entries(rows), ([name, [group, rule, items, filters]]) => [
    name,
    {
      rule,
      group,
      items,
      ask: () => filters.map((condition) => calls.list({ where: [condition] })),
    },
  ]),
  ...Object.assign({}, ...groups.map(checksOfGroup)),
}

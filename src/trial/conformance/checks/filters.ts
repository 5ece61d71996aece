import type { Condition } from '../../../convention/filter-operators.ts'
import { type Asking, type Checks, calls, checksOf, full, named } from '../check.ts'
import { conditionOn, conditionsOn } from '../operation.ts'
import type { NewSpecimen, Specimen } from '../specimens.ts'

/** A check of filters over some items. */
type Row = readonly [rule: string, items: readonly NewSpecimen[], filters: readonly Condition[]]

const equalities = ['in', 'notIn'] as const
const bounds = ['gt', 'gte', 'lt', 'lte'] as const
const parts = ['contains', 'startsWith', 'endsWith'] as const

// Collations take some of these for equal: case, accents, padding, characters of four bytes.
const texts = [
  ...'|a|A|á|Á|a\u0301|ä|å|Å|A\u030a|ß|ss|ẞ|σ|ς|Σ|ﬁ|fi|i|ı|İ'.split('|'),
  ...[' ', 'a ', ' a', 'a\t', 'a\u00a0', 'a\u200b', '😀', '😁', '～', 'かな', 'カナ'],
  ...['%', '_', '%%', 'a%', '\\', '\\%', "'", "''", '"', '*', '?', '[a]', '0', '00', '1e0', 'null'],
]
const inBoth = (text: string): NewSpecimen => ({ name: text, note: text })
const inOrder = '| |!|1|10|2|A|B|Z|_|a|a |aa|b|e\u0301|f|z|É|ß|é|Ω|～|😀|😁'.split('|')
const wild = '%|%%|_|a_b|axb|50%|5|\\|\\%|a\\b|*|a*|[ab]|^a|a$|!|!%|!!|\'|"|?|(|.|.*|#|-'.split('|')

const ranks = [-1e21, -(2 ** 53 - 1), -10, -9, -0.5, 0, 5e-324, 0.1, 0.3, 0.1 + 0.2, 1, 9, 10, 1e21]
const bare: NewSpecimen = { name: 'bare' }
const ranked: readonly NewSpecimen[] = [...ranks.map((rank) => ({ name: `${rank}`, rank })), bare]
const zeros: readonly NewSpecimen[] = [
  { name: 'empty', note: '', rank: 0, flag: false, owner_id: 'a' },
  { name: 'full', note: 'x', rank: 1, flag: true, owner_id: 'b' },
  bare,
]

const rows: Readonly<Record<string, Row>> = {
  'filters find text exactly': [
    'Equality of text minds case, accents, spaces and every character.',
    texts.map(inBoth),
    ['name', 'note'].flatMap((field) => conditionsOn(field, equalities, texts)),
  ],
  'filters find several values': [
    '`in` finds items with any of the values, and `notIn` finds all others.',
    [...named('a', 'b', 'c'), { name: 'd', note: 'x' }, { name: 'e', note: 'y' }],
    equalities.flatMap((is) => [
      conditionOn('name', is, ['a', 'c', 'z']),
      conditionOn('note', is, ['x', 'y']),
      conditionOn('note', is, ['x', 'z']),
    ]),
  ],
  'filters compare text by code point': [
    'A bound of text compares by code point, in the order of a list.',
    inOrder.map(inBoth),
    ['name', 'note'].flatMap((field) => conditionsOn(field, bounds, inOrder)),
  ],
  'filters find numbers exactly': [
    'Equality of numbers is exact, however close, large or small they are.',
    ranked,
    conditionsOn('rank', equalities, ranks),
  ],
  'filters compare numbers by size': [
    'A bound compares numbers by size, and no missing value is beyond it.',
    ranked,
    conditionsOn('rank', bounds, [...ranks, -1e300, 0.05]),
  ],
  'filters take -0 for 0': [
    'A filter by 0 finds -0, since the two are equal.',
    [{ name: 'zero', rank: 0 }, { name: 'minus', rank: -0 }, bare],
    conditionsOn('rank', [...equalities, ...bounds], [0]),
  ],
  'filters find booleans': [
    'A filter tells `true`, `false` and a missing value apart.',
    [{ name: 'yes', flag: true }, { name: 'no', flag: false }, bare],
    equalities.flatMap((is) =>
      [[true], [false], [false, true]].map((values) => conditionOn('flag', is, values)),
    ),
  ],
  'filters tell missing from empty': [
    '`missing` finds items without a value: empty text, 0 and `false` are values.',
    zeros,
    ['note', 'rank', 'flag', 'owner_id'].flatMap((field) =>
      (['missing', 'present'] as const).map((is) => conditionOn(field, is)),
    ),
  ],
  'missing values meet notIn and missing only': [
    'A missing value is equal to nothing and beyond no bound. So it meets `notIn`.',
    zeros,
    [
      ...conditionsOn('note', [...equalities, ...bounds, ...parts], ['', 'x', 'y']),
      ...conditionsOn('rank', [...equalities, ...bounds], [0, 9]),
      ...conditionsOn('flag', equalities, [false]),
      ...conditionsOn('owner_id', equalities, ['a']),
    ].filter(({ is, values }) => values[0] !== '' || !parts.some((operator) => operator === is)),
  ],
  'filters find values or none': [
    '`inOrMissing` finds items with any of the values, and items without one.',
    zeros,
    [
      ...conditionsOn('note', ['inOrMissing'], ['', 'y']),
      conditionOn('rank', 'inOrMissing', [0, 1]),
      ...conditionsOn('flag', ['inOrMissing'], [false]),
      ...conditionsOn('owner_id', ['inOrMissing'], ['b']),
      conditionOn('name', 'inOrMissing'),
    ],
  ],
  'filters find parts of text': [
    '`contains`, `startsWith` and `endsWith` find a part anywhere, at the start, at the end.',
    [{ name: 'abc', note: 'cab' }, { name: 'bca', note: '' }, { name: 'cab abc' }],
    [
      ...conditionsOn('name', parts, ['bc', 'b a', ' ', 'ab', 'abcd', 'ca', 'abc']),
      ...conditionsOn('note', parts, ['a', 'b']),
    ],
  ],
  'parts of text ignore case': [
    'A part ignores case in all of Unicode, as a search does, and nothing else.',
    named('École', 'ecole', 'ΟΔΟΣ', 'οδος', 'Straße', 'STRASSE', 'ЯБЛОКО', 'a😀', 'a😁'),
    conditionsOn('name', parts, ['éCO', 'COL', 'ος', 'ΔΟσ', 'ass', 'ße', 'ябл', '😀']),
  ],
  'parts of text are plain text': [
    'A filter takes its text as it is, whatever it means to a database.',
    named(...wild),
    conditionsOn('name', parts, wild),
  ],
  'parts of text keep their spaces': [
    'A part matches with its spaces, at its ends too.',
    named('a b', 'ab', ' a', 'a ', 'a\tb'),
    conditionsOn('name', parts, [' ', 'a ', 'a b', 'a']),
  ],
}

const items: readonly NewSpecimen[] = [
  { name: 'ann', note: 'x', rank: 1, flag: true },
  { name: 'Ann', note: 'x', rank: 2 },
  { name: 'bob', note: 'y', rank: 2, flag: false },
  { name: 'eve', rank: 3, flag: true },
  { name: 'ann lee', note: 'x', flag: true },
  { name: 'joanna', note: '', rank: 2 },
  { name: 'zoe' },
]
const scope = { owner_id: 'a' }
const owned = [...items, ...items.map((item) => ({ ...item, ...scope }))]
const similar = 'a|A|á|a\u0301|1|01|1.0|%|_|😀|😁'.split('|')
const inX = conditionOn('note', 'in', ['x'])
const isTwo = conditionOn('rank', 'in', [2])
const isNotTrue = conditionOn('flag', 'notIn', [true])
const none = conditionOn('id', 'in')

/** Checks of filters. */
export const filterChecks: Checks = {
  ...checksOf(Object.entries(rows), ([name, [rule, items, filters]]) => [
    name,
    { rule, items, ask: () => filters.map((condition) => calls.list({ where: [condition] })) },
  ]),
  'conditions hold together': {
    rule: 'An item matches if every condition holds, also several on one field.',
    items,
    ask: () =>
      [
        [inX, isTwo],
        [isTwo, isNotTrue],
        [conditionOn('rank', 'gte', [2]), conditionOn('rank', 'lt', [3]), inX],
        [conditionOn('note', 'present'), conditionOn('rank', 'missing')],
        [conditionOn('note', 'in', ['x', 'y']), conditionOn('note', 'notIn', ['x'])],
        [conditionOn('name', 'contains', ['ann']), conditionOn('name', 'endsWith', ['N'])],
        [inX, conditionOn('note', 'in', ['y'])],
      ].map((where) => calls.list({ where })),
  },
  'filters and search hold together': {
    rule: 'An item matches if it meets every condition and has every word of the search.',
    items,
    ask: () => [
      calls.list({ q: 'ann', where: [inX] }),
      calls.list({ q: 'ann', where: [isTwo] }),
      calls.list({ q: 'x lee', where: [isTwo] }),
    ],
  },
  'filters stay inside their scope': {
    rule: 'A filter finds items of its scope only, by id and by owner too.',
    items: ['a', 'b'].flatMap((owner_id) => [
      { name: 'ann', owner_id },
      { name: 'bob', owner_id },
    ]),
    ask: (all) => [
      calls.list({ scope, where: [conditionOn('name', 'in', ['ann'])] }),
      calls.list({ scope, where: [conditionOn('id', 'in', idsOf(all))] }),
      calls.list({ scope, where: [conditionOn('owner_id', 'in', ['b'])] }),
      calls.list({ scope, where: [conditionOn('owner_id', 'notIn', ['b'])], q: 'ann' }),
    ],
  },
  'filters keep order and limit': {
    rule: 'A filtered list has the order and the limit of any list.',
    items,
    ask: () =>
      [['-name'], ['note', 'name'], []].flatMap((sort) =>
        [1, 2, 3, undefined].map((limit) => calls.list({ where: [isTwo], sort, limit })),
      ),
  },
  'pages of a filter are the filter': {
    rule: 'A page after a cursor has only items that meet the filters.',
    items: [...items, ...items],
    *ask(): Asking {
      const where = [conditionOn('rank', 'gte', [2]), isNotTrue]
      for (const sort of [['name'], ['-note', 'rank'], ['-flag'], []])
        yield* calls.pages({ where, sort }, 8)
    },
  },
  'filters find many by id': {
    rule: 'A filter by ids finds each item once and passes over ids of no item.',
    items: similar.map((id) => ({ id, name: id })),
    ask: () =>
      [
        ...similar.map((id) => [conditionOn('id', 'in', [id])]),
        [conditionOn('id', 'in', ['a', '01', '😁', 'none', 'A '])],
        [conditionOn('id', 'notIn', similar.slice(1))],
        [conditionOn('id', 'in', similar), conditionOn('id', 'gt', ['á'])],
      ].map((where) => calls.list({ where })),
  },
  'a filter without values finds nothing': {
    rule: '`in` with no values finds nothing, whatever else the list asks.',
    items: [full],
    ask: () =>
      ['id', 'name', 'note', 'rank', 'flag', 'owner_id'].flatMap((field) => [
        calls.list({ where: [conditionOn(field, 'in')] }),
        calls.list({ where: [conditionOn('name', 'present'), conditionOn(field, 'in')], q: 'ada' }),
      ]),
  },
  'filters take a thousand values': {
    rule: 'A filter takes 1,000 values: the core reads the items of many ids at once.',
    items: [
      { name: 'v1', note: 'x', rank: 1 },
      { name: 'v999', rank: 999 },
      { name: 'other', note: 'v1', rank: -1 },
    ],
    ask(_, first, two) {
      const numbers = Array.from({ length: 998 }, (_, index) => index + 2)
      const texts = numbers.map((number) => `v${number}`)
      const inNames = conditionOn('name', 'in', [...texts, 'v0', 'v1'])
      return [
        [conditionOn('id', 'in', [...texts, first.id, two.id])],
        [inNames],
        [inNames, conditionOn('rank', 'notIn', [...numbers, 0, -2])],
      ].map((where) => calls.list({ where, sort: ['name'] }))
    },
  },
  'filters follow writes': {
    rule: 'A filter finds an item by its values of now, not by those before a write.',
    needs: ['create', 'delete', 'list', 'update'],
    *ask(): Asking {
      const lists = ['old', 'new'].map((name) =>
        calls.list({ where: [conditionOn('name', 'in', [name])] }),
      )
      yield* lists
      const [item] = yield calls.create({ name: 'old' })
      yield* lists
      if (item === undefined) return
      yield calls.replace(item, { name: 'new' })
      yield* lists
      yield calls.delete(item)
      yield* lists
    },
  },
  'count honours filters': {
    rule: '`count` counts the items that meet every filter and the search, in the scope.',
    needs: ['count', 'create'],
    items: owned,
    ask: () => [
      { kind: 'count', where: [isTwo] },
      { kind: 'count', where: [isTwo, isNotTrue], scope },
      { kind: 'count', where: [isTwo], q: 'ann', scope },
      { kind: 'count', where: [none] },
    ],
  },
  ...checksOf(['first', 'last'] as const, (kind) => [
    `${kind} honours filters`,
    {
      rule: `\`${kind}\` gives the ${kind} of the items that meet every filter, else null.`,
      needs: ['create', kind],
      items: owned,
      ask: () => [
        ...[['name'], ['-note']].map((sort) => ({ kind, where: [isTwo], sort, scope })),
        { kind, where: [isTwo, conditionOn('rank', 'gt', [2])] },
      ],
    },
  ]),
}

function idsOf(all: readonly Specimen[]): readonly string[] {
  return all.map(({ id }) => id)
}

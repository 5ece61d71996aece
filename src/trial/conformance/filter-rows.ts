import type { FilterValue } from '../../convention/filter-operators.ts'
import { named } from './check.ts'
import { type FilterRow, type Find, filterPartRows, find } from './filter-parts.ts'
import type { NewSpecimen } from './specimens.ts'

// Collations take some of these for equal: case, accents, padding, characters of four bytes.
const texts = [
  ...'|a|A|á|Á|a\u0301|ä|å|Å|A\u030a|ß|ss|ẞ|σ|ς|Σ|ﬁ|fi|i|ı|İ'.split('|'),
  ...[' ', 'a ', ' a', 'a\t', 'a\u00a0', 'a\u200b', '😀', '😁', '～', 'かな', 'カナ'],
  ...['%', '_', '%%', 'a%', '\\', '\\%', "'", "''", '"', '*', '?', '[a]', '0', '00', '1e0', 'null'],
]
const both = (text: string): NewSpecimen => ({ name: text, note: text })

// In the order of code points.
const inOrder = '| |!|1|10|2|A|B|Z|_|a|a |aa|b|e\u0301|f|z|É|ß|é|Ω|～|😀|😁'.split('|')

const ranks = [-1e21, -(2 ** 53 - 1), -10, -9, -0.5, 0, 5e-324, 0.1, 0.3, 0.1 + 0.2, 1, 9, 10, 1e21]
const ranked: readonly NewSpecimen[] = ranks.map((rank) => ({ name: `${rank}`, rank }))
const bare: NewSpecimen = { name: 'bare' }

/** Finds each value by itself, and all other values without it. */
function exactFinds(
  field: string,
  values: readonly FilterValue[],
  others: readonly string[] = [],
): readonly Find[] {
  const names = values.map(String)
  return values.flatMap((value): readonly Find[] => [
    find(field, 'in', [value], [`${value}`]),
    find(field, 'notIn', [value], [...names.filter((name) => name !== `${value}`), ...others]),
  ])
}

/** Finds the values before and after each value. */
function rangeFinds(field: string, values: readonly FilterValue[]): readonly Find[] {
  const names = values.map(String)
  return values.flatMap((value, index): readonly Find[] => [
    find(field, 'gt', [value], names.slice(index + 1)),
    find(field, 'gte', [value], names.slice(index)),
    find(field, 'lt', [value], names.slice(0, index)),
    find(field, 'lte', [value], names.slice(0, index + 1)),
  ])
}

const flags = [{ name: 'yes', flag: true }, { name: 'no', flag: false }, bare]
const zeros: readonly NewSpecimen[] = [
  { name: 'empty', note: '', rank: 0, flag: false, owner_id: 'a' },
  { name: 'full', note: 'x', rank: 1, flag: true, owner_id: 'b' },
  bare,
]
const optional = ['note', 'rank', 'flag', 'owner_id']
/** The checks of filters that find items by name. */
export const filterRows: Readonly<Record<string, FilterRow>> = {
  'filters find text exactly': {
    rule: 'Equality of text minds case, accents, spaces and every character.',
    items: texts.map(both),
    finds: [...exactFinds('name', texts), ...exactFinds('note', texts)],
  },
  'filters find several values': {
    rule: '`in` finds items with any of the values, and `notIn` finds all others.',
    items: [...named('a', 'b', 'c'), { name: 'd', note: 'x' }, { name: 'e', note: 'y' }],
    finds: [
      find('name', 'in', ['a', 'c', 'z'], ['a', 'c']),
      find('name', 'notIn', ['a', 'c', 'z'], ['b', 'd', 'e']),
      find('note', 'in', ['x', 'y'], ['d', 'e']),
      find('note', 'notIn', ['x', 'z'], ['a', 'b', 'c', 'e']),
    ],
  },
  'filters compare text by code point': {
    rule: 'A bound of text compares by code point, in the order of a list.',
    items: inOrder.map(both),
    finds: [...rangeFinds('name', inOrder), ...rangeFinds('note', inOrder)],
  },
  'filters find numbers exactly': {
    rule: 'Equality of numbers is exact, however close, large or small they are.',
    items: [...ranked, bare],
    finds: exactFinds('rank', ranks, ['bare']),
  },
  'filters compare numbers by size': {
    rule: 'A bound compares numbers by size, and no missing value is beyond it.',
    items: [...ranked, bare],
    finds: [
      ...rangeFinds('rank', ranks),
      find(
        'rank',
        'gt',
        [-1e300],
        ranked.map(({ name }) => name),
      ),
      find('rank', 'lt', [0.05], ranks.slice(0, 7).map(String)),
    ],
  },
  'filters take -0 for 0': {
    rule: 'A filter by 0 finds -0, since the two are equal.',
    items: [{ name: 'zero', rank: 0 }, { name: 'minus', rank: -0 }, bare],
    finds: [
      find('rank', 'in', [0], ['zero', 'minus']),
      find('rank', 'notIn', [0], ['bare']),
      find('rank', 'gte', [0], ['zero', 'minus']),
      find('rank', 'lt', [0], []),
    ],
  },
  'filters find booleans': {
    rule: 'A filter tells `true`, `false` and a missing value apart.',
    items: flags,
    finds: [
      find('flag', 'in', [true], ['yes']),
      find('flag', 'in', [false], ['no']),
      find('flag', 'in', [false, true], ['yes', 'no']),
      find('flag', 'notIn', [true], ['no', 'bare']),
      find('flag', 'notIn', [false], ['yes', 'bare']),
      find('flag', 'notIn', [false, true], ['bare']),
    ],
  },
  'filters tell missing from empty': {
    rule: '`missing` finds items without a value: empty text, 0 and `false` are values.',
    items: zeros,
    finds: optional.flatMap((field): readonly Find[] => [
      find(field, 'missing', [], ['bare']),
      find(field, 'present', [], ['empty', 'full']),
    ]),
  },
  'missing values meet notIn and missing only': {
    rule: 'A missing value is equal to nothing and beyond no bound. So it meets `notIn`.',
    items: zeros,
    finds: [
      find('note', 'in', [''], ['empty']),
      find('note', 'notIn', [''], ['full', 'bare']),
      find('note', 'gte', [''], ['empty', 'full']),
      find('note', 'lt', ['y'], ['empty', 'full']),
      find('note', 'contains', ['x'], ['full']),
      find('rank', 'in', [0], ['empty']),
      find('rank', 'notIn', [0], ['full', 'bare']),
      find('rank', 'lte', [9], ['empty', 'full']),
      find('flag', 'notIn', [false], ['full', 'bare']),
      find('owner_id', 'in', ['a'], ['empty']),
      find('owner_id', 'notIn', ['a'], ['full', 'bare']),
    ],
  },
  'filters find values or none': {
    rule: '`inOrMissing` finds items with any of the values, and items without one.',
    items: zeros,
    finds: [
      find('note', 'inOrMissing', [''], ['empty', 'bare']),
      find('note', 'inOrMissing', ['y'], ['bare']),
      find('rank', 'inOrMissing', [0, 1], ['empty', 'full', 'bare']),
      find('flag', 'inOrMissing', [false], ['empty', 'bare']),
      find('owner_id', 'inOrMissing', ['b'], ['full', 'bare']),
      find('name', 'inOrMissing', [], []),
    ],
  },
  ...filterPartRows,
}

import { named } from './check.ts'
import { longTexts } from './large.ts'
import type { NewSpecimen } from './specimens.ts'

/** A check of joined pages. */
interface PageRow {
  readonly rule: string
  readonly items: readonly NewSpecimen[]
  /** The orders of the lists, which the check reads in pages of several lengths. */
  readonly sorts: readonly (readonly string[])[]
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

/** Checks of pages that end at every kind of value. */
export const pageRows: Readonly<Record<string, PageRow>> = {
  'pages go on by id': {
    rule: `${joined}.`,
    items: named(...'abcdefghijkl'),
    sorts: [[], ['-id']],
  },
  'pages go on in text': {
    rule: `${joined}, with pages that end at any text.`,
    items: named(..."| |A|B|a|a |b|o'h|o\\|z%|É|é|e\u0301|～|😀".split('|')),
    sorts: [['name'], ['-name']],
  },
  'pages go on at numbers': {
    rule: `${joined}, with pages that end at any number.`,
    items: [-1e21, -2, 0, 0.1, 0.1 + 0.2, 1 / 3, 9, 10, 2 ** 53 - 2, 2 ** 53 - 1].map((rank) => ({
      name: 'n',
      rank,
    })),
    sorts: [['rank'], ['-rank']],
  },
  'pages go on at ties': {
    rule: `${joined}, with pages that end among equal items.`,
    items: [1, 1, 1, 1, 2, 2, 2].map((rank) => ({ name: 'n', rank })),
    sorts: [['rank'], ['-rank'], ['name', 'rank']],
  },
  'pages go on at missing values': {
    rule: `${joined}, with pages that end before, at or after missing values.`,
    items: [
      { name: 'a', note: '' },
      { name: 'b', note: 'x', rank: 1, flag: true },
      { name: 'c', rank: 0 },
      { name: 'd' },
      { name: 'e' },
      { name: 'f', flag: false },
      { name: 'g', note: 'x', flag: true },
    ],
    sorts: [
      ['note'],
      ['-note'],
      ['rank'],
      ['-rank'],
      ['flag'],
      ['-flag'],
      ['-note', 'rank', '-flag'],
    ],
  },
  'pages go on in mixed directions': {
    rule: `${joined}, with ascending and descending fields together.`,
    items: [1, 1, 1, 2, 2, 2].map((rank, index) => ({
      name: 'ab'[index % 2] ?? '',
      rank,
      flag: index < 4,
    })),
    sorts: [
      ['rank', '-name'],
      ['-rank', 'name'],
      ['-flag', 'rank', '-name'],
    ],
  },
  'pages go on among missing values': {
    rule: `${joined}, with equal and missing fields in both directions.`,
    items: grid(),
    sorts: [
      ['note', 'rank', '-flag'],
      ['note', '-rank', 'flag'],
      ['-note', 'rank'],
      ['-rank', '-note', 'flag'],
    ],
  },
  'pages go on at close numbers': {
    rule: `${joined}, with numbers that differ in their last bit.`,
    items: closeNumbers.map((rank) => ({ name: 'n', rank })),
    sorts: [['rank'], ['-rank', 'name']],
  },
  'pages go on at zeros': {
    rule: `${joined}: 0 and -0 are one number, and the next field decides between them.`,
    items: [-1, 0, -0, 0, -0, 1].map((rank, index) => ({ name: `${(index * 5) % 6}`, rank })),
    sorts: [['rank', 'name'], ['-rank', 'name'], ['rank', '-name'], ['rank']],
  },
  'pages go on at long text': {
    rule: `${joined}, with texts that differ after some thousand characters or at their end.`,
    items: named(...longTexts),
    sorts: [['name'], ['-name'], ['note', '-name']],
  },
  'pages go on in every field': {
    rule: `${joined}, in an order by all fields.`,
    items: [...grid(), ...grid(), ...grid()].map((item, index) => ({
      ...item,
      name: `${index % 2}`,
    })),
    sorts: [['-flag', 'note', '-rank', 'name', '-id']],
  },
}

import type { NewSpecimen } from './specimens.ts'

// Each text goes into two fields, since databases treat optional fields differently.
const texts = (...values: readonly string[]): readonly NewSpecimen[] =>
  values.map((value) => ({ name: value, note: value }))

const ranks = (...values: readonly number[]): readonly NewSpecimen[] =>
  values.map((rank) => ({ name: String(rank), rank }))

/** A check that items come back unchanged: its name, its rule, the items. */
export type ValueRow = readonly [name: string, rule: string, items: readonly NewSpecimen[]]

/** Checks of plain values. */
export const valueRows: readonly ValueRow[] = [
  [
    'keeps text of every script',
    'Text comes back unchanged: four-byte characters stay whole, and accents keep their form.',
    texts(
      ...(
        'Zoë Ångström|e\u0301 é|Ελλάς ς|Łódź|日本語 テスト|שלום|हिन्दी|👩‍👩‍👧‍👦 🏳️‍🌈|' +
        '𝒳𠜎|Å Å|ﬁ ﬀ|\u{10ffff}\uffff\ufeff'
      ).split('|'),
    ),
  ],
  [
    'keeps white space around text',
    'Text comes back with all its spaces, tabs and line breaks, at its ends too.',
    texts(' ', '  a', 'a  ', '\ta\n', 'a\r\nb', '\u00a0a\u3000', 'a\u200b'),
  ],
  ['keeps empty text', 'Empty text is a value and not missing.', texts('')],
  [
    'keeps quotes, backslashes and wildcards',
    'Text comes back unchanged although its characters have a meaning in the database.',
    texts(
      ...(
        'O\'Hara|\'; DROP TABLE specimens; --|"a" `b`|\\|a\\|\\n\\0\\x41|50%|_|' +
        '$1 ? :a @b|{{a}} #{b}|/* a */'
      ).split('|'),
    ),
  ],
  [
    'keeps text that looks like something else',
    'Text that looks like a number, a date, a boolean, null or JSON stays the same text.',
    texts(
      ...(
        '0|007|1e3|1.0|0x1F|true|null|undefined|NaN|2026-02-30|2026-01-01T00:00:00.000Z|' +
        '{"a":1}|[]|9007199254740993'
      ).split('|'),
    ),
  ],
  [
    'keeps very long text',
    'Text of 100,000 characters comes back whole. A request may be longer.',
    texts('ab'.repeat(50_000), 'é'.repeat(100_000), '😀'.repeat(50_000)),
  ],
  [
    'keeps numbers exactly',
    'Negative, fractional, very large and very small numbers come back unchanged.',
    ranks(
      0,
      1,
      -1,
      0.1,
      -2.5,
      0.1 + 0.2,
      1e-7,
      1e21,
      123456.789,
      2 ** 31,
      -(2 ** 31) - 1,
      1.7976931348623157e308,
      5e-324,
      90296.00613242913,
      1 / 3,
      -0,
    ),
  ],
  [
    'keeps whole numbers up to 2^53-1',
    'Whole numbers come back exact, up to the largest safe integer.',
    ranks(2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 53 - 2, 2 ** 32 + 1),
  ],
  [
    'keeps false, zero and missing apart',
    'A boolean comes back as a boolean, and `false` and 0 are not missing.',
    [{ name: 'yes', flag: true }, { name: 'no', flag: false, rank: 0 }, { name: 'neither' }],
  ],
  [
    'leaves missing fields missing',
    'A missing field stays missing. It becomes neither null nor empty.',
    [{ name: 'bare' }],
  ],
]

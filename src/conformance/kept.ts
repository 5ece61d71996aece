import type { NewSpecimen } from './specimens.ts'

// Each text is tried in two fields, since stores treat optional ones differently.
const texts = (...values: readonly string[]): readonly NewSpecimen[] =>
  values.map((value) => ({ name: value, note: value }))

const ranks = (...values: readonly number[]): readonly NewSpecimen[] =>
  values.map((rank) => ({ name: String(rank), rank }))

/** What must come back as it was sent: the name of a check, its rule, the items. */
export type KeptRow = readonly [name: string, rule: string, items: readonly NewSpecimen[]]

/** Values of fields. */
export const keptRows: readonly KeptRow[] = [
  [
    'keeps text of every script',
    'Text comes back as it was sent: four-byte characters are whole, accents are neither composed nor decomposed.',
    texts(
      'Zoë Ångström',
      'e\u0301 é',
      'Ελλάς ς',
      'Łódź',
      '日本語 テスト',
      'שלום',
      'हिन्दी',
      '👩‍👩‍👧‍👦 🏳️‍🌈',
      '𝒳𠜎',
      'Å Å',
      'ﬁ ﬀ',
      '\u{10ffff}\uffff\ufeff',
    ),
  ],
  [
    'keeps white space around text',
    'Text comes back with the spaces, tabs and line breaks it was sent with, at its ends too.',
    texts(' ', '  a', 'a  ', '\ta\n', 'a\r\nb', '\u00a0a\u3000', 'a\u200b'),
  ],
  ['keeps empty text', 'Empty text is a value of its own, not a missing one.', texts('')],
  [
    'keeps quotes, backslashes and wildcards',
    'Characters that mean something to a database are text.',
    texts(
      `O'Hara`,
      `'; DROP TABLE specimens; --`,
      `"a" \`b\``,
      '\\',
      'a\\',
      '\\n\\0\\x41',
      '50%',
      '_',
      '$1 ? :a @b',
      '{{a}} #{b}',
      '/* a */',
    ),
  ],
  [
    'keeps text that looks like something else',
    'Text that reads like a number, a date, a boolean, nothing or JSON stays text, as it was written.',
    texts(
      '0',
      '007',
      '1e3',
      '1.0',
      '0x1F',
      'true',
      'null',
      'undefined',
      'NaN',
      '2026-02-30',
      '2026-01-01T00:00:00.000Z',
      '{"a":1}',
      '[]',
      '9007199254740993',
    ),
  ],
  [
    'keeps very long text',
    'Text of 100,000 characters, well within the limit of a request, comes back whole.',
    texts('ab'.repeat(50_000), 'é'.repeat(100_000), '😀'.repeat(50_000)),
  ],
  [
    'keeps numbers exactly',
    'A number comes back as the same number: negative, fractional, very large and very small.',
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
    'Whole numbers come back exact, up to the largest that JSON is sure to carry.',
    ranks(2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 53 - 2, 2 ** 32 + 1),
  ],
  [
    'keeps false, zero and missing apart',
    'A boolean comes back as a boolean, and `false` and 0 are not missing.',
    [{ name: 'yes', flag: true }, { name: 'no', flag: false, rank: 0 }, { name: 'neither' }],
  ],
  [
    'leaves missing fields missing',
    'A field that was not sent is missing in the answer; it is neither null nor empty.',
    [{ name: 'bare' }],
  ],
]

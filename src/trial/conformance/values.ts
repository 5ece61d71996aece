import type { Json } from '../../contract/schema/schema.ts'
import { type Checks, checksOf, full } from './check.ts'
import { isSameJson, show, withoutRevisions } from './compare.ts'
import type { OperationInput } from './operation-input.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'
import { isProblemOf, showAttempt, type Tester } from './tester.ts'

// Each text goes into two fields, since databases treat optional fields differently.
const texts = (...values: readonly string[]): readonly NewSpecimen[] =>
  values.map((value) => ({ name: value, note: value }))

const ranks = (...values: readonly number[]): readonly NewSpecimen[] =>
  values.map((rank) => ({ name: String(rank), rank }))

type Row = readonly [rule: string, items: readonly NewSpecimen[]]

// The items that come back unchanged, by the name of their check.
const rows: Readonly<Record<string, Row>> = {
  'keeps text of every script': [
    'Text comes back unchanged: four-byte characters stay whole, and accents keep their form.',
    texts(
      ...(
        'Zoë Ångström|e\u0301 é|Ελλάς ς|Łódź|日本語 テスト|שלום|हिन्दी|👩‍👩‍👧‍👦 🏳️‍🌈|' +
        '𝒳𠜎|Å Å|ﬁ ﬀ|\u{10ffff}\uffff\ufeff'
      ).split('|'),
    ),
  ],
  'keeps white space around text': [
    'Text comes back with all its spaces, tabs and line breaks, at its ends too.',
    texts(' ', '  a', 'a  ', '\ta\n', 'a\r\nb', '\u00a0a\u3000', 'a\u200b'),
  ],
  'keeps empty text': ['Empty text is a value and not missing.', texts('')],
  'keeps quotes, backslashes and wildcards': [
    'Text comes back unchanged although its characters have a meaning in the database.',
    texts(
      ...(
        'O\'Hara|\'; DROP TABLE specimens; --|"a" `b`|\\|a\\|\\n\\0\\x41|50%|_|' +
        '$1 ? :a @b|{{a}} #{b}|/* a */'
      ).split('|'),
    ),
  ],
  'keeps text that looks like something else': [
    'Text that looks like a number, a date, a boolean, null or JSON stays the same text.',
    texts(
      ...(
        '0|007|1e3|1.0|0x1F|true|null|undefined|NaN|2026-02-30|2026-01-01T00:00:00.000Z|' +
        '{"a":1}|[]|9007199254740993'
      ).split('|'),
    ),
  ],
  'keeps very long text': [
    'Text of 100,000 characters comes back whole. A request may be longer.',
    texts('ab'.repeat(50_000), 'é'.repeat(100_000), '😀'.repeat(50_000)),
  ],
  'keeps numbers exactly': [
    'Negative, fractional, very large and very small numbers come back unchanged.',
    ranks(
      ...[0, 1, -1, 0.1, -2.5, 0.1 + 0.2, 1e-7, 1e21, 123456.789, 2 ** 31, -(2 ** 31) - 1, 1 / 3],
      ...[1.7976931348623157e308, 5e-324, 90296.00613242913, -0],
    ),
  ],
  'keeps whole numbers up to 2^53-1': [
    'Whole numbers come back exact, up to the largest safe integer.',
    ranks(2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 53 - 2, 2 ** 32 + 1),
  ],
  'keeps false, zero and missing apart': [
    'A boolean comes back as a boolean, and `false` and 0 are not missing.',
    [{ name: 'yes', flag: true }, { name: 'no', flag: false, rank: 0 }, { name: 'neither' }],
  ],
  'leaves missing fields missing': [
    'A missing field stays missing. It becomes neither null nor empty.',
    [{ name: 'bare' }],
  ],
  'keeps nested values': [
    'Objects and lists come back with all their parts, `null` and empty ones too.',
    [
      { name: 'empty', data: {} },
      { name: 'deep', data: { a: [[], {}, null, [1, 'é', false, { b: 0.1 }]], 'c.d': { $e: '' } } },
    ],
  ],
  'keeps keys of every script': [
    'The keys of nested values come back unchanged, beside similar keys.',
    [
      {
        name: 'keys',
        data: Object.fromEntries(
          [
            ...'| |a|A|a |á|a\u0301|é|É|ß|ss|😀|😁|\u{10ffff}'.split('|'),
            ...'0|1|01|-1|1.0|$|$.a|a.b|a[0]|"|\'|\\|\n|%|_'.split('|'),
            ...['null', 'constructor', 'toString', '__proto__', 'k'.repeat(1000)],
          ].map((key, index) => [key, { [key]: index }]),
        ),
      },
    ],
  ],
  'keeps deeply nested values': [
    'Values with 32 levels, the limit of a request, come back whole.',
    [
      { name: 'lists', data: { a: deep((inner) => [inner]) } },
      { name: 'objects', data: { a: deep((inner) => ({ a: inner, b: 1 })) } },
    ],
  ],
  'keeps nested numbers and text': [
    'Numbers and text in nested values come back exact, however large, small or long.',
    [
      {
        name: 'numbers',
        data: {
          numbers: [
            ...[0.1 + 0.2, 1 / 3, 5e-324, 1e-7, 1e21, 2 ** 53 - 1, -(2 ** 53), 1e15 + 0.3],
            1.7976931348623157e308,
          ],
          zero: -0,
        },
      },
      {
        name: 'text',
        data: {
          texts: [
            ...' a |007|1e3|null|"|\\u0041|e\u0301|\u{10ffff}\uffff|\u007f\u0085\u2028'.split('|'),
            '',
            'é'.repeat(50_000),
          ],
        },
      },
    ],
  ],
}

/** Checks of the values of items. */
export const valueChecks: Checks = {
  'create gives the item with an id': {
    rule: '`create` gives the whole item as stored, with an id of its own.',
    needs: ['create'],
    async test(tester) {
      const result = await tester.create(full)
      tester.assert(result.id !== '', () => ({
        operation: { kind: 'create', item: full },
        result: 'an empty id',
        expected: 'an id of 1 to 255 characters',
      }))
      ensureKept(tester, full, result)
    },
  },
  ...checksOf(Object.entries(rows), ([name, [rule, items]]) => [
    name,
    {
      rule,
      needs: ['create', 'read'],
      async test(tester) {
        for (const item of items) await ensureStored(tester, item, await tester.create(item))
      },
    },
  ]),
  'refuses text that it would change': {
    rule: 'An adapter keeps NUL and lone surrogates unchanged, or throws `validation_failed`.',
    needs: ['create', 'read'],
    async test(tester) {
      for (const name of ['a\u0000b', 'a\ud800', '\udc00b']) await keepsOrRefuses(tester, { name })
    },
  },
  'list gives items as read does': {
    rule: '`list` gives an item with the same values as `read`.',
    needs: ['create', 'list', 'read'],
    async test(tester) {
      const items = await tester.createAll([
        full,
        { name: 'bare' },
        { name: '', note: '', rank: 0.1 },
      ])
      for (const item of await tester.list({})) await tester.expectStored(item)
      await tester.expectResult({ kind: 'list', sort: ['-name'], limit: 1 }, [items[1]])
    },
  },
}

async function ensureStored(tester: Tester, item: NewSpecimen, result: Specimen): Promise<void> {
  ensureKept(tester, item, result)
  await tester.expectResult({ kind: 'read', id: result.id }, { ...item, id: result.id })
}

function ensureKept(tester: Tester, item: NewSpecimen, result: Specimen): void {
  const expected = { ...item, id: result.id }
  tester.assert(isSameJson(withoutRevisions(result), expected), () => ({
    operation: { kind: 'create', item },
    result: show(result),
    expected: show(expected),
  }))
}

async function keepsOrRefuses(tester: Tester, item: NewSpecimen): Promise<void> {
  const input: OperationInput = { kind: 'create', item }
  const attempt = await tester.attempt(input)
  if (isProblemOf(attempt, 'validation_failed')) return
  tester.assert(attempt.kind === 'returned', () => ({
    operation: input,
    result: showAttempt(attempt),
    expected: 'the item unchanged, or the problem validation_failed',
  }))
  if (attempt.kind === 'returned')
    await ensureStored(tester, item, tester.itemFrom(attempt.value, input))
}

// The item and its field add the other levels of the 32.
function deep(wrap: (inner: Json) => Json): Json {
  let value: Json = 'é'
  for (let depth = 0; depth < 29; depth++) value = wrap(value)
  return value
}

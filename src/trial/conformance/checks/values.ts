import type { Json } from '../../../contract/schema/schema.ts'
import { isProblem } from '../../../convention/problem.ts'
import { type Checks, calls, checksOf, full, needing } from '../check.ts'
import { isSameJson, show, withoutRevisions } from '../compare.ts'
import type { OperationInput } from '../operation.ts'
import type { NewSpecimen } from '../specimens.ts'
import { showAttempt, type Tester } from '../tester.ts'

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
    ask: () => [calls.create(full)],
  },
  ...checksOf(Object.entries(rows), ([name, [rule, items]]) => [
    name,
    { rule, needs: ['create', 'read'], ask: () => items.map(calls.create) },
  ]),
  'refuses text that it would change': {
    rule: 'An adapter keeps NUL and lone surrogates unchanged, or throws `validation_failed`.',
    needs: ['create', 'read'],
    async test(tester) {
      for (const name of ['a\u0000b', 'a\ud800', '\udc00b'])
        await keepsOrRefuses(tester, calls.create({ name }))
    },
  },
  'list gives items as read does': {
    rule: '`list` gives an item with the same values as `read`.',
    needs: ['create', 'list', 'read'],
    comparing: 'items',
    items: [full, { name: 'bare' }, { name: '', note: '', rank: 0.1 }],
    ask: () => [calls.list(), calls.list({ sort: ['-name'], limit: 1 })],
  },
}

async function keepsOrRefuses(tester: Tester, input: OperationInput): Promise<void> {
  const attempt = await tester.attempt(input)
  if (attempt.kind === 'threw' && isProblem(attempt.error)) {
    if (attempt.error.code === 'validation_failed') return
  }
  const value = attempt.kind === 'returned' ? withoutRevisions(attempt.value) : undefined
  const id: unknown = Object(value).id
  const read = typeof id === 'string' ? await tester.perform({ kind: 'read', id }) : undefined
  const expected = { ...input.item, id }
  tester.assert(
    isSameJson(value, expected) && isSameJson(withoutRevisions(read), expected),
    () => ({
      operation: input,
      result: `${showAttempt(attempt)}, and read as ${show(read)}`,
      expected: 'the item unchanged, or the problem validation_failed',
    }),
  )
}

// The item and its field add the other levels of the 32.
function deep(wrap: (inner: Json) => Json): Json {
  let value: Json = 'é'
  for (let depth = 0; depth < 29; depth++) value = wrap(value)
  return value
}

// An adapter confuses two of them if it trims, folds, normalises, casts or matches a pattern.
const chosen = [
  ...(
    '1|01|1.0|1abc|10|a|A|a | a|ß|ss|é|e\u0301|É|x/y|x%2Fy|x?y|%|_|*|\'|"|\\|😀|😁|' +
    'null|-1|__proto__|constructor'
  ).split('|'),
  'i'.repeat(255),
]

const finding: Readonly<Record<string, (id: string) => readonly OperationInput[]>> = {
  read: (id) => [{ kind: 'read', id }],
  update: (id) => [calls.replace({ id, name: '' }, full), { kind: 'read', id }],
  modify: (id) => [{ kind: 'patch', id, change: refuse }],
  delete: (id) => [{ kind: 'delete', id }],
}

function refuse(): never {
  throw new Error('The adapter called the function for an absent item')
}

const there = [{ name: 'there' }]

/** Checks of finding items by id. */
export const idChecks: Checks = {
  ...checksOf(
    [
      ['read', '`read` gives null for every absent id.'],
      ['update', '`update` gives null for every absent id and creates no item.'],
      ['modify', '`modify` gives null for every absent id, and does not call its function.'],
      ['delete', '`delete` gives null for every absent id and deletes nothing.'],
    ] as const,
    ([kind, rule]) => [
      `${kind} gives null for absent ids`,
      {
        rule,
        needs: needing(kind),
        items: there,
        ask: (_, { id }) =>
          chosen
            .filter((similar) => similar !== id)
            .flatMap((similar) => finding[kind]?.(similar) ?? []),
      },
    ],
  ),
  ...checksOf(['read', 'update', 'modify', 'delete'] as const, (kind) => [
    `${kind} compares ids exactly`,
    {
      rule: 'A similar id (another case, one more space, the same digits first) finds no item.',
      needs: needing(kind),
      items: there,
      ask: (_, { id }) => lookalikesOf(id).flatMap((similar) => finding[kind]?.(similar) ?? []),
    },
  ]),
  'updateMany compares ids exactly': {
    rule: 'A similar id finds no item, in a bulk too.',
    needs: ['create', 'read', 'updateMany'],
    items: there,
    ask: (_, item) =>
      lookalikesOf(item.id).map((id) => ({
        kind: 'updateMany',
        items: [{ ...item, id, name: 'another' }],
      })),
  },
  'modifyMany compares ids exactly': {
    rule: 'The function gets `undefined` for an absent id, however similar to the id of an item.',
    needs: ['create', 'modifyMany', 'read'],
    items: there,
    ask(_, { id }) {
      const ids = lookalikesOf(id)
      return [calls.look([...ids, id]), calls.look([id, ...ids])]
    },
  },
  'keeps ids that clients choose': {
    rule: '`create` stores an item under exactly its own id, beside items with similar ids.',
    needs: ['create', 'read'],
    ask: () => chosen.map((id) => calls.create({ id, name: id })),
  },
  'orders chosen ids by code point': {
    rule: 'A list without a sort is in the order of ids, by Unicode code point.',
    items: ['-1', '01', '1', '10', '2', 'A', 'Z', '_', 'a', 'a ', 'aa', 'z', 'é', '～', '😀'].map(
      (id) => ({ id, name: id }),
    ),
    ask: () => [calls.list()],
  },
  'refuses an id that is taken': {
    rule: '`create` throws `conflict` for an existing id, and the first item stays as it is.',
    needs: ['create', 'read'],
    items: [{ ...full, id: 'taken' }],
    ask: () => [calls.create({ id: 'taken', name: 'second' })],
  },
}

function lookalikesOf(id: string): readonly string[] {
  const alike = [
    ...[
      'ID ',
      ' ID',
      'IDabc',
      'ID.0',
      '0ID',
      '+ID',
      'ID%',
      "ID'",
      'ID\u0301',
      'ID\u00ad',
      '{ID}',
    ].map((form) => form.replace('ID', () => id)),
    ...['%', '.*', '_'.repeat(id.length), id.toUpperCase(), id.toLowerCase()],
    ...[id.normalize('NFD'), id.replaceAll('-', ''), id.slice(0, -1)],
  ]
  return [...new Set(alike)].filter((similar) => similar !== id && similar !== '')
}

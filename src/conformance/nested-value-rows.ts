import type { Json } from '../model/schema.ts'
import type { ValueRow } from './value-rows.ts'

/** Checks of nested values. */
export const nestedValueRows: readonly ValueRow[] = [
  [
    'keeps nested values',
    'Objects and lists come back with all their parts, `null` and empty ones too.',
    [
      { name: 'empty', data: {} },
      { name: 'deep', data: { a: [[], {}, null, [1, 'é', false, { b: 0.1 }]], 'c.d': { $e: '' } } },
    ],
  ],
  [
    'keeps keys of every script',
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
  [
    'keeps deeply nested values',
    'Values with 32 levels, the limit of a request, come back whole.',
    [
      { name: 'lists', data: { a: deep((inner) => [inner]) } },
      { name: 'objects', data: { a: deep((inner) => ({ a: inner, b: 1 })) } },
    ],
  ],
  [
    'keeps nested numbers and text',
    'Numbers and text in nested values come back exact, however large, small or long.',
    [
      {
        name: 'numbers',
        data: {
          numbers: [
            0.1 + 0.2,
            1 / 3,
            5e-324,
            1e-7,
            1e21,
            2 ** 53 - 1,
            -(2 ** 53),
            1.7976931348623157e308,
            1e15 + 0.3,
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
]

// The item and its field add the other levels of the 32.
function deep(wrap: (inner: Json) => Json): Json {
  let value: Json = 'é'
  for (let depth = 0; depth < 29; depth++) value = wrap(value)
  return value
}

import {
  answering,
  type BrokenRow,
  broken,
  finding,
  giving,
  itemsOf,
  mistaking,
  storing,
  storingText,
  without,
} from '../broken.ts'

/** Adapters with defects of values and ids. */
export const valueRows: readonly BrokenRow[] = [
  [
    'gives no id',
    () => broken(answering(['create'], (item) => without(Object(item), 'id'))),
    ['create gives the item with an id'],
  ],
  [
    'gives only the id',
    () => broken(answering(['create'], (item) => ({ id: Reflect.get(Object(item), 'id') }))),
    ['create gives the item with an id', 'concurrent creates give distinct ids'],
  ],
  [
    'composes accents',
    () => broken(storingText((text) => text.normalize('NFC'))),
    ['keeps text of every script'],
  ],
  [
    'drops characters of four bytes',
    () => broken(storingText((text) => text.replace(/[^\0-\uffff]/gu, '?'))),
    ['keeps text of every script', 'keeps very long text'],
  ],
  [
    'trims text',
    () => broken(storingText((text) => text.trim())),
    ['keeps white space around text'],
  ],
  [
    'takes empty text for none',
    () => broken(storingText((text) => (text === '' ? undefined : text))),
    ['keeps empty text', 'list gives items as read does'],
  ],
  [
    'reads backslashes as escapes',
    () => broken(storingText((text) => text.replaceAll('\\', ''))),
    ['keeps quotes, backslashes and wildcards'],
  ],
  [
    'casts text that is a number',
    () => broken(storingText((text) => (/^\d+$/.test(text) ? Number(text) : text))),
    ['keeps text that looks like something else'],
  ],
  [
    'cuts text at 255 characters',
    () => broken(storingText((text) => text.slice(0, 255))),
    ['keeps very long text'],
  ],
  [
    'keeps 32 bits of a number',
    () =>
      broken(
        storing((item) =>
          typeof item.rank === 'number' ? { ...item, rank: Math.fround(item.rank) } : item,
        ),
      ),
    ['keeps numbers exactly', 'keeps whole numbers up to 2^53-1'],
  ],
  [
    'stores booleans as numbers',
    () => broken(storing((item) => ('flag' in item ? { ...item, flag: Number(item.flag) } : item))),
    ['keeps false, zero and missing apart'],
  ],
  [
    'gives null for missing',
    () => broken(giving((item) => ({ note: null, rank: null, flag: null, ...item }))),
    [
      'leaves missing fields missing',
      'update replaces the whole item',
      'updateMany replaces whole items',
    ],
  ],
  [
    'stores nested values as text',
    () =>
      broken(
        storing((item) => ('data' in item ? { ...item, data: JSON.stringify(item.data) } : item)),
      ),
    ['keeps nested values'],
  ],
  [
    'drops NUL and lone surrogates',
    () => broken(storingText((text) => text.replaceAll('\0', '').toWellFormed())),
    ['refuses text that it would change'],
  ],
  [
    'lists less than it reads',
    () =>
      broken(answering(['list'], (items) => itemsOf(items).map((item) => without(item, 'data')))),
    ['list gives items as read does'],
  ],
  [
    'casts ids to numbers',
    () => broken(finding((id) => `${Number.parseInt(id, 10)}`)),
    [
      ...['read', 'update', 'modify', 'delete'].flatMap((kind) => [
        `${kind} gives null for absent ids`,
        `${kind} compares ids exactly`,
      ]),
      'updateMany compares ids exactly',
      'modifyMany compares ids exactly',
      'keeps ids that clients choose',
    ],
  ],
  [
    'chooses every id itself',
    () => broken(mistaking(['create'], ({ item }) => ({ item: without(item ?? {}, 'id') }))),
    [
      'keeps ids that clients choose',
      'creates one item for one UUID',
      'orders chosen ids by code point',
      'refuses an id that is taken',
    ],
  ],
]

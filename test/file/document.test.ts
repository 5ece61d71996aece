import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resource/resource.ts'
import { bytesOf, documentOf, withItems } from '../../src/file/document.ts'
import { readModel } from '../../src/file/model.ts'

type Change = (items: Map<Item['id'], Item>) => void

/** Reads a file, changes the items of its first collection, and returns the new text. */
function rewritten(text: string, ...changes: readonly Change[]): string {
  const model = readModel(Buffer.from(text), { id: 'id', ids: undefined })
  const stored = new Map(
    model.collections.map(({ noun, items }) => [
      noun,
      new Map<Item['id'], Item>(items.map((item) => [item.id, item])),
    ]),
  )
  const [items] = stored.values()
  let document = documentOf(model, stored)
  for (const change of changes) {
    if (items) change(items)
    document = withItems(document, stored)
  }
  return Buffer.concat(bytesOf(document)).toString()
}

function put(item: object): Change {
  return (items) => items.set(Reflect.get(item, 'id'), item as Item)
}

function drop(id: Item['id']): Change {
  return (items) => items.delete(id)
}

const lines = `{
  "$schema": "./x.json",
  "posts": [
    {
      "id": 1,
      "price": 1.50
    },
    {
      "id": 2,
      "tags": []
    }
  ],
  "n": 1e3
}
`

describe('a write keeps the form of the file', () => {
  test.each<readonly [string, string, Change, string]>([
    [
      'a new item on lines',
      lines,
      put({ id: 3, tags: ['a'], no: null }),
      lines.replace(
        '    }\n  ],',
        '    },\n    {\n      "id": 3,\n      "tags": [\n        "a"\n      ],\n' +
          '      "no": null\n    }\n  ],',
      ),
    ],
    ['a changed value', lines, put({ id: 1, price: 2 }), lines.replace('1.50', '2')],
    [
      'a new member',
      lines,
      put({ id: 1, price: 1.5, n: 1 }),
      lines.replace('1.50', '1.50,\n      "n": 1'),
    ],
    ['a member less', lines, put({ id: 1 }), lines.replace(',\n      "price": 1.50', '')],
    [
      'an item less',
      lines,
      drop(1),
      lines.replace('    {\n      "id": 1,\n      "price": 1.50\n    },\n', ''),
    ],
    [
      'the last item less',
      lines,
      drop(2),
      lines.replace(',\n    {\n      "id": 2,\n      "tags": []\n    }', ''),
    ],
    [
      'one line',
      '{"posts":[{"id":1}]}',
      put({ id: 2, a: 'b' }),
      '{"posts":[{"id":1},{"id":2,"a":"b"}]}',
    ],
    [
      'items of one line',
      '{\n\t"posts": [\n\t\t{ "id": 1, "a": [1, 2] }\n\t]\n}',
      put({ id: 2, a: [3, 4], b: {} }),
      '{\n\t"posts": [\n\t\t{ "id": 1, "a": [1, 2] },\n\t\t{ "id": 2, "a": [3, 4], "b": {} }\n\t]\n}',
    ],
    [
      'items of one line without pads',
      '{"posts": [{"id": 1}, {"id": 2}]}',
      put({ id: 3, a: { b: 1 } }),
      '{"posts": [{"id": 1}, {"id": 2}, {"id": 3, "a": {"b": 1}}]}',
    ],
    [
      'a member more in one line',
      '{"posts": [{ "id": 1 }]}',
      put({ id: 1, a: 'x' }),
      '{"posts": [{ "id": 1, "a": "x" }]}',
    ],
    [
      'line ends of Windows',
      '{\r\n  "posts": [\r\n    {\r\n      "id": 1\r\n    }\r\n  ]\r\n}',
      put({ id: 2 }),
      '{\r\n  "posts": [\r\n    {\r\n      "id": 1\r\n    },\r\n    {\r\n      "id": 2\r\n    }\r\n  ]\r\n}',
    ],
    [
      'a first item',
      '{\n  "posts": []\n}\n',
      put({ id: 'a' }),
      '{\n  "posts": [\n    {\n      "id": "a"\n    }\n  ]\n}\n',
    ],
    [
      'the only item less',
      '{\n  "posts": [\n    { "id": 1 }\n  ]\n}',
      drop(1),
      '{\n  "posts": []\n}',
    ],
    [
      'ids that were missing',
      '{\n  "posts": [\n    { "a": 1 },\n    { "a": 2 }\n  ]\n}',
      put({ id: 3, a: 3 }),
      '{\n  "posts": [\n    { "id": 1, "a": 1 },\n    { "id": 2, "a": 2 },\n    { "id": 3, "a": 3 }\n  ]\n}',
    ],
    [
      'an object without an id',
      '{\n  "profile": {\n    "name": "a",\n    "big": 12345678901234567890\n  }\n}',
      put({ id: 'profile', name: 'b', big: Number('12345678901234567890') }),
      '{\n  "profile": {\n    "name": "b",\n    "big": 12345678901234567890\n  }\n}',
    ],
    [
      'references of another type',
      '{"comments":[{"id":1,"postId":"1","a":1}],"posts":[{"id":1},{"id":2}]}',
      put({ id: 1, postId: 2, a: 2 }),
      '{"comments":[{"id":1,"postId":"2","a":2}],"posts":[{"id":1},{"id":2}]}',
    ],
    ['a byte order mark', '\uFEFF{"posts":[{"id":1}]}', drop(1), '\uFEFF{"posts":[]}'],
    ['nothing', lines, () => undefined, lines],
  ])('%s', (_, text, change, expected) => {
    expect(rewritten(text, change)).toBe(expected)
  })

  test('in every write after another', () => {
    const text = rewritten(
      lines,
      put({ id: 3 }),
      drop(1),
      put({ id: 3, a: 1 }),
      put({ id: 4 }),
      drop(2),
    )
    expect(JSON.parse(text).posts).toEqual([{ id: 3, a: 1 }, { id: 4 }])
    expect(
      text.startsWith('{\n  "$schema": "./x.json",\n  "posts": [\n    {\n      "id": 3,'),
    ).toBe(true)
  })
})

test('a file holds the items of any writes', () => {
  const field = fc.constantFrom('a', 'b"', 'c')
  const item = fc.record({
    id: fc.integer({ min: 1, max: 8 }),
    fields: fc.dictionary(field, fc.jsonValue({ maxDepth: 2 })),
  })
  const change = fc.oneof(
    item.map(({ id, fields }) => ({ id, item: { id, ...fields } })),
    fc.integer({ min: 1, max: 8 }).map((id) => ({ id, item: undefined })),
  )
  const start = fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 4 })
  const indent = fc.constantFrom(undefined, 1, 2, '\t')
  fc.assert(
    fc.property(start, fc.array(change), indent, (first, changes, space) => {
      const posts = first.map(({ id, fields }) => ({ id, ...fields }))
      const stored = new Map(posts.map((post) => [post.id, post]))
      const text = rewritten(
        JSON.stringify({ posts, n: 1 }, undefined, space),
        ...changes.map(({ id, item: next }): Change => {
          if (next === undefined) stored.delete(id)
          else stored.set(id, next)
          return next === undefined ? drop(id) : put(next)
        }),
      )
      expect(JSON.parse(text)).toEqual(
        JSON.parse(JSON.stringify({ posts: [...stored.values()], n: 1 })),
      )
    }),
  )
})

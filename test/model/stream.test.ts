import { describe, expect, test } from 'vitest'
import { isStream, nextTurn, take } from '../../src/model/stream.ts'
import { generated, notesUpTo } from '../support/streams.ts'

const stream = { [Symbol.asyncIterator]: () => undefined }

// biome-ignore format: a row stays a line
const rows: readonly (readonly [name: string, value: unknown, isOne: boolean])[] = [
  ['an async iterable',                stream,                                true],
  ['an async generator',               (async function* () {})(),             true],
  ['a stream of the web',              new ReadableStream(),                  true],
  ['an array',                         [],                                    false],
  ['an array that is both',            Object.assign([], stream),             false],
  ['an iterable that takes no time',   new Set(),                             false],
  ['something named like one',         { [Symbol.asyncIterator]: 1 },         false],
  ['a function',                       Object.assign(() => undefined, stream), false],
  ['text',                             'text',                                false],
  ['null',                             null,                                  false],
]
for (const [name, value, isOne] of rows) {
  test(`${name} is ${isOne ? 'a' : 'no'} stream`, () => {
    expect(isStream(value)).toBe(isOne)
  })
}

describe('the beginning of a stream', () => {
  // biome-ignore format: a row stays a line
  const lengths: readonly (readonly [most: number, made: number])[] = [
    [1, 1],
    [2, 2],
    [3, 3],
    [Number.POSITIVE_INFINITY, 3],
  ]
  for (const [most, made] of lengths) {
    test(`at most ${most} long is ${made}, and it is closed`, async () => {
      const list = generated(3)
      const items = (await list.adapter.list?.({} as never, undefined)) as AsyncIterable<object>
      expect(await take(items, most)).toEqual(notesUpTo(made))
      expect([list.made, list.closed]).toEqual([made, 1])
    })
  }
})

test('the next turn is that of others', async () => {
  const order: string[] = []
  setTimeout(() => order.push('other'), 0)
  await nextTurn()
  expect(order).toEqual(['other'])
})

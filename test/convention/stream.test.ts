import { afterEach, describe, expect, test, vi } from 'vitest'
import { nextTurn } from '../../src/convention/awaitable.ts'
import { ChunkedList, eachOf, isStream, itemsIn, take } from '../../src/convention/stream.ts'
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

describe('the beginning of a stream in parts', () => {
  // biome-ignore format: a row stays a line
  const lengths: readonly (readonly [most: number, made: number])[] = [
    [1, 3],
    [3, 3],
    [4, 6],
    [7, 7],
    [Number.POSITIVE_INFINITY, 7],
  ]
  for (const [most, made] of lengths) {
    test(`at most ${most} long is cut within a part, and it is closed`, async () => {
      const list = generated(7, { several: 3 })
      const parts = (await list.adapter.list?.({} as never, undefined)) as AsyncIterable<object>
      expect(await take(parts, most)).toEqual(notesUpTo(Math.min(most, 7)))
      expect([list.made, list.closed]).toEqual([made, 1])
    })
  }
})

describe('a list in parts', () => {
  async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
    const taken: unknown[] = []
    for await (const item of items) taken.push(item)
    return taken
  }

  async function* parts(): AsyncGenerator<number | readonly number[]> {
    yield [1, 2]
    yield 3
    yield []
    yield [4]
  }

  test('is gone through item by item', async () => {
    expect(await all(new ChunkedList(parts()))).toEqual([1, 2, 3, 4])
    expect(await all(eachOf(parts()))).toEqual([1, 2, 3, 4])
  })

  test('is read as it comes by who asks for it', async () => {
    expect(await all(new ChunkedList(parts()).chunks())).toEqual([[1, 2], 3, [], [4]])
  })

  test('is closed by who leaves it within a part', async () => {
    const source = parts()
    for await (const item of new ChunkedList(source)) if (item === 1) break
    expect(await source.next()).toEqual({ done: true, value: undefined })
  })

  for (const again of ['items', 'parts']) {
    test(`is read once, not once more as ${again}`, async () => {
      const list = new ChunkedList(parts())
      await all(list)
      const reading = () => (again === 'parts' ? list.chunks() : list[Symbol.asyncIterator]())
      expect(reading).toThrow('was read twice')
    })
  }

  test('has parts of one and of several', () => {
    expect([itemsIn(1), itemsIn([1, 2]), itemsIn([])]).toEqual([[1], [1, 2], []])
  })
})

describe('the next turn', () => {
  afterEach(() => vi.unstubAllGlobals())

  // Deno reads no socket between its immediates.
  for (const [runtime, globals, other] of [
    ['setImmediate', {}, setImmediate],
    ['no setImmediate', { setImmediate: undefined }, setTimeout],
    ['Deno', { setImmediate: refused, Deno: {} }, setTimeout],
  ] as const) {
    test(`serves others first where there is ${runtime}`, async () => {
      for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
      const order: string[] = []
      other(() => order.push('other'), 0)
      await nextTurn()
      expect(order).toEqual(['other'])
    })
  }

  test('waits for no timer', async () => {
    vi.stubGlobal('setTimeout', refused)
    await expect(nextTurn()).resolves.toBeUndefined()
  })
})

function refused(): never {
  throw new Error('This one keeps others waiting')
}

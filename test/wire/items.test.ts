import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatItems } from '../../src/wire/items.ts'
import { formatJson } from '../../src/wire/json.ts'

interface Source extends AsyncIterable<unknown> {
  closed: number
}

function source(items: readonly unknown[]): Source {
  const made: Source = {
    closed: 0,
    async *[Symbol.asyncIterator]() {
      try {
        yield* items
      } finally {
        made.closed++
      }
    },
  }
  return made
}

async function slicesOf(items: AsyncIterable<unknown>): Promise<string[]> {
  const slices: string[] = []
  const all = formatItems(items)
  for (;;) {
    const { done, value } = await all.next()
    slices.push(value)
    if (done) return slices
  }
}

describe('items one by one', () => {
  test('are written as their array is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), async (items) => {
        expect((await slicesOf(source(items))).join('')).toBe(formatJson(items))
      }),
    )
  })

  const dated = { at: new Date(0), none: undefined, not: Number.NaN }
  const long = { text: 'é'.repeat(20_000) }
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [name: string, items: readonly unknown[], slices: number])[] = [
    ['nothing',                     [],                           1],
    ['one',                         [{ id: 'a' }],                1],
    ['what JSON has a form for',    [dated],                      1],
    ['999 items',                   Array(999).fill({}),          1],
    ['1,000 items',                 Array(1000).fill({}),         2],
    ['2,500 items',                 Array(2500).fill({}),         3],
    ['two long items',              [long, long],                 2],
    ['five long items',             Array(5).fill(long),          3],
    ['one that fills a slice',      [{ text: 'x'.repeat(1e6) }],  2],
  ]
  for (const [name, items, count] of rows) {
    test(`${name} come in ${count}`, async () => {
      const slices = await slicesOf(source(items))
      expect(slices.join('')).toBe(formatJson(items))
      expect(slices).toHaveLength(count)
    })
  }

  // biome-ignore format: a row stays a line
  const batches: readonly (readonly [name: string, parts: readonly unknown[], slices: number])[] = [
    ['none at once',                [[], []],                                    1],
    ['some at once',                [[{ id: 'a' }, dated], {}, [], [{}]],        1],
    ['1,000 items at once',         [Array(1000).fill({})],                      2],
    ['2,500 items at once',         [Array(2500).fill({})],                      3],
    ['400 items thrice',            Array(3).fill(Array(400).fill({})),          2],
    ['two long items at once',      [[long, long]],                              2],
  ]
  for (const [name, parts, count] of batches) {
    test(`${name} come in ${count}`, async () => {
      const slices = await slicesOf(source(parts))
      expect(slices.join('')).toBe(formatJson(parts.flat()))
      expect(slices).toHaveLength(count)
    })
  }

  const circle: Record<string, unknown> = {}
  circle.self = circle
  // biome-ignore format: a row stays a line
  const unwritable: readonly (readonly [name: string, item: unknown])[] = [
    ['a bigint',             { big: 1n }],
    ['a circle',             circle],
    ['a toJSON of nothing',  { toJSON: () => undefined }],
    ['nothing',              undefined],
    ['a function',           () => undefined],
  ]
  for (const [name, item] of unwritable) {
    test(`of which one is ${name} cannot be written`, async () => {
      const items = source([{}, item, {}])
      await expect(slicesOf(items)).rejects.toBeInstanceOf(TypeError)
      expect(items.closed).toBe(1)
      const several = source([[{}, item, {}]])
      await expect(slicesOf(several)).rejects.toBeInstanceOf(TypeError)
      expect(several.closed).toBe(1)
    })
  }

  test('of which one is no value at all are told of', async () => {
    await expect(slicesOf(source([undefined]))).rejects.toThrow('a value that JSON does not know')
  })

  test('are given up with the text', async () => {
    const items = source(Array(5000).fill({}))
    const slices = formatItems(items)
    await slices.next()
    await slices.return('')
    expect(items.closed).toBe(1)
  })
})

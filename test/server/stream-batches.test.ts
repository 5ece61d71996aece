import {
  type Adapter,
  type HttpRequest,
  type HttpResponse,
  handle,
  type Outcome,
  problem,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { respond } from '../../src/server/respond.ts'
import { notesWith, verdictOf } from '../support/registry.ts'
import { type Generated, generated, noteAt, notesUpTo, throwing } from '../support/streams.ts'

const get = (url: string): HttpRequest => ({ method: 'GET', url })
const bodyOf = ({ body }: HttpResponse) => body as AsyncIterableIterator<object>

async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const taken: unknown[] = []
  for await (const item of items) taken.push(item)
  return taken
}

/** Counts the reads of a list, and checks that it is closed. */
function fateOf({ made, opened, closed }: Generated): unknown {
  return { made, open: opened - closed }
}

describe('a list that comes several items at once', () => {
  const listing = (...parts: readonly unknown[]) => {
    async function* list() {
      yield* parts
    }
    return notesWith({ list })
  }

  test('is a body to go through item by item', async () => {
    const list = generated(5, { several: 2 })
    const body = bodyOf(await handle(get('/notes'), notesWith(list.adapter).registry))
    expect(fateOf(list)).toEqual({ made: 2, open: 1 })
    expect((await body.next()).value).toEqual(noteAt(0))
    expect(fateOf(list)).toEqual({ made: 2, open: 1 })
    expect(await all(body)).toEqual(notesUpTo(5).slice(1))
    expect(fateOf(list)).toEqual({ made: 5, open: 0 })
  })

  test('is closed by who leaves it', async () => {
    const list = generated(5, { several: 2 })
    const { registry, errors } = notesWith(list.adapter)
    for await (const _ of bodyOf(await handle(get('/notes'), registry))) break
    expect([fateOf(list), errors]).toEqual([{ made: 2, open: 0 }, []])
  })

  test('answers who asks for many at once in order', async () => {
    const list = generated(5, { several: 2 })
    const body = bodyOf(await handle(get('/notes'), notesWith(list.adapter).registry))
    const asked = Array.from({ length: 6 }, () => body.next())
    expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([
      ...notesUpTo(5),
      undefined,
    ])
  })

  test('is text as its array is', async () => {
    const list = generated(2500, { several: 400 })
    const { content: text, slices: rest } = await respond(
      get('/notes'),
      notesWith(list.adapter).registry,
    )
    const slices = [text]
    for (let slice = await rest?.next(); slice; slice = slice.done ? undefined : await rest?.next())
      slices.push(slice.value as string)
    expect([slices.join(''), slices.length]).toEqual([JSON.stringify(notesUpTo(2500)), 3])
    expect(fateOf(list)).toEqual({ made: 2500, open: 0 })
  })

  test('may have single and no items between', async () => {
    const { registry } = listing([], noteAt(0), [noteAt(1), noteAt(2)], [], noteAt(3))
    expect((await respond(get('/notes'), registry)).content).toBe(JSON.stringify(notesUpTo(4)))
    expect((await handle(get('/notes/count'), registry)).body).toEqual({ count: 4 })
    expect((await handle(get('/notes/first'), registry)).body).toEqual(noteAt(0))
  })

  // biome-ignore format: a row stays a line
  const wrong: readonly (readonly [name: string, part: readonly unknown[]])[] = [
    ['a text',                  [noteAt(0), 'text']],
    ['an array',                [noteAt(0), [noteAt(1)]]],
    ['an item without an id',   [noteAt(0), { text: 'x' }]],
    ['a hole',                  Object.assign(Array(3), { 0: noteAt(0), 2: noteAt(2) })],
  ]
  for (const [name, part] of wrong) {
    test(`of which one is ${name} is 500`, async () => {
      const { registry, errors } = listing(part)
      for (const url of ['/notes', '/notes/first', '/notes/count', '/notes?limit=5'])
        expect(verdictOf(await handle(get(url), registry))).toBe('500 internal_error')
      expect(errors).toHaveLength(4)
    })
  }

  // biome-ignore format: a row stays a line
  const faults: readonly (readonly [fault: unknown, verdict: string, told: number])[] = [
    [throwing(new Error('boom')),               '500 internal_error', 1],
    [throwing(problem('unavailable')),          '503 unavailable',    1],
    [throwing(problem('forbidden')),            '403 forbidden',      0],
    ['text',                                    '500 internal_error', 1],
    [{ id: 'a', text: 1n },                      '500 internal_error', 1],
    [{ id: 'a', toJSON: () => undefined },      '500 internal_error', 1],
  ]
  test('is not begun to be sent where an item of its first part cannot be', async () => {
    for (const [fault, verdict, told] of faults) {
      const list = generated(5, { at: { 2: fault }, several: 3 })
      const { registry, errors } = notesWith(list.adapter)
      const { status, content: text, slices: rest } = await respond(get('/notes'), registry)
      expect(verdictOf({ status, body: JSON.parse(text) })).toBe(verdict)
      expect([rest, errors.length, fateOf(list)]).toEqual([undefined, told, { made: 3, open: 0 }])
    }
  })

  // biome-ignore format: a row stays a line
  const derived: readonly (readonly [url: string, body: unknown, made: number])[] = [
    ['/notes?limit=2', notesUpTo(2),      4],
    ['/notes?limit=4', notesUpTo(4),      8],
    ['/notes/first',   noteAt(0),         4],
    ['/notes/last',    noteAt(0),         4],
    ['/notes/count',   { count: 25_001 }, 25_001],
  ]
  for (const [url, body, made] of derived) {
    test(`${url} takes ${made}`, async () => {
      const list = generated(25_001, { several: 4 })
      const { registry, errors } = notesWith(list.adapter)
      expect((await handle(get(url), registry)).body).toEqual(body)
      expect([errors, fateOf(list)]).toEqual([[], { made, open: 0 }])
    })
  }

  test('is seen item by item by a middleware', async () => {
    const list = generated(3, { several: 2 })
    const seen: unknown[] = []
    const { registry } = notesWith(list.adapter, {
      use: [
        async (_, __, next) => {
          const { items } = (await next()) as Outcome & { gives: 'items' }
          seen.push(...(await all(items as AsyncIterable<object>)))
          return { gives: 'items', items: [] }
        },
      ],
    })
    await handle(get('/notes'), registry)
    expect([seen, fateOf(list)]).toEqual([notesUpTo(3), { made: 3, open: 0 }])
  })

  test('is typed like any other', () => {
    const adapter: Adapter = {
      async *list({ query }) {
        yield [{ id: query.q }]
        yield { id: query.q }
      },
    }
    const words = async function* () {
      yield ['a']
    }
    // @ts-expect-error: the list yields items
    const wrong: Adapter = { list: words }
    expect([adapter, wrong].map(({ list }) => typeof list)).toEqual(['function', 'function'])
  })
})

import { Readable } from 'node:stream'
import {
  type Adapter,
  type HttpRequest,
  type HttpResponse,
  handle,
  type Operation,
  type Outcome,
  problem,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { respond } from '../../src/server/respond.ts'
import { nested } from '../support/nested.ts'
import { delayed, notesWith, noting, verdictOf } from '../support/registry.ts'
import { type Generated, generated, noteAt, notesUpTo, throwing } from '../support/streams.ts'

const get = (url: string): HttpRequest => ({ method: 'GET', url })
const boom = new Error('boom')
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

describe('a list that comes item by item', () => {
  for (const wrap of [<A>(adapter: A) => adapter, delayed]) {
    test(`is a body to go through${wrap === delayed ? ', later' : ''}`, async () => {
      const list = generated(3)
      const { registry, errors } = notesWith(wrap(list.adapter))
      const answer = await handle(get('/notes'), registry)
      expect([answer.status, answer.headers]).toEqual([200, { 'content-type': 'application/json' }])
      expect(fateOf(list)).toEqual({ made: 1, open: 1 })
      expect(await all(bodyOf(answer))).toEqual(notesUpTo(3))
      expect(fateOf(list)).toEqual({ made: 3, open: 0 })
      expect(errors).toEqual([])
    })
  }

  test('may be empty', async () => {
    const { registry } = notesWith(generated(0).adapter)
    expect(await all(bodyOf(await handle(get('/notes'), registry)))).toEqual([])
  })

  test('may be any async iterable', async () => {
    const sources = [
      Readable.from(notesUpTo(3)),
      new ReadableStream({
        start(controller) {
          for (const note of notesUpTo(3)) controller.enqueue(note)
          controller.close()
        },
      }),
    ]
    for (const source of sources) {
      const { registry } = notesWith({ list: () => source })
      expect(await all(bodyOf(await handle(get('/notes'), registry)))).toEqual(notesUpTo(3))
    }
  })

  test('is closed by who leaves it', async () => {
    const list = generated(3)
    const { registry } = notesWith(list.adapter)
    for await (const item of bodyOf(await handle(get('/notes'), registry))) {
      expect(item).toEqual(noteAt(0))
      break
    }
    expect(fateOf(list)).toEqual({ made: 1, open: 0 })
  })

  test('is over when it is closed', async () => {
    const list = generated(3)
    const { registry } = notesWith(list.adapter)
    const body = bodyOf(await handle(get('/notes'), registry))
    for (let times = 0; times < 2; times++) {
      expect(await body.return?.()).toEqual({ done: true, value: undefined })
      expect(await body.next()).toEqual({ done: true, value: undefined })
    }
    expect(fateOf(list)).toEqual({ made: 1, open: 0 })
  })

  test('begins without its body for HEAD', async () => {
    const list = generated(3)
    const { registry, errors } = notesWith(list.adapter)
    const { status, body } = await handle({ method: 'HEAD', url: '/notes' }, registry)
    expect([status, body, fateOf(list)]).toEqual([200, undefined, { made: 1, open: 0 }])
    expect(errors).toEqual([])
  })

  test('that fails to close is told, not thrown', async () => {
    const list = generated(3, { fault: boom })
    const { registry, errors, operations } = notesWith(list.adapter)
    expect((await handle({ method: 'HEAD', url: '/notes' }, registry)).status).toBe(200)
    expect([errors, operations[0]?.kind]).toEqual([[boom], 'list'])
  })

  test('is typed like any other', () => {
    const adapter: Adapter = {
      async *list({ query }) {
        yield { id: query.q }
      },
    }
    const words = async function* () {
      yield 'a'
    }
    // @ts-expect-error: the list yields items
    const wrong: Adapter = { list: words }
    expect([adapter, wrong].map(({ list }) => typeof list)).toEqual(['function', 'function'])
  })
})

// biome-ignore format: a row stays a line
const faults: readonly (readonly [
  name: string,
  fault: unknown,
  verdict: string,
  told: number,
])[] = [
  ['an error',              throwing(boom),                         '500 internal_error', 1],
  ['a problem',             throwing(problem('unavailable')),       '503 unavailable',    1],
  ['a problem of a client', throwing(problem('forbidden')),         '403 forbidden',      0],
  ['no item',               'text',                                 '500 internal_error', 1],
  ['an item without an id', { text: 'x' },                          '500 internal_error', 1],
  ['nothing',               undefined,                              '500 internal_error', 1],
]
const unwritable: typeof faults = [
  ['a bigint', { id: 'a', text: 1n }, '500 internal_error', 1],
  ['a toJSON of nothing', { id: 'a', toJSON: () => undefined }, '500 internal_error', 1],
]

describe('before the first byte a fault is an answer', () => {
  for (const [name, fault, verdict, told] of faults) {
    for (const method of ['GET', 'HEAD']) {
      test(`${method} of a list that begins with ${name} is ${verdict}`, async () => {
        const list = generated(3, { at: { 0: fault } })
        const { registry, errors, operations } = notesWith(list.adapter)
        const { status, body } = await handle({ method, url: '/notes' }, registry)
        expect(method === 'HEAD' ? `${status}` : verdictOf({ status, body })).toBe(
          method === 'HEAD' ? verdict.slice(0, 3) : verdict,
        )
        expect(errors).toHaveLength(told)
        expect(operations.map((operation) => operation?.kind)).toEqual(Array(told).fill('list'))
        expect(fateOf(list)).toEqual({ made: 1, open: 0 })
      })
    }
  }

  for (const [name, fault, verdict, told] of [...faults, ...unwritable]) {
    for (const place of [0, 2]) {
      test(`in text, of ${name} at ${place}, too`, async () => {
        const list = generated(5, { at: { [place]: fault } })
        const { registry, errors, operations } = notesWith(list.adapter)
        const { status, content: text, slices: rest } = await respond(get('/notes'), registry)
        expect(verdictOf({ status, body: JSON.parse(text) })).toBe(verdict)
        expect([rest, errors.length, fateOf(list)]).toEqual([
          undefined,
          told,
          { made: place + 1, open: 0 },
        ])
        expect(operations.map((operation) => operation?.kind)).toEqual(Array(told).fill('list'))
      })
    }
  }

  test('a list that cannot be begun is one', async () => {
    const list = () => ({ [Symbol.asyncIterator]: throwing(boom) })
    const { registry, errors } = notesWith({ list })
    expect(verdictOf(await handle(get('/notes'), registry))).toBe('500 internal_error')
    expect(errors).toEqual([boom])
  })

  test('an item outside the scope is one', async () => {
    const { registry, asked } = nested((adapter) => ({
      ...adapter,
      async *list() {
        yield { id: 'a', company_id: '2', name: 'x' }
      },
    }))
    const answer = await handle(get('/companies/1/teams'), registry)
    expect([verdictOf(answer), asked.length]).toEqual(['500 internal_error', 1])
  })
})

describe('after the first byte a fault is thrown and told', () => {
  for (const [name, fault] of faults) {
    test(`as a list that goes on with ${name}`, async () => {
      const list = generated(5, { at: { 2: fault } })
      const { registry, errors, operations } = notesWith(list.adapter)
      const body = bodyOf(await handle(get('/notes'), registry))
      const seen: unknown[] = []
      const reading = (async () => {
        for await (const item of body) seen.push(item)
      })()
      await expect(reading).rejects.toBeInstanceOf(Error)
      expect([seen, errors.length, operations[0]?.kind]).toEqual([notesUpTo(2), 1, 'list'])
      expect(fateOf(list)).toEqual({ made: 3, open: 0 })
    })
  }
})

describe('a text that is long', () => {
  test('has a beginning and a rest', async () => {
    const list = generated(2500)
    const { registry } = notesWith(list.adapter)
    const { status, headers, content: text, slices: rest } = await respond(get('/notes'), registry)
    expect([status, headers]).toEqual([200, { 'content-type': 'application/json' }])
    expect(fateOf(list)).toEqual({ made: 1000, open: 1 })
    const slices = [text, (await rest?.next())?.value, (await rest?.next())?.value]
    expect(slices.join('')).toBe(JSON.stringify(notesUpTo(2500)))
    expect([await rest?.next(), fateOf(list)]).toEqual([
      { done: true, value: undefined },
      { made: 2500, open: 0 },
    ])
  })

  test('that is short is whole', async () => {
    const list = generated(999)
    const { content: text, slices: rest } = await respond(
      get('/notes'),
      notesWith(list.adapter).registry,
    )
    expect([text, rest]).toEqual([JSON.stringify(notesUpTo(999)), undefined])
  })

  for (const [name, fault] of [...faults, ...unwritable]) {
    test(`is told of ${name}, once`, async () => {
      const list = generated(2500, { at: { 1500: fault } })
      const { registry, errors, operations } = notesWith(list.adapter)
      const { slices: rest } = await respond(get('/notes'), registry)
      await expect(rest?.next()).rejects.toBeInstanceOf(Error)
      expect([errors.length, operations[0]?.kind, fateOf(list)]).toEqual([
        1,
        'list',
        { made: 1501, open: 0 },
      ])
    })
  }

  test('is given up in any case', async () => {
    const list = generated(2500, { fault: boom })
    const { registry, errors } = notesWith(list.adapter)
    const { slices: rest } = await respond({ method: 'HEAD', url: '/notes' }, registry)
    await rest?.close()
    expect([errors, fateOf(list)]).toEqual([[boom], { made: 1000, open: 0 }])
  })
})

describe('what is made of a list', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [url: string, count: number, body: unknown, made: number])[] = [
    ['/notes?limit=2',  10,     notesUpTo(2),      3],
    ['/notes?limit=2',  3,      notesUpTo(2),      3],
    ['/notes?limit=2',  2,      notesUpTo(2),      2],
    ['/notes?limit=2',  0,      [],                0],
    ['/notes/first',    10,     noteAt(0),         1],
    ['/notes/last',     10,     noteAt(0),         1],
    ['/notes/count',    10,     { count: 10 },     10],
    ['/notes/count',    0,      { count: 0 },      0],
    ['/notes/count',    25_000, { count: 25_000 }, 25_000],
  ]
  for (const [url, count, body, made] of rows) {
    test(`${url} of ${count} takes ${made}`, async () => {
      const list = generated(count)
      const { registry, errors } = notesWith(list.adapter)
      const answer = await handle(get(url), registry)
      expect([answer.status, answer.body]).toEqual([200, body])
      expect(answer.headers.link !== undefined).toBe(url.includes('limit') && count > 2)
      expect([errors, fateOf(list)]).toEqual([[], { made, open: 0 }])
    })
  }

  test('an empty one has no ends', async () => {
    const { registry } = notesWith(generated(0).adapter)
    for (const word of ['first', 'last']) {
      expect(verdictOf(await handle(get(`/notes/${word}`), registry))).toBe('404 empty_collection')
    }
  })

  test('others have their turn while it is counted', async () => {
    const { registry } = notesWith(generated(50_000).adapter)
    let turns = 0
    const others = setInterval(() => turns++, 0)
    await handle(get('/notes/count'), registry)
    clearInterval(others)
    expect(turns).toBeGreaterThan(2)
  })

  for (const url of ['/notes?limit=2', '/notes/first', '/notes/last', '/notes/count']) {
    for (const [name, fault, verdict, told] of faults) {
      test(`${url} of ${name} is ${verdict}`, async () => {
        const list = generated(5, { at: { 0: fault } })
        const { registry, errors } = notesWith(list.adapter)
        expect(verdictOf(await handle(get(url), registry))).toBe(verdict)
        expect([errors.length, list.opened - list.closed]).toEqual([told, 0])
      })
    }

    test(`${url} of a list that fails to close is 500`, async () => {
      const list = generated(5, { fault: boom })
      const { registry, errors } = notesWith(list.adapter)
      expect(verdictOf(await handle(get(url), registry))).toBe('500 internal_error')
      expect(errors).toEqual([boom])
    })
  }
})

describe('a middleware', () => {
  const itemsIn = (outcome: unknown) =>
    (outcome as Outcome & { gives: 'items' }).items as AsyncIterable<object>

  test('may change the items as they pass', async () => {
    const list = generated(2)
    const { registry } = notesWith(list.adapter, {
      use: [
        async (_operation, _context, next) => {
          const outcome = await next()
          async function* changed() {
            for await (const item of itemsIn(outcome)) yield { ...item, text: 'changed' }
          }
          return { gives: 'items', items: changed() }
        },
      ],
    })
    const { content: text } = await respond(get('/notes'), registry)
    expect([text, fateOf(list)]).toEqual([
      JSON.stringify(notesUpTo(2, 'changed')),
      { made: 2, open: 0 },
    ])
  })

  test('may hold them, and give an array', async () => {
    const { registry } = notesWith(generated(2).adapter, {
      use: [async (_, __, next) => ({ gives: 'items', items: await all(itemsIn(await next())) })],
    })
    expect((await handle(get('/notes'), registry)).body).toEqual(notesUpTo(2))
  })

  test('that reads them and gives them on is told', async () => {
    const { registry, errors } = notesWith(generated(2).adapter, {
      use: [
        async (_, __, next) => {
          const outcome = await next()
          await all(itemsIn(outcome))
          return outcome
        },
      ],
    })
    expect(verdictOf(await handle(get('/notes'), registry))).toBe('500 internal_error')
    expect(String(errors[0])).toContain('was read twice: keep its items')
  })

  test('that answers otherwise begins nothing', async () => {
    const list = generated(2)
    const { registry } = notesWith(list.adapter, {
      use: [(_, __, next) => noting([], next(), { gives: 'items', items: [] })],
    })
    expect([(await handle(get('/notes'), registry)).body, list.opened]).toEqual([[], 0])
  })

  test('may give a list that cannot be closed', async () => {
    const next = async () => ({ done: false, value: noteAt(0) })
    const items = { [Symbol.asyncIterator]: () => ({ next }) }
    const { registry, errors } = notesWith(generated(2).adapter, {
      use: [() => ({ gives: 'items', items })],
    })
    const body = bodyOf(await handle(get('/notes'), registry))
    for (let times = 0; times < 3; times++) expect((await body.next()).value).toEqual(noteAt(0))
    await body.return?.()
    expect([await body.next(), errors]).toEqual([{ done: true, value: undefined }, []])
  })
})

test('an array is answered at once, as ever', () => {
  const seen: Operation[] = []
  const { registry } = notesWith({ list: (operation) => noting(seen, operation, notesUpTo(2)) })
  const answer = respond(get('/notes'), registry)
  expect(answer).toMatchObject({
    status: 200,
    content: JSON.stringify(notesUpTo(2)),
    slices: undefined,
  })
  expect(handle(get('/notes'), registry)).toMatchObject({ status: 200, body: notesUpTo(2) })
})

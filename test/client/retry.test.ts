import { createClient, isProblem, isUnexpected, type RetryOptions, retrying } from 'nounful/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { api } from '../support/first-version.ts'

const item = { id: '1', name: 'Ann', birthdate: '1990-01-01' }
const lost = new TypeError('fetch failed')

type Client = ReturnType<typeof createClient<typeof api>>['v1']
type Answer = () => Response

function problemOf(code: string, status: number, headers: Record<string, string> = {}): Answer {
  const type = { 'content-type': 'application/problem+json; charset=utf-8' }
  return () => Response.json({ code, detail: 'x' }, { status, headers: { ...type, ...headers } })
}

const busy = problemOf('unavailable', 503, { 'retry-after': '0' })
const limited = problemOf('rate_limited', 429, { 'retry-after': '0' })
const faulty = problemOf('internal_error', 500)
const gateway: Answer = () => new Response('<h1>', { status: 502 })
const cut: Answer = () => {
  throw lost
}
const fine: Answer = () => Response.json({ ...item, count: 1, deleted: 1 })

let requests: number

// Fails once, then answers.
function failing(answer: Answer, retry: RetryOptions = { attempts: 3, wait: 0 }): Client {
  requests = 0
  const fetch = async (request: Request): Promise<Response> => {
    requests++
    if (requests === 1) return answer()
    if (!request.body) return fine()
    const body = Array.isArray(await request.json()) ? [item] : item
    return Response.json(body, { status: request.method === 'POST' ? 201 : 200 })
  }
  return createClient<typeof api>({ baseUrl: 'http://x', fetch: retrying({ ...retry, fetch }) }).v1
}

const calls: Record<string, (v1: Client) => Promise<unknown>> = {
  count: (v1) => v1.employees.count(),
  read: (v1) => v1.employees('1').read(),
  create: (v1) => v1.employees.create(item as never),
  'create with a key': (v1) => v1.employees.create(item as never, { idempotencyKey: 'k' }),
  createMany: (v1) => v1.employees.createMany([item as never]),
  update: (v1) => v1.employees('1').update(item),
  updateMany: (v1) => v1.employees.updateMany([item]),
  patch: (v1) => v1.employees('1').patch({ name: 'Ann' }),
  patchMany: (v1) => v1.employees.patchMany([{ id: '1', name: 'Ann' }]),
  'patch of a version': (v1) => v1.employees('1').patch({ name: 'Ann' }, { ifRevision: 1 }),
  'update of a version': (v1) => v1.employees('1').update(item, { ifRevision: 1 }),
  'update with a condition': (v1) =>
    v1.employees('1').update(item, { headers: { 'If-None-Match': '"1"' } }),
  delete: (v1) => v1.employees('1').delete(),
  'delete with a key': (v1) => v1.employees('1').delete({ headers: { 'Idempotency-Key': 'k' } }),
  'delete of a version': (v1) => v1.employees('1').delete({ ifRevision: 1 }),
  deleteAll: (v1) => v1.employees.deleteAll(),
  deleteMany: async (v1) => {
    const [{ item, error } = {}] = await v1.employees.deleteMany(['1'])
    if (item === undefined) throw error
  },
}
const safe = ['count', 'read', 'create with a key', 'update', 'updateMany', 'patch', 'patchMany']

describe('repeats', () => {
  for (const [name, call] of Object.entries(calls)) {
    for (const [fault, answer] of Object.entries({ busy, limited, cut, faulty, gateway })) {
      const isRepeated =
        fault === 'limited' || (safe.includes(name) && (fault === 'busy' || fault === 'cut'))
      test(`${name}, ${fault}: ${isRepeated ? 'again' : 'not'}`, async () => {
        const outcome = await call(failing(answer)).catch((error: unknown) => error)
        expect(requests).toBe(isRepeated ? 2 : 1)
        const isThrown = isProblem(outcome) || isUnexpected(outcome) || outcome === lost
        expect(isThrown).toBe(!isRepeated)
      })
    }
  }

  test('nothing by default', async () => {
    const { v1 } = createClient<typeof api>({
      baseUrl: 'http://x',
      fetch: () => {
        requests++
        return busy()
      },
    })
    requests = 0
    await expect(v1.employees.count()).rejects.toMatchObject({ code: 'unavailable' })
    expect(requests).toBe(1)
  })

  test('no more often than `attempts`', async () => {
    requests = 0
    const { v1 } = createClient<typeof api>({
      baseUrl: 'http://x',
      fetch: retrying({
        attempts: 4,
        wait: 0,
        fetch: () => {
          requests++
          return cut()
        },
      }),
    })
    await expect(v1.employees.count()).rejects.toBe(lost)
    expect(requests).toBe(4)
  })

  test('no aborted request', async () => {
    const controller = new AbortController()
    const v1 = failing(() => {
      controller.abort(lost)
      throw lost
    })
    await expect(v1.employees.count({}, { signal: controller.signal })).rejects.toBe(lost)
    expect(requests).toBe(1)
  })
})

describe('waits', () => {
  beforeEach(() => {
    // Tests of other files in this process may still close connections by `setImmediate`.
    const toFake: ['setTimeout', 'clearTimeout', 'Date'] = ['setTimeout', 'clearTimeout', 'Date']
    vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z'), toFake })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  const date = 'Thu, 01 Jan 2026 00:00:07 GMT'
  const rows: readonly (readonly [string, Answer, number])[] = [
    ['the seconds it says', problemOf('rate_limited', 429, { 'retry-after': '3' }), 3000],
    ['to the date it says', problemOf('unavailable', 503, { 'retry-after': date }), 7000],
    [
      'by its own clock',
      problemOf('unavailable', 503, { 'retry-after': date, date: 'Thu, 01 Jan 2026 00:00:05 GMT' }),
      2000,
    ],
    [
      'as a gateway says',
      () => new Response('<h1>', { status: 503, headers: { 'retry-after': '4' } }),
      4000,
    ],
    [
      'not for a date that is past',
      problemOf('unavailable', 503, { 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }),
      0,
    ],
    ['a part of its wait', problemOf('unavailable', 503), 250],
    [
      'a part of its wait for nonsense',
      problemOf('unavailable', 503, { 'retry-after': 'soon' }),
      250,
    ],
  ]
  for (const [name, answer, wait] of rows) {
    test(name, async () => {
      vi.spyOn(Math, 'random').mockReturnValue(0.5)
      const count = failing(answer, { attempts: 2 }).employees.count()
      await vi.advanceTimersByTimeAsync(Math.max(0, wait - 1))
      expect(requests).toBe(wait === 0 ? 2 : 1)
      await vi.advanceTimersByTimeAsync(1)
      expect(await count).toBe(1)
      expect(vi.getTimerCount()).toBe(0)
    })
  }

  test('twice as long each time, up to `maxWait`', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const times: number[] = []
    const { v1 } = createClient<typeof api>({
      baseUrl: 'http://x',
      fetch: retrying({
        attempts: 5,
        wait: 100,
        maxWait: 300,
        fetch: () => {
          times.push(Date.now() % 100_000)
          return cut()
        },
      }),
    })
    const count = v1.employees.count().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(2000)
    expect(await count).toBe(lost)
    const [start = 0] = times
    expect(times.map((time) => time - start)).toEqual([0, 100, 300, 600, 900])
  })

  test('not at all beyond `maxWait`', async () => {
    const answer = problemOf('rate_limited', 429, { 'retry-after': '61' })
    await expect(failing(answer, { attempts: 2 }).employees.count()).rejects.toMatchObject({
      code: 'rate_limited',
      members: { retryAfter: 61 },
    })
    expect([requests, vi.getTimerCount()]).toEqual([1, 0])
  })

  test('no longer than the signal allows', async () => {
    const controller = new AbortController()
    const reason = new Error('gone')
    const v1 = failing(problemOf('unavailable', 503, { 'retry-after': '50' }), { attempts: 2 })
    const count = v1.employees.count({}, { signal: controller.signal }).catch((error) => error)
    await vi.advanceTimersByTimeAsync(1000)
    controller.abort(reason)
    expect(await count).toBe(reason)
    await vi.advanceTimersByTimeAsync(0)
    expect([requests, vi.getTimerCount()]).toEqual([1, 0])
  })
})

test('sends the body again', async () => {
  const bodies: string[] = []
  const fetch = retrying({
    attempts: 3,
    wait: 0,
    fetch: async (request) => {
      bodies.push(await request.text())
      return bodies.length < 3 ? limited() : Response.json(item, { status: 201 })
    },
  })
  const { v1 } = createClient<typeof api>({ baseUrl: 'http://x', fetch })
  await v1.employees.create({ name: 'Ann', birthdate: '1990-01-01' })
  expect(bodies).toEqual(Array(3).fill('{"name":"Ann","birthdate":"1990-01-01"}'))
})

describe('a dropped response delays nothing', () => {
  const bodies: Record<string, () => BodyInit> = {
    broken: () =>
      new ReadableStream({
        start: (controller) => controller.error(lost),
      }),
    'without an end': () => new ReadableStream({ cancel: () => new Promise(() => undefined) }),
  }
  for (const [name, body] of Object.entries(bodies)) {
    test(name, async () => {
      expect(await failing(() => new Response(body(), { status: 503 })).employees.count()).toBe(1)
    })
  }

  test('read by other code', async () => {
    const answer = new Response('x', { status: 503 })
    answer.body?.getReader()
    expect(await failing(() => answer).employees.count()).toBe(1)
  })
})

test('throws when the body breaks off', async () => {
  const half = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('[{"id":'))
      controller.error(lost)
    },
  })
  await expect(failing(() => new Response(half)).employees.list()).rejects.toBe(lost)
  expect(requests).toBe(1)
})

describe('rejects invalid options', () => {
  const refused: readonly (readonly [object, RegExp])[] = [
    [{}, /attempts/],
    [{ attempts: 0 }, /attempts/],
    [{ attempts: Number.NaN }, /attempts/],
    [{ attempts: 2, wait: -1 }, /wait/],
    [{ attempts: 2, maxWait: 'long' }, /maxWait/],
    [{ attempts: 1, times: 3 }, /times/],
    [{ attempts: 2.5 }, /attempts/],
    [{ attempts: '3' }, /attempts/],
    [{ attempts: 2, wait: null }, /wait/],
    // A timer would fire at once.
    [{ attempts: 2, maxWait: 2 ** 31 }, /maxWait/],
    [{ attempts: 2, fetch: 1 }, /fetch/],
    [[], /attempts/],
  ]
  for (const [options, says] of refused) {
    test(JSON.stringify(options), () => {
      expect(() => retrying(options as never)).toThrow(says)
    })
  }
})

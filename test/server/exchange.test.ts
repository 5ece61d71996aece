import { handle, type Layer, type Operation, problem } from 'nounful'
import { describe, expect, test, vi } from 'vitest'
import { respond, responder } from '../../src/server/respond.ts'
import { type Loose, mapOf, notesWith, requestOf, verdictOf } from '../support/registry.ts'

const never = new Promise<never>(() => undefined)
const soon = { limits: { time: 20, arrival: 20 } }
const get = { method: 'GET', url: '/notes/a' }
const list = { method: 'GET', url: '/notes' }
const posting = requestOf(['POST', '/notes', { text: 'x' }])

function later<Value>(value: Value, milliseconds: number): Promise<Value> {
  return new Promise((resolve) => setTimeout(() => resolve(value), milliseconds))
}

async function* one(next: () => unknown) {
  yield { id: 'a' }
  yield await next()
}

/** Returns an adapter that never settles, and the signal of its operation. */
function hanging(): { readonly adapter: Loose; signal(): AbortSignal | undefined } {
  let asked: Operation | undefined
  const hang = (operation: Operation) => {
    asked = operation
    // Reads the signal, as an adapter that can stop does.
    return operation.signal.aborted || never
  }
  return { adapter: { read: hang, list: hang, create: hang }, signal: () => asked?.signal }
}

describe('time is over for', () => {
  // biome-ignore format: a row stays a line
  const rows: [name: string, small: () => ReturnType<typeof notesWith>, request?: typeof get][] = [
    ['an adapter',          () => notesWith({ read: () => never }, { options: soon })],
    ['a context',           () => notesWith({ read: () => null }, { options: soon, context: () => never })],
    ['a middleware',        () => notesWith({ read: () => null }, { options: soon, use: [() => never] })],
    ['what a middleware waits for', () => notesWith({ read: () => never }, { options: soon, use: [async (_o, _c, next) => await next()] })],
    ['a thenable',          () => notesWith({ read: () => Object.fromEntries([['then', () => undefined]]) }, { options: soon })],
    ['the first of a list', () => notesWith({ list: () => one(() => never) }, { options: soon }), { method: 'GET', url: '/notes?limit=1' }],
    ['a list that is counted', () => notesWith({ list: () => one(() => never) }, { options: soon }), { method: 'GET', url: '/notes/count' }],
  ]
  for (const [name, small, request = get] of rows) {
    test(`${name}: 503, told once`, async () => {
      const { registry, errors } = small()
      const answer = await handle(request, registry)
      expect([verdictOf(answer), answer.headers['retry-after']]).toEqual(['503 unavailable', '5'])
      expect(errors).toMatchObject([{ code: 'unavailable', cause: { name: 'TimeoutError' } }])
    })
  }

  test('a validator: 503', async () => {
    const create = { '~standard': { version: 1, vendor: 'x', validate: () => never } }
    const { registry } = notesWith(mapOf(), { options: soon, declaration: { create } })
    expect(verdictOf(await handle(posting, registry))).toBe('503 unavailable')
  })

  test('whoever listens to the signal', async () => {
    const { adapter, signal } = hanging()
    const { registry } = notesWith(adapter, { options: soon })
    expect(verdictOf(await handle(get, registry))).toBe('503 unavailable')
    expect(signal()).toMatchObject({ aborted: true, reason: { name: 'TimeoutError' } })
  })

  test('nobody who was quick enough', async () => {
    const seen: AbortSignal[] = []
    const { registry, errors } = notesWith(
      { read: async ({ signal }) => seen.push(signal) && { id: 'a' } },
      { options: soon },
    )
    expect(verdictOf(await handle(get, registry))).toBe('200')
    await later(undefined, 40)
    expect([seen.map(({ aborted }) => aborted), errors]).toEqual([[false], []])
  })

  test('what comes late, which is lost', async () => {
    const ends: unknown[] = []
    async function* stream() {
      try {
        yield* [{ id: 'a' }, { id: 'b' }]
      } finally {
        ends.push('closed')
      }
    }
    for (const late of [
      () => later({ id: 'a' }, 40),
      () => later(undefined, 40).then(() => Promise.reject(new Error('late'))),
      () => later(undefined, 40).then(stream),
    ]) {
      const { registry, errors } = notesWith({ read: late, list: late }, { options: soon })
      expect(verdictOf(await handle(list, registry))).toBe('503 unavailable')
      await later(undefined, 60)
      expect(errors).toHaveLength(1)
    }
    await vi.waitFor(() => expect(ends).toEqual(['closed']))
  })

  test('a slice that does not come, and the answer breaks off', async () => {
    const { adapter } = { adapter: { list: () => one(() => never) } }
    const { registry, errors } = notesWith(adapter, { options: soon })
    const { body } = await handle(list, registry)
    const items = (body as AsyncIterable<object>)[Symbol.asyncIterator]()
    expect(await items.next()).toEqual({ done: false, value: { id: 'a' } })
    await expect(items.next()).rejects.toMatchObject({ code: 'unavailable' })
    expect(errors).toHaveLength(1)
    // In a text, the first slice is not yet a response.
    expect((await respond(list, registry)).status).toBe(503)
  })

  test('a list that will not be closed', async () => {
    const source = { next: async () => ({ value: { id: 'a' } }), return: () => never }
    const endless = { list: () => ({ [Symbol.asyncIterator]: () => source }) }
    const { registry, errors } = notesWith(endless, { options: soon })
    expect((await handle({ ...list, method: 'HEAD' }, registry)).status).toBe(200)
    expect(errors).toMatchObject([{ code: 'unavailable' }])
  })
})

describe('the clock', () => {
  const slowly = (milliseconds: number) => ({
    ...posting,
    body: () => later('{"text":"x"}', milliseconds),
  })
  const patient = { limits: { time: 40, arrival: 10_000 } }

  test('stands still while a body arrives', async () => {
    const { registry } = notesWith(mapOf(), { options: patient })
    expect(verdictOf(await handle(slowly(100), registry))).toBe('201')
  })

  test('begins anew when it is there', async () => {
    const { registry } = notesWith({ create: () => never }, { options: patient })
    expect(verdictOf(await handle(slowly(60), registry))).toBe('503 unavailable')
  })

  test('stands still below what waits already', async () => {
    const { registry } = notesWith(mapOf(), {
      options: patient,
      context: async () => null,
      use: [async (_o, _c, next) => await next()],
    })
    expect(verdictOf(await handle(slowly(100), registry))).toBe('201')
  })

  test('of a layer stands still until all it asked for is there', async () => {
    const { registry } = notesWith(
      { ...mapOf(), read: () => later({ id: 'a' }, 5) },
      { options: patient },
    )
    const both: Layer = async (request, next) => {
      const [first] = await Promise.all([next(request), next(get)])
      return first
    }
    expect((await responder(registry, [both])(slowly(100))).status).toBe(201)
  })

  test('of the body has its own end', async () => {
    const { registry, errors } = notesWith(mapOf(), { options: soon })
    const answer = await handle({ ...posting, body: () => never }, registry)
    expect([verdictOf(answer), errors]).toEqual(['400 request_timeout', []])
  })

  test('of the body ends when it is to, whatever was waited for before', async () => {
    const options = { limits: { time: 10_000, arrival: 20 } }
    const { registry } = notesWith(mapOf(), { options, context: async () => null })
    const answer = await handle({ ...posting, body: () => never }, registry)
    expect(verdictOf(answer)).toBe('400 request_timeout')
  })

  test('does not ring for a body that was there before anybody looked', async () => {
    const { registry } = notesWith(mapOf(), {
      options: soon,
      use: [
        (_operation, _context, next) => {
          const outcome = next()
          for (const end = performance.now() + 30; performance.now() < end; );
          return outcome
        },
      ],
    })
    const answer = await handle({ ...posting, body: async () => '{"text":"x"}' }, registry)
    expect(verdictOf(answer)).toBe('201')
  })

  test('of a body takes what thenables give', async () => {
    const thenable = (value: unknown) =>
      Object.fromEntries([['then', (give: (given: unknown) => void) => give(value)]])
    const { registry } = notesWith(mapOf())
    const body = () => thenable(thenable('{"text":"x"}'))
    expect(verdictOf(await handle({ ...posting, body }, registry))).toBe('201')
  })

  test('of a body that comes after all goes on for nobody', async () => {
    const { registry, errors } = notesWith(mapOf(), { options: soon })
    const answer = await handle(slowly(60), registry)
    expect(verdictOf(answer)).toBe('400 request_timeout')
    await later(undefined, 60)
    expect(errors).toEqual([])
  })

  test('of a body that fails ends too', async () => {
    const { registry } = notesWith(mapOf(), { options: soon })
    const body = () => later(undefined, 5).then(() => Promise.reject(new Error('x')))
    expect(verdictOf(await handle({ ...posting, body }, registry))).toBe('500 internal_error')
  })
})

describe('a signal', () => {
  test('has listeners that may throw', async () => {
    const heard: string[] = []
    const boom = new Error('boom')
    const removed = () => heard.push('removed')
    const listen = ({ signal }: Operation) => {
      signal.addEventListener('abort', () => {
        heard.push('function')
        throw boom
      })
      signal.addEventListener('abort', {
        handleEvent: async () => {
          heard.push('object')
          throw boom
        },
      })
      // As DOM has it, though Node's types have not.
      Reflect.apply(signal.addEventListener, signal, ['abort', null])
      Reflect.apply(signal.removeEventListener, signal, ['abort', null])
      signal.addEventListener('abort', removed)
      signal.addEventListener('abort', removed)
      signal.removeEventListener('abort', removed)
      signal.onabort = () => heard.push('replaced')
      signal.onabort = function onabort(this: AbortSignal) {
        heard.push(`own ${this === signal} ${signal.onabort === onabort}`)
        throw boom
      }
      return never
    }
    const { registry, errors } = notesWith({ read: listen }, { options: soon })
    expect(verdictOf(await handle(get, registry))).toBe('503 unavailable')
    expect(heard).toEqual(['function', 'object', 'own true true'])
    await vi.waitFor(() => expect(errors.filter((error) => error === boom)).toHaveLength(3))
  })

  test('forgets what was taken off', async () => {
    const heard: unknown[] = []
    const listen = ({ signal }: Operation) => {
      signal.onabort = () => heard.push('onabort')
      signal.onabort = null
      return never
    }
    const { registry } = notesWith({ read: listen }, { options: soon })
    await handle(get, registry)
    expect(heard).toEqual([])
  })

  test('lets go of the one it follows', async () => {
    const { signal } = new AbortController()
    const [add, remove] = [
      vi.spyOn(signal, 'addEventListener'),
      vi.spyOn(signal, 'removeEventListener'),
    ]
    async function* items({ signal }: Operation) {
      if (!signal.aborted) yield* [{ id: 'a' }, { id: 'b' }]
    }
    const { registry } = notesWith({
      read: async ({ signal }) => (signal.aborted ? null : { id: 'a' }),
      list: items,
    })
    await handle({ ...get, signal }, registry)
    expect([add.mock.calls.length, remove.mock.calls.length]).toEqual([1, 1])
    const { body } = await handle({ ...list, signal }, registry)
    expect([add.mock.calls.length, remove.mock.calls.length]).toEqual([2, 1])
    for await (const _ of body as AsyncIterable<object>);
    expect(remove).toHaveBeenCalledTimes(2)
  })

  test('of a client who left is no fault', async () => {
    const poisoned = new Proxy(
      {},
      {
        get: () => {
          throw new Error('poisoned')
        },
      },
    )
    const reason = new Error('gone')
    // biome-ignore format: a row stays a line
    const rows: [thrown: unknown, told: number, verdict?: string][] = [
      [reason, 0],
      [new DOMException('x', 'AbortError'), 0],
      [problem('unavailable'), 0, '503 unavailable'],
      [new TypeError('a bug'), 1],
      [undefined, 1],
      [poisoned, 1],
    ]
    for (const [thrown, told, verdict = '500 internal_error'] of rows) {
      const controller = new AbortController()
      const read = () => {
        controller.abort(reason)
        return Promise.reject(thrown)
      }
      const { registry, errors } = notesWith({ read })
      const answer = await handle({ ...get, signal: controller.signal }, registry)
      expect([verdictOf(answer), errors.length]).toEqual([verdict, told])
    }
  })
})

describe('a layer', () => {
  test('that hangs is 503', async () => {
    const { registry, errors } = notesWith(mapOf({ id: 'a' }), { options: soon })
    const written = await responder(registry, [() => never])(get)
    expect([written.status, errors]).toMatchObject([503, [{ code: 'unavailable' }]])
  })

  test('that is late is dropped', async () => {
    const ends: string[] = []
    async function* items() {
      try {
        yield* [{ id: 'a' }, { id: 'b' }]
      } finally {
        ends.push('closed')
      }
    }
    const { registry } = notesWith({ list: items }, { options: soon })
    const slow: Layer = (request, answer) => later(undefined, 80).then(() => answer(request))
    expect((await responder(registry, [slow])(list)).status).toBe(503)
    await vi.waitFor(() => expect(ends).toEqual(['closed']))
  })
})

describe('the id of a request', () => {
  const broken = { read: () => Promise.reject(new Error('secret')) }
  const idOf = async (requestId?: (request: object) => string, request: object = get) => {
    const told: string[] = []
    const { registry } = notesWith(broken, { options: requestId ? { requestId } : {} })
    const listening = {
      ...registry,
      onError: (_: unknown, { requestId }: { requestId: string }) => told.push(requestId),
    }
    const { body } = await handle({ ...get, ...request }, listening as never)
    const { request_id } = body as { request_id: string }
    expect(told).toEqual([request_id])
    return request_id
  }

  test('is random, and told to both', async () => {
    const [one, other] = [await idOf(), await idOf()]
    expect(one).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(one).not.toBe(other)
  })

  test('is what the registry says', async () => {
    expect(await idOf(() => 'trace-7')).toBe('trace-7')
  })

  test('is random where that cannot be', async () => {
    // biome-ignore format: a row stays a line
    const unfit: (() => unknown)[] = [
      () => '', () => 'a b', () => 'a\r\nb', () => 'é', () => 'x'.repeat(129), () => 7,
      () => undefined, () => null, () => { throw new Error('x') }, async () => 'x',
      () => Promise.reject(new Error('x')),
    ]
    for (const requestId of unfit) expect(await idOf(requestId as never)).toMatch(/^[\da-f-]{36}$/)
  })

  test('is not asked for without need', async () => {
    const requestId = vi.fn(() => 'x')
    const { registry } = notesWith(mapOf({ id: 'a' }), { options: { requestId } })
    await handle(get, registry)
    await handle({ method: 'GET', url: '/notes/b' }, registry)
    expect(requestId).not.toHaveBeenCalled()
  })
})

import { handle } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { serve } from 'nounful/node'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { afterwards } from '../../support/listening.ts'
import { failing, thenable } from '../../support/oddities.ts'
import { bytesOf, Caller } from '../../support/socket.ts'
import { until } from '../../support/streams.ts'
import { calm, secret, verdictOf, World, watchProcess } from '../../support/world.ts'

const arrival = 60
const mebibyte = 1024 * 1024
const world = new World({ options: { limits: { arrival, body: mebibyte } } })
const server = await serve(world.registry, { port: 0, headersTimeout: 150, requestTimeout: 300 })
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
  world.calm()
  // The server serves the next client as before.
  for (const door of ['node', 'fetch'] as const) {
    expect(verdictOf(await world.ask(door, calm.create[0]))).toBe('201')
  }
  expect(world.told).toEqual([])
  world.calm()
})
afterAll(async () => {
  await world.close()
  await server.close()
})

const json = ['Content-Type', 'application/json'] as const
const get = (target: string) => bytesOf(['GET', target])
const post = (fields: string) =>
  `POST /notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${fields}\r\n\r\n`

function called(sent: Uint8Array | string, port = server.port): Caller {
  const caller = new Caller(port, sent)
  afterwards(() => caller.leave())
  return caller
}

/** Waits until the server has let go of all connections but that of {@link World.ask}. */
async function noneLeft(): Promise<void> {
  let count = Number.POSITIVE_INFINITY
  await until(() => {
    server.server.getConnections((_, left) => {
      count = left
    })
    return count === 0
  })
}

describe('a client that leaves', () => {
  // biome-ignore format: a row stays a line
  const uploads: readonly (readonly [name: string, beginning: string])[] = [
    ['before its body',     post('Content-Length: 100')],
    ['in its body',         `${post('Content-Length: 100')}{"text":"`],
    ['before its chunks',   post('Transfer-Encoding: chunked')],
    ['in a chunk',          `${post('Transfer-Encoding: chunked')}64\r\n{"text`],
    ['between chunks',      `${post('Transfer-Encoding: chunked')}c\r\n{"text":"a"}\r\n`],
    ['in its head',         'POST /notes HTTP/1.1\r\nHost: localhost\r\nCont'],
  ]
  for (const [name, beginning] of uploads) {
    test.for(['leave', 'reset', 'end'] as const)(`${name} has nothing done: %s`, async (how) => {
      const caller = called(beginning)
      await new Promise((resolve) => setTimeout(resolve, 10))
      if (how === 'leave') caller.leave()
      else if (how === 'reset') caller.socket.resetAndDestroy()
      else caller.socket.end()
      await noneLeft()
      expect([world.asked, world.told]).toEqual([[], []])
    })
  }

  test.for(['resolve', 'reject'] as const)('aborts who works for it: %s', async (how) => {
    const signals: AbortSignal[] = []
    let settle: (value: unknown) => void = () => undefined
    world.arm('create', ({ signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      return new Promise((resolve, reject) => {
        settle = how === 'resolve' ? resolve : reject
      })
    })
    const caller = called(bytesOf(['POST', '/notes'], [json], '{"text":"a"}'))
    await until(() => signals.length > 0)
    expect(signals[0]?.aborted).toBe(false)
    if (how === 'resolve') caller.leave()
    else caller.socket.resetAndDestroy()
    await until(() => signals[0]?.aborted === true)
    settle(how === 'resolve' ? { id: 'n3', text: 'a' } : signals[0]?.reason)
    await new Promise(setImmediate)
    expect([caller.text, world.asked, world.told]).toEqual(['', ['create'], []])
  })

  test('has faults behind its back told', async () => {
    let reject: (error: unknown) => void = () => undefined
    const held = new Promise((_, fail) => {
      reject = fail
    })
    world.arm('read', () => held)
    const caller = called(get('/notes/n1'))
    await until(() => world.asked.length > 0)
    caller.socket.resetAndDestroy()
    await noneLeft()
    const error = new Error(secret)
    reject(error)
    await until(() => world.told.length > 0)
    expect(world.told.map((told) => told.error)).toEqual([error])
  })

  test('amid its answer takes nobody along', async () => {
    const text = 'x'.repeat(20_000_000)
    world.arm('list', () => [{ id: 'n1', text }])
    const caller = called(get('/notes'))
    await until(() => caller.text.length > 0)
    caller.socket.resetAndDestroy()
    await noneLeft()
    expect(world.told).toEqual([])
  })

  test('only for its own side is answered', async () => {
    for (const kind of ['read', 'list', 'count'] as const) {
      const caller = called(get(String(calm[kind][0][1])))
      caller.socket.end()
      await caller.answered()
      expect(caller.statuses).toEqual([200])
    }
  })
})

describe('a client that is slow', () => {
  // biome-ignore format: a row stays a line
  const slow: readonly (readonly [name: string, beginning: string, more: string])[] = [
    ['in its head',   'GET /notes HTTP/1.1\r\nHost: localhost\r\nX: ',   'y'],
    ['in its body',   `${post('Content-Length: 1000')}{"text":"`, 'z'],
    ['with its body', post('Content-Length: 1000'),               ''],
  ]
  for (const [name, beginning, more] of slow) {
    test(`${name} is answered, and nothing done`, async () => {
      const caller = called(beginning)
      const saying = setInterval(() => more && caller.say(more), 10)
      afterwards(() => clearInterval(saying))
      await caller.ended()
      expect([caller.statuses, caller.code]).toEqual([[400], 'request_timeout'])
      expect([world.asked, world.told]).toEqual([[], []])
    })
  }

  test('to say anything is let go', async () => {
    const caller = called('')
    await caller.ended()
    expect(caller.text).toBe('')
  })

  test.for(['handle', 'fetch'] as const)('is answered over %s', async (door) => {
    expect(await verdictOnNothing(door)).toEqual([400, 'request_timeout'])
    expect([world.asked, world.told]).toEqual([[], []])
  })
})

/** The verdict on a body of which nothing comes. */
async function verdictOnNothing(door: 'handle' | 'fetch'): Promise<unknown[]> {
  if (door === 'fetch') return asked(new ReadableStream())
  const body = () => new Promise<string>(() => undefined)
  const headers = { 'content-type': 'application/json' }
  const reply = await handle({ method: 'POST', url: '/notes', headers, body }, world.registry)
  return [reply.status, Object(reply.body).code]
}

/** The verdict for a body of fetch. */
async function asked(body: ReadableStream): Promise<unknown[]> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  const response = await toFetchHandler(world.registry)(new Request('http://x/notes', init))
  return [response.status, Object(await response.json()).code]
}

describe('a body', () => {
  // Most of it is on its way when the server answers, and the limit is there before `arrival`.
  const large = Buffer.alloc(3 * mebibyte, ' ')

  test.for(['its length', 'chunks'] as const)('too large by %s is answered', async (how) => {
    const caller = called(
      post(how === 'chunks' ? 'Transfer-Encoding: chunked' : `Content-Length: ${large.length}`),
    )
    if (how === 'chunks') caller.say(`${large.length.toString(16)}\r\n`)
    caller.say(large)
    await caller.answered()
    expect([caller.statuses, caller.code, world.asked]).toEqual([[400], 'body_too_large', []])
  })

  test('in a broken chunk is answered', async () => {
    const caller = called(post('Transfer-Encoding: chunked'))
    await new Promise((resolve) => setTimeout(resolve, 10))
    caller.say('c\r\n{"text":"a"}\r\nzz\r\n')
    await caller.ended()
    expect([caller.statuses, caller.code, world.asked]).toEqual([[400], 'bad_request', []])
  })

  const pulled = (chunk: unknown) => new ReadableStream({ pull: (to) => to.enqueue(chunk) })
  // biome-ignore format: a row stays a line
  const bodies: readonly (readonly [
    name: string,
    make: () => ReadableStream,
    verdict: unknown[],
  ])[] = [
    ['without an end',         () => pulled(new Uint8Array(65_536)),                            [400, 'body_too_large']],
    ['that cannot be given up', () => new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(2 ** 20)), cancel: failing }), [400, 'body_too_large']],
    ['that fails at once',     () => new ReadableStream({ start: (to) => to.error(secret) }),   [400, 'bad_request']],
    ['that fails later',       () => new ReadableStream({ pull: failing }),                     [400, 'bad_request']],
    ['of texts',               () => pulled('{}'),                                              [500, 'internal_error']],
    ['of nothing',             () => pulled(undefined),                                         [500, 'internal_error']],
    ['of objects',             () => pulled({ length: 3 }),                                     [500, 'internal_error']],
  ]
  for (const [name, make, verdict] of bodies) {
    test(`of fetch ${name} is ${verdict.join(' ')}`, async () => {
      expect(await asked(make())).toEqual(verdict)
      expect([world.asked, world.told.length]).toEqual([[], verdict[0] === 500 ? 1 : 0])
      world.calm()
    })
  }

  test('that is a broken promise is told once', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = () => thenable(failing) as Promise<string>
    const reply = await handle({ method: 'POST', url: '/notes', headers, body }, world.registry)
    // Until the clock that was set for it would have rung.
    await new Promise((resolve) => setTimeout(resolve, 2 * arrival))
    expect([reply.status, world.asked, world.told.length]).toEqual([500, [], 1])
    world.calm()
  })

  test.for(['used', 'locked'] as const)('of fetch that is %s is a fault', async (how) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const request = new Request('http://x/notes', init)
    if (how === 'used') await request.text()
    else request.body?.getReader()
    expect((await toFetchHandler(world.registry)(request)).status).toBe(500)
    expect([world.asked, world.told.length]).toEqual([[], 1])
    world.calm()
  })
})

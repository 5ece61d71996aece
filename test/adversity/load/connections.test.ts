import { createServer } from 'node:http'
import type { Registry } from 'nounful'
import { toNodeListener } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { companiesRegistry } from '../../support/companies.ts'
import { afterwards, connectionsOf, portOf, serving } from '../../support/listening.ts'
import { mapOf, notesWith } from '../../support/registry.ts'
import { bytesOf, Caller, exchange } from '../../support/socket.ts'
import { until } from '../../support/streams.ts'

const get = (target: string) => bytesOf(['GET', target])

function called(port: number, sent: Uint8Array | string = ''): Caller {
  const caller = new Caller(port, sent)
  afterwards(() => caller.leave())
  return caller
}

/** Reads that wait until the test releases them. */
function held() {
  let go: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    go = resolve
  })
  const state = { reached: 0, atOnce: 0, most: 0 }
  const small = notesWith({
    read: async ({ id }) => {
      state.reached++
      state.most = Math.max(state.most, ++state.atOnce)
      await released
      state.atOnce--
      return { id }
    },
  })
  return { ...small, state, go: () => go() }
}

describe('five thousand requests at once', () => {
  const many = 5000
  const sent = Buffer.concat(Array.from({ length: many }, (_, number) => get(`/notes/${number}`)))
  const doors = {
    serve: async (registry: Registry) => (await serving(registry)).server,
    toNodeListener: async (registry: Registry) => {
      const server = createServer(toNodeListener(registry))
      await portOf(server)
      return server
    },
  }
  for (const [door, open] of Object.entries(doors)) {
    test(`are read as fast as responses leave under ${door}`, async () => {
      const { registry, state, go } = held()
      const server = await open(registry)
      let seen = 0
      server.on('request', () => seen++)
      const address = server.address()
      const caller = called(typeof address === 'object' ? (address?.port ?? 0) : 0, sent)
      await until(() => state.reached === 1)
      for (let before = -1; before !== seen; ) {
        before = seen
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      // The requests in a chunk of 64 KiB.
      expect(seen).toBeLessThan(2500)
      expect(state.reached).toBe(1)
      go()
      await caller.heard(`{"id":"${many - 1}"}`)
      const ids = [...caller.text.matchAll(/\{"id":"(\d+)"\}/g)].map(([, id]) => Number(id))
      expect(ids).toEqual(Array.from({ length: many }, (_, number) => number))
      expect([seen, state.most]).toEqual([many, 1])
    })
  }

  test('let other connections run', async () => {
    const { port } = await serving(notesWith({ read: ({ id }) => ({ id }) }).registry)
    const greedy = called(port, sent)
    await greedy.answered()
    const { answers } = await exchange(port, get('/notes/b'))
    const before = greedy.statuses.length
    expect(answers.map(({ text }) => text)).toEqual(['{"id":"b"}'])
    expect(before).toBeLessThan(many)
  })

  test('for long responses do not buffer them all', async () => {
    const text = 'x'.repeat(1_000_000)
    let asked = 0
    const { registry } = notesWith({
      read: ({ id }) => {
        asked++
        return { id, text }
      },
    })
    const { port } = await serving(registry)
    const caller = called(port)
    caller.socket.pause()
    caller.say(sent)
    for (let before = -1; before !== asked; ) {
      before = asked
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    // As many as the system buffers for a client that does not read.
    expect(asked).toBeLessThan(30)
  })
})

describe('limits of a connection', () => {
  test('its last response closes it', async () => {
    const { port } = await serving(notesWith(mapOf({ id: 'a' })).registry, {
      maxRequestsPerSocket: 3,
    })
    const five = Buffer.concat(Array<Buffer>(5).fill(get('/notes/a')))
    const { answers, isClosed } = await exchange(port, five, { count: 5 })
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([
      [200, 'keep-alive'],
      [200, 'keep-alive'],
      [200, 'close'],
    ])
    expect(isClosed).toBe(true)
  })

  test('it closes when idle for long', async () => {
    const { port } = await serving(notesWith(mapOf({ id: 'a' })).registry, {
      keepAliveTimeout: 100,
    })
    const caller = called(port, get('/notes/a'))
    await caller.ended()
    expect([caller.statuses, caller.error]).toEqual([[200], undefined])
  })

  // biome-ignore format: a row stays a line
  const heads: readonly (readonly [
    name: string,
    size: number,
    fields: number,
    verdict: number | string,
  ])[] = [
    ['a head within its size',  8000,   10,    200],
    ['a head beyond its size',  8400,   10,    'headers_too_large'],
    ['many fields',             100,    1000,  200],
    ['too many fields',         100,    1001,  'headers_too_large'],
  ]
  for (const [name, size, fields, verdict] of heads) {
    test(`${name} is ${verdict}`, async () => {
      const { port } = await serving(companiesRegistry(), { maxHeaderSize: 8192 })
      const lines = ['Host: localhost', ...Array<string>(fields - 2).fill('a:')].join('\r\n')
      const start = `GET /v1/employees/count HTTP/1.1\r\n${lines}\r\nX: `
      const caller = called(port, `${start}${'a'.repeat(Math.max(0, size - start.length))}\r\n\r\n`)
      await caller.answered()
      expect(caller.code ?? caller.statuses[0]).toBe(verdict)
    })
  }

  test('closes connections beyond the limit', async () => {
    const { port, server } = await serving(notesWith(mapOf({ id: 'a' })).registry, {
      maxConnections: 2,
    })
    const two = [called(port, get('/notes/a')), called(port, get('/notes/a'))]
    await Promise.all(two.map((caller) => caller.answered()))
    const third = called(port, get('/notes/a'))
    await third.ended()
    expect([third.text, await connectionsOf(server)]).toEqual(['', 2])
    two[0]?.leave()
    while ((await connectionsOf(server)) > 1) await new Promise((resolve) => setTimeout(resolve, 2))
    expect((await exchange(port, get('/notes/a'))).answers).toHaveLength(1)
  })
})

describe('a client that closes its side', () => {
  test('gets its response', async () => {
    const { registry, state, go } = held()
    const { port } = await serving(registry)
    const caller = called(port)
    caller.socket.end(get('/notes/a'))
    await until(() => state.reached === 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    go()
    await caller.closed()
    expect([caller.statuses, caller.text.endsWith('{"id":"a"}')]).toEqual([[200], true])
  })

  test('gets all its responses', async () => {
    const { registry, go } = held()
    const { port } = await serving(registry)
    const caller = called(port)
    caller.socket.end(Buffer.concat([get('/notes/a'), get('/notes/b'), get('/notes/c')]))
    await new Promise((resolve) => setTimeout(resolve, 50))
    go()
    await caller.closed()
    expect(caller.statuses).toEqual([200, 200, 200])
  })

  test('counts as gone after a while', async () => {
    const signals: AbortSignal[] = []
    const { registry } = notesWith({
      read: async ({ signal }) => {
        signals.push(signal)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        throw signal.reason
      },
    })
    const { port, server } = await serving(registry)
    const caller = called(port, get('/notes/a'))
    await until(() => signals.length === 1)
    caller.leave()
    await until(() => signals[0]?.aborted === true)
    while ((await connectionsOf(server)) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })
})

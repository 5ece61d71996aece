import { createServer } from 'node:http'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'nounful'
import { toNodeListener } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { afterwards, connectionsOf, portOf, serving } from '../../support/listening.ts'
import { mapOf, notesWith } from '../../support/registry.ts'
import { bytesOf, Caller } from '../../support/socket.ts'
import { generated, until } from '../../support/streams.ts'

const get = (target: string) => bytesOf(['GET', target])
const text = 'x'.repeat(1000)

function called(port: number, sent: Uint8Array | string = ''): Caller {
  const caller = new Caller(port, sent)
  afterwards(() => caller.leave())
  return caller
}

/** More than two million bytes: more than the system buffers for a client that does not read. */
function largeText(length = 50_000_000): ReturnType<typeof notesWith> {
  return notesWith({
    ...mapOf({ id: 'a' }),
    list: () => [{ id: 'a', text: 'é'.repeat(length / 2) }],
  })
}

/** A client that reads nothing. */
function deaf(port: number, sent: Uint8Array): Caller {
  const caller = called(port)
  caller.socket.pause()
  return caller.say(sent)
}

const doors = {
  serve: async (registry: Registry) => (await serving(registry, { writeTimeout: 150 })).server,
  toNodeListener: async (registry: Registry) => {
    const server = createServer(toNodeListener(registry, { writeTimeout: 150 }))
    await portOf(server)
    return server
  },
}

for (const [door, open] of Object.entries(doors)) {
  describe(`a client that does not read under ${door}`, () => {
    test('closes its list', async () => {
      const list = generated(10_000_000, { text })
      const server = await open(notesWith(list.adapter).registry)
      const { port } = server.address() as AddressInfo
      deaf(port, get('/notes'))
      await until(() => list.closed === 1)
      expect(list.made).toBeLessThan(100_000)
      await noneLeft(server)
    })

    test('gets a long text cut off', async () => {
      const server = await open(largeText().registry)
      const { port } = server.address() as AddressInfo
      deaf(port, get('/notes'))
      await until(() => true)
      await someThenNone(server)
    })

    test('is cut off after any request', async () => {
      const server = await open(notesWith({ read: ({ id }) => ({ id, text }) }).registry)
      const { port } = server.address() as AddressInfo
      const caller = deaf(port, Buffer.concat(Array<Buffer>(10_000).fill(get('/notes/a'))))
      await until(() => caller.isClosed || caller.socket.bytesWritten > 0)
      await someThenNone(server)
    })
  })
}

async function noneLeft(server: ReturnType<typeof createServer>): Promise<void> {
  for (const end = Date.now() + 8000; (await connectionsOf(server)) > 0; ) {
    if (Date.now() > end) throw new Error('A connection is still there')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function someThenNone(server: ReturnType<typeof createServer>): Promise<void> {
  while ((await connectionsOf(server)) === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  await noneLeft(server)
}

describe('a client that reads', () => {
  test('too slowly is cut off', async () => {
    const list = generated(10_000_000, { text })
    const { port } = await serving(notesWith(list.adapter).registry, { writeTimeout: 300 })
    const caller = deaf(port, get('/notes'))
    // A byte now and then does not help.
    const reading = setInterval(() => caller.socket.read(1), 20)
    afterwards(() => clearInterval(reading))
    await until(() => list.closed === 1)
    expect(list.made).toBeLessThan(100_000)
  })

  test('steadily gets a whole long text', async () => {
    const { port } = await serving(largeText(20_000_000).registry, { writeTimeout: 1000 })
    const response = await fetch(`http://127.0.0.1:${port}/notes`)
    const [note] = await response.json()
    expect(note.text).toBe('é'.repeat(10_000_000))
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(20_000_000)
  })

  test('with pauses gets all of it', async () => {
    const { port } = await serving(largeText(30_000_000).registry, { writeTimeout: 400 })
    const caller = deaf(port, get('/notes'))
    let bytes = 0
    caller.socket.removeAllListeners('data').on('data', (chunk) => {
      bytes += chunk.length
      caller.socket.pause()
      setTimeout(() => caller.socket.resume(), 1)
    })
    caller.socket.resume()
    await until(() => bytes > 30_000_000)
    expect(caller.isEnded).toBe(false)
  }, 20_000)
})

test('a client of HTTP/2 that does not read is cut off', async () => {
  const list = generated(10_000_000, { text })
  const server = http2.createServer()
  const listener = toNodeListener(notesWith(list.adapter).registry, { writeTimeout: 150 })
  // The compatible API is the same, but its types differ.
  server.on('request', (request, response) => listener(request as never, response as never))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  afterwards(() => server.close())
  const client = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  afterwards(() => client.destroy())
  const stream = client.request({ ':path': '/notes' })
  stream.on('error', () => undefined)
  stream.pause()
  await until(() => list.closed === 1)
  expect(list.made).toBeLessThan(100_000)
})

describe('a slow request', () => {
  const options = { headersTimeout: 200, requestTimeout: 400 }
  const post = 'POST /notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

  // biome-ignore format: a row stays a line
  const slow: readonly (readonly [name: string, beginning: string, more: string])[] = [
    ['in its line',        'GET /no',                                                'n'],
    ['in its fields',      'GET /notes HTTP/1.1\r\nHost: localhost\r\nX: ',                  'y'],
    ['in its body',        `${post}Content-Length: 1000\r\n\r\n{"text":"`,           'z'],
    ['in its chunks',      `${post}Transfer-Encoding: chunked\r\n\r\n3e8\r\n{"te`,   'z'],
    ['of nothing more',    `${post}Content-Length: 1000\r\n\r\n`,                    ''],
  ]
  for (const [name, beginning, more] of slow) {
    test(`${name} gets a response`, async () => {
      const { port } = await serving(notesWith(mapOf()).registry, options)
      const caller = called(port, beginning)
      const saying = setInterval(() => caller.say(more), 20)
      afterwards(() => clearInterval(saying))
      await caller.ended()
      expect([caller.statuses, caller.code]).toEqual([[400], 'request_timeout'])
      expect(caller.text).toMatch(/^connection: close\r$/im)
    })
  }

  test('after another gets its response after it', async () => {
    const { port } = await serving(notesWith(mapOf({ id: 'a' })).registry, options)
    const caller = called(port, Buffer.concat([get('/notes/a'), Buffer.from('GET /not')]))
    await caller.ended()
    expect([caller.statuses, caller.code]).toEqual([[200, 400], 'request_timeout'])
  })

  test('that never begins gets no response', async () => {
    const { port, server } = await serving(notesWith(mapOf()).registry, options)
    const caller = called(port)
    await caller.ended()
    expect([caller.text, caller.error]).toEqual(['', undefined])
    caller.socket.end()
    await noneLeft(server)
  })

  test('does not count the idle time before it', async () => {
    const { port } = await serving(notesWith(mapOf({ id: 'a' })).registry, options)
    const caller = called(port, get('/notes/a'))
    await caller.answered()
    await new Promise((resolve) => setTimeout(resolve, 600))
    caller.say(get('/notes/a'))
    await caller.answered(2)
    expect(caller.statuses).toEqual([200, 200])
  })
})

for (const [door, open] of Object.entries(doors)) {
  test(`pipelined requests to a hung adapter take one time limit under ${door}`, async () => {
    let asked = 0
    const read = () => {
      asked++
      return new Promise(() => undefined)
    }
    const options = { limits: { time: 100 } }
    const server = await open(notesWith({ read }, { options }).registry)
    const { port } = server.address() as AddressInfo
    const caller = called(port, Buffer.concat(Array<Buffer>(200).fill(get('/notes/a'))))
    const start = performance.now()
    await caller.ended()
    // The second may start a millisecond before the limit. 200 of them would take 20 seconds.
    expect(asked).toBeLessThanOrEqual(2)
    expect(caller.statuses).toEqual(Array(asked).fill(503))
    expect(performance.now() - start).toBeLessThan(4000)
  })

  test(`pipelined requests all get their responses in time under ${door}`, async () => {
    const server = await open(notesWith(mapOf({ id: 'a' })).registry)
    const { port } = server.address() as AddressInfo
    const caller = called(port, Buffer.concat(Array<Buffer>(200).fill(get('/notes/a'))))
    await caller.answered(200)
    expect(new Set(caller.statuses)).toEqual(new Set([200]))
  })
}

import { createServer } from 'node:http'
import http2 from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { problem, type Registry } from 'nounful'
import { type NodeListener, type RunningServer, serve, toNodeListener } from 'nounful/node'
import { afterEach, describe, expect, test } from 'vitest'
import { mapOf, notesWith } from './support/registry.ts'
import { bytesOf, exchange } from './support/socket.ts'
import { generated, notesUpTo, throwing, until } from './support/streams.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function served(registry: Registry, options: object = {}): Promise<RunningServer> {
  const server = await serve(registry, { port: 0, closeTimeout: 200, ...options })
  ends.push(() => server.close())
  return server
}

async function listening(listener: NodeListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const get = (target: string) => bytesOf(['GET', target])
const boom = new Error('boom')

function opened(port: number, sent: Uint8Array | string): Socket {
  const socket = connect(port, '127.0.0.1')
  ends.push(() => socket.destroy())
  socket.on('error', () => undefined).write(sent)
  return socket
}

/** Reads until the connection ends, or until the awaited text arrives. */
function received(socket: Socket, awaited = 'nothing'): Promise<string> {
  return new Promise((resolve) => {
    const chunks: string[] = []
    const finish = () => resolve(chunks.join(''))
    let before = ''
    socket.on('close', finish).on('data', (bytes) => {
      const chunk = bytes.toString('latin1')
      chunks.push(chunk)
      if ((before + chunk).includes(awaited)) finish()
      before = chunk.slice(-awaited.length)
    })
  })
}

/** Returns the text of a chunked body, and whether it has its last chunk. */
function unchunk(raw: string): { readonly text: string; readonly isWhole: boolean } {
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4)
  const parts: string[] = []
  for (let start = 0; ; ) {
    const end = body.indexOf('\r\n', start)
    const size = end < 0 ? Number.NaN : Number.parseInt(body.slice(start, end), 16)
    if (size === 0) return { text: parts.join(''), isWhole: true }
    if (Number.isNaN(size)) return { text: parts.join(''), isWhole: false }
    parts.push(body.slice(end + 2, end + 2 + size))
    start = end + 2 + size + 2
  }
}

const last = '0\r\n\r\n'

describe('a streamed list', () => {
  test('is sent in chunks with the text of its array', async () => {
    const { port } = await served(notesWith(generated(1800).adapter).registry)
    const raw = await received(opened(port, get('/notes')), last)
    const array = await served(notesWith({ list: () => notesUpTo(1800) }).registry)
    const { answers } = await exchange(array.port, get('/notes'))
    expect(unchunk(raw)).toEqual({ text: answers[0]?.text, isWhole: true })
    const namesIn = (lines: readonly string[]) => lines.map((line) => line.split(':')[0]).sort()
    const names = namesIn(
      raw.slice(0, raw.indexOf('\r\n\r\n')).toLowerCase().split('\r\n').slice(1),
    )
    const others = Object.keys(answers[0]?.headers ?? {})
    expect(names).toEqual(
      namesIn([...others.filter((name) => name !== 'content-length'), 'transfer-encoding']),
    )
    expect(raw).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json\r\n/)
  })

  test('is never far ahead of its reader', async () => {
    const count = 1_000_000
    const text = 'x'.repeat(80)
    const size = `{"id":"n999999","text":"${text}"},`.length
    // The system's buffers between two local sockets, and a margin.
    const ahead = Math.ceil((16 * 2 ** 20) / size)
    const list = generated(count, { text })
    const { port } = await served(notesWith(list.adapter).registry)
    const socket = opened(port, get('/notes'))
    let [bytes, worst, tail] = [0, 0, '']
    const isDone = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        bytes += chunk.length
        tail = (tail + chunk.subarray(-20).toString()).slice(-20)
        worst = Math.max(worst, list.made - bytes / size)
        if (tail.endsWith(last)) resolve()
      })
    })
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    for (let before = -1; before !== list.made; await wait(50)) before = list.made
    expect(list.made).toBeLessThan(ahead)
    socket.resume()
    await isDone
    expect(worst).toBeLessThan(ahead)
    expect([list.made, list.closed, tail.includes(`x"}]\r\n${last}`)]).toEqual([count, 1, true])
    expect(bytes).toBeGreaterThan((size - 6) * count)
  }, 60_000)

  test('lets other requests run', async () => {
    const list = generated(300_000)
    const { port } = await served(notesWith({ ...mapOf({ id: 'a' }), ...list.adapter }).registry)
    const long = received(opened(port, get('/notes')), last)
    await until(() => list.made > 0)
    expect((await exchange(port, get('/notes/a'))).answers[0]?.status).toBe(200)
    expect(list.closed).toBe(0)
    await long
    expect([list.made, list.closed]).toEqual([300_000, 1])
  })

  test('has a length when it is short', async () => {
    const { port } = await served(notesWith(generated(3).adapter).registry)
    const { answers } = await exchange(port, get('/notes'))
    const text = JSON.stringify(notesUpTo(3))
    expect(answers).toMatchObject([{ headers: { 'content-length': `${text.length}` }, text }])
  })

  test('ends with the connection of HTTP/1.0', async () => {
    const { port } = await served(notesWith(generated(1800).adapter).registry)
    const raw = await received(opened(port, 'GET /notes HTTP/1.0\r\n\r\n'))
    expect(raw).not.toMatch(/transfer-encoding/i)
    expect(raw.slice(raw.indexOf('\r\n\r\n') + 4)).toBe(JSON.stringify(notesUpTo(1800)))
  })

  test('is sent over HTTP/2', async () => {
    const list = generated(5000)
    expect(await overHTTP2(notesWith(list.adapter).registry)).toEqual([
      JSON.stringify(notesUpTo(5000)),
      0,
    ])
  })

  test('leaves no listener behind', async () => {
    const counts: number[] = []
    const { registry } = notesWith(generated(20_000, { text: 'x'.repeat(1000) }).adapter)
    const listener = toNodeListener(registry)
    const port = await listening((request, response) => {
      listener(request, response)
      response.on('drain', () => {
        counts.push(response.listenerCount('drain') + response.listenerCount('close'))
      })
    })
    const socket = opened(port, get('/notes'))
    // A client that pauses, so that the server waits for it.
    socket.on('data', () => {
      socket.pause()
      setTimeout(() => socket.resume(), 2)
    })
    await received(socket, last)
    expect(counts.length).toBeGreaterThan(5)
    expect(Math.max(...counts)).toBeLessThan(6)
  })
})

describe('HEAD of a streamed list', () => {
  test('reads one slice, and does not disturb the next response', async () => {
    const list = generated(1_000_000)
    const { port } = await served(notesWith({ ...mapOf({ id: 'a' }), ...list.adapter }).registry)
    const sent = Buffer.concat([bytesOf(['HEAD', '/notes']), get('/notes/a')])
    const { answers } = await exchange(port, sent, { count: 2, heads: [0] })
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, ''],
      [200, '{"id":"a"}'],
    ])
    expect(answers[0]?.headers).not.toHaveProperty('content-length')
    expect([list.made, list.closed]).toEqual([1000, 1])
  })

  test('has the length of a short one', async () => {
    const { port } = await served(notesWith(generated(3).adapter).registry)
    const { answers } = await exchange(port, bytesOf(['HEAD', '/notes']), { heads: [0] })
    expect(answers[0]?.headers['content-length']).toBe(`${JSON.stringify(notesUpTo(3)).length}`)
  })
})

describe('a list that fails', () => {
  // biome-ignore format: a row stays a line
  const first: readonly (readonly [name: string, fault: unknown, status: number])[] = [
    ['an error',       throwing(boom),                    500],
    ['a problem',      throwing(problem('unavailable')),  503],
    ['no such item',   throwing(problem('not_found')),    404],
    ['a bigint',       { id: 'a', text: 1n },              500],
    ['no item',        7,                                 500],
  ]
  for (const [name, fault, status] of first) {
    test(`with ${name} at first is ${status}`, async () => {
      const list = generated(5000, { at: { 0: fault } })
      const { port } = await served(notesWith(list.adapter).registry)
      const { answers, isClosed } = await exchange(port, get('/notes'))
      expect(answers).toMatchObject([
        { status, headers: { 'content-type': 'application/problem+json' } },
      ])
      expect([isClosed, list.opened - list.closed]).toEqual([false, 0])
    })

    test(`with ${name} later is cut off`, async () => {
      const list = generated(5000, { at: { 3500: fault } })
      const { registry, errors, operations } = notesWith(list.adapter)
      const { port } = await served(registry)
      const raw = await received(opened(port, Buffer.concat([get('/notes'), get('/notes/count')])))
      const { text, isWhole } = unchunk(raw)
      expect(raw.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200'])
      expect([isWhole, raw.endsWith(last), text.endsWith(']')]).toEqual([false, false, false])
      expect(JSON.stringify(notesUpTo(3500)).startsWith(text)).toBe(true)
      expect([errors.length, operations[0]?.kind, list.made, list.closed]).toEqual([
        1,
        'list',
        3501,
        1,
      ])
    })
  }

  test('is an error in fetch', async () => {
    const { registry } = notesWith(generated(5000, { at: { 3500: throwing(boom) } }).adapter)
    const { url } = await served(registry)
    const response = await fetch(`${url}/notes`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  test('is reset over HTTP/2', async () => {
    const { registry, errors } = notesWith(
      generated(5000, { at: { 3500: throwing(boom) } }).adapter,
    )
    const [, code] = await overHTTP2(registry)
    expect([code, errors]).toEqual([http2.constants.NGHTTP2_INTERNAL_ERROR, [boom]])
  })
})

describe('a client that leaves', () => {
  test('closes the list, and aborts its signal', async () => {
    const list = generated(1_000_000, { text: 'x'.repeat(200) })
    const signals: AbortSignal[] = []
    const { registry, errors } = notesWith({
      list: (operation, context) => {
        signals.push(operation.signal)
        return list.adapter.list?.(operation, context)
      },
    })
    const { port } = await served(registry)
    const socket = opened(port, get('/notes'))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    await until(() => list.closed === 1)
    expect(list.made).toBeLessThan(1_000_000)
    expect([signals.map(({ aborted }) => aborted), errors]).toEqual([[true], []])
  })

  test('closes it also while the adapter waits for an item', async () => {
    const reached: number[] = []
    const slow = async function* () {
      try {
        yield* notesUpTo(1500)
        await wait(50)
        yield* notesUpTo(1500)
      } finally {
        reached.push(1)
      }
    }
    const { port } = await served(notesWith({ list: slow }).registry)
    const socket = opened(port, get('/notes'))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    await until(() => reached.length === 1)
  })

  test('before the response began has its list closed', async () => {
    const list = generated(1_000_000, { text: 'x'.repeat(200) })
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { registry } = notesWith(list.adapter, { use: [(_, __, next) => released.then(next)] })
    const { port } = await served(registry)
    const socket = opened(port, get('/notes'))
    await wait(20)
    socket.destroy()
    await wait(20)
    release()
    await until(() => list.closed === 1)
    expect(list.made).toBeLessThan(1_000_000)
  })

  test('a host that ends the response closes the list', async () => {
    const list = generated(1_000_000)
    const listener = toNodeListener(notesWith(list.adapter).registry)
    const port = await listening((request, response) => {
      listener(request, response)
      until(() => list.made > 3000).then(() => response.end())
    })
    await received(opened(port, get('/notes')), last)
    await until(() => list.closed === 1)
    expect(list.made).toBeLessThan(1_000_000)
  })
})

describe('a connection on which a list is sent', () => {
  test('responds to the next request after it', async () => {
    const list = generated(100_000)
    const closedBefore: number[] = []
    const { registry } = notesWith({
      ...list.adapter,
      read: ({ id }) => {
        closedBefore.push(list.closed)
        return { id }
      },
    })
    const { port } = await served(registry)
    const raw = await received(
      opened(port, Buffer.concat([get('/notes'), get('/notes/a')])),
      '{"id":"a"}',
    )
    expect(unchunk(raw)).toMatchObject({ isWhole: true })
    expect([raw.indexOf('{"id":"a"}') > raw.indexOf(last), closedBefore]).toEqual([true, [1]])
  })

  test('is closed gracefully after it', async () => {
    const list = generated(100_000, { text: 'x'.repeat(200) })
    const server = await served(notesWith(list.adapter).registry, { closeTimeout: 10_000 })
    const socket = opened(server.port, get('/notes'))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    const done: string[] = []
    const closed = server.close().then(() => done.push('closed'))
    await wait(50)
    expect(done).toEqual([])
    const raw = received(socket, last)
    socket.resume()
    expect((await raw).endsWith(last)).toBe(true)
    await closed
    expect(list.closed).toBe(1)
  })

  test('is cut off after a while, and closes the list', async () => {
    const list = generated(1_000_000, { text: 'x'.repeat(200) })
    const server = await served(notesWith(list.adapter).registry, { closeTimeout: 50 })
    const socket = opened(server.port, get('/notes'))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    await server.close()
    await until(() => list.closed === 1)
    expect(list.made).toBeLessThan(1_000_000)
  })
})

async function overHTTP2(
  registry: Registry,
): Promise<readonly [text: string, code: number | undefined]> {
  const server = http2.createServer()
  const listener = toNodeListener(registry)
  // The compatible API is the same, but its types differ.
  server.on('request', (request, response) => listener(request as never, response as never))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const client = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  ends.push(
    () => client.destroy(),
    () => server.close(),
  )
  const stream = client.request({ ':path': '/notes' })
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  stream.on('error', () => undefined)
  await new Promise((resolve) => stream.once('close', resolve))
  return [text, stream.rstCode]
}

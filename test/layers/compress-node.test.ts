import { setTimeout as wait } from 'node:timers/promises'
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { compress } from '../../src/layers.ts'
import { type RunningServer, serve } from '../../src/node.ts'
import { type Loose, mapOf, notesWith } from '../support/registry.ts'
import { bytesOf, Caller } from '../support/socket.ts'
import { generated, notesUpTo, throwing, until } from '../support/streams.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function served(adapter: Loose, options: object = {}): Promise<RunningServer> {
  const { registry } = notesWith(adapter)
  const server = await serve(registry, {
    port: 0,
    closeTimeout: 200,
    layers: [compress()],
    ...options,
  })
  ends.push(() => server.close())
  return server
}

const get = (target: string, coding = 'gzip', method = 'GET') =>
  bytesOf([method, target], [['Accept-Encoding', coding]])

function called(port: number, sent: Uint8Array | string): Caller {
  const caller = new Caller(port, sent)
  ends.push(() => caller.leave())
  return caller
}

/** Parts a response, as Latin-1, into its head, its chunks and the text after its last chunk. */
function partsOf(raw: string): {
  readonly head: string
  readonly bytes: Buffer
  readonly chunks: number
  readonly rest: string | undefined
} {
  const start = raw.indexOf('\r\n\r\n') + 4
  const chunks: string[] = []
  for (let at = start; ; ) {
    const end = raw.indexOf('\r\n', at)
    const size = end < 0 ? Number.NaN : Number.parseInt(raw.slice(at, end), 16)
    const isLast = size === 0
    if (isLast || Number.isNaN(size) || raw.length < end + 2 + size) {
      const bytes = Buffer.from(chunks.join(''), 'latin1')
      const rest = isLast ? raw.slice(end + 4) : undefined
      return { head: raw.slice(0, start).toLowerCase(), bytes, chunks: chunks.length, rest }
    }
    chunks.push(raw.slice(end + 2, end + 2 + size))
    at = end + 4 + size
  }
}

const last = '\r\n0\r\n\r\n'
const item = { id: 'a', text: 'x'.repeat(5000) }

describe('over HTTP/1.1', () => {
  const decoders = [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const
  for (const [coding, decode] of decoders) {
    test(`a list in ${coding} has chunks, and the next response follows`, async () => {
      const { port } = await served({ ...mapOf(item), ...generated(20_000).adapter })
      const sent = Buffer.concat([get('/notes', coding), get('/notes/a', 'identity')])
      const caller = called(port, sent)
      await caller.heard(item.text)
      const { head, bytes, chunks, rest } = partsOf(caller.text)
      expect(head).toContain(`\r\ncontent-encoding: ${coding}\r\n`)
      expect(head).toContain('\r\nvary: accept-encoding\r\n')
      expect(head).toContain('\r\ntransfer-encoding: chunked\r\n')
      expect(head).not.toContain('content-length')
      expect(chunks).toBeGreaterThan(10)
      expect(JSON.parse(decode(bytes).toString())).toEqual(notesUpTo(20_000))
      expect(rest).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    })
  }

  test('an item has its length, for HEAD too', async () => {
    const { port } = await served(mapOf(item))
    const caller = called(port, Buffer.concat([get('/notes/a', 'gzip', 'HEAD'), get('/notes/a')]))
    await caller.answered(2)
    await wait(20)
    const [, head = '', response = ''] = caller.text
      .split(/(?=HTTP\/1\.1 )/)
      .flatMap((text, at) => (at === 0 ? ['', text] : [text]))
    const end = response.indexOf('\r\n\r\n') + 4
    const body = Buffer.from(response.slice(end), 'latin1')
    const withoutDate = (text: string) => text.replace(/date: .*\r\n/i, '')
    expect(withoutDate(head)).toBe(withoutDate(response.slice(0, end)))
    expect(head.toLowerCase()).toContain(`\r\ncontent-length: ${body.length}\r\n`)
    expect(JSON.parse(gunzipSync(body).toString())).toEqual(item)
  })

  test('a body of more than a piece arrives whole', async () => {
    const random = () => Math.random().toString(36)
    const text = Array.from({ length: 40_000 }, random).join('')
    const { url } = await served(mapOf({ id: 'a', text }))
    const response = await fetch(`${url}/notes/a`, { headers: { 'accept-encoding': 'gzip' } })
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(131_072)
    expect(await response.json()).toEqual({ id: 'a', text })
  })

  test('a list ends with the connection of HTTP/1.0', async () => {
    const { port } = await served(generated(5000).adapter)
    const caller = called(port, 'GET /notes HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n')
    await caller.ended()
    const body = caller.text.slice(caller.text.indexOf('\r\n\r\n') + 4)
    expect(caller.text).not.toMatch(/transfer-encoding/i)
    expect(JSON.parse(gunzipSync(Buffer.from(body, 'latin1')).toString())).toEqual(notesUpTo(5000))
  })

  for (const [coding, decode] of decoders) {
    test(`a list in ${coding} that fails is cut off`, async () => {
      const list = generated(50_000, { at: { 43500: throwing(new Error('boom')) } })
      const { port } = await served(list.adapter)
      const caller = called(port, Buffer.concat([get('/notes', coding), get('/notes/count')]))
      await caller.ended()
      const { bytes, rest } = partsOf(caller.text)
      expect([caller.statuses, caller.text.endsWith(last), rest]).toEqual([[200], false, undefined])
      expect(() => decode(bytes)).toThrow('unexpected end of file')
      expect(list.closed).toBe(1)
    })
  }

  test('fetch rejects a list that fails', async () => {
    const { url } = await served(
      generated(50_000, { at: { 43500: throwing(new Error('boom')) } }).adapter,
    )
    const response = await fetch(`${url}/notes`)
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip'])
    await expect(response.text()).rejects.toThrow()
  })
})

describe('a slow client', () => {
  // Text that hardly compresses, so that little of it fills the buffers of the system.
  const hard = (): string => Array.from({ length: 40 }, () => Math.random().toString(36)).join('')
  const many = (count: number) => {
    const at = { get: (number: number) => ({ id: `n${number}`, text: hard() }) }
    const state = { made: 0, closed: 0 }
    async function* list() {
      try {
        for (; state.made < count; state.made++) yield at.get(state.made)
      } finally {
        state.closed++
      }
    }
    return Object.assign(state, { adapter: { list } })
  }

  test('holds the list up, in bounded memory', async () => {
    const list = many(200_000)
    const { port } = await served(list.adapter)
    const caller = called(port, get('/notes'))
    await caller.answered()
    caller.socket.pause()
    for (let before = -1; before !== list.made; await wait(100)) before = list.made
    // The system's buffers between two local sockets, and a margin.
    expect(list.made).toBeLessThan((16 * 2 ** 20) / 250)
    const { rss } = process.memoryUsage()
    await wait(200)
    expect(process.memoryUsage().rss - rss).toBeLessThan(2 ** 25)
    caller.leave()
    await until(() => list.closed === 1)
  }, 30_000)

  test('gets all of it in the end', async () => {
    const list = many(30_000)
    const { port } = await served(list.adapter)
    const caller = called(port, get('/notes'))
    const gunzip = createGunzip()
    let text = ''
    gunzip.on('data', (chunk) => {
      text += chunk
    })
    // It reads for a while, then pauses for a while.
    const pauses = setInterval(() => {
      caller.socket.pause()
      setTimeout(() => caller.socket.resume(), 5)
    }, 10)
    ends.push(() => clearInterval(pauses))
    await until(() => caller.text.endsWith(last), 30_000)
    gunzip.end(partsOf(caller.text).bytes)
    await new Promise((resolve) => gunzip.once('end', resolve))
    expect(JSON.parse(text)).toHaveLength(30_000)
  }, 40_000)

  test('that leaves closes the list', async () => {
    const list = many(1_000_000)
    const { port } = await served(list.adapter)
    const caller = called(port, get('/notes', 'br'))
    await caller.answered()
    caller.leave()
    await until(() => list.closed === 1)
    expect(list.made).toBeLessThan(1_000_000)
  })

  test('that reads nothing is cut off', async () => {
    const list = many(1_000_000)
    const { port } = await served(list.adapter, { writeTimeout: 300 })
    const caller = called(port, get('/notes'))
    await caller.answered()
    caller.socket.pause()
    await until(() => list.closed === 1)
    expect(list.made).toBeLessThan(1_000_000)
  })
})

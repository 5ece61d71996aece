import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { defineApi, defineRegistry, defineResource, type HttpRequest, type Layer } from 'nounful'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../src/client.ts'
import { toFetchHandler } from '../../src/fetch.ts'
import { memoryAdapter } from '../../src/memory.ts'
import { serve, toNodeListener } from '../../src/node.ts'
import { portOf } from '../support/listening.ts'
import { notesWith } from '../support/registry.ts'
import { bytesOf, Caller, exchange } from '../support/socket.ts'

const limit = 20_000
const { registry } = notesWith(
  {
    list: () => [],
    create: ({ item }: { item?: unknown }) => ({ ...Object(item), id: 'a' }),
  },
  { options: { limits: { body: limit, arrival: 1000 } } },
)

const requests: HttpRequest[] = []
const layer: Layer = (request, answer) => {
  requests.push(request)
  return answer(request)
}

const options = { decompress: true, layers: [layer] }
const handler = toFetchHandler(registry, options)

let port: number
let stop: () => unknown
beforeAll(async () => {
  const server = await serve(registry, { port: 0, closeTimeout: 100, ...options })
  port = server.port
  stop = server.close
})
afterAll(() => stop())
afterEach(() => {
  vi.restoreAllMocks()
  requests.length = 0
})

interface Sent {
  readonly coding: string
  readonly body: Uint8Array
  readonly method?: string
}

/** Status and code of a response, and the codings that it names. */
type Outcome = string

function outcomeOf(status: number, text: string, codings: string | null | undefined): Outcome {
  const { code = '' } = JSON.parse(text)
  return [status, code, codings ?? ''].join(' ').trim()
}

async function overSocket({ coding, body, method = 'POST' }: Sent): Promise<Outcome> {
  const fields = [
    ['Content-Type', 'application/json'],
    ['Content-Encoding', coding],
  ] as const
  const { answers } = await exchange(port, bytesOf([method, '/v1/notes'], fields, body))
  const [{ status, text, headers } = { status: 0, text: '{}', headers: {} }] = answers
  return outcomeOf(status, text, headers['accept-encoding'])
}

async function byFetch({ coding, body, method = 'POST' }: Sent): Promise<Outcome> {
  const headers = { 'content-type': 'application/json', 'content-encoding': coding }
  const request = new Request('http://x/v1/notes', {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
  })
  const response = await handler(request)
  return outcomeOf(response.status, await response.text(), response.headers.get('accept-encoding'))
}

function withoutZlib(sent: Sent): Promise<Outcome> {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
  return byFetch(sent)
}

const note = '{"text":"snow"}'
const long = JSON.stringify({ text: 'x'.repeat(10_000_000) })
const bytes = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))

const broken = '400 bad_request'
const tooLarge = '400 body_too_large'

/** The outcomes on every runtime. */
const rows: readonly (readonly [string, string, Uint8Array, Outcome])[] = [
  ['gzip', 'gzip', gzipSync(note), '201'],
  ['gzip in any case', 'GZip', gzipSync(note), '201'],
  ['x-gzip', 'x-gzip', gzipSync(note), '201'],
  ['an empty element of the list', ', gzip,', gzipSync(note), '201'],
  ['deflate', 'deflate', deflateSync(note), '201'],
  ['identity', 'identity', bytes(note), '201'],
  ['no coding', '', bytes(note), '201'],
  ['empty elements alone', ', ,', bytes(note), '201'],
  ['identity beside an empty element', ', identity', bytes(note), '201'],
  ['an empty body', 'gzip', bytes(), '400 body_missing'],
  ['an empty body in gzip', 'gzip', gzipSync(''), '400 body_missing'],
  ['bytes that are no gzip', 'gzip', bytes(note), broken],
  ['a raw deflate', 'deflate', deflateRawSync(note), broken],
  ['a truncated gzip', 'gzip', gzipSync(note).subarray(0, -1), broken],
  ['a truncated deflate', 'deflate', deflateSync(note).subarray(0, -1), broken],
  ['bytes after gzip', 'gzip', bytes(gzipSync(note), 'x'), broken],
  ['zeros after gzip', 'gzip', bytes(gzipSync(note), '\0\0'), broken],
  ['bytes after deflate', 'deflate', bytes(deflateSync(note), ' '), broken],
  ['a bomb of gzip', 'gzip', gzipSync(long), tooLarge],
  ['a bomb of deflate', 'deflate', deflateSync(long), tooLarge],
  ['a long body that is no shorter', 'gzip', gzipSync(long, { level: 0 }), tooLarge],
  ['two bodies of JSON in one', 'gzip', gzipSync(note + note), '400 json_invalid'],
]

const ofZlib: typeof rows = [
  ['br', 'br', brotliCompressSync(note), '201'],
  ['a truncated br', 'br', brotliCompressSync(note).subarray(0, -1), broken],
  ['bytes after br', 'br', bytes(brotliCompressSync(note), 'x'), broken],
  ['a bomb of br', 'br', brotliCompressSync(long), tooLarge],
  ['members of gzip', 'gzip', bytes(gzipSync('{"text":'), gzipSync('"snow"}')), '201'],
  ['empty members without end', 'gzip', Buffer.alloc(limit * 2, gzipSync('')), tooLarge],
]

const unknown = ['zstd', 'compress', 'gzip, gzip', 'gzip, identity', 'gzip;q=1', '*', 'toString']

const doors = {
  'node over a socket': { send: overSocket, codings: 'gzip, deflate, br', more: ofZlib },
  fetch: { send: byFetch, codings: 'gzip, deflate, br', more: ofZlib },
  'fetch without node:zlib': { send: withoutZlib, codings: 'gzip, deflate', more: [] },
}

for (const [door, { send, codings, more }] of Object.entries(doors)) {
  describe(door, () => {
    for (const [name, coding, body, outcome] of [...rows, ...more]) {
      test(`${name}: ${outcome}`, async () => expect(await send({ coding, body })).toBe(outcome))
    }

    for (const coding of unknown) {
      test(`${coding} names the codings`, async () => {
        const outcome = `400 unsupported_encoding ${codings}`
        expect(await send({ coding, body: gzipSync(note) })).toBe(outcome)
      })
    }

    test('DELETE refuses a compressed body and takes an empty one', async () => {
      const outcomes = [gzipSync(note), gzipSync('')].map(async (body) => {
        return await send({ coding: 'gzip', body, method: 'DELETE' })
      })
      // The adapter has no `deleteAll`.
      expect(await Promise.all(outcomes)).toEqual(Array(2).fill('405 method_not_allowed'))
    })

    test('a layer gets the plain body without the fields that described it', async () => {
      await send({ coding: 'gzip', body: gzipSync(note) })
      const [request] = requests
      const { headers = {}, body } = request ?? {}
      expect(headers['content-encoding']).toBeUndefined()
      expect(headers['content-length']).toBeUndefined()
      expect(headers['content-type']).toBe('application/json')
      expect(typeof body).toBe('function')
    })
  })
}

test('takes every body that it would take plain', async () => {
  const texts = fc.string({ unit: 'binary', maxLength: 3000 })
  const compress = fc.constantFrom(
    ['gzip', gzipSync] as const,
    ['deflate', deflateSync] as const,
    ['br', brotliCompressSync] as const,
  )
  await fc.assert(
    fc.asyncProperty(texts, compress, async (text, [coding, encode]) => {
      const body = Buffer.from(JSON.stringify({ text }))
      const plain = await byFetch({ coding: 'identity', body })
      expect(await byFetch({ coding, body: encode(body) })).toBe(plain)
    }),
    { numRuns: 50 },
  )
})

test('a GET with a compressed body is refused, one without content is not', async () => {
  const outcomes = [gzipSync(note), gzipSync(''), Buffer.alloc(5000, gzipSync(''))].map((body) =>
    overSocket({ coding: 'gzip', body, method: 'GET' }),
  )
  expect(await Promise.all(outcomes)).toEqual([
    '400 body_not_allowed',
    '200',
    '400 body_not_allowed',
  ])
  const unknownCoding = { coding: 'zstd', body: gzipSync(note), method: 'GET' }
  expect(await overSocket(unknownCoding)).toBe('400 body_not_allowed')
})

test('the inflow ends where the plain body exceeds the limit', async () => {
  const bomb = gzipSync(long)
  const head = bytesOf(
    ['POST', '/v1/notes'],
    [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
      ['Content-Length', `${bomb.length}`],
    ],
  )
  // The client stops in the middle, and yet gets its response at once.
  const { answers } = await exchange(port, bytes(head, bomb.subarray(0, 1000)))
  expect(answers[0]?.text).toContain('body_too_large')
})

test('a connection goes on after a refused body', async () => {
  const fields = [
    ['Content-Type', 'application/json'],
    ['Content-Encoding', 'gzip'],
  ] as const
  const post = bytesOf(['POST', '/v1/notes'], fields, gzipSync(long))
  const { answers } = await exchange(port, bytes(post, bytesOf(['GET', '/v1/notes'])), { count: 2 })
  expect(answers.map(({ status }) => status)).toEqual([400, 200])
})

test('a body that stops arriving gets its timeout, and leaves no decoder', async () => {
  const head = 'POST /v1/notes HTTP/1.1\r\nHost: x.localhost\r\nContent-Type: application/json\r\n'
  const fields = 'Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n'
  const start = gzipSync(note).subarray(0, 10)
  const { answers } = await exchange(port, bytes(head, fields, 'a\r\n', start, '\r\n'))
  expect(answers[0]?.text).toContain('request_timeout')
  const left = Array.from({ length: 20 }, () => {
    return new Caller(port, bytes(head, fields, 'a\r\n', start, '\r\n'))
  })
  await wait(50)
  for (const caller of left) caller.leave()
  await vi.waitFor(() => {
    const names = process.getActiveResourcesInfo().filter((name) => /zlib|brotli/i.test(name))
    expect(names).toEqual([])
  })
})

test('a body that a host has read is plain already', async () => {
  const listener = toNodeListener(registry, { decompress: true })
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      listener(Object.assign(request, { body: JSON.parse(note) }), response)
    })
  })
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const body = new Uint8Array(gzipSync(note))
  const url = `http://127.0.0.1:${await portOf(server)}/v1/notes`
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201)
})

for (const value of ['true', 1, null]) {
  test(`refuses ${JSON.stringify(value)} as the option`, () => {
    const wrong = { decompress: value as never }
    const message = /decompress is true or false/
    expect(() => toFetchHandler(registry, wrong)).toThrow(message)
    expect(() => toNodeListener(registry, wrong)).toThrow(message)
  })
}

test('without the option a compressed body is 400, and names no coding', async () => {
  const plainHandler = toFetchHandler(registry)
  const response = await plainHandler(
    new Request('http://x/v1/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: new Uint8Array(gzipSync(note)),
    }),
  )
  expect(await response.json()).toMatchObject({ code: 'unsupported_encoding' })
  expect(response.headers.has('accept-encoding')).toBe(false)
})

test('a client compresses by its own fetch', async () => {
  const Note = z.object({ id: z.string(), text: z.string() })
  const notes = defineResource('notes', { schema: Note, create: Note.omit({ id: true }) })
  const api = defineApi({ v1: { '/notes': notes } })
  const served = defineRegistry(api).adapters({ notes: memoryAdapter() })
  const decompressing = toFetchHandler(served, { decompress: true })
  const compressing = async (request: Request): Promise<Response> => {
    const headers = new Headers(request.headers)
    headers.set('content-encoding', 'gzip')
    const body = new Uint8Array(gzipSync(await request.text()))
    return await decompressing(new Request(request.url, { method: request.method, headers, body }))
  }
  const client = createClient<typeof api>({ baseUrl: 'http://x', fetch: compressing }).v1
  expect(await client.notes.create({ text: 'snow' })).toMatchObject({ text: 'snow' })
})

import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { Layer } from 'nounful'
import { toNodeListener } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { afterwards, connectionsOf, portOf, serving } from '../support/listening.ts'
import { mapOf, notesWith, noting } from '../support/registry.ts'
import { bytesOf, Caller, exchange } from '../support/socket.ts'
import { until } from '../support/streams.ts'

const json = ['Content-Type', 'application/json'] as const
const chunked = ['Transfer-Encoding', 'chunked'] as const
const mebibyte = 2 ** 20
const last = '0\r\n\r\n'
const again = bytesOf(['GET', '/notes/a'])

function called(port: number, sent: Uint8Array | string = ''): Caller {
  const caller = new Caller(port, sent)
  afterwards(() => caller.leave())
  return caller
}

/** A body in chunks of 64 KiB, without its end. */
function chunksOf(length: number): Buffer {
  const chunk = Buffer.concat([
    Buffer.from('10000\r\n'),
    Buffer.alloc(65_536, 'a'),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat(Array<Buffer>(length / 65_536).fill(chunk))
}

/** Sends everything before it reads, as simple clients do. Returns the text that it reads. */
function sendThenRead(port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1').pause()
    afterwards(() => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code} ${text}`))
    socket.on('close', () => resolve(text))
    socket.write(bytes, () => setTimeout(() => socket.resume(), 20))
  })
}

const doors = {
  serve: async () => (await serving(notesWith(mapOf({ id: 'a' })).registry)).port,
  'serve, later': async () => {
    const layer: Layer = async (request, answer) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return answer(request)
    }
    return (await serving(notesWith(mapOf({ id: 'a' })).registry, { layers: [layer] })).port
  },
  toNodeListener: () =>
    portOf(createServer(toNodeListener(notesWith(mapOf({ id: 'a' })).registry))),
}

// biome-ignore format: a row stays a line
const refusals: readonly (readonly [
  name: string,
  request: readonly [string, string],
  fields: readonly (readonly [string, string])[],
  code: string,
])[] = [
  ['that is too large',      ['POST', '/notes'],    [json],                         'body_too_large'],
  ['of nothing',             ['POST', '/nothing'],  [json],                         'unknown_resource'],
  ['of another type',        ['POST', '/notes'],    [['Content-Type', 'text/plain']], 'unsupported_media_type'],
  ['where none belongs',     ['DELETE', '/notes'],  [json],                         'body_not_allowed'],
  ['to a method',            ['PATCH', '/notes'],   [json],                         'method_not_allowed'],
]

for (const [door, open] of Object.entries(doors)) {
  describe(`a body of 12 MiB under ${door}`, () => {
    for (const [name, request, fields, code] of refusals) {
      test(`${name} gets a response`, async () => {
        const body = Buffer.alloc(12 * mebibyte, 'a')
        const text = await sendThenRead(await open(), bytesOf(request, fields, body))
        expect(text.slice(0, 12)).toMatch(/^HTTP\/1\.1 40\d/)
        expect(text).toContain(`"code":"${code}"`)
        expect(text).toMatch(/^connection: close\r$/im)
      })
    }

    test('in chunks gets a response', async () => {
      const head = bytesOf(['POST', '/notes'], [json, chunked])
      const sent = Buffer.concat([head, chunksOf(12 * mebibyte), Buffer.from(last)])
      expect(await sendThenRead(await open(), sent)).toContain('"code":"body_too_large"')
    })

    test('gets its response before it arrives', async () => {
      const head = bytesOf(['POST', '/notes'], [json, ['Content-Length', `${12 * mebibyte}`]])
      const caller = called(await open(), head)
      await caller.ended()
      expect([caller.statuses, caller.code, caller.error]).toEqual([
        [400],
        'body_too_large',
        undefined,
      ])
    })
  })
}

describe('an endless body', () => {
  // biome-ignore format: a row stays a line
  const endless: readonly (readonly [
    name: string,
    target: string,
    fields: readonly (readonly [string, string])[],
  ])[] = [
    ['that is too large, in chunks',   '/notes',   [json, chunked]],
    ['of nothing, in chunks',          '/nothing', [json, chunked]],
    ['that is too large',              '/notes',   [json, ['Content-Length', '9000000000000']]],
    ['of nothing',                     '/nothing', [json, ['Content-Length', '9000000000000']]],
  ]
  for (const [name, target, fields] of endless) {
    test(`${name} is not read for long`, async () => {
      const { port, server } = await serving(notesWith(mapOf()).registry)
      let taken = 0
      server.on('connection', (socket) => socket.on('close', () => (taken = socket.bytesRead)))
      const caller = called(port, bytesOf(['POST', target], fields))
      const chunk = chunksOf(mebibyte)
      const more = (): void => {
        if (!caller.isClosed) caller.socket.write(chunk, () => setImmediate(more))
      }
      more()
      await caller.closed()
      expect([caller.statuses.length, caller.code !== undefined]).toEqual([1, true])
      await until(() => taken > 0)
      expect(taken).toBeGreaterThan(12 * mebibyte)
      expect(taken).toBeLessThan(20 * mebibyte)
    })
  }

  test('that arrives slowly is not awaited', async () => {
    const { port, server } = await serving(notesWith(mapOf()).registry)
    const head = bytesOf(['POST', '/nothing'], [json, ['Content-Length', '9000000']])
    const caller = called(port, Buffer.concat([head, Buffer.from('{"text"')]))
    await caller.ended()
    expect(caller.code).toBe('unknown_resource')
    const start = Date.now()
    while ((await connectionsOf(server)) > 0)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(Date.now() - start).toBeLessThan(3000)
  })
})

describe('an unread small body', () => {
  // biome-ignore format: a row stays a line
  const small: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['of a length',            bytesOf(['POST', '/nothing'], [json], 'a'.repeat(60_000))],
    ['in chunks',              Buffer.concat([bytesOf(['POST', '/nothing'], [json, chunked]), Buffer.from(`3\r\nabc\r\n${last}`)])],
    ['of 64 KiB in chunks',    Buffer.concat([bytesOf(['POST', '/nothing'], [json, chunked]), chunksOf(65_536), Buffer.from(last)])],
    ['where none belongs',     bytesOf(['DELETE', '/notes'], [json], '[]')],
  ]
  for (const [name, bytes] of small) {
    test(`${name} leaves the connection open`, async () => {
      const { port } = await serving(notesWith(mapOf({ id: 'a' })).registry)
      const { answers, isClosed } = await exchange(port, Buffer.concat([bytes, again]), {
        count: 2,
      })
      expect(answers.map(({ status }) => status)).toEqual([answers[0]?.status, 200])
      expect([answers[0]?.status, isClosed]).not.toEqual([200, true])
      expect(answers[0]?.headers.connection).toBe('keep-alive')
    })
  }

  test('may arrive after its response', async () => {
    const { port } = await serving(notesWith(mapOf({ id: 'a' })).registry)
    const caller = called(port, bytesOf(['POST', '/nothing'], [json, chunked]))
    await caller.answered()
    caller.say(`3\r\nabc\r\n${last}`).say(again)
    await caller.answered(2)
    expect([caller.statuses, caller.isEnded]).toEqual([[404, 200], false])
  })
})

describe('a client that waits for 100', () => {
  const expecting = ['Expect', '100-continue'] as const
  const body = '{"text":"x"}'
  const length = ['Content-Length', `${body.length}`] as const

  test('gets 100 when the server reads its body', async () => {
    const { port } = await serving(notesWith(mapOf()).registry)
    const caller = called(port, bytesOf(['POST', '/notes'], [json, expecting, length]))
    await caller.heard('\r\n\r\n')
    expect(caller.statuses).toEqual([100])
    caller.say(body)
    await caller.answered()
    expect([caller.statuses, caller.isEnded]).toEqual([[100, 201], false])
  })

  // biome-ignore format: a row stays a line
  const unwanted: readonly (readonly [
    name: string,
    request: readonly [string, string],
    fields: readonly (readonly [string, string])[],
  ])[] = [
    ['it asks for nothing there is', ['POST', '/nothing'], [json, expecting, length]],
    ['its type is another',          ['POST', '/notes'],   [['Content-Type', 'text/plain'], expecting, length]],
    ['it is too large',              ['POST', '/notes'],   [json, expecting, ['Content-Length', '12000000']]],
  ]
  for (const [name, request, fields] of unwanted) {
    for (const late of ['', body]) {
      test(`gets no 100 when ${name}${late && ', and sends it'}`, async () => {
        const { port } = await serving(notesWith(mapOf()).registry)
        const caller = called(port, bytesOf(request, fields))
        await caller.answered()
        caller.say(late)
        await caller.ended()
        expect([caller.statuses.length, Number(caller.statuses[0]) >= 400, caller.error]).toEqual([
          1,
          true,
          undefined,
        ])
        expect(caller.text).toMatch(/^connection: close\r$/im)
      })
    }
  }

  test('and has no body gets its response', async () => {
    const { port } = await serving(notesWith(mapOf({ id: 'a' })).registry)
    const { answers } = await exchange(port, bytesOf(['GET', '/notes/a'], [expecting]))
    expect(answers.map(({ status }) => status)).toEqual([200])
  })
})

describe('a body and its length', () => {
  test('longer than its length begins another request', async () => {
    const created: unknown[] = []
    const { registry } = notesWith({
      create: ({ item }) => noting(created, item, { id: 'a', ...item }),
    })
    const { port } = await serving(registry)
    const fields = [json, ['Content-Length', '12']] as const
    const sent = Buffer.concat([
      bytesOf(['POST', '/notes'], fields),
      Buffer.from('{"text":"x"}{"text":"y"}'),
    ])
    const { answers, isClosed } = await exchange(port, sent, { count: 2 })
    expect(answers.map(({ status }) => status)).toEqual([201, 400])
    expect([created, isClosed]).toEqual([[{ text: 'x' }], true])
  })

  test('shorter than its length creates nothing', async () => {
    const created: unknown[] = []
    const { registry } = notesWith({
      create: ({ item }) => noting(created, item, { id: 'a', ...item }),
    })
    const { port } = await serving(registry)
    const caller = called(port, bytesOf(['POST', '/notes'], [json, ['Content-Length', '99']]))
    caller.socket.end('{"text":"x"}')
    await caller.ended()
    expect([caller.statuses, caller.code, created]).toEqual([[400], 'bad_request', []])
  })
})

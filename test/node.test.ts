import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import express from 'express'
import { defineRegistry, problem, type Registry } from 'nounful'
import { type NodeListener, type RunningServer, serve, toNodeListener } from 'nounful/node'
import { afterEach, describe, expect, test } from 'vitest'
import { statuses } from '../src/convention/operations.ts'
import { companiesRegistry } from './support/companies.ts'
import { mapOf, notesWith, noting } from './support/registry.ts'
import { bytesOf, exchange, type RawAnswer } from './support/socket.ts'

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function served(registry: Registry, options: object = {}): Promise<RunningServer> {
  const server = await serve(registry, { port: 0, ...options })
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

/** An adapter whose reads wait until the test releases them. */
function held() {
  let go: () => void = () => undefined
  const reached: (() => void)[] = []
  const isReached = new Promise<void>((resolve) => reached.push(resolve))
  const released = new Promise<void>((resolve) => {
    go = resolve
  })
  const signals: AbortSignal[] = []
  const small = notesWith({
    ...mapOf({ id: 'b', text: 'Bob' }),
    read: async ({ id, signal }) => {
      signals.push(signal)
      reached[0]?.()
      await released
      return { id, text: 'held' }
    },
  })
  return { ...small, isReached, signals, go: () => go() }
}

const get = (target: string) => bytesOf(['GET', target])

function codeOf({ text }: RawAnswer): unknown {
  return text === '' ? undefined : JSON.parse(text).code
}

describe('serve', () => {
  test('takes any free port for 0', async () => {
    const { port, url, server } = await served(companiesRegistry())
    expect(port).toBeGreaterThan(0)
    expect([url, server.listening]).toEqual([`http://127.0.0.1:${port}`, true])
    expect((await fetch(`${url}/v1/employees/count`)).status).toBe(200)
  })

  test.skipIf(!hasIPv6)('writes the address of IPv6 in brackets', async () => {
    const { url, port } = await served(companiesRegistry(), { host: '::1' })
    expect(url).toBe(`http://[::1]:${port}`)
  })

  test('rejects when the port is taken', async () => {
    const { port } = await served(companiesRegistry())
    await expect(serve(companiesRegistry(), { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  // biome-ignore format: a row stays a line
  const numbers: [options: object, message: RegExp][] = [
    [{ port: '3999x' },          /port cannot be "3999x": write a whole number from 0 to 65535/],
    [{ port: Number.NaN },       /port cannot be NaN/],
    [{ port: 65_536 },           /port cannot be 65536/],
    [{ headersTimeout: '10' },   /headersTimeout cannot be "10"/],
    [{ requestTimeout: -1 },     /requestTimeout cannot be -1: write a positive whole number/],
    [{ closeTimeout: Infinity }, /closeTimeout cannot be Infinity/],
  ]
  for (const [options, message] of numbers) {
    test(`refuses ${message.source.split(':')[0]}`, async () => {
      const started = serve(companiesRegistry(), { port: 0, ...options })
      started.then((server) => server.close()).catch(() => undefined)
      await expect(started).rejects.toThrow(message)
      await expect(started).rejects.toBeInstanceOf(TypeError)
    })
  }

  test('listens on this machine only', async () => {
    const { server } = await served(companiesRegistry())
    expect(server.address()).toMatchObject({ address: '127.0.0.1' })
  })
})

describe('close', () => {
  test('finishes open responses', async () => {
    const { registry, isReached, go } = held()
    const server = await served(registry)
    const answer = exchange(server.port, get('/notes/a'))
    await isReached
    const closed = server.close()
    const done: string[] = []
    closed.then(() => done.push('closed'))
    await wait(30)
    expect(done).toEqual([])
    go()
    expect((await answer).answers[0]).toMatchObject({
      status: 200,
      text: '{"id":"a","text":"held"}',
    })
    await closed
    expect(server.server.listening).toBe(false)
  })

  test('returns the same end each time', async () => {
    const server = await served(companiesRegistry())
    expect(server.close()).toBe(server.close())
    await server.close()
    await expect(fetch(`${server.url}/v1/employees`)).rejects.toThrow()
  })

  test('closes idle connections', async () => {
    const server = await served(companiesRegistry())
    const socket = connect(server.port, '127.0.0.1')
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.write(get('/v1/employees/count'))
    await new Promise((resolve) => socket.once('data', resolve))
    await server.close()
    await ended
  })

  test('responds to requests that arrive meanwhile, and ends', async () => {
    const server = await served(companiesRegistry())
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.write(get('/v1/employees/count'))
    await new Promise((resolve) => socket.once('data', resolve))
    const closed = server.close()
    socket.write(get('/v1/employees/count'))
    await Promise.all([closed, ended])
    expect(text.match(/^connection: .*$/gim)).toEqual([
      'Connection: keep-alive',
      'connection: close',
    ])
    expect(text.match(/\{"count":4\}/g)).toHaveLength(2)
  })

  test('cuts off slow clients', async () => {
    const { registry, isReached } = held()
    const server = await served(registry, { closeTimeout: 30 })
    const answer = exchange(server.port, get('/notes/a'))
    await isReached
    await server.close()
    expect(await answer).toEqual({ answers: [], isClosed: true })
  })
})

const chunked = [
  ['Content-Type', 'application/json'],
  ['Transfer-Encoding', 'chunked'],
] as const
const post = `POST /v1/employees HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
const gita = '{"name":"Gita","birthdate":"1991-04-09"}'

// Bytes and their responses. Node's parser would respond to most of them otherwise, or not at all.
// biome-ignore format: a row stays a line
const bytes: [name: string, bytes: string | Uint8Array, verdict: string][] = [
  ['no HTTP at all',              'SSH-2.0-x\r\n',                                             '400 bad_request'],
  ['TLS',                         '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',              '400 bad_request'],
  ['a method unknown to Node',    'FOO /v1/employees HTTP/1.1\r\nHost: localhost\r\n\r\n',             '405 method_not_allowed'],
  ['a target without slash',      'GET v1/employees HTTP/1.1\r\nHost: localhost\r\n\r\n',              '400 bad_request'],
  ['NUL in the target',           'GET /v1/employees/a\0b HTTP/1.1\r\nHost: localhost\r\n\r\n',        '400 bad_request'],
  ['DEL in the target',           'GET /v1/employees/a\x7fb HTTP/1.1\r\nHost: localhost\r\n\r\n',      '400 bad_request'],
  ['bytes beyond ASCII',          'GET /v1/employees/\xe9 HTTP/1.1\r\nHost: localhost\r\n\r\n',        '400 bad_request'],
  ['HTTP/2.0',                    'GET /v1/employees HTTP/2.0\r\nHost: localhost\r\n\r\n',             '400 bad_request'],
  ['HTTP/9.9',                    'GET /v1/employees HTTP/9.9\r\nHost: localhost\r\n\r\n',             '400 bad_request'],
  ['HTTP/1.0 without host',       'GET /v1/employees HTTP/1.0\r\n\r\n',                        '200'],
  ['a missing host',              'GET /v1/employees HTTP/1.1\r\n\r\n',                        '400 bad_host'],
  ['two hosts',                   'GET /v1/employees HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',  '400 bad_host'],
  ['a host with a space',         'GET /v1/employees HTTP/1.1\r\nHost: a b/c@d\r\n\r\n',       '400 bad_host'],
  ['a host with a user',          'GET /v1/employees HTTP/1.1\r\nHost: u@a\r\n\r\n',           '400 bad_host'],
  ['a host that is a port',       'GET /v1/employees HTTP/1.1\r\nHost: :80\r\n\r\n',           '400 bad_host'],
  ['an empty host',               'GET /v1/employees HTTP/1.1\r\nHost:\r\n\r\n',               '200'],
  ['a host of IPv6 with a port',  'GET /v1/employees HTTP/1.1\r\nHost: [::1]:80\r\n\r\n',      '200'],
  ['a header without a name',     'GET /v1/employees HTTP/1.1\r\nHost: localhost\r\n: y\r\n\r\n',      '400 bad_request'],
  ['headers named like members',  'GET /v1/employees HTTP/1.1\r\nHost: localhost\r\n__proto__: x\r\nconstructor: y\r\n\r\n', '200'],
  ['headers too large',           `GET /v1/employees HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, '400 headers_too_large'],
  ['a target too large',          `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,    '400 uri_too_long'],
  ['a target of 12,000 bytes',    `GET /${'a'.repeat(12_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,    '400 uri_too_long'],
  ['CONNECT',                     'CONNECT other.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n',     '400 bad_path'],
  ['an upgrade',                  'GET /v1/employees HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', '200'],
  ['another expectation',         `${post}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`,      '400 expectation_failed'],
  ['one expectation too many',    `${post}Expect: 100-continue, foo\r\nContent-Length: 2\r\n\r\n{}`, '400 expectation_failed'],
  ['an expectation that is met',  `${post}Expect: 100-continue\r\nContent-Length: ${gita.length}\r\n\r\n${gita}`, '201'],
  ['two lengths',                 `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`, '400 bad_request'],
  ['a length and chunks',         `${post}Content-Length: 42\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, '400 bad_request'],
  ['a negative length',           `${post}Content-Length: -1\r\n\r\nhello`,                    '400 bad_request'],
  ['a length in hexadecimal',     `${post}Content-Length: 0x5\r\n\r\nhello`,                   '400 bad_request'],
  ['another coding',              `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,       '400 bad_request'],
  ['codings before chunks',       `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, '400 bad_request'],
  ['a chunk that breaks after the answer', 'POST /v1/nope HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n', '404 unknown_resource'],
  ['a chunk without a size',      `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n${gita}\r\n0\r\n\r\n`, '400 bad_request'],
  ['a chunk that breaks later',   `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{"\r\nzz\r\n`, '400 bad_request'],
  ['endless chunk extensions',    `${post}Transfer-Encoding: chunked\r\n\r\n5;${'a'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`, '400 bad_request'],
  ['chunks',                      `${post}Transfer-Encoding: Chunked\r\n\r\n5\r\n${gita.slice(0, 5)}\r\n${(gita.length - 5).toString(16)}\r\n${gita.slice(5)}\r\n0\r\n\r\n`, '201'],
  ['chunks and a trailer',        `${post}Transfer-Encoding: chunked\r\n\r\n${gita.length.toString(16)};x=y\r\n${gita}\r\n0\r\nX: y\r\n\r\n`, '201'],
  ['no chunks at all',            `${post}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,        '400 body_missing'],
  ['an empty DELETE in chunks',   'DELETE /v1/employees/e-farid HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', '200'],
  ['a DELETE with a body',        'DELETE /v1/employees HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n', '400 body_not_allowed'],
  ['content types of a kind',     `${post}Content-Type: application/json\r\nContent-Length: ${gita.length}\r\n\r\n${gita}`, '400 unsupported_media_type'],
  ['content types and no body',   `${post}Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n`, '400 unsupported_media_type'],
  ['content types of a DELETE',   'DELETE /v1/employees HTTP/1.1\r\nHost: localhost\r\nContent-Type: a/b\r\nContent-Type: c/d\r\nContent-Length: 2\r\n\r\n[]', '400 body_not_allowed'],
  ['content types of an empty DELETE', 'DELETE /v1/employees/e-farid HTTP/1.1\r\nHost: localhost\r\nContent-Type: a/b\r\nContent-Type: c/d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', '200'],
  ['a body too large',            bytesOf(['POST', '/v1/employees'], [['Content-Type', 'application/json']], 'a'.repeat(5_000_000)), '400 body_too_large'],
]

describe('bad bytes get problems', () => {
  for (const [name, sent, verdict] of bytes) {
    test(`${name} is ${verdict}`, async () => {
      const { port } = await served(companiesRegistry())
      const { answers } = await exchange(port, sent)
      expect(answers).toHaveLength(1)
      const [answer] = answers as [RawAnswer]
      expect(statuses).toContain(answer.status)
      if (answer.status < 400) expect(`${answer.status}`).toBe(verdict)
      else {
        expect(`${answer.status} ${codeOf(answer)}`).toBe(verdict)
        expect(answer.headers['content-type']).toBe('application/problem+json')
      }
      expect(answer.headers['content-length']).toBe(`${Buffer.byteLength(answer.text)}`)
    })
  }

  test('a chunked body that is too large gets a response', async () => {
    const { port } = await served(companiesRegistry())
    const chunk = Buffer.concat([
      Buffer.from('10000\r\n'),
      Buffer.alloc(0x10000, 'a'),
      Buffer.from('\r\n'),
    ])
    const head = bytesOf(['POST', '/v1/employees'], chunked)
    const sent = Buffer.concat([head, ...Array<Buffer>(40).fill(chunk), Buffer.from('0\r\n\r\n')])
    const { answers } = await exchange(port, sent)
    expect(answers.map(codeOf)).toEqual(['body_too_large'])
  })

  test('a slow client gets a response', async () => {
    const { port } = await served(companiesRegistry(), { headersTimeout: 1, requestTimeout: 2 })
    const { answers, isClosed } = await new Promise<Awaited<ReturnType<typeof exchange>>>(
      (resolve) => {
        let text = ''
        const socket = connect(port, '127.0.0.1').on('data', (chunk) => {
          text += chunk
        })
        socket.on('close', () => {
          const answers = [
            {
              status: Number(text.slice(9, 12)),
              headers: {},
              text: text.split('\r\n\r\n')[1] ?? '',
            },
          ]
          resolve({ answers, isClosed: true })
        })
        socket.write('GET /v1/employees HTTP/1.1\r\nHost')
      },
    )
    expect([answers[0]?.status, answers.map(codeOf), isClosed]).toEqual([
      400,
      ['request_timeout'],
      true,
    ])
  })

  test('half a body is no request', async () => {
    const created: unknown[] = []
    const { registry } = notesWith({ create: ({ item }) => noting(created, item, { id: 'a' }) })
    const { port } = await served(registry)
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      'POST /notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
        'Content-Length: 99\r\n\r\n{"text":"x"}',
    )
    await wait(20)
    socket.destroy()
    await wait(20)
    expect(created).toEqual([])
    expect((await exchange(port, get('/notes/a'))).answers).toHaveLength(1)
  })
})

describe('HEAD', () => {
  // biome-ignore format: a row stays a line
  const rows: [name: string, bytes: string, status: number][] = [
    ['of a list',            'HEAD /v1/employees HTTP/1.1\r\nHost: localhost\r\n\r\n',                   200],
    ['of nothing',           'HEAD /v1/employees/nobody HTTP/1.1\r\nHost: localhost\r\n\r\n',            404],
    ['without a host',       'HEAD /v1/employees HTTP/1.1\r\n\r\n',                              400],
    ['that expects',         'HEAD /v1/employees HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n', 400],
  ]
  for (const [name, sent, status] of rows) {
    test(`${name} has a length and no body`, async () => {
      const { port } = await served(companiesRegistry())
      const full = await exchange(port, sent.replace('HEAD', 'GET'))
      const { answers } = await exchange(port, sent, { heads: [0] })
      const length = full.answers[0]?.headers['content-length']
      expect(Number(length)).toBeGreaterThan(20)
      expect(answers).toMatchObject([{ status, headers: { 'content-length': length }, text: '' }])
    })
  }

  test('does not disturb the next response', async () => {
    const { port } = await served(companiesRegistry())
    const sent = Buffer.concat([bytesOf(['HEAD', '/v1/employees']), get('/v1/employees/count')])
    const { answers } = await exchange(port, sent, { count: 2, heads: [0] })
    expect(answers.map(({ text }) => text)).toEqual(['', '{"count":4}'])
  })
})

describe('requests of one connection', () => {
  test('get their responses in order', async () => {
    const { registry, isReached, go } = held()
    const { port } = await served(registry)
    const both = exchange(port, Buffer.concat([get('/notes/a'), get('/notes/count')]), { count: 2 })
    await isReached
    await wait(10)
    go()
    expect((await both).answers.map(({ text }) => text)).toEqual([
      '{"id":"a","text":"held"}',
      '{"count":1}',
    ])
  })

  // biome-ignore format: a row stays a line
  const next: [name: string, bytes: string, code: string][] = [
    ['is no HTTP',    'nonsense\r\n\r\n',                       'bad_request'],
    ['has no host',   'GET /notes HTTP/1.1\r\n\r\n',            'bad_host'],
  ]
  for (const [name, sent, code] of next) {
    test(`wait for the one before when the next ${name}`, async () => {
      const { registry, isReached, go } = held()
      const { port } = await served(registry)
      const both = exchange(port, Buffer.concat([get('/notes/a'), Buffer.from(sent)]), { count: 2 })
      await isReached
      await wait(10)
      go()
      const { answers, isClosed } = await both
      expect(answers.map((answer) => codeOf(answer) ?? answer.status)).toEqual([200, code])
      expect(isClosed).toBe(true)
    })
  }
})

describe('a refused request', () => {
  // biome-ignore format: a row stays a line
  const refusals: [name: string, bytes: string][] = [
    ['without a host',  'GET /v1/employees HTTP/1.1\r\n\r\n'],
    ['with two hosts',  'GET /v1/employees HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['that expects',    'GET /v1/employees HTTP/1.1\r\nHost: a\r\nExpect: foo\r\n\r\n'],
  ]
  for (const [name, sent] of refusals) {
    for (const pause of [0, 20]) {
      test(`${name} is the last, ${pause} ms later`, async () => {
        const { port } = await served(companiesRegistry())
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
        socket.on('error', () => undefined).resume()
        const removal = bytesOf(['DELETE', '/v1/employees'])
        socket.write(pause === 0 ? Buffer.concat([Buffer.from(sent), removal]) : sent)
        await wait(pause)
        if (pause > 0) socket.write(removal)
        await wait(30)
        socket.destroy()
        const { answers } = await exchange(port, get('/v1/employees/count'))
        expect(answers[0]?.text).toBe('{"count":4}')
      })
    }
  }

  for (const [name, closeTimeout] of [
    ['after a while', 10_000],
    ['at the end', 30],
  ] as const) {
    test(`leaves no connection of CONNECT ${name}`, async () => {
      const server = await served(companiesRegistry(), { closeTimeout })
      const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => undefined)
      socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
      await new Promise((resolve) => socket.once('data', resolve))
      const start = Date.now()
      await server.close()
      expect(Date.now() - start).toBeLessThan(closeTimeout === 30 ? 600 : 2000)
      socket.destroy()
    })
  }

  test('waits for all earlier responses', async () => {
    const { port } = await served(companiesRegistry())
    const count = get('/v1/employees/count')
    const broken = Buffer.from(`${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)
    const { answers } = await exchange(port, Buffer.concat([count, count, broken]), { count: 3 })
    expect(answers.map((answer) => codeOf(answer) ?? answer.text)).toEqual([
      '{"count":4}',
      '{"count":4}',
      'bad_request',
    ])
  })
})

describe('pipelined requests', () => {
  const writes = [
    bytesOf(['POST', '/v1/employees'], [['Content-Type', 'application/json']], gita),
    bytesOf(['DELETE', '/v1/employees']),
    get('/v1/employees/count'),
  ]
  const doors = {
    serve: async () => (await served(companiesRegistry())).port,
    toNodeListener: () => listening(toNodeListener(companiesRegistry())),
  }
  for (const [name, open] of Object.entries(doors)) {
    test(`run in order under ${name}`, async () => {
      const { answers } = await exchange(await open(), Buffer.concat(writes), { count: 3 })
      expect(answers.map(({ status }) => status)).toEqual([201, 200, 200])
      expect(answers.slice(1).map(({ text }) => text)).toEqual(['{"deleted":5}', '{"count":0}'])
    })
  }
})

describe('the signal', () => {
  test('aborts when the client leaves', async () => {
    const { registry, isReached, signals, go } = held()
    const { port } = await served(registry)
    const socket = connect(port, '127.0.0.1')
    socket.write(get('/notes/a'))
    await isReached
    expect(signals[0]?.aborted).toBe(false)
    const aborted = new Promise((resolve) => signals[0]?.addEventListener('abort', resolve))
    socket.destroy()
    await aborted
    go()
    await wait(5)
    expect((await exchange(port, get('/notes/count'))).answers[0]?.status).toBe(200)
  })

  test('does not abort after a whole response', async () => {
    const { registry, signals, go } = held()
    go()
    const { port } = await served(registry)
    const socket = connect(port, '127.0.0.1')
    socket.write(get('/notes/a'))
    await new Promise((resolve) => socket.once('data', resolve))
    await wait(10)
    socket.destroy()
    await wait(10)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  test('is aborted if the client left already', async () => {
    const seen: unknown[] = []
    const { registry } = notesWith(
      { read: ({ signal, id }) => noting(seen, signal.aborted, { id }) },
      { context: ({ source }) => gone(source as IncomingMessage) },
    )
    const port = await listening(toNodeListener(registry))
    const socket = connect(port, '127.0.0.1')
    socket.write(get('/notes/a'))
    setTimeout(() => socket.destroy(), 10)
    await wait(60)
    expect(seen).toEqual([true])
  })

  test('the body of a client that left breaks off', async () => {
    const verdicts: unknown[] = []
    const { registry } = notesWith(mapOf(), {
      context: ({ source }) => gone(source as IncomingMessage),
      use: [
        async (_, __, next) => {
          try {
            return await next()
          } catch (error) {
            throw verdicts.push(error) && error
          }
        },
      ],
    })
    const port = await listening(toNodeListener(registry))
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'POST /notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
        'Content-Length: 9\r\n\r\n{',
    )
    setTimeout(() => socket.destroy(), 10)
    await wait(60)
    expect(verdicts).toEqual([problem('bad_request', 'The body broke off.')])
  })
})

function gone(source: IncomingMessage): Promise<object> {
  return new Promise((resolve) => source.socket.once('close', () => setTimeout(resolve, 5, {})))
}

describe('inside a host', () => {
  const application = { 'content-type': 'application/json' }
  const parsed = (body: unknown): NodeListener => {
    const { registry } = notesWith(mapOf())
    const listener = toNodeListener(registry)
    return (request, response) => {
      request.resume().on('end', () => listener(Object.assign(request, { body }), response))
    }
  }

  // biome-ignore format: a row stays a line
  const bodies: [name: string, body: unknown, status: number][] = [
    ['a value',                { text: 'x' },                       201],
    ['text',                   '{"text":"x"}',                      201],
    ['bytes',                  Buffer.from('{"text":"x"}'),         201],
    ['an object without roots', Object.assign(Object.create(null), { text: 'x' }), 201],
    ['an array',               [],                                  422],
    ['a number',               7,                                   422],
    ['a boolean',              true,                                422],
    ['null',                   null,                                422],
    ['nothing',                undefined,                           500],
    ['text that is no JSON',   'text=x',                            400],
  ]
  for (const [name, body, status] of bodies) {
    test(`${name} in request.body is ${status}`, async () => {
      const port = await listening(parsed(body))
      const { answers } = await exchange(
        port,
        bytesOf(['POST', '/notes'], Object.entries(application), '{}'),
      )
      expect(answers.map((answer) => answer.status)).toEqual([status])
    })
  }

  test('may declare another content type', async () => {
    const listener = toNodeListener(notesWith(mapOf()).registry)
    const port = await listening((request, response) => {
      Object.assign(request.headers, application)
      listener(request, response)
    })
    const post = bytesOf(['POST', '/notes'], [['content-type', 'text/plain']], '{"text":"x"}')
    expect((await exchange(port, post)).answers[0]?.status).toBe(201)
  })

  test('may add a body to a request', async () => {
    const listener = toNodeListener(notesWith(mapOf()).registry)
    const port = await listening((request, response) => {
      Object.assign(request.headers, application, { 'content-length': '12' })
      listener(Object.assign(request, { method: 'POST', body: { text: 'x' } }), response)
    })
    expect((await exchange(port, get('/notes'))).answers[0]?.status).toBe(201)
  })

  test('a lost body is reported', async () => {
    const { registry, errors } = notesWith(mapOf())
    const listener = toNodeListener(registry)
    const port = await listening((request, response) => {
      request.resume().on('end', () => listener(request, response))
    })
    await exchange(port, bytesOf(['POST', '/notes'], Object.entries(application), '{}'))
    expect(errors).toEqual([
      new TypeError(
        'Other code read the body before the listener. ' +
          'Leave the body unread, or set "request.body" to its value.',
      ),
    ])
  })

  test('a host may have responded already', async () => {
    const { registry, isReached, go } = held()
    const listener = toNodeListener(registry)
    const port = await listening((request, response) => {
      listener(request, response)
      isReached.then(() => response.end('the host'))
    })
    const answer = exchange(port, get('/notes/a'))
    await isReached
    await wait(5)
    go()
    await answer
    expect((await exchange(port, get('/notes/count'))).answers[0]?.status).toBe(200)
  })

  test('knows its prefix', async () => {
    const inner = express().use('/deep', toNodeListener(companiesRegistry()))
    const port = await listening(express().use('/api', inner) as never)
    const { answers } = await exchange(port, get('/api/deep/v1/employees?limit=1'))
    expect(answers[0]?.headers.link).toMatch(/^<\/api\/deep\/v1\/employees\?limit=1&after=/)
  })

  test('takes no prefix from another target', async () => {
    const listener = toNodeListener(companiesRegistry())
    const rewritten: NodeListener = (request: IncomingMessage, response: ServerResponse) => {
      listener(Object.assign(request, { originalUrl: '/other' }), response)
    }
    const { answers } = await exchange(await listening(rewritten), get('/v1/employees?limit=1'))
    expect(answers[0]?.headers.link).toMatch(/^<\/v1\/employees\?/)
  })

  test('context and middleware see the request itself', async () => {
    const seen: unknown[] = []
    const registry = defineRegistry(companiesRegistry().api, { idempotentFor: String })
      .context(({ source }) => (source as IncomingMessage).socket.remoteAddress)
      .use((_, address, next) => noting(seen, address, next()))
      .adapters({
        companies: { read: () => null },
        employees: { count: () => 1 },
        customers: { read: () => null },
      })
    const { port } = await served(registry)
    await exchange(port, get('/v1/employees/count'))
    expect(seen).toEqual(['127.0.0.1'])
  })
})

import { createServer, type Server } from 'node:http'
import http2 from 'node:http2'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import express from 'express'
import { harden, toNodeListener } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { certificate } from '../support/certificate.ts'
import { afterwards, connectionsOf, portOf } from '../support/listening.ts'
import { mapOf, notesWith } from '../support/registry.ts'
import { bytesOf, Caller, exchange, type RawAnswer } from '../support/socket.ts'

const get = (target: string) => bytesOf(['GET', target])
const small = () => notesWith(mapOf({ id: 'a' })).registry
const json = ['Content-Type', 'application/json'] as const

function codeOf(answer: RawAnswer): unknown {
  return answer.headers['content-type'] === 'application/problem+json'
    ? JSON.parse(answer.text).code
    : answer.status
}

const app = () =>
  express()
    .get('/mine', (_, response) => void response.send('mine'))
    .use('/api', toNodeListener(small()))
    .use(express.json())
    .post('/echo', (request, response) => void response.json(request.body))

const servers: Readonly<Record<string, () => Server>> = {
  'with nothing else': () => createServer(),
  'with a listener of ours': () => createServer(toNodeListener(small())),
  'with Express': () => createServer(app()),
  'made leniently': () => createServer({ insecureHTTPParser: true, requireHostHeader: true }),
}

// biome-ignore format: a row stays a line
const refused: readonly (readonly [name: string, sent: string, code: string])[] = [
  ['no HTTP',                'nonsense\r\n\r\n',                                                            'bad_request'],
  ['no host',                'GET /notes/a HTTP/1.1\r\n\r\n',                                               'bad_host'],
  ['two hosts',              'GET /notes/a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',                         'bad_host'],
  ['HTTP/2.0',               'GET /notes/a HTTP/2.0\r\nHost: localhost\r\n\r\n',                                    'bad_request'],
  ['CONNECT',                'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',                                   'bad_path'],
  ['another expectation',    'POST /notes HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nContent-Length: 2\r\n\r\n{}', 'expectation_failed'],
  ['a large head',           `GET /notes/a HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,        'headers_too_large'],
  ['another coding',         'POST /notes HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 'bad_request'],
  ['a space before a colon', 'GET /notes/a HTTP/1.1\r\nHost : x\r\n\r\n',                                   'bad_request'],
  ['a length and chunks',    'POST /notes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 'bad_request'],
  ['a broken chunk',         'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'bad_request'],
]

for (const [title, create] of Object.entries(servers)) {
  describe(`a server ${title}`, () => {
    for (const [name, sent, code] of refused) {
      test(`responds to ${name} with ${code}`, async () => {
        const server = create()
        harden(server, small())
        const { answers, isClosed } = await exchange(await portOf(server), sent, { count: 2 })
        // Without a body, the response comes before a broken chunk.
        const codes = answers.map(codeOf)
        expect([codes, isClosed]).toEqual([
          [name === 'a broken chunk' && codes[0] === 'unknown_resource' ? codes[0] : code],
          true,
        ])
      })
    }
  })
}

describe('a server of your own', () => {
  test('serves the registry if it has no listener', async () => {
    const server = createServer()
    harden(server, small())
    const { answers } = await exchange(await portOf(server), get('/notes/a'))
    expect(answers.map(({ text }) => text)).toEqual(['{"id":"a"}'])
  })

  test('keeps its own listeners', async () => {
    const server = createServer(app())
    harden(server, small())
    const sent = Buffer.concat([
      get('/mine'),
      get('/api/notes/a'),
      bytesOf(['POST', '/echo'], [json], '{"a":1}'),
    ])
    const { answers } = await exchange(await portOf(server), sent, { count: 3 })
    expect(answers.map(({ text }) => text)).toEqual(['mine', '{"id":"a"}', '{"a":1}'])
  })

  test('sends 100 before its own listener', async () => {
    const server = createServer(app())
    harden(server, small())
    const fields = [json, ['Expect', '100-continue'], ['Content-Length', '7']] as const
    const caller = new Caller(await portOf(server), bytesOf(['POST', '/echo'], fields))
    afterwards(() => caller.leave())
    await caller.heard('100 Continue')
    caller.say('{"a":1}')
    await caller.answered()
    expect(caller.text).toMatch(/\{"a":1\}$/)
  })

  test('finishes earlier responses before it refuses', async () => {
    const server = createServer((_, response) => setTimeout(() => response.end('mine'), 50))
    harden(server, small())
    const sent = Buffer.concat([get('/'), Buffer.from('nonsense\r\n\r\n')])
    const { answers } = await exchange(await portOf(server), sent, { count: 2 })
    expect(answers.map(codeOf)).toEqual([200, 'bad_request'])
  })

  test('keeps its limits', async () => {
    const server = createServer()
    Object.assign(server, { maxHeadersCount: 3, maxRequestsPerSocket: 2 })
    harden(server, small())
    const port = await portOf(server)
    const three = await exchange(
      port,
      bytesOf(
        ['GET', '/notes/a'],
        [
          ['A', 'b'],
          ['C', 'd'],
        ],
      ),
    )
    const four = await exchange(
      port,
      bytesOf(
        ['GET', '/notes/a'],
        [
          ['A', 'b'],
          ['C', 'd'],
          ['E', 'f'],
        ],
      ),
    )
    expect([three, four].flatMap(({ answers }) => answers.map(codeOf))).toEqual([
      200,
      'headers_too_large',
    ])
    const sent = Buffer.concat(Array<Buffer>(3).fill(get('/notes/a')))
    const { answers, isClosed } = await exchange(port, sent, { count: 3 })
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[200, 200], true])
  })

  test('may handle CONNECT and upgrades itself', async () => {
    const server = createServer()
      .on('connect', (_, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
      .on('upgrade', (_, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
    harden(server, small())
    const port = await portOf(server)
    const connected = await exchange(port, 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n')
    expect(connected.answers.map(({ status }) => status)).toEqual([200])
    const caller = new Caller(
      port,
      bytesOf(
        ['GET', '/'],
        [
          ['Connection', 'Upgrade'],
          ['Upgrade', 'x'],
        ],
      ),
    )
    afterwards(() => caller.leave())
    await caller.ended()
    expect(caller.statuses).toEqual([101])
  })
})

describe('a server of TLS', () => {
  async function secure() {
    const server = createSecureServer(certificate, toNodeListener(small()))
    const { close } = harden(server, small(), { closeTimeout: 2000 })
    return { server, close, port: await portOf(server) }
  }
  function spoken(port: number, sent: string): Promise<string> {
    return new Promise((resolve) => {
      let text = ''
      const socket = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false }, () =>
        socket.write(sent),
      )
      socket.on('error', () => undefined).on('close', () => resolve(text))
      socket.on('data', (chunk) => {
        text += chunk
        if (text.endsWith('{"id":"a"}')) socket.end()
      })
    })
  }

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [name: string, sent: string, answer: RegExp])[] = [
    ['what it is asked',  'GET /notes/a HTTP/1.1\r\nHost: localhost\r\n\r\n', /^HTTP\/1\.1 200 [\s\S]*\{"id":"a"\}$/],
    ['what is no HTTP',   'nonsense\r\n\r\n',                         /^HTTP\/1\.1 400 [\s\S]*"bad_request"/],
    ['no host',           'GET /notes/a HTTP/1.1\r\n\r\n',            /^HTTP\/1\.1 400 [\s\S]*"bad_host"/],
    ['a large body',      `POST /notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n${'a'.repeat(3_000_000)}`, /^HTTP\/1\.1 400 [\s\S]*"body_too_large"/],
  ]
  for (const [name, sent, answer] of rows) {
    test(`responds to ${name}`, async () => {
      const { port } = await secure()
      expect(await spoken(port, sent)).toMatch(answer)
    })
  }

  test('closes a connection without TLS', async () => {
    const { port, server } = await secure()
    const { isClosed } = await exchange(port, get('/notes/a'))
    expect([isClosed, await connectionsOf(server)]).toEqual([true, 0])
    expect(await spoken(port, 'GET /notes/a HTTP/1.1\r\nHost: localhost\r\n\r\n')).toContain(
      ' 200 ',
    )
  })

  test('stops', async () => {
    const { port, close } = await secure()
    const idle = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
    idle.on('error', () => undefined)
    await new Promise((resolve) => idle.once('secureConnect', resolve))
    const start = performance.now()
    await close()
    expect(performance.now() - start).toBeLessThan(1500)
  })
})

describe('harden rejects', () => {
  // biome-ignore format: a row stays a line
  const others: readonly (readonly [name: string, server: () => unknown, message: RegExp])[] = [
    ['nothing',            () => undefined,                       /harden\(\) takes a server of node:http or node:https: write harden\(http\.createServer/],
    ['a listener',         () => toNodeListener(small()),         /harden\(\) takes a server of node:http/],
    ['one of node:net',    () => createNetServer(),               /harden\(\) takes a server of node:http/],
    ['one of HTTP/2',      () => http2.createServer(),            /A server of node:http2 needs no harden\(\): give it toNodeListener/],
    ['one of both',        () => http2.createSecureServer({ ...certificate, allowHTTP1: true }), /A server of node:http2 needs no harden\(\)/],
    ['one of yours',       () => createServer().on('clientError', () => undefined), /has a listener for "clientError" already/],
  ]
  for (const [name, server, message] of others) {
    test(name, () => {
      expect(() => harden(server() as Server, small())).toThrow(message)
      expect(() => harden(server() as Server, small())).toThrow(TypeError)
    })
  }

  test('a second call', () => {
    const server = createServer()
    harden(server, small())
    expect(() => harden(server, small())).toThrow(/Call harden\(\) once/)
  })

  test('an unknown option', () => {
    expect(() => harden(createServer(), small(), { closeTimout: 1 } as object)).toThrow(
      /write "closeTimeout" if that is meant/,
    )
    expect(() => harden(createServer(), small(), { closeTimeout: 0 })).toThrow(
      /closeTimeout cannot be 0/,
    )
    expect(() => toNodeListener(small(), { writeTimeout: -1 })).toThrow(/writeTimeout cannot be -1/)
  })
})

describe('a server of HTTP/2', () => {
  async function asked(headers: object, body?: string) {
    const server = http2.createServer()
    const listener = toNodeListener(small(), { writeTimeout: 5000 })
    // The compatible API is the same, but its types differ.
    server.on('request', (request, response) => listener(request as never, response as never))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const client = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    afterwards(() => server.close())
    afterwards(() => client.destroy())
    const stream = client.request(headers as http2.OutgoingHttpHeaders)
    let text = ''
    let given: Readonly<Record<string, unknown>> = {}
    stream.on('response', (fields) => {
      given = { ...fields }
    })
    stream.on('data', (chunk) => {
      text += chunk
    })
    stream.on('error', () => undefined)
    stream.end(body)
    await new Promise((resolve) => stream.once('close', resolve))
    return [given[':status'], text, given] as const
  }
  const post = { ':method': 'POST', ':path': '/notes', 'content-type': 'application/json' }

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [
    name: string,
    headers: object,
    body: string | undefined,
    status: number,
    text: RegExp,
  ])[] = [
    ['a read',               { ':path': '/notes/a' },                              undefined,                200, /^\{"id":"a"\}$/],
    ['a read of a host',     { ':path': '/notes/a', ':authority': 'any.example' }, undefined,                200, /^\{"id":"a"\}$/],
    ['a HEAD',               { ':path': '/notes/a', ':method': 'HEAD' },           undefined,                200, /^$/],
    ['nothing there is',     { ':path': '/nothing' },                              undefined,                404, /unknown_resource/],
    ['a body',               post,                                                 '{"text":"x"}',           201, /"text":"x"/],
    ['a body too large',     post,                                                 'a'.repeat(3_000_000),    400, /body_too_large/],
    ['a body of nothing',    { ...post, ':path': '/nothing' },                     'a'.repeat(3_000_000),    404, /unknown_resource/],
    ['a body expected',      { ...post, expect: '100-continue' },                  '{"text":"x"}',           201, /"text":"x"/],
  ]
  for (const [name, headers, body, status, text] of rows) {
    test(`responds to ${name} with ${status}`, async () => {
      const [given, received, fields] = await asked(headers, body)
      expect(given).toBe(status)
      expect(received).toMatch(text)
      expect(fields).toMatchObject({ date: expect.stringMatching(/ GMT$/) })
      expect(fields).not.toHaveProperty('connection')
      const type = status < 400 ? 'application/json' : 'application/problem+json'
      expect(fields).toMatchObject({ 'content-type': type })
    })
  }
})

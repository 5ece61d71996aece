import type { Answered } from 'nounful'
import { type RunningServer, serve } from 'nounful/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { companiesRegistry } from '../support/companies.ts'
import { Caller, exchange, type RawAnswer } from '../support/socket.ts'

let server: RunningServer
beforeEach(async () => {
  server = await serve(companiesRegistry(), { port: 0, closeTimeout: 100, hosts: '*' })
})
afterEach(() => server.close())

const line = 'GET /v1/employees/count HTTP/1.1\r\n'
const host = 'Host: localhost\r\n'
const get = `${line}${host}`
const post = `POST /v1/employees HTTP/1.1\r\n${host}Content-Type: application/json\r\n`
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`
const gita = '{"name":"Gita","birthdate":"1991-04-09"}'
const removal = `DELETE /v1/employees HTTP/1.1\r\n${host}\r\n`

/** Bad requests and their codes. */
type Refusals = readonly (readonly [name: string, sent: string, code?: string])[]

// biome-ignore format: a row stays a line
const lines: Refusals = [
  ['HTTP/0.9',                            'GET /v1/employees\r\n\r\n'],
  ['HTTP/1.2',                            `GET /v1/employees HTTP/1.2\r\n${host}\r\n`],
  ['HTTP/1.10',                           `GET /v1/employees HTTP/1.10\r\n${host}\r\n`],
  ['HTTP/2.0',                            `GET /v1/employees HTTP/2.0\r\n${host}\r\n`],
  ['HTTP/2 itself',                       'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
  ['small letters in the version',        `GET /v1/employees http/1.1\r\n${host}\r\n`],
  ['a space before the method',           ` ${get}\r\n`],
  ['a space after the version',           `GET /v1/employees HTTP/1.1 \r\n${host}\r\n`],
  ['a tab after the method',              `GET\t/v1/employees HTTP/1.1\r\n${host}\r\n`],
  ['LF alone after the line',             `GET /v1/employees HTTP/1.1\n${host}\r\n`],
  ['CR alone after the line',             `GET /v1/employees HTTP/1.1\r${host}\r\n`],
  ['an authority',                        `CONNECT x:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n`, 'bad_path'],
]

// biome-ignore format: a row stays a line
const fields: Refusals = [
  ['a line that is folded',               `${get}X: a\r\n b\r\n\r\n`],
  ['a first line that is folded',         `${line} ${host}\r\n`],
  ['LF alone after a field',              `${line}Host: localhost\nX: y\r\n\r\n`],
  ['LF alone after the fields',           `${get}\n`],
  ['CR alone in a field',                 `${get}X: a\rb\r\n\r\n`],
  ['NUL in a field',                      `${get}X: a\0b\r\n\r\n`],
  ['NUL in a name',                       `${get}X\0Y: a\r\n\r\n`],
  ['a space before a colon',              `${get}X : a\r\n\r\n`],
  ['a space before the colon of a length', `${post}Content-Length : 2\r\n\r\n{}`],
  ['no colon',                            `${get}X\r\n\r\n`],
  ['no name',                             `${get}: y\r\n\r\n`],
  ['a name beyond ASCII',                 `${get}X\xe9: a\r\n\r\n`],
  ['two hosts of a kind',                 `${get}${host}\r\n`, 'bad_host'],
  ['two hosts in HTTP/1.0',               `GET /v1/employees HTTP/1.0\r\n${host}${host}\r\n`, 'bad_host'],
  ['a list of hosts',                     `${line}Host: a, b\r\n\r\n`, 'bad_host'],
  ['a host with a path',                  `${line}Host: a/b\r\n\r\n`, 'bad_host'],
  ['no host in HTTP/1.1',                 `${line}\r\n`, 'bad_host'],
]

// biome-ignore format: a row stays a line
const lengths: Refusals = [
  ['two lengths',                         `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['two lengths of a kind',               `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
  ['a list of lengths',                   `${post}Content-Length: 2, 2\r\n\r\n{}`],
  ['a length with a sign',                `${post}Content-Length: +2\r\n\r\n{}`],
  ['a length with a space',               `${post}Content-Length: 2 2\r\n\r\n{}`],
  ['a length with a fraction',            `${post}Content-Length: 2.0\r\n\r\n{}`],
  ['an empty length',                     `${post}Content-Length:\r\n\r\n`],
  ['a length beyond all numbers',         `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`],
  ['a length, then chunks',               `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['chunks, then a length',               `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`],
]

// biome-ignore format: a row stays a line
const codings: Refusals = [
  ['chunks twice',                        `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['chunks twice in a line',              `${post}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
  ['gzip',                                `${post}Transfer-Encoding: gzip\r\n\r\n`],
  ['gzip, then chunks',                   `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ['chunks, then gzip',                   `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
  ['identity',                            `${post}Transfer-Encoding: identity\r\n\r\n`],
  ['nothing, and a length',               `${post}Transfer-Encoding:\r\nContent-Length: 2\r\n\r\n{}`],
  ['chunks with a parameter',             `${post}Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n`],
  ['chunks after a vertical tab',         `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
  ['chunks in quotes',                    `${post}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`],
  ['chunks in HTTP/1.0',                  `POST /v1/employees HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
]

// biome-ignore format: a row stays a line
const chunks: Refusals = [
  ['a size below zero',                   `${chunked}-2\r\n{}\r\n0\r\n\r\n`],
  ['a size in letters',                   `${chunked}xyz\r\n{}\r\n0\r\n\r\n`],
  ['a size with 0x',                      `${chunked}0x2\r\n{}\r\n0\r\n\r\n`],
  ['a size beyond all numbers',           `${chunked}fffffffffffffffff\r\n{}\r\n0\r\n\r\n`],
  ['a size and a space',                  `${chunked}2 \r\n{}\r\n0\r\n\r\n`],
  ['an empty size',                       `${chunked}\r\n{}\r\n0\r\n\r\n`],
  ['a size and LF alone',                 `${chunked}2\n{}\r\n0\r\n\r\n`],
  ['more than its size',                  `${chunked}2\r\n{}XX\r\n0\r\n\r\n`],
  ['an extension and LF alone',           `${chunked}2;\n{}\r\n0\r\n\r\n`],
  ['an extension of 20,000 bytes',        `${chunked}2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
  ['a trailer without a colon',           `${chunked}2\r\n{}\r\n0\r\nBad\r\n\r\n`],
  ['a length among the trailers',         `${chunked}2\r\n{}\r\n0\r\nContent-Length: 3\r\n\r\n`],
  ['a trailer of 20,000 bytes',           `${chunked}2\r\n{}\r\n0\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
]

function codeOf(answer: RawAnswer | undefined): unknown {
  return answer && answer.status >= 400 ? JSON.parse(answer.text).code : answer?.status
}

const tables = { 'request lines': lines, fields, lengths, 'transfer codings': codings, chunks }
for (const [title, rows] of Object.entries(tables)) {
  describe(`of ${title}`, () => {
    for (const [name, sent, code = 'bad_request'] of rows) {
      test(`${name} is ${code}, and the last`, async () => {
        const { answers, isClosed } = await exchange(server.port, `${sent}${removal}`, { count: 2 })
        expect([answers.map(codeOf), isClosed]).toEqual([[code], true])
        const [answer] = answers
        expect(answer?.headers).toMatchObject({
          'content-type': 'application/problem+json',
          'content-length': `${Buffer.byteLength(answer?.text ?? '')}`,
        })
        // The server did nothing of it.
        const after = await exchange(server.port, `${get}\r\n`)
        expect(after.answers.map(({ text }) => text)).toEqual(['{"count":4}'])
      })
    }
  })
}

describe('odd but valid', () => {
  // biome-ignore format: a row stays a line
  const allowed: readonly (readonly [name: string, sent: string, status: number])[] = [
    ['blank lines before it',             `\r\n\r\n${get}\r\n`, 200],
    ['an absolute target',                `GET http://x/v1/employees/count HTTP/1.1\r\n${host}\r\n`, 200],
    ['HTTP/1.0 without a host',           'GET /v1/employees/count HTTP/1.0\r\n\r\n', 200],
    ['tabs around a value',               `${line}Host:\t x \t\r\n\r\n`, 200],
    ['bytes beyond ASCII in a value',     `${get}X: \xe9\r\n\r\n`, 200],
    ['a HEAD',                            `HEAD /v1/employees HTTP/1.1\r\n${host}\r\n`, 200],
    ['OPTIONS of everything',             `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 200],
    ['a fragment',                        `GET /v1/employees#first HTTP/1.1\r\n${host}\r\n`, 400],
    ['a back-slash',                      `GET /v1/employees\\1 HTTP/1.1\r\n${host}\r\n`, 400],
    ['a method of another kind',          `SEARCH /v1/employees HTTP/1.1\r\n${host}\r\n`, 405],
  ]
  for (const [name, sent, status] of allowed) {
    test(`${name} is ${status}, and the connection stays open`, async () => {
      const isLast = sent.includes('HTTP/1.0')
      const { answers } = await exchange(server.port, isLast ? sent : `${sent}${get}\r\n`, {
        count: isLast ? 1 : 2,
        heads: sent.startsWith('HEAD') ? [0] : [],
      })
      expect(answers.map((answer) => answer.status)).toEqual(isLast ? [status] : [status, 200])
    })
  }

  // biome-ignore format: a row stays a line
  const bodies: readonly (readonly [name: string, sent: string])[] = [
    ['an extension in quotes',            `${chunked}28;a="b\\"c"\r\n${gita}\r\n0\r\n\r\n`],
    ['zeros before a size',               `${chunked}00028\r\n${gita}\r\n0\r\n\r\n`],
    ['a trailer',                         `${chunked}28\r\n${gita}\r\n0\r\nX: y\r\n\r\n`],
    ['chunks of a byte',                  `${chunked}${[...gita].map((letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`],
  ]
  for (const [name, sent] of bodies) {
    test(`${name} is read`, async () => {
      const last = `${get}Connection: close\r\n\r\nwhat follows is nobody's`
      const { answers, isClosed } = await exchange(server.port, `${sent}${last}`, { count: 3 })
      expect(answers.map(({ status }) => status)).toEqual([201, 200])
      expect(isClosed).toBe(true)
    })
  }
})

describe('an upgrade', () => {
  // biome-ignore format: a row stays a line
  const upgrades: readonly (readonly [
    name: string,
    sent: string,
    status: number,
    connection: string,
  ])[] = [
    ['to HTTP/2',                  `${get}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`, 200, 'keep-alive'],
    ['to HTTP/2 with a body',      `${post}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}`, 422, 'keep-alive'],
    ['to WebSocket',               `${get}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`, 200, 'close'],
    ['without a connection field', `${get}Upgrade: websocket\r\n\r\n`, 200, 'close'],
  ]
  for (const [name, sent, status, connection] of upgrades) {
    test(`${name} is ignored`, async () => {
      const caller = new Caller(server.port, sent)
      await caller.answered()
      if (connection === 'close') await caller.ended()
      else await caller.say(`${get}\r\n`).answered(2)
      expect(caller.statuses).toEqual(connection === 'close' ? [status] : [status, 200])
      expect(caller.text.match(/^connection: (.*)\r$/im)?.[1]).toBe(connection)
      caller.leave()
    })
  }
})

describe('a refusal before the target is known', () => {
  // biome-ignore format: a row stays a line
  const refusals: readonly (readonly [name: string, sent: string, code: string])[] = [
    ['a request line',        'nonsense\r\n\r\n',                                               'bad_request'],
    ['a head that is large',  `${get}X: ${'a'.repeat(20_000)}\r\n\r\n`,                        'headers_too_large'],
    ['a head that is slow',   get,                                                              'request_timeout'],
    ['an expectation',        `${post}Expect: wonders\r\nContent-Length: 2\r\n\r\n{}`,           'expectation_failed'],
    ['CONNECT',               'CONNECT x:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n',            'bad_path'],
    ['a broken chunk',        `${chunked}zz\r\n`,                                               'bad_request'],
    ['a length and a coding', `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`, 'bad_request'],
    ['no host',               `${line}\r\n`,                                                    'bad_host'],
    ['HTTP/2 in clear text',  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',                               'bad_request'],
  ]
  for (const [name, sent, code] of refusals) {
    test(`of ${name} has all of its header fields`, async () => {
      const seen: Answered[] = []
      const registry = Object.freeze({
        ...companiesRegistry(),
        requestId: () => 'r-7',
        onAnswer: (answered: Answered) => void seen.push(answered),
      })
      const own = await serve(registry, { port: 0, headersTimeout: 200, requestTimeout: 300 })
      const { answers, isClosed } = await exchange(own.port, sent, { count: 2 })
      await own.close()
      expect([answers.length, isClosed]).toEqual([1, true])
      const { headers, text, status } = answers[0] as RawAnswer
      expect(headers).toEqual({
        'content-type': 'application/problem+json',
        'content-length': `${Buffer.byteLength(text)}`,
        date: expect.stringMatching(/ GMT$/),
        connection: 'close',
      })
      const told = JSON.parse(text)
      expect(told).toMatchObject({ code, status, request_id: 'r-7', message: told.detail })
      expect(told.detail).toMatch(/^[A-Z"].*\.$/)
      expect(seen).toMatchObject([{ id: 'r-7', status: 400, code }])
    })
  }

  test('has an id of its own without the option', async () => {
    const { answers } = await exchange(server.port, 'nonsense\r\n\r\n')
    expect(JSON.parse(answers[0]?.text ?? '').request_id).toMatch(/^[\da-f-]{36}$/)
  })
})

describe('a raw response', () => {
  test('has a date, a reason and connection: close', async () => {
    const { answers } = await exchange(server.port, `${line}\r\n`)
    const { headers } = answers[0] as RawAnswer
    expect(headers.connection).toBe('close')
    expect(Math.abs(Date.parse(headers.date ?? '') - Date.now())).toBeLessThan(3000)
    expect(headers.date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
  })

  test('to HEAD has a length and no body', async () => {
    const sent = 'HEAD /v1/employees HTTP/1.1\r\n\r\n'
    const { answers } = await exchange(server.port, sent, { heads: [0], count: 2 })
    expect(answers.map(({ status, text }) => [status, text])).toEqual([[400, '']])
    expect(Number(answers[0]?.headers['content-length'])).toBeGreaterThan(100)
  })
})

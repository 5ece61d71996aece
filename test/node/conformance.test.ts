import { type RunningServer, serve } from 'nounful/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { companiesRegistry } from '../support/companies.ts'
import { Caller } from '../support/socket.ts'

let server: RunningServer
beforeAll(async () => {
  server = await serve(companiesRegistry(), { port: 0, headersTimeout: 1500 })
})
afterAll(() => server.close())

// The published list of how an HTTP/1.1 server handles 33 requests: https://github.com/uNetworking/h1spec
const line = 'GET /v1/employees HTTP/1.1'
const host = 'Host: any.localhost'
const post = `POST /v1/employees HTTP/1.1\r\n${host}\r\nContent-Type: application/json`
const gita = '{"name":"Gita","birthdate":"1991-04-09"}'

// biome-ignore format: a row stays a line
const fragments: readonly (readonly [name: string, sent: string])[] = [
  ['a piece of a method',                   'G'],
  ['a method',                              'GET '],
  ['a piece of a target',                   'GET /v1/emp'],
  ['a target',                              'GET /v1/employees '],
  ['a piece of a version',                  'GET /v1/employees HTTP'],
  ['a version',                             line],
  ['a request line and CR',                 `${line}\r`],
  ['a request line',                        `${line}\r\n`],
  ['a piece of a field name',               `${line}\r\nHos`],
  ['a field name',                          `${line}\r\nHost:`],
  ['a field name and a space',              `${line}\r\nHost: `],
  ['a field value',                         `${line}\r\n${host}`],
  ['a field value and CR',                  `${line}\r\n${host}\r`],
  ['a field line',                          `${line}\r\n${host}\r\n`],
  ['all but the last byte',                 `${line}\r\n${host}\r\n\r`],
]

// biome-ignore format: a row stays a line
const whole: readonly (readonly [name: string, sent: string, verdict: string])[] = [
  ['no version',                            'GET /v1/employees \r\n\r\n',                                     '400 bad_request'],
  ['an expectation',                        `${line}\r\n${host}\r\nExpect: 100-continue\r\n\r\n`,             '200'],
  ['the plainest request',                  `${line}\r\n${host}\r\n\r\n`,                                     '200'],
  ['odd letters, a tab, an empty field',    `${line}\r\nhoSt:\tany.localhost\r\nempty:\r\n\r\n`,                '200'],
  ['brackets in a field name',              `${line}\r\n${host}\r\nX-Invalid[]: test\r\n\r\n`,               '400 bad_request'],
  ['no host',                               `${line}\r\nContent-Length: 5\r\n\r\n`,                           '400 bad_host'],
  ['two hosts',                             `${line}\r\n${host}\r\nHost: other.example\r\n\r\n`,              '400 bad_host'],
  ['a length far below zero',               `${line}\r\n${host}\r\nContent-Length: -123456789123456789123456789\r\n\r\n`, '400 bad_request'],
  ['a length below zero',                   `${line}\r\n${host}\r\nContent-Length: -1234\r\n\r\n`,            '400 bad_request'],
  ['a length in letters',                   `${line}\r\n${host}\r\nContent-Length: abc\r\n\r\n`,              '400 bad_request'],
  ['a field value of one space',            `${line}\r\n${host}\r\nX-Empty-Header: \r\n\r\n`,                 '200'],
  ['a bell in a field value',               `${line}\r\n${host}\r\nX-Bad: test\x07\r\n\r\n`,                  '400 bad_request'],
  ['HTTP/9.9',                              `GET /v1/employees HTTP/9.9\r\n${host}\r\n\r\n`,                  '400 bad_request'],
  ['words before the method',               `Extra line${line}\r\n${host}\r\n\r\n`,                           '400 bad_request'],
  ['CR without LF after the fields',        `${line}\r\n${host}\r\n\rSome-Header: Test\r\n\r\n`,              '400 bad_request'],
  ['a body',                                `${post}\r\nContent-Length: 40\r\n\r\n${gita}`,                     '201'],
  ['a body in chunks',                      `${post}\r\nTransfer-Encoding: chunked\r\n\r\n28\r\n${gita}\r\n0\r\n\r\n`, '201'],
  ['chunks and a length in odd letters',    `${post}\r\ncontent-LengtH: 5\r\nTransFer-Encoding: chunked\r\n\r\n28\r\n${gita}\r\n0\r\n\r\n`, '400 bad_request'],
]

describe('the server waits for the rest of a request', () => {
  test('after each part of it', async () => {
    const callers = fragments.map(([, sent]) => new Caller(server.port, sent))
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(callers.map(({ text, isEnded }) => [text, isEnded])).toEqual(
      fragments.map(() => ['', false]),
    )
    // It responds when the rest arrives.
    const text = `${line}\r\n${host}\r\n\r\n`
    for (const [place, [, sent]] of fragments.entries()) {
      if (text.startsWith(sent)) callers[place]?.say(text.slice(sent.length))
    }
    await Promise.all(callers.map((caller) => caller.answered()))
    const bad = callers.filter(({ statuses }) => statuses.join() !== '200')
    expect(bad.map(({ text }) => text)).toEqual([])
    for (const caller of callers) caller.leave()
  })

  test('and responds when the rest never arrives', async () => {
    const callers = fragments.map(([, sent]) => new Caller(server.port, sent))
    await Promise.all(callers.map((caller) => caller.ended()))
    expect(callers.map(({ statuses, code }) => [...statuses, code])).toEqual(
      fragments.map(() => [400, 'request_timeout']),
    )
  })
})

describe('the server responds to a whole request', () => {
  for (const [name, sent, verdict] of whole) {
    test(`${name}: ${verdict}`, async () => {
      const caller = new Caller(server.port, sent)
      await caller.answered()
      const [status] = caller.statuses
      expect(status === 200 || status === 201 ? `${status}` : `${status} ${caller.code}`).toBe(
        verdict,
      )
      caller.leave()
    })
  }
})

test('the tables hold the whole list', () => {
  expect(fragments.length + whole.length).toBe(33)
})

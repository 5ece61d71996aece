import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect as connectSecurely } from 'node:tls'
import { harden } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { certificate } from '../support/certificate.ts'
import { afterwards, portOf } from '../support/listening.ts'
import { mapOf, notesWith } from '../support/registry.ts'
import { Caller } from '../support/socket.ts'

const small = () => notesWith(mapOf({ id: 'a' })).registry
const host = 'Host: localhost\r\n'
const faulty = `${host}X : 1\r\n\r\n`
const refused = '400 bad_request'

/** Parts, each sent after the server has read the one before; then the last response. */
type Row = readonly [name: string, parts: readonly string[], answer: string, body: 'body' | 'none']

// biome-ignore format: a row stays a line
const rows: readonly Row[] = [
  ['HEAD with a faulty field',                   [`HEAD /notes/a HTTP/1.1\r\n${faulty}`],                                    '400', 'none'],
  ['PATCH with a faulty field',                  [`PATCH /notes/a HTTP/1.1\r\n${faulty}`],                                   refused, 'body'],
  ['GET with a field that begins with HEAD',     [`GET /notes/a HTTP/1.1\r\n${host}HEAD /x : 1\r\n\r\n`],                    refused, 'body'],
  ['GET with a faulty field after HEAD',         [`HEAD /notes/a HTTP/1.1\r\n${host}\r\nGET /notes/a HTTP/1.1\r\n${faulty}`], refused, 'body'],
  ['HEAD with a chunk that is no number',        [`HEAD /notes/a HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`], '400', 'none'],
  ['a packet that begins with HEAD but the connection does not', ['GET /notes/a HTTP/1.1\r\nHost: localhost', `\r\nHEAD : 1\r\n\r\n`], refused, 'body'],
  ['an unknown method',                          [`FOO /notes HTTP/1.1\r\n${host}\r\n`],                                     '405 GET, HEAD, POST, PUT, DELETE, OPTIONS', 'body'],
  ['an unknown method on an item',               [`FOO /notes/a HTTP/1.1\r\n${host}\r\n`],                                   '405 GET, HEAD, PUT, DELETE, OPTIONS', 'body'],
  ['an unknown method on nothing',               [`FOO /nothing HTTP/1.1\r\n${host}\r\n`],                                   '404 unknown_resource', 'body'],
  ['an unknown method on a path that is none',   [`FOO /notes/%zz HTTP/1.1\r\n${host}\r\n`],                                 '400 bad_percent_encoding', 'body'],
  ['a method in small letters',                  [`get /notes HTTP/1.1\r\n${host}\r\n`],                                     '405 GET, HEAD, POST, PUT, DELETE, OPTIONS', 'body'],
  ['an unknown method in two parts',             ['F', `OO /notes HTTP/1.1\r\n${host}\r\n`],                                 refused, 'body'],
  ['an unknown method, its line cut',            ['FOO /not', `es HTTP/1.1\r\n${host}\r\n`],                                 refused, 'body'],
  ['an unknown method as the second request',    [`GET /notes/a HTTP/1.1\r\n${host}\r\n`, `FOO /notes HTTP/1.1\r\n${host}\r\n`], refused, 'body'],
  ['an unknown method behind a request',         [`GET /notes/a HTTP/1.1\r\n${host}\r\nFOO /notes HTTP/1.1\r\n${host}\r\n`], refused, 'body'],
  ['an unknown method behind an empty line',     [`\r\nFOO /notes HTTP/1.1\r\n${host}\r\n`],                                 refused, 'body'],
  ['a known method with a tab',                  [`DELETE\t/notes HTTP/1.1\r\n${host}\r\n`],                                 refused, 'body'],
  ['a letter, then a known method',              ['G', `DELETE /notes HTTP/1.1\r\n${host}\r\n`],                             refused, 'body'],
  ['a target that is too long',                  [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`],                     '400 uri_too_long', 'body'],
  ['a target that is too long after a request',  [`GET /notes/a HTTP/1.1\r\n${host}\r\n`, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`], '400 headers_too_large', 'body'],
]

/** `400 bad_request`, or `405` with its `Allow`; without a body, the status alone. */
function lastOf(text: string): readonly [answer: string, body: string] {
  const last = text.slice(text.lastIndexOf('HTTP/1.1 '))
  const [head = '', body = ''] = last.split('\r\n\r\n')
  const status = head.slice(9, 12)
  const allow = /^allow: (.*)$/m.exec(head)?.[1]
  const code = allow ?? /"code":"(\w+)"/.exec(body)?.[1]
  expect(head).toMatch(/^connection: close$/im)
  return [code === undefined ? status : `${status} ${code}`, body === '' ? 'none' : 'body']
}

describe('bytes that the parser refuses', () => {
  for (const [name, parts, answer, body] of rows) {
    test(`${name}: ${answer}`, async () => {
      const server = createServer()
      harden(server, small())
      let read = 0
      server.on('connection', (socket) => {
        const look = () => {
          read = socket.bytesRead
          if (!socket.destroyed) setImmediate(look)
        }
        look()
      })
      const caller = new Caller(await portOf(server))
      afterwards(() => caller.leave())
      let sent = 0
      for (const part of parts) {
        caller.say(part)
        sent += part.length
        while (read < sent && !caller.isEnded) await new Promise(setImmediate)
      }
      await caller.ended()
      expect(lastOf(caller.text)).toEqual([answer, body])
    })
  }

  test('an unknown method over TLS is 405', async () => {
    const server = createSecureServer(certificate)
    harden(server, small())
    const port = await portOf(server)
    const text = await new Promise<string>((resolve) => {
      let heard = ''
      const socket = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false }, () =>
        socket.write(`FOO /notes HTTP/1.1\r\n${host}\r\n`),
      )
      socket.on('data', (chunk) => {
        heard += chunk
      })
      socket.on('error', () => undefined).on('close', () => resolve(heard))
    })
    expect(lastOf(text)[0]).toBe('405 GET, HEAD, POST, PUT, DELETE, OPTIONS')
  })
})

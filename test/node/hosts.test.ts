import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { harden, type ServeOptions, serve, toNodeListener } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { afterwards } from '../support/listening.ts'
import { mapOf, notesWith } from '../support/registry.ts'
import { exchange } from '../support/socket.ts'

type Hosts = ServeOptions['hosts']
const small = () => notesWith(mapOf({ id: 'a' })).registry

/** Sends a DELETE with a host and returns its result. */
async function deleted(
  port: number,
  host: string,
  target = '/v1/notes/a',
  address = '127.0.0.1',
): Promise<string> {
  const sent = `DELETE ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const { answers } = await exchange(port, sent, { address })
  const { status = 0, text = '{}' } = answers[0] ?? {}
  return status === 400 ? `400 ${JSON.parse(text).code}` : `${status}`
}

const refused = '400 bad_host'
const api = ['api.example', 'Other.Example.']

// biome-ignore format: a row stays a line
const rows: readonly (readonly [hosts: Hosts, address: string, host: string, answer: string])[] = [
  [undefined, '127.0.0.1', 'localhost',                '200'],
  [undefined, '127.0.0.1', 'LOCALHOST:3000',           '200'],
  [undefined, '127.0.0.1', 'localhost.',               '200'],
  [undefined, '127.0.0.1', 'app.localhost:80',         '200'],
  [undefined, '127.0.0.1', '127.0.0.1',                '200'],
  [undefined, '127.0.0.1', '127.0.0.1:3000',           '200'],
  [undefined, '127.0.0.1', '[::1]:3000',               '200'],
  [undefined, '127.0.0.1', '192.168.1.7',              '200'],
  [undefined, '127.0.0.1', '',                         '200'],
  [undefined, '127.0.0.1', 'evil.example',             refused],
  [undefined, '127.0.0.1', 'evil.example:3000',        refused],
  [undefined, '127.0.0.1', 'localhost.evil.example',   refused],
  [undefined, '127.0.0.1', 'evillocalhost',            refused],
  [undefined, '127.0.0.1', '127.0.0.1.evil.example',   refused],
  [undefined, '127.0.0.1', '127.0.0.1.nip.io',         refused],
  [undefined, '127.0.0.1', 'local%68ost',              refused],
  [undefined, '127.0.0.1', 'x',                        refused],
  [undefined, '::1',       'evil.example',             refused],
  [undefined, '::1',       '[::1]',                    '200'],
  [undefined, '0.0.0.0',   'evil.example',             '200'],
  [undefined, '::',        'evil.example',             '200'],
  [[],        '0.0.0.0',   'evil.example',             refused],
  [[],        '0.0.0.0',   'localhost',                '200'],
  [api,       '0.0.0.0',   'api.example',              '200'],
  [api,       '0.0.0.0',   'evil.example',             refused],
  [api,       '127.0.0.1', 'api.example:8080',         '200'],
  [api,       '127.0.0.1', 'API.EXAMPLE.',             '200'],
  [api,       '127.0.0.1', 'other.example',            '200'],
  [api,       '127.0.0.1', 'localhost',                '200'],
  [api,       '127.0.0.1', 'sub.api.example',          refused],
  [api,       '127.0.0.1', 'api.example.evil.example', refused],
  ['*',       '127.0.0.1', 'evil.example',             '200'],
  [['*'],     '127.0.0.1', 'evil.example',             '200'],
]

describe('a server serves only its hosts', () => {
  for (const [hosts, address, host, answer] of rows) {
    const allowed = JSON.stringify(hosts) ?? 'by default'
    test(`${allowed} on ${address}: "${host}" is ${answer}`, async () => {
      const options = hosts === undefined ? {} : { hosts }
      const server = await serve(small(), { port: 0, host: address, closeTimeout: 100, ...options })
      afterwards(() => server.close())
      const own = createServer(toNodeListener(small()))
      harden(own, small(), options)
      const ports = [server.port, await listening(own, address)]
      for (const port of ports)
        expect(await deleted(port, host, undefined, address === '::1' ? address : undefined)).toBe(
          answer,
        )
    })
  }

  test('an allowed name does not allow the next one', async () => {
    const server = await serve(small(), { port: 0, closeTimeout: 100 })
    afterwards(() => server.close())
    const answers: string[] = []
    for (const host of ['localhost', 'evil.example', 'evil.example', 'localhost']) {
      answers.push(await deleted(server.port, host, '/v1/notes/b'))
    }
    expect(answers).toEqual(['404', refused, refused, '404'])
  })

  test('the host of an absolute target overrides the field', async () => {
    const server = await serve(small(), { port: 0, closeTimeout: 100 })
    afterwards(() => server.close())
    const target = 'http://evil.example/v1/notes/a'
    expect(await deleted(server.port, 'localhost', target)).toBe(refused)
    expect(await deleted(server.port, 'evil.example', 'http://localhost:1/v1/notes/b')).toBe('404')
  })

  test('the problem names the option', async () => {
    const server = await serve(small(), { port: 0, closeTimeout: 100 })
    afterwards(() => server.close())
    const { answers } = await exchange(server.port, 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n')
    expect(JSON.parse(answers[0]?.text ?? '').detail).toBe(
      'This server does not serve the host "evil.example": add it to the option "hosts".',
    )
  })

  test('a server that listens at a new address applies its default again', async () => {
    const server = createServer()
    harden(server, small())
    const first = await listening(server, '0.0.0.0')
    expect(await deleted(first, 'evil.example', '/v1/notes/b')).toBe('404')
    await new Promise((resolve) => server.close(resolve))
    const second = await listening(server, '127.0.0.1')
    expect(await deleted(second, 'evil.example', '/v1/notes/b')).toBe(refused)
  })
})

describe('rejects invalid hosts', () => {
  for (const hosts of [
    'api.example',
    [''],
    ['a:80'],
    ['http://a'],
    ['a b'],
    [7],
    [null],
    7,
    null,
    ['.a'],
    ['*.a'],
  ]) {
    test(JSON.stringify(hosts), async () => {
      const message = /^hosts cannot hold .*: write names without ports/
      await expect(serve(small(), { port: 0, hosts: hosts as Hosts })).rejects.toThrow(message)
      expect(() => harden(createServer(), small(), { hosts: hosts as Hosts })).toThrow(message)
    })
  }
})

async function listening(server: Server, address: string): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, address, resolve))
  afterwards(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

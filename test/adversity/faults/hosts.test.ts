import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { toFetchHandler } from 'nounful/fetch'
import { toNodeListener } from 'nounful/node'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { afterwards, portOf } from '../../support/listening.ts'
import { bytesOf, exchange } from '../../support/socket.ts'
import { until } from '../../support/streams.ts'
import { calm, secret, verdictOf, World, watchProcess } from '../../support/world.ts'

const world = new World()
const listener = toNodeListener(world.registry)
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
  world.calm()
  expect(verdictOf(await world.ask('node', calm.create[0]))).toBe('201')
  world.calm()
})
afterAll(() => world.close())

const json = ['Content-Type', 'application/json'] as const
const create = (target: string) => bytesOf(['POST', target], [json], '{"text":"a"}')

async function statusOf(host: RequestListener, bytes: Uint8Array): Promise<unknown[]> {
  const { answers } = await exchange(await portOf(createServer(host)), bytes)
  return answers.map(({ status, headers, text }) => [status, headers.location ?? text])
}

describe('a host', () => {
  test('that has parsed the body hands it over', async () => {
    const host = express().use(express.json()).use(listener)
    expect(await statusOf(host, create('/notes'))).toEqual([[201, '/v1/notes/n3']])
    expect(world.asked).toEqual(['create'])
  })

  test('that has lost the body is told so', async () => {
    const host = (request: IncomingMessage, response: ServerResponse) => {
      request.resume().on('end', () => listener(request, response))
    }
    expect(await statusOf(host, create('/notes'))).toMatchObject([[500, /internal_error/]])
    expect([world.asked, world.told.length]).toEqual([[], 1])
  })

  test('that cuts a prefix off has it written', async () => {
    const host = express().use('/api', express().use('/deep', listener))
    expect(await statusOf(host, create('/api/deep/notes'))).toEqual([
      [201, '/api/deep/v1/notes/n3'],
    ])
  })

  test('that answers what is not ours is asked', async () => {
    const host = express()
      .use(listener)
      .use((_request, response) => void response.status(200).end('theirs'))
    expect(await statusOf(host, bytesOf(['GET', '/other']))).toEqual([[200, 'theirs']])
    expect(await statusOf(host, bytesOf(['GET', '/notes/n1']))).toMatchObject([[200, /n1/]])
  })

  for (const isBegun of [false, true]) {
    test(`that ${isBegun ? 'began to answer' : 'answered'} is not talked over`, async () => {
      let answer: (item: unknown) => void = () => undefined
      const held = new Promise((resolve) => {
        answer = resolve
      })
      world.arm('read', () => held)
      const host = (request: IncomingMessage, response: ServerResponse) => {
        listener(request, response)
        response.writeHead(200, { 'content-length': '6' })
        if (isBegun) response.write('the')
        else response.end('theirs')
        answer({ id: 'n1', text: secret })
        if (isBegun) setImmediate(() => response.end('irs'))
      }
      expect(await statusOf(host, bytesOf(['GET', '/notes/n1']))).toEqual([[200, 'theirs']])
      expect(world.told).toEqual([])
    })
  }

  test('that has destroyed the response gets no more', async () => {
    const host = (request: IncomingMessage, response: ServerResponse) => {
      response.destroy()
      listener(request, response)
    }
    expect(await statusOf(host, bytesOf(['GET', '/notes/n1']))).toEqual([])
    expect(world.told).toEqual([])
  })
})

describe('HTTP/2', () => {
  test('has its authority in place of a host', async () => {
    const server = http2.createServer(listener as never)
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const session = http2.connect(`http://127.0.0.1:${port}`)
    afterwards(() => {
      session.destroy()
      server.close()
    })
    const statuses: unknown[] = []
    for (const path of ['/notes/n1', '/notes/none', '/notes']) {
      const stream = session.request({ ':path': path })
      stream.on('response', (headers) => statuses.push(headers[':status'])).resume()
      await new Promise((resolve) => stream.once('close', resolve))
    }
    expect([statuses, world.told]).toEqual([[200, 404, 200], []])
  })
})

describe('a Request that is aborted', () => {
  const respond = toFetchHandler(world.registry)

  test('aborts who works for it', async () => {
    const controller = new AbortController()
    const signals: AbortSignal[] = []
    world.arm('read', ({ signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    const answer = respond(new Request('http://x/notes/n1', controller))
    await until(() => signals.length > 0)
    expect(signals[0]?.aborted).toBe(false)
    controller.abort(new Error(secret))
    expect(signals[0]?.aborted).toBe(true)
    expect(await (await answer).text()).not.toContain(secret)
    expect(world.told).toEqual([])
  })

  test('before it came is known at once', async () => {
    const seen: boolean[] = []
    world.arm('read', ({ signal }: { signal: AbortSignal }) => {
      seen.push(signal.aborted)
      return { id: 'n1', text: 'x' }
    })
    await respond(new Request('http://x/notes/n1', { signal: AbortSignal.abort() }))
    expect(seen).toEqual([true])
  })
})

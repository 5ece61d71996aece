import { createServer } from 'node:http'
import type { HttpResponse, Layer } from 'nounful'
import { toNodeListener } from 'nounful/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectionsOf, portOf, serving } from '../support/listening.ts'
import { mapOf, notesWith } from '../support/registry.ts'
import { bytesOf, Caller, exchange } from '../support/socket.ts'
import { until } from '../support/streams.ts'

const get = (target: string) => bytesOf(['GET', target])
const strays: unknown[] = []
const stray = (error: unknown) => strays.push(error)

beforeEach(() => {
  strays.length = 0
  process.on('uncaughtException', stray).on('unhandledRejection', stray)
})
afterEach(() => {
  process.off('uncaughtException', stray).off('unhandledRejection', stray)
  expect(strays).toEqual([])
})

/** A layer whose response breaks its types. */
function layerOf(response: object): Layer {
  return () => ({ status: 200, headers: {}, body: {}, ...response }) as HttpResponse
}

// biome-ignore format: a row stays a line
const odd: readonly (readonly [name: string, response: object])[] = [
  ['CR and LF in a header',        { headers: { location: '/x\r\nset-cookie: a=b' } }],
  ['a header beyond Latin-1',      { headers: { 'x-name': '名' } }],
  ['a header without a value',     { headers: { 'x-name': undefined } }],
  ['a header name with a space',   { headers: { 'x name': 'x' } }],
  ['no headers',                   { headers: undefined }],
  ['no such status',               { status: 9000 }],
  ['a status of text',             { status: 'fine' }],
  ['a status below 200',           { status: 42 }],
]

describe('a layer that returns', () => {
  for (const [name, response] of odd) {
    for (const isLate of [false, true]) {
      test(`${name}${isLate ? ', later,' : ''} is 500`, async () => {
        const layer = layerOf(response)
        const late: Layer = async (...given) => layer(...given)
        const { registry, errors } = notesWith(mapOf())
        const { port } = await serving(registry, { layers: [isLate ? late : layer] })
        const { answers, isClosed } = await exchange(port, get('/notes'))
        expect(answers).toMatchObject([
          { status: 500, headers: { 'content-type': 'application/problem+json' } },
        ])
        expect(Object.keys(answers[0]?.headers ?? {})).not.toContain('set-cookie')
        expect([errors.length, isClosed]).toEqual([1, false])
      })
    }
  }

  test('a broken response leaves no field in the next one', async () => {
    const { registry } = notesWith(mapOf())
    const layer = layerOf({ headers: { etag: '"x"', allow: 'GET', location: 'a\nb' } })
    const listener = toNodeListener(registry, { layers: [layer] })
    // After a host sets a field, Node sets the rest one by one.
    const port = await portOf(
      createServer((request, response) => {
        response.setHeader('x-host', 'y')
        listener(request, response)
      }),
    )
    const { answers } = await exchange(port, get('/notes'))
    expect(answers[0]).toMatchObject({ status: 500, headers: { 'x-host': 'y' } })
    expect(answers[0]?.headers).not.toHaveProperty('etag')
  })
})

describe('a host', () => {
  test('that sets our fields has them replaced', async () => {
    const listener = toNodeListener(notesWith(mapOf({ id: 'a' })).registry)
    const port = await portOf(
      createServer((request, response) => {
        response.setHeader('Content-Type', 'text/plain').setHeader('Content-Length', '1')
        listener(request, response)
      }),
    )
    const { answers } = await exchange(port, get('/notes/a'))
    const headers = { 'content-type': 'application/json', 'content-length': '10' }
    expect(answers[0]).toMatchObject({ status: 200, headers })
  })

  test('may have an odd originalUrl', async () => {
    const listener = toNodeListener(notesWith(mapOf({ id: 'a' })).registry)
    const port = await portOf(
      createServer((request, response) => {
        listener(Object.assign(request, { originalUrl: 7 }), response)
      }),
    )
    const { answers } = await exchange(port, get('/notes/a'))
    expect(answers.map(({ status }) => status)).toEqual([200])
  })

  test('whose next throws later gets a 500', async () => {
    const { registry, errors } = notesWith(mapOf(), { context: async () => ({}) })
    const layer: Layer = async (request, answer) => answer(request)
    const listener = toNodeListener(registry, { layers: [layer] })
    const port = await portOf(
      createServer((request, response) => {
        listener(request, response, () => {
          throw new Error('next')
        })
      }),
    )
    const { answers } = await exchange(port, get('/nothing'))
    expect([answers.map(({ status }) => status), errors]).toEqual([[500], [new Error('next')]])
  })

  for (const isLate of [false, true]) {
    test(`may respond itself${isLate ? ', later' : ''}`, async () => {
      const read = isLate
        ? async () => new Promise((resolve) => setTimeout(resolve, 20, { id: 'a' }))
        : () => ({ id: 'a' })
      const listener = toNodeListener(notesWith({ read }).registry)
      const server = createServer((request, response) => {
        response.end('mine')
        listener(request, response)
      })
      const { answers } = await exchange(await portOf(server), get('/notes/a'))
      expect(answers.map(({ status, text }) => [status, text])).toEqual([[200, 'mine']])
      await new Promise((resolve) => setTimeout(resolve, 40))
    })

    test(`may begin a response itself${isLate ? ', later' : ''}`, async () => {
      const read = isLate ? async () => ({ id: 'a' }) : () => ({ id: 'a' })
      const listener = toNodeListener(notesWith({ read }).registry)
      const server = createServer((request, response) => {
        response.writeHead(200, { 'content-length': 4 }).write('mi')
        listener(request, response)
        setTimeout(() => response.end('ne'), 20)
      })
      const { answers } = await exchange(await portOf(server), get('/notes/a'))
      expect(answers.map(({ text }) => text)).toEqual(['mine'])
    })
  }
})

test('a client that left gets no response', async () => {
  let reached = 0
  const { registry, errors } = notesWith({
    read: async () => {
      reached++
      return new Promise((resolve) => setTimeout(resolve, 50, { id: 'a' }))
    },
  })
  const { port, server } = await serving(registry)
  const callers = Array.from({ length: 20 }, () => new Caller(port, get('/notes/a')))
  await until(() => reached === 20)
  for (const [place, { socket }] of callers.entries()) {
    if (place % 2 === 0) socket.resetAndDestroy()
    else socket.destroy()
  }
  while ((await connectionsOf(server)) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(errors).toEqual([])
})

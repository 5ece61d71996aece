import { defineRegistry, type HttpResponse, type Layer, problem } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { serve } from 'nounful/node'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { statuses } from '../../../src/convention/operations.ts'
import { Connection } from '../../support/connection.ts'
import {
  failing,
  hostileProxy,
  poisoned,
  revoked,
  thenable,
  thrown,
} from '../../support/oddities.ts'
import { bytesOf } from '../../support/socket.ts'
import { type Reply, secret, verdictOf, World, watchProcess } from '../../support/world.ts'

const time = 15
const world = new World({ options: { limits: { time, arrival: time } } })
const strays = watchProcess()
let answerBy: Layer = (request, answer) => answer(request)
let isOuterPending = false
/** The outermost layer, as one that adds CORS headers: it sees every response and no error. */
const outer: Layer = (request, answer) => {
  const add = (given: HttpResponse) => ({ ...given, headers: { ...given.headers, 'x-outer': '1' } })
  const given = answer(request)
  if ('then' in given) return given.then(add)
  return isOuterPending ? Promise.resolve(add(given)) : add(given)
}
const layers: readonly Layer[] = [outer, (...given) => answerBy(...given)]
const server = await serve(world.registry, { port: 0, layers })
const respond = toFetchHandler(world.registry, { layers })
let connection = new Connection(server.port)

afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(async () => {
  connection.destroy()
  await server.close()
})

const doors: Readonly<Record<string, () => Promise<Reply>>> = {
  node: async () => {
    return connection.ask(bytesOf(['GET', '/notes/n1']))
  },
  fetch: async () => {
    const response = await respond(new Request('http://any.example/notes/n1'))
    const headers = Object.fromEntries(response.headers)
    return { status: response.status, headers, text: await response.text(), isCut: false }
  },
}

const whole = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'fine' }
const given = (changes: object) => () => ({ ...whole, ...changes }) as HttpResponse

/** Faults of a layer. Each is reported once. */
const faults: Readonly<Record<string, () => unknown>> = {
  'throws after it has asked': failing,
  'is rejected': async () => failing(),
  'gives nothing': () => undefined,
  'gives null': () => null,
  'gives a text': () => secret,
  'gives an empty object': () => ({}),
  'gives what is poisoned': poisoned,
  'gives what is hostile': () => hostileProxy(),
  'gives what is revoked': () => revoked(),
  'gives a Response': () => new Response(secret),
  'gives no headers': given({ headers: undefined }),
  'gives headers of null': given({ headers: null }),
  'gives hostile headers': given({ headers: hostileProxy() }),
  'gives a header that throws': given({
    headers: Object.defineProperty({}, 'a', { enumerable: true, get: failing }),
  }),
  'gives a header with CR LF': given({
    headers: { ...whole.headers, 'x-a': 'a\r\nSet-Cookie: a=b' },
  }),
  'gives a header with NUL': given({ headers: { ...whole.headers, 'x-a': 'a\0' } }),
  'gives a header beyond Latin-1': given({ headers: { ...whole.headers, 'x-a': '😀' } }),
  'gives a header name of two words': given({ headers: { ...whole.headers, 'x a': 'a' } }),
  'gives a header with no name': given({ headers: { ...whole.headers, '': 'a' } }),
  'gives a header that is nothing': given({ headers: { ...whole.headers, 'x-a': undefined } }),
  'gives a header that is an object': given({
    headers: { ...whole.headers, 'x-a': { toString: failing } },
  }),
  'gives a header that is a symbol': given({ headers: { ...whole.headers, 'x-a': Symbol('x') } }),
  ...Object.fromEntries(
    [
      302,
      204,
      304,
      100,
      101,
      418,
      599,
      0,
      -1,
      1000,
      200.5,
      Number.NaN,
      '200',
      null,
      undefined,
      3n,
      Symbol('x'),
      {},
    ].map((status) => [`gives the status ${String(status)} (${typeof status})`, given({ status })]),
  ),
  'gives no body': given({ body: undefined, headers: { 'content-type': 'application/json' } }),
  'gives a function for a body': given({
    body: failing,
    headers: { 'content-type': 'application/json' },
  }),
  'gives a bigint for a body': given({ body: 3n, headers: { 'content-type': 'application/json' } }),
  'gives a symbol for a body': given({ body: Symbol('x') }),
  'gives a circle for a body': given({ body: circle() }),
  'gives a hostile body': given({ body: hostileProxy() }),
  'gives a body that throws': given({ body: { toJSON: failing } }),
}

function circle(): object {
  const made: Record<string, unknown> = {}
  made.circle = made
  return made
}

for (const [door, ask] of Object.entries(doors)) {
  describe(`a layer, over ${door},`, () => {
    const expectFault = async (layer: () => unknown, verdict: string) => {
      world.calm()
      connection.destroy()
      connection = new Connection(server.port)
      answerBy = layer as Layer
      const hit = await ask()
      expect(verdictOf(hit)).toBe(verdict)
      expect(statuses).toContain(hit.status)
      expect(JSON.stringify(hit)).not.toMatch(new RegExp(`${secret}|set-cookie`, 'i'))
      expect(hit.headers).not.toHaveProperty('x-a')
      expect(hit.headers).toHaveProperty('x-outer', '1')
      isOuterPending = !isOuterPending
      const ids = world.told.map(({ requestId }) => requestId)
      expect(ids).toEqual(hit.status >= 500 ? [JSON.parse(hit.text).request_id] : [])
      answerBy = (request, answer) => answer(request)
      expect(verdictOf(await ask())).toBe('200')
    }

    for (const [name, fault] of Object.entries(faults)) {
      test(`that ${name} is a fault`, async () => {
        await expectFault(fault, '500 internal_error')
        await expectFault(async () => fault(), '500 internal_error')
      })
    }

    for (const [name, make] of Object.entries(thrown)) {
      test(`that throws ${name} is a fault`, async () => {
        const fault = () => {
          throw make()
        }
        await expectFault(fault, '500 internal_error')
        await expectFault(async () => fault(), '500 internal_error')
      })
    }

    // biome-ignore format: a row stays a line
    const framing: readonly (readonly [name: string, value: string])[] = [
      ['content-length', '1'], ['Content-Length', '99'], ['transfer-encoding', 'chunked'],
      ['Transfer-Encoding', 'gzip'], ['connection', 'close'], ['keep-alive', 'timeout=0'],
      ['trailer', 'x-a'], ['upgrade', 'h2c'],
    ]
    for (const [name, value] of framing) {
      test(`has no say in ${name}`, async () => {
        connection.destroy()
        connection = new Connection(server.port)
        answerBy = given({ headers: { ...whole.headers, [name]: value } })
        for (const _ of [1, 2]) {
          const { status, text, headers } = await ask()
          expect([status, status === 200 ? text : 'fine']).toEqual([200, 'fine'])
          expect([headers['content-length'], headers['transfer-encoding']]).toEqual([
            '4',
            undefined,
          ])
        }
      })
    }

    test('may throw a problem', async () => {
      await expectFault(() => Promise.reject(problem('forbidden')), '403 forbidden')
    })

    test('that never answers is 503', async () => {
      await expectFault(() => new Promise(() => undefined), '503 unavailable')
      await expectFault(() => thenable(() => undefined), '503 unavailable')
    })

    test('that breaks its promise tells once', async () => {
      await expectFault(() => thenable(failing), '500 internal_error')
      world.calm()
      // Until the clock that was set for it would have rung.
      await new Promise((resolve) => setTimeout(resolve, 4 * time))
      expect(world.told).toEqual([])
    })

    test('that fails after its answer came tells once', async () => {
      world.calm()
      answerBy = async (request, answer) => {
        await answer(request)
        throw new Error(secret)
      }
      const hit = await ask()
      expect([verdictOf(hit), hit.headers['x-outer']]).toEqual(['500 internal_error', '1'])
      expect([world.told.length, world.asked]).toEqual([1, ['read']])
    })
  })
}

test('a registry is made of functions', () => {
  const api = world.registry.api
  for (const hook of ['context', 'use', 'onError', 'onAnswer'] as const) {
    for (const odd of [undefined, null, secret, {}, 7]) {
      expect(() => defineRegistry(api)[hook](odd as never)).toThrow(TypeError)
    }
  }
})

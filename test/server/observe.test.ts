import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import fc from 'fast-check'
import {
  type Answered,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  handle,
  type Layer,
  type Operation,
  problem,
  type Registry,
} from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { type RunningServer, serve } from 'nounful/node'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { respond } from '../../src/server/respond.ts'
import { Connection } from '../support/connection.ts'
import { type Line, type Loose, requestOf } from '../support/registry.ts'
import { bytesOf, exchange } from '../support/socket.ts'
import { type Generated, generated, throwing, until } from '../support/streams.ts'

const Firm = z.object({ id: z.string(), name: z.string() })
const Note = z.object({ id: z.string(), text: z.string(), firm_id: z.string() })
const Tape = z.object({ id: z.string(), text: z.string() })
const api = defineApi({
  v1: {
    '/firms': defineResource('firms', { schema: Firm, searchable: ['name'] }),
    '/firms/:firm_id/notes': defineResource('notes', {
      schema: Note,
      create: Note.omit({ id: true, firm_id: true }),
    }),
    '/tapes': defineResource('tapes', { schema: Tape, create: Tape.omit({ id: true }) }),
  },
})

interface Watched {
  readonly registry: Registry
  readonly told: Answered[]
}

/** Firms and their notes in memory, and tapes that do what a test wants. */
function watched(tapes: Loose = { list: () => [] }, limits: { time?: number } = {}): Watched {
  const told: Answered[] = []
  const registry = defineRegistry(api, { limits })
    .context(({ headers = {} }) => {
      if (headers['x-who'] === 'nobody') throw problem('unauthenticated')
      return headers['x-who'] !== 'somebody' && {}
    })
    .onError(() => undefined)
    .onAnswer((answered) => told.push(answered))
    .adapters({
      firms: memoryAdapter({ items: [{ id: 'f1', name: 'Acme' }], unique: ['name'] }),
      notes: memoryAdapter({ items: [{ id: 'n1', text: 'a', firm_id: 'f1' }] }),
      tapes: tapes as never,
    })
  return { registry, told }
}

const failing: Loose = {
  read: () => {
    throw new Error('boom')
  },
  list: () => Promise.reject(problem('unavailable')),
}

type Door = 'handle' | 'respond' | 'fetch' | 'node'

/** Asks through a door, and takes the whole answer. */
async function ask(
  door: Door,
  line: Line,
  { registry, port }: { registry: Registry; port: number },
) {
  const request = requestOf(line)
  if (door === 'handle') return drain((await handle(request, registry)).body)
  if (door === 'respond') return drain((await respond(request, registry)).slices)
  const { method, url, headers = {}, body } = request
  if (door === 'fetch') {
    const init = { method, headers: headers as Record<string, string>, body: body as string }
    const response = await toFetchHandler(registry)(new Request(`http://any.example${url}`, init))
    await response.text().catch(() => '')
    return
  }
  const fields = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  const connection = new Connection(port)
  await connection.ask(bytesOf([method, url], fields, body as string | undefined))
  connection.destroy()
}

async function drain(body: unknown): Promise<void> {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return
  const items = body as AsyncIterable<unknown>
  try {
    for await (const _ of items);
  } catch {
    // The reader gets the error; this test counts the event.
  }
}

const firm = '/v1/firms/:id'
const note = '/v1/firms/:firm_id/notes/:id'
const notes = '/v1/firms/:firm_id/notes'
type Expected = readonly [
  kind: string | undefined,
  template: string | undefined,
  status: number,
  code?: string,
]
const nothing = [undefined, undefined] as const

// biome-ignore format: a row stays a line
const rows: readonly (readonly [line: Line, expected: Expected])[] = [
  [['GET', '/v1/firms'],                                       ['list', '/v1/firms', 200]],
  [['GET', '/firms?q=acme&limit=1'],                           ['list', '/v1/firms', 200]],
  [['POST', '/v1/firms', { id: 'f2', name: 'Globex' }],        ['create', '/v1/firms', 201]],
  [['PUT', '/v1/firms', [{ id: 'f2', name: 'Umbra' }]],        ['updateMany', '/v1/firms', 200]],
  [['GET', '/v1/firms/f2'],                                    ['read', firm, 200]],
  [['PUT', '/v1/firms/f2', { name: 'Umbra Films' }],           ['update', firm, 200]],
  [['DELETE', '/v1/firms/f2'],                                 ['delete', firm, 200]],
  [['GET', '/v1/firms/first'],                                 ['first', '/v1/firms/first', 200]],
  [['GET', '/v1/firms/last'],                                  ['last', '/v1/firms/last', 200]],
  [['GET', '/v1/firms/count'],                                 ['count', '/v1/firms/count', 200]],
  [['HEAD', '/v1/firms/f1'],                                   ['read', firm, 200]],
  [['GET', '/v1/firms/f1/notes'],                              ['list', notes, 200]],
  [['GET', '/v1/firms/f1/notes/n1/'],                          ['read', note, 200]],
  [['GET', '/v1/firms/f1/notes/count'],                        ['count', `${notes}/count`, 200]],
  [['OPTIONS', '/v1/firms/f1'],                                [...nothing, 200]],
  [['OPTIONS', '/v1/nowhere'],                                 [...nothing, 404, 'unknown_resource']],
  [['GET', '/v1/firms/f7'],                                    ['read', firm, 404, 'not_found']],
  [['HEAD', '/v1/firms/f7'],                                   ['read', firm, 404, 'not_found']],
  [['GET', '/v1/firms/f7/notes/n1'],                           ['read', note, 404, 'parent_not_found']],
  [['GET', '/v1/nowhere'],                                     [...nothing, 404, 'unknown_resource']],
  [['GET', '/v7/firms'],                                       [...nothing, 404, 'unknown_version']],
  [['GET', '/v1/firms/%zz'],                                   [...nothing, 400, 'bad_percent_encoding']],
  [['GET', '/v1/firms?name=Acme'],                             ['list', '/v1/firms', 400, 'unknown_parameter']],
  [['POST', '/v1/firms/f1'],                                   [...nothing, 405, 'method_not_allowed']],
  [['POST', '/v1/firms/f1', {}],                               [...nothing, 405, 'method_not_allowed']],
  [['GET', '/v1/firms', undefined, { 'x-who': 'nobody' }],     ['list', '/v1/firms', 401, 'unauthenticated']],
  [['GET', '/v1/firms', undefined, { 'x-who': 'somebody' }],   ['list', '/v1/firms', 403, 'forbidden']],
  [['POST', '/v1/firms', '{'],                                 ['create', '/v1/firms', 400, 'json_invalid']],
  [['POST', '/v1/firms', { id: 'f3' }],                        ['create', '/v1/firms', 422, 'validation_failed']],
  [['POST', '/v1/firms', { id: 'f1', name: 'Other' }],         ['create', '/v1/firms', 409, 'conflict']],
  [['DELETE', '/v1/firms/f1/notes'],                           ['deleteAll', notes, 200]],
  [['GET', '/v1/tapes/t1'],                                    ['read', '/v1/tapes/:id', 500, 'internal_error']],
  [['GET', '/v1/tapes'],                                       ['list', '/v1/tapes', 503, 'unavailable']],
]

describe('an answer', () => {
  for (const door of ['handle', 'respond', 'fetch', 'node'] as const) {
    describe(`over ${door}`, () => {
      const { registry, told } = watched(failing)
      let server: RunningServer | undefined
      const published: unknown[] = []
      const listen = (message: unknown): void => void published.push(message)
      beforeAll(async () => {
        subscribe('nounful:answer', listen)
        if (door === 'node') server = await serve(registry, { port: 0, hosts: '*' })
      })
      afterAll(() => {
        unsubscribe('nounful:answer', listen)
        return server?.close()
      })
      afterEach(() => {
        told.length = 0
        published.length = 0
      })

      for (const [line, [kind, template, status, code]] of rows) {
        const [method, url] = line
        test(`${method} ${url} of ${code ?? status} is told`, async () => {
          await ask(door, line, { registry, port: server?.port ?? 0 })
          expect(told).toEqual([
            {
              id: expect.stringMatching(/^[\da-f-]{36}$/),
              kind,
              method,
              path: url.split('?')[0],
              template,
              version: template === undefined ? undefined : 'v1',
              deprecated: false,
              status,
              code,
              duration: expect.any(Number),
              isWhole: true,
            },
          ])
          expect(told[0]?.duration).toBeGreaterThan(0)
          expect(published).toEqual(told)
        })
      }
    })
  }

  test('of a method that nobody knows has none', async () => {
    const { registry, told } = watched()
    for (const method of ['BREW', 'get', '', 'x'.repeat(1000), '__proto__'])
      await handle({ method, url: '/v1/firms' }, registry)
    expect(told).toHaveLength(5)
    for (const { method, code } of told)
      expect([method, code]).toEqual([undefined, 'method_not_allowed'])
  })

  test('cannot be changed by who is told', async () => {
    const { registry, told } = watched()
    await handle({ method: 'GET', url: '/v1/firms' }, registry)
    expect(Object.isFrozen(told[0])).toBe(true)
  })

  test('took as long as it took', async () => {
    const { registry, told } = watched({
      read: () => new Promise((resolve) => setTimeout(() => resolve(null), 30)),
    })
    const begun = performance.now()
    await handle({ method: 'GET', url: '/v1/tapes/t1' }, registry)
    expect(told[0]?.duration).toBeGreaterThanOrEqual(29)
    expect(told[0]?.duration).toBeLessThanOrEqual(performance.now() - begun)
  })

  test('is told before the client has it', async () => {
    const { registry, told } = watched()
    const server = await serve(registry, { port: 0, hosts: '*' })
    const counts: number[] = []
    for (let times = 0; times < 3; times++) {
      await fetch(`${server.url}/v1/firms/f1`)
      counts.push(told.length)
    }
    await server.close()
    expect(counts).toEqual([1, 2, 3])
  })

  test('whose list ends too late is told of once', async () => {
    const ended = vi.fn()
    async function* slow() {
      yield { id: 'a', text: 'x' }
      await new Promise((resolve) => setTimeout(resolve, 60))
      ended()
    }
    const { registry, told } = watched({ list: slow }, { time: 20 })
    const request = { method: 'GET', url: '/v1/tapes', headers: { 'x-who': 'me' } }
    expect((await respond(request, registry)).status).toBe(503)
    await vi.waitFor(() => expect(ended).toHaveBeenCalled())
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(told).toMatchObject([{ status: 503 }])
  })

  test('that came too late is told of once', async () => {
    let resolve: (list: unknown) => void = () => undefined
    const list = () =>
      new Promise((fulfil) => {
        resolve = fulfil
      })
    const { registry, told } = watched({ list }, { time: 20 })
    expect(await handle({ method: 'GET', url: '/v1/tapes' }, registry)).toMatchObject({
      status: 503,
    })
    resolve(generated(3).adapter.list?.({} as never, undefined))
    await new Promise((done) => setTimeout(done, 20))
    expect(told).toMatchObject([{ status: 503, code: 'unavailable', isWhole: true }])
  })
})

describe('a list that comes item by item', () => {
  const get: HttpRequest = { method: 'GET', url: '/v1/tapes' }
  const doors = ['handle', 'respond', 'fetch', 'node'] as const
  const long = 'x'.repeat(1000)
  async function take(door: Door, list: Generated, limits = {}): Promise<Answered[]> {
    const { registry, told } = watched(list.adapter, limits)
    const server = door === 'node' ? await serve(registry, { port: 0, hosts: '*' }) : undefined
    await ask(door, ['GET', '/v1/tapes'], { registry, port: server?.port ?? 0 })
    await until(() => told.length > 0)
    await server?.close()
    return told
  }
  const listed = { kind: 'list', template: '/v1/tapes', status: 200 }

  for (const door of doors) {
    test(`is told of once, over ${door}`, async () => {
      for (const count of [0, 1, 200]) {
        const told = await take(door, generated(count, { text: long }))
        expect(told).toMatchObject([{ ...listed, code: undefined, isWhole: true }])
      }
    })

    test(`breaks off and says why, over ${door}`, async () => {
      for (const [error, code] of [
        [new Error('boom'), 'internal_error'],
        [problem('unavailable'), 'unavailable'],
      ] as const) {
        const told = await take(door, generated(300, { text: long, at: { 200: throwing(error) } }))
        expect(told).toMatchObject([{ ...listed, code, isWhole: false }])
      }
    })

    test(`breaks off when it takes too long, over ${door}`, async () => {
      const at = { 200: () => new Promise(() => undefined) }
      const told = await take(door, generated(300, { text: long, at }), { time: 300 })
      expect(told).toMatchObject([{ ...listed, code: 'unavailable', isWhole: false }])
    })

    test(`that fails at once is no list, over ${door}`, async () => {
      for (const [oddity, status] of [
        [throwing(new Error('boom')), 500],
        [throwing(problem('unavailable')), 503],
        [{ id: 'n0', text: 1n }, 500],
        [{ id: 'n0', toJSON: () => undefined }, 500],
      ] as const) {
        const told = await take(door, generated(3, { at: { 0: oddity } }))
        expect(told).toMatchObject([{ status, isWhole: true, code: expect.any(String) }])
      }
    })
  }

  for (const door of ['respond', 'fetch', 'node'] as const) {
    test(`that fails before it is sent is none, over ${door}`, async () => {
      for (const [oddity, status] of [
        [throwing(new Error('boom')), 500],
        [throwing(problem('unavailable')), 503],
        [{ id: 'n1', text: 1n }, 500],
      ] as const) {
        const told = await take(door, generated(3, { at: { 1: oddity } }))
        expect(told).toMatchObject([{ status, isWhole: true, code: expect.any(String) }])
      }
    })
  }

  test('is told of when it has ended', async () => {
    const { registry, told } = watched(generated(2).adapter)
    const { body } = await handle(get, registry)
    const items = body as AsyncIterableIterator<object>
    await items.next()
    await items.next()
    expect(told).toEqual([])
    await items.next()
    expect(told).toMatchObject([{ isWhole: true }])
    await items.return?.()
    expect(told).toHaveLength(1)
  })

  test('may be left', async () => {
    const { registry, told } = watched(generated(9).adapter)
    const { body } = await handle(get, registry)
    for await (const _ of body as AsyncIterable<object>) break
    expect(told).toMatchObject([{ status: 200, code: undefined, isWhole: false }])
  })

  test('has a head, which is whole', async () => {
    const list = generated(300, { text: long })
    const { registry, told } = watched(list.adapter)
    const server = await serve(registry, { port: 0, hosts: '*' })
    const head: HttpRequest = { ...get, method: 'HEAD' }
    await handle(head, registry)
    await toFetchHandler(registry)(new Request('http://x/v1/tapes', { method: 'HEAD' }))
    await fetch(`${server.url}/v1/tapes`, { method: 'HEAD' })
    await until(() => told.length === 3)
    await server.close()
    for (const answered of told)
      expect(answered).toMatchObject({ ...listed, method: 'HEAD', isWhole: true })
  })

  test('is left by a client that goes', async () => {
    const { registry, told } = watched(generated(100_000, { text: long }).adapter)
    const server = await serve(registry, { port: 0, hosts: '*' })
    const response = await fetch(`${server.url}/v1/tapes`)
    await response.body?.cancel()
    const lists = () => told.filter(({ kind }) => kind !== undefined)
    await until(() => lists().length > 0)
    await server.close()
    expect(lists()).toMatchObject([{ ...listed, code: undefined, isWhole: false }])
  })
})

describe('a client that leaves', () => {
  test('is no fault of the server', async () => {
    const begun: Operation[] = []
    const read = (operation: Operation) =>
      new Promise((_, reject) => {
        begun.push(operation)
        operation.signal.addEventListener('abort', () => reject(operation.signal.reason))
      })
    const { registry, told } = watched({ read })
    const server = await serve(registry, { port: 0, hosts: '*' })
    const controllers = [new AbortController(), new AbortController(), new AbortController()]
    const [first, second, third] = controllers.map(({ signal }) => signal)
    const path = '/v1/tapes/t1'
    const asked = [
      handle({ method: 'GET', url: path, signal: first }, registry),
      toFetchHandler(registry)(new Request(`http://x${path}`, { signal: second ?? null })),
      fetch(server.url + path, { signal: third ?? null }),
    ]
    await until(() => begun.length === 3)
    for (const controller of controllers) controller.abort()
    await Promise.allSettled(asked)
    const reads = () => told.filter(({ kind }) => kind !== undefined)
    await until(() => reads().length === 3)
    await server.close()
    for (const answered of reads()) {
      expect(answered).toMatchObject({ kind: 'read', status: 500, code: undefined, isWhole: false })
    }
  })
})

describe('what the server refuses', () => {
  // biome-ignore format: a row stays a line
  const refused: readonly (readonly [bytes: string, method: string | undefined, code: string])[] = [
    ['GET /v1/firms HTTP/1.1\r\n\r\n',                                           'GET',     'bad_host'],
    ['GET /v1/firms HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n',                'GET',     'expectation_failed'],
    ['CONNECT any.example:80 HTTP/1.1\r\nHost: any.localhost:80\r\n\r\n',          'CONNECT', 'bad_path'],
    ['GET /v1/firms HTTP/7.7\r\nHost: a\r\n\r\n',                                undefined, 'bad_request'],
    ['\0\x01\x02 nonsense\r\n\r\n',                                              undefined, 'bad_request'],
    [`GET /v1/firms HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,    undefined, 'headers_too_large'],
    [`GET /v1/${'x'.repeat(5000)} HTTP/1.1\r\nHost: a\r\n\r\n`,                  'GET',     'uri_too_long'],
  ]
  for (const [bytes, method, code] of refused) {
    test(`${JSON.stringify(bytes.slice(0, 40))} is told`, async () => {
      const { registry, told } = watched()
      const server = await serve(registry, { port: 0, hosts: '*' })
      const { answers } = await exchange(server.port, bytes)
      await server.close()
      expect(answers.map(({ status }) => status)).toEqual([400])
      expect(told).toMatchObject([
        { kind: undefined, template: undefined, method, status: 400, code, isWhole: true },
      ])
    })
  }
})

describe('a layer', () => {
  const url = '/v1/firms/f1'
  async function through(layer: Layer): Promise<Answered[]> {
    const { registry, told } = watched()
    await toFetchHandler(registry, { layers: [layer] })(new Request(`http://x${url}`))
    return told
  }

  test('that hands on is not seen', async () => {
    const told = await through((request, answer) => answer(request))
    expect(told).toMatchObject([{ kind: 'read', status: 200 }])
  })

  test('that answers by itself tells nothing', async () => {
    const told = await through(() => ({ status: 200, headers: {}, body: {} }))
    expect(told).toEqual([])
  })

  test('is told of each thing that it asks', async () => {
    const told = await through(async (request, answer) => {
      await answer({ method: 'GET', url: '/v1/firms/count' })
      return answer(request)
    })
    expect(told).toMatchObject([{ kind: 'count' }, { kind: 'read' }])
  })

  test('that fails has an answer of its own', async () => {
    const told = await through(() => {
      throw new Error('boom')
    })
    expect(told).toMatchObject([{ kind: undefined, status: 500, code: 'internal_error' }])
  })
})

describe('an event', () => {
  const { registry, told } = watched(failing)
  const marker = fc.stringMatching(/^[a-z0-9]{16}$/).map((text) => `zq${text}`)
  const place = fc.constantFrom(
    '/v1/firms/M',
    '/v1/firms/M/notes/M',
    '/v1/firms/f1/notes/M',
    '/firms/M/notes',
    '/v1/firms',
    '/v1/firms/f1/notes',
    '/v1/tapes/M',
    '/v1/tapes',
    '/v1/M',
    '/vM/firms',
    '/M/M/M/M/M',
    '/v1/firms/%zzM',
    'M',
    '/v1/firms/first/M',
  )
  const query = fc.constantFrom(
    '',
    '?q=M',
    '?sort=M',
    '?after=M',
    '?limit=M',
    '?M=M',
    '?q=M&q=M',
    '?%zzM',
  )
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'M')
  const body = fc.constantFrom(
    undefined,
    'M',
    '{"name":"M"}',
    '[{"id":"M","name":"M"}]',
    '{"M":"M"}',
    '{"id":"M","text":"M"}',
  )
  const headers = fc.constantFrom<Record<string, string>>(
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'M' },
    {
      'content-type': 'application/json',
      'if-match': '"M"',
      prefer: 'max-affected=M',
      authorization: 'Bearer M',
    },
  )

  test('holds nothing of queries, headers and bodies', async () => {
    const words = new Set<string>()
    await fc.assert(
      fc.asyncProperty(marker, method, place, query, body, headers, async (mark, ...parts) => {
        const [named, path, search, text, fields] = parts
        const fill = <Value extends string | undefined>(value: Value) =>
          value?.replaceAll('M', mark)
        told.length = 0
        const request = {
          method: named === 'M' ? mark : named,
          url: `${fill(path)}${fill(search)}`,
          headers: Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [name, fill(value) ?? '']),
          ),
          body: fill(text),
        }
        await handle(request, registry)
        expect(told).toHaveLength(1)
        const { duration, id, path: sent, ...rest } = told[0] as Answered
        expect(sent).toBe(fill(path))
        expect(JSON.stringify({ id, ...rest })).not.toContain(mark)
        for (const value of Object.values(rest)) words.add(String(value))
      }),
      { numRuns: 2000 },
    )
    // Two thousand different requests need few words.
    expect(words.size).toBeLessThan(60)
  })
})

describe('an id', () => {
  test('is that of the error and of the option', async () => {
    const ids: unknown[] = []
    const registry = defineRegistry(api, {
      requestId: ({ headers }) => String(headers?.['x-request-id'] ?? ''),
    })
      .onError((_, { requestId }) => ids.push(requestId))
      .onAnswer(({ id }) => ids.push(id))
      .adapters({ firms: memoryAdapter(), notes: memoryAdapter(), tapes: failing as never })
    const get = (url: string, id: string) =>
      handle({ method: 'GET', url, headers: { 'x-request-id': id } }, registry)
    const { body } = await get('/v1/tapes/t1', 'r-1')
    expect([Object(body).request_id, ...ids]).toEqual(['r-1', 'r-1', 'r-1'])
    await get('/v1/firms', 'r-2')
    await get('/v1/firms', 'a b')
    expect(ids.slice(2)).toEqual(['r-2', expect.stringMatching(/^[\da-f-]{36}$/)])
  })
})

describe('a path', () => {
  const paths: readonly (readonly [url: string, path: string | undefined])[] = [
    ['/v1/firms?q=secret', '/v1/firms'],
    ['/v1/firms#secret', '/v1/firms'],
    ['http://any.example:80/v1/firms?q=secret', '/v1/firms'],
    ['/v1/firms/a%20b', '/v1/firms/a%20b'],
    ['/v1/firms/%zz?', '/v1/firms/%zz'],
    ['*', '*'],
    ['', undefined],
  ]
  test.each(paths)('of %j is %j', async (url, path) => {
    const { registry, told } = watched()
    await handle({ method: 'GET', url }, registry)
    expect(told).toMatchObject([{ path }])
  })
})

describe('nobody', () => {
  test('costs nothing', async () => {
    const quiet = defineRegistry(api)
      .onError(() => undefined)
      .adapters({ firms: memoryAdapter(), notes: memoryAdapter(), tapes: failing as never })
    const clock = vi.spyOn(performance, 'now')
    try {
      const atOnce = rows.filter(([line]) => {
        clock.mockClear()
        const answer = handle(requestOf(line), quiet)
        // A pending response has a deadline, which reads the clock.
        if (answer instanceof Promise) return false
        expect(clock).not.toHaveBeenCalled()
        return true
      })
      expect(atOnce.length).toBeGreaterThan(10)
    } finally {
      clock.mockRestore()
    }
  })

  test('is told what had begun before', async () => {
    let finish: (item: unknown) => void = () => undefined
    const read = () =>
      new Promise((resolve) => {
        finish = resolve
      })
    const registry = defineRegistry(api)
      .onError(() => undefined)
      .adapters({ firms: memoryAdapter(), notes: memoryAdapter(), tapes: { read } as never })
    const told: unknown[] = []
    const listen = (message: unknown): void => void told.push(message)
    const get: HttpRequest = { method: 'GET', url: '/v1/tapes/t1' }
    const early = handle(get, registry)
    subscribe('nounful:answer', listen)
    finish(null)
    await early
    expect(told).toEqual([])
    const late = handle(get, registry)
    finish(null)
    await late
    expect(told).toMatchObject([{ status: 404 }])
    const last = handle(get, registry)
    unsubscribe('nounful:answer', listen)
    finish(null)
    await last
    expect(told).toHaveLength(1)
  })
})

describe('a listener', () => {
  const fails: Readonly<Record<string, () => unknown>> = {
    throws: throwing(new Error('boom')),
    'is rejected': () => Promise.reject(new Error('boom')),
    'is never done': () => new Promise(() => undefined),
  }
  for (const [name, fail] of Object.entries(fails)) {
    test(`that ${name} harms nothing`, async () => {
      const consoled = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const registry = defineRegistry(api)
        .onAnswer(fail as () => void)
        .adapters({
          firms: memoryAdapter(),
          notes: memoryAdapter(),
          tapes: generated(3).adapter as never,
        })
      const { status } = await handle({ method: 'GET', url: '/v1/firms' }, registry)
      const { body } = await handle({ method: 'GET', url: '/v1/tapes' }, registry)
      await drain(body)
      await new Promise(setImmediate)
      expect(status).toBe(200)
      expect(consoled).toHaveBeenCalledTimes(name === 'is never done' ? 0 : 2)
      consoled.mockRestore()
    })
  }

  test('of the channel that throws ends the process', async () => {
    const script = `
      import { subscribe } from 'node:diagnostics_channel'
      import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
      import { memoryAdapter } from 'nounful/memory'
      import { z } from 'zod'
      const notes = defineResource('notes', { schema: z.object({ id: z.string() }) })
      const api = defineApi({ v1: { '/notes': notes } })
      const registry = defineRegistry(api).adapters({ notes: memoryAdapter() })
      subscribe('nounful:answer', () => { throw new Error('boom') })
      console.log(handle({ method: 'GET', url: '/notes' }, registry).status)`
    const flags = ['--conditions=nounful:source', '--input-type=module', '-e', script]
    const child = spawn(process.execPath, flags)
    let shown = ''
    child.stdout.on('data', (chunk) => {
      shown += chunk
    })
    expect(await once(child, 'exit')).toEqual([1, null])
    expect(shown).toBe('200\n')
  })
})

describe('a runtime', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  // biome-ignore format: a row stays a line
  const runtimes: readonly (readonly [name: string, runtime: unknown])[] = [
    ['without a process',          undefined],
    ['without built-in modules',   {}],
    ['without the channel',        { getBuiltinModule: () => undefined }],
    ['with something else there',  { getBuiltinModule: () => ({ channel: 7 }) }],
  ]
  for (const [name, runtime] of runtimes) {
    test(`${name} tells the listener all the same`, async () => {
      vi.resetModules()
      vi.stubGlobal('process', runtime)
      const { answerChannel, notifyObservers } = await import(
        '../../src/server/lifetime/observe.ts'
      )
      const told: unknown[] = []
      const { registry } = watched()
      const request = { method: 'GET', url: '/' }
      const known = { requestId: 'r-1', operation: undefined, named: undefined }
      const about = { request, begun: performance.now(), ...known }
      const quiet = { ...registry, onAnswer: undefined }
      notifyObservers({ ...about, registry: quiet }, { status: 200, body: undefined }, true)
      const loud = { ...registry, onAnswer: (answered: Answered) => void told.push(answered) }
      notifyObservers(
        { ...about, registry: loud },
        { status: 404, body: { code: 'nonsense' } },
        true,
      )
      vi.unstubAllGlobals()
      expect(answerChannel).toBeUndefined()
      expect(told).toMatchObject([{ status: 404, code: undefined }])
    })
  }
})

import { type HttpRequest, type HttpResponse, handle, problem } from 'nounful'
import { describe, expect, test, vi } from 'vitest'
import { details } from '../../src/convention/problems.ts'
import { delayed, type Line, mapOf, notesWith, requestOf, verdictOf } from '../support/registry.ts'

const [a, b] = [
  { id: 'a', text: 'Ann', rank: 1 },
  { id: 'b', text: 'Bob', rank: 2 },
]
const changed = { id: 'b', text: 'Bill' }

// biome-ignore format: a row stays a line
const operations: [kind: string, line: Line, status: number, body: unknown][] = [
  ['list',       ['GET', '/v1/notes'],                                  200, [a, b]],
  ['create',     ['POST', '/v1/notes', { text: 'Cy' }],                 201, { id: 'n3', text: 'Cy' }],
  ['updateMany', ['PUT', '/v1/notes', [changed]],                       200, [changed]],
  ['deleteAll',  ['DELETE', '/v1/notes'],                               200, { deleted: 2 }],
  ['read',       ['GET', '/v1/notes/b'],                                200, b],
  ['update',     ['PUT', '/v1/notes/b', { text: 'Bill' }],              200, changed],
  ['delete',     ['DELETE', '/v1/notes/b'],                             200, b],
  ['first',      ['GET', '/v1/notes/first'],                            200, a],
  ['last',       ['GET', '/v1/notes/last'],                             200, b],
  ['count',      ['GET', '/v1/notes/count'],                            200, { count: 2 }],
]

// The list of `mapOf` knows no order: these two do.
const ends = { first: () => a, last: () => b }

describe('the operations', () => {
  for (const [kind, line, status, body] of operations) {
    test(`${kind} is answered at once`, () => {
      const answer = handle(requestOf(line), notesWith({ ...mapOf(a, b), ...ends }).registry)
      expect(answer).not.toBeInstanceOf(Promise)
      expect(answer).toMatchObject({ status, body })
    })
    test(`${kind} waits for an adapter that waits`, async () => {
      const { registry } = notesWith(delayed({ ...mapOf(a, b), ...ends }))
      const answer = handle(requestOf(line), registry)
      expect(answer).toBeInstanceOf(Promise)
      expect(await answer).toMatchObject({ status, body })
    })
    test(`${kind} without its method is answered 405`, () => {
      const { [kind as 'list']: gone, ...rest } = { ...mapOf(a, b), ...ends, count: () => 2 }
      const hasList = gone !== undefined && 'list' in rest
      const answer = handle(requestOf(line), notesWith(rest).registry) as HttpResponse
      // The list answers the reserved words.
      if (hasList && ['first', 'last', 'count'].includes(kind)) expect(answer.status).toBe(200)
      else expect(verdictOf(answer)).toBe('405 method_not_allowed')
    })
  }

  test('an answer is JSON', () => {
    expect(handle(requestOf(['GET', '/v1/notes']), notesWith(mapOf(a)).registry)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: [a],
    })
  })

  test('a created item has a location', () => {
    const request = { ...requestOf(['POST', '/notes/', { text: 'x' }]), base: '/api' }
    expect(handle(request, notesWith(mapOf()).registry)).toMatchObject({
      headers: { location: '/api/v1/notes/n1' },
    })
  })
})

describe('header names', () => {
  test('count in any case', () => {
    const { registry } = notesWith(mapOf())
    const body = '{"text":"x"}'
    for (const name of ['content-type', 'Content-Type', 'CONTENT-TYPE']) {
      const request = {
        method: 'POST',
        url: '/notes',
        headers: { [name]: 'application/json' },
        body,
      }
      expect(handle(request, registry)).toMatchObject({ status: 201 })
    }
    const headers = { Prefer: 'max-affected=0' }
    expect(handle({ method: 'DELETE', url: '/notes', headers }, registry)).toMatchObject({
      status: 409,
    })
  })
})

describe('HEAD', () => {
  for (const url of ['/notes', '/notes/a', '/notes/first', '/notes/nobody', '/notes?sort=x', '/']) {
    test(`${url} is GET without the body`, async () => {
      for (const adapter of [mapOf(a), delayed(mapOf(a))]) {
        const { registry } = notesWith(adapter)
        const get = await handle({ method: 'GET', url }, registry)
        expect(await handle({ method: 'HEAD', url }, registry)).toEqual({ ...get, body: undefined })
      }
    })
  }
})

const forbid = () => {
  throw problem('forbidden')
}
const refusesWrites = {
  ...mapOf(a),
  create: () => {
    throw problem('conflict')
  },
}
const long = `/notes?q=${'a'.repeat(5000)}`

// Each request has the fault its row names, and every fault that comes later in the order.
// biome-ignore format: a row stays a line
const orders: [verdict: string, line: Line, use?: typeof forbid][] = [
  ['400 uri_too_long',           ['PURGE', `/v9/%zz/nowhere${long}`, '{'], forbid],
  ['400 bad_percent_encoding',   ['PURGE', '/v9/nowhere/%zz?x=1', '{'], forbid],
  ['400 bad_path',               ['PURGE', '/v9/nowhere/../a?x=1', '{'], forbid],
  ['404 unknown_version',        ['PURGE', '/v9/nowhere?x=1', '{'], forbid],
  ['404 unknown_resource',       ['PURGE', '/nowhere?x=1', '{'], forbid],
  ['400 bad_path',               ['PUT', '/notes/?x=1', '{'], forbid],
  ['405 method_not_allowed',     ['PURGE', '/notes?x=1', '{'], forbid],
  ['403 forbidden',              ['POST', '/notes?x=1', '{'], forbid],
  ['400 unknown_parameter',      ['POST', '/notes?x=1', '{']],
  ['400 unsupported_media_type', ['POST', '/notes', '{', { 'content-type': 'text/plain' }]],
  ['400 json_invalid',           ['POST', '/notes', '{']],
  ['422 validation_failed',      ['POST', '/notes', {}]],
  ['409 conflict',               ['POST', '/notes', { text: 'x' }]],
  ['400 bad_request',            ['PUT', '/notes/nobody?x=1', '{', { 'content-range': 'bytes 0-1/2' }]],
  ['400 unknown_parameter',      ['PUT', '/notes/nobody?x=1', '{']],
  ['400 json_invalid',           ['PUT', '/notes/nobody', '{']],
  ['422 validation_failed',      ['PUT', '/notes/nobody', { id: 'a' }, { 'if-match': '"x"' }]],
  ['404 not_found',              ['PUT', '/notes/nobody', { id: 'a', text: 'x' }, { 'if-match': '"x"' }]],
  ['409 id_mismatch',            ['PUT', '/notes/a', { id: 'b', text: 'x' }, { 'if-match': '"x"' }]],
  ['409 precondition_failed',    ['PUT', '/notes/a', { id: 'a', text: 'x' }, { 'if-match': '"x"' }]],
  ['400 body_not_allowed',       ['GET', '/notes/nobody', '{}']],
  ['400 body_not_allowed',       ['DELETE', '/notes/nobody', '{}', { 'if-match': '"x"' }]],
  ['404 not_found',              ['DELETE', '/notes/nobody', undefined, { 'if-match': '"x"' }]],
]

describe('the first of several faults is answered', () => {
  for (const [verdict, line, use] of orders) {
    test(`${line[0]} ${line[1].slice(0, 30)} is ${verdict}`, async () => {
      for (const adapter of [refusesWrites, delayed(refusesWrites)]) {
        const { registry } = notesWith(adapter, { use: use ? [use] : [] })
        expect(verdictOf(await handle(requestOf(line), registry))).toBe(verdict)
      }
    })
  }
})

// biome-ignore format: a row stays a line
const allows: [line: Line, allow: string][] = [
  [['PATCH', '/notes'],       'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
  [['POST', '/notes/a'],      'GET, HEAD, PUT, DELETE, OPTIONS'],
  [['POST', '/notes/first'],  'GET, HEAD, OPTIONS'],
  [['PUT', '/notes/last'],    'GET, HEAD, OPTIONS'],
  [['DELETE', '/notes/count'], 'GET, HEAD, OPTIONS'],
  [['get', '/notes'],         'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
  [['__proto__', '/notes'],   'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
]

describe('405 says what is allowed', () => {
  for (const [line, allow] of allows) {
    test(`${line[0]} ${line[1]} allows ${allow}`, () => {
      const answer = handle(requestOf(line), notesWith(mapOf()).registry) as HttpResponse
      expect([verdictOf(answer), answer.headers.allow]).toEqual(['405 method_not_allowed', allow])
    })
  }

  // biome-ignore format: a row stays a line
  const adapters: [
    name: string,
    kinds: readonly string[],
    without: readonly string[],
    url: string,
    allow: string,
  ][] = [
    ['an adapter of lists alone',     ['list'],           [],            '/notes',       'GET, HEAD, OPTIONS'],
    ['an adapter of lists alone',     ['list'],           [],            '/notes/a',     'OPTIONS'],
    ['an adapter of lists alone',     ['list'],           [],            '/notes/count', 'GET, HEAD, OPTIONS'],
    ['an adapter of reads alone',     ['read'],           [],            '/notes/first', 'OPTIONS'],
    ['an adapter without reads',      ['update'],         [],            '/notes/a',     'PUT, OPTIONS'],
    ['a resource without deleteAll',  ['list', 'deleteAll'], ['deleteAll'], '/notes',    'GET, HEAD, OPTIONS'],
    ['a resource without count',      ['list', 'count'],  ['count'],     '/notes/count', 'OPTIONS'],
  ]
  for (const [name, kinds, without, url, allow] of adapters) {
    test(`${name} allows ${allow} at ${url}`, () => {
      const adapter = Object.fromEntries(kinds.map((kind) => [kind, () => []]))
      const { registry } = notesWith(adapter, { declaration: { without } })
      const answer = handle({ method: 'PATCH', url }, registry) as HttpResponse
      expect([answer.status, answer.headers.allow]).toEqual([405, allow])
    })
  }
})

const poisoned = new Proxy(new Error('secret'), {
  get: () => {
    throw new Error('poisoned')
  },
})
const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()
const cyclic = new Error('secret')
cyclic.cause = cyclic

// biome-ignore format: a row stays a line
const thrown: [name: string, value: unknown][] = [
  ['an error',                        new Error('secret in /home/me')],
  ['an error with status 404',        Object.assign(new Error('secret'), { status: 404, statusCode: 404 })],
  ['a lookalike of a problem',        { name: 'ProblemError', code: 'not_found', status: 404, message: 'secret' }],
  ['a branded thing of unknown code', { [Symbol.for('nounful.problem')]: true, code: 'teapot', status: 418 }],
  ['a branded thing without members', { [Symbol.for('nounful.problem')]: true, code: 'conflict', status: 409 }],
  ['a Response',                      new Response('secret', { status: 404 })],
  ['undefined',                       undefined],
  ['null',                            null],
  ['a text',                          'secret'],
  ['a number',                        404],
  ['a symbol',                        Symbol('secret')],
  ['a frozen object',                 Object.freeze({ message: 'secret' })],
  ['a poisoned proxy',                poisoned],
  ['a revoked proxy',                 revoked],
  ['an error that causes itself',     cyclic],
  ['a function',                      () => 'secret'],
]

describe('whatever an adapter throws is 500', () => {
  for (const [name, value] of thrown) {
    test(`${name} tells the client nothing`, async () => {
      const read = () => {
        throw value
      }
      for (const adapter of [{ read }, delayed({ read }), { read: () => Promise.reject(value) }]) {
        const { registry, errors, operations } = notesWith(adapter)
        const { status, headers, body } = await handle({ method: 'GET', url: '/notes/a' }, registry)
        expect([status, headers]).toEqual([500, { 'content-type': 'application/problem+json' }])
        expect(body).toEqual({
          type: 'about:blank',
          title: 'Internal error',
          status: 500,
          detail: 'The server failed: its log has more by the request id.',
          code: 'internal_error',
          message: 'The server failed: its log has more by the request id.',
          request_id: expect.stringMatching(/^[\da-f-]{36}$/),
        })
        // Compared by identity: looking into some of them throws.
        if (!name.endsWith('members')) expect(Object.is(errors[0], value)).toBe(true)
        expect([errors.length, operations[0]?.kind]).toEqual([1, 'read'])
      }
    })
  }

  test('a stack that overflows is recovered from', () => {
    const endless = (): unknown => [endless()]
    const { registry } = notesWith({ ...mapOf(a), list: endless })
    expect(handle({ method: 'GET', url: '/notes' }, registry)).toMatchObject({ status: 500 })
    expect(handle({ method: 'GET', url: '/notes/a' }, registry)).toMatchObject({ status: 200 })
  })

  test('a thenable that throws is answered', async () => {
    const read = () => ({
      // biome-ignore lint/suspicious/noThenProperty: the test needs it
      then: () => {
        throw new Error('secret')
      },
    })
    const { registry } = notesWith({ read })
    expect(await handle({ method: 'GET', url: '/notes/a' }, registry)).toMatchObject({
      status: 500,
    })
  })
})

describe('problems an adapter throws are answered', () => {
  // biome-ignore format: a row stays a line
  const rows: [
    code: Parameters<typeof problem>[0],
    status: number,
    headers: object,
    told: number,
  ][] = [
    ['conflict',        409, {}, 0],
    ['unauthenticated', 401, { 'www-authenticate': 'Bearer' }, 0],
    ['rate_limited',    429, { 'retry-after': '60' }, 0],
    ['unavailable',     503, { 'retry-after': '5' }, 1],
    ['internal_error',  500, {}, 1],
  ]
  for (const [code, status, headers, told] of rows) {
    test(`${code} is ${status}`, async () => {
      const list = () => {
        throw problem(code, 'What a client may know')
      }
      for (const adapter of [{ list }, delayed({ list })]) {
        const { registry, errors } = notesWith(adapter)
        const answer = await handle({ method: 'GET', url: '/notes' }, registry)
        const { message } = answer.body as { message: string }
        expect(answer).toMatchObject({ status, headers, body: { code, status } })
        expect([errors.length, message]).toEqual([
          told,
          told ? details[code] : 'What a client may know',
        ])
      }
    })
  }

  test('a problem that cannot be written is 500', () => {
    const list = () => {
      throw problem('conflict', 'x', {
        issues: [{ pointer: '', code: 'x', message: 'x', at: 1n } as never],
      })
    }
    const { registry, errors } = notesWith({ list })
    expect(handle({ method: 'GET', url: '/notes' }, registry)).toMatchObject({ status: 500 })
    expect(errors).toEqual([expect.any(TypeError)])
  })
})

describe('an error listener that fails', () => {
  const listeners: [name: string, listener: () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('listener')
      },
    ],
    ['rejects', () => Promise.reject(new Error('listener'))],
  ]
  for (const [name, listener] of listeners) {
    test(`${name} and the answer stays`, async () => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const { registry } = notesWith({ list: () => 1 })
      const failing = { ...registry, onError: listener as () => void }
      expect(handle({ method: 'GET', url: '/notes' }, failing)).toMatchObject({ status: 500 })
      await new Promise(setImmediate)
      expect(log).toHaveBeenCalledExactlyOnceWith(
        'The error listener failed:',
        new Error('listener'),
      )
      log.mockRestore()
    })
  }
})

describe('what cannot be is answered too', () => {
  test('a resource without its adapter allows nothing', () => {
    const { registry } = notesWith(mapOf())
    const bare = { ...registry, bindings: [] }
    const { status, headers } = handle({ method: 'GET', url: '/notes' }, bare) as HttpResponse
    expect([status, headers.allow]).toEqual([405, 'OPTIONS'])
  })

  test('a request without a target is 500', () => {
    const { registry, errors, operations } = notesWith(mapOf())
    expect(handle({ method: 'GET' } as HttpRequest, registry)).toMatchObject({ status: 500 })
    expect([errors.length, operations]).toEqual([1, [undefined]])
  })
})

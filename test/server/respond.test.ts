import { type HttpResponse, problem } from 'nounful'
import { describe, expect, test } from 'vitest'
import type { Layer } from '../../src/contract/resource/http.ts'
import { respond, responder, respondWith } from '../../src/server/respond.ts'
import { delayed, mapOf, notesWith } from '../support/registry.ts'

const circular: Record<string, unknown> = { id: 'a' }
circular.text = circular
const throwing = {
  id: 'a',
  toJSON: () => {
    throw new Error('secret')
  },
}

describe('an answer in text', () => {
  test('is written at once where it can', async () => {
    const item = { id: 'a', text: 'é' }
    const written = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      content: '{"id":"a","text":"é"}',
      isUnknownPath: false,
    }
    const request = { method: 'GET', url: '/notes/a' }
    expect(respond(request, notesWith(mapOf(item)).registry)).toEqual(written)
    const later = respond(request, notesWith(delayed(mapOf(item))).registry)
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toEqual(written)
  })

  test('has a body for HEAD, to measure', () => {
    const { registry } = notesWith(mapOf({ id: 'a' }))
    expect(respond({ method: 'HEAD', url: '/notes/a' }, registry)).toMatchObject({
      content: '{"id":"a"}',
    })
  })

  // biome-ignore format: a row stays a line
  const unwritable: [name: string, item: unknown][] = [
    ['a bigint',              { id: 'a', text: 1n }],
    ['a circle',              circular],
    ['a toJSON that throws',  throwing],
    ['a toJSON of nothing',   { id: 'a', toJSON: () => undefined }],
  ]
  for (const [name, item] of unwritable) {
    test(`of ${name} is 500 and told`, async () => {
      for (const adapter of [{ read: () => item }, { read: async () => item }]) {
        const { registry, errors } = notesWith(adapter)
        const {
          status,
          content: text,
          headers,
        } = await respond({ method: 'GET', url: '/notes/a' }, registry)
        expect([status, headers['content-type']]).toEqual([500, 'application/problem+json'])
        expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', title: 'Internal error' })
        expect(errors).toEqual([expect.any(Error)])
      }
    })
  }

  test('of a problem JSON cannot carry is 500', () => {
    const list = () => {
      throw problem('conflict', 'x', { issues: [{ pointer: '', code: 1n, message: '' }] as never })
    }
    const { registry, errors } = notesWith({ list })
    expect(respond({ method: 'GET', url: '/notes' }, registry)).toMatchObject({ status: 500 })
    expect(errors).toEqual([expect.any(TypeError)])
  })

  // biome-ignore format: a row stays a line
  const paths: [url: string, isUnknown: boolean][] = [
    ['/notes',      false],
    ['/notes/z',    false],
    ['/nowhere',    true],
    ['/v2/notes',   true],
    ['/notes/a/b',  true],
    ['/notes/%zz',  false],
  ]
  for (const [url, isUnknownPath] of paths) {
    test(`${url} ${isUnknownPath ? 'may be' : 'is not'} somebody else's`, () => {
      const { registry } = notesWith(mapOf({ id: 'z', code: 'unknown_resource' }))
      for (const method of ['GET', 'OPTIONS']) {
        expect(respond({ method, url }, registry)).toMatchObject({ isUnknownPath })
      }
    })
  }

  // biome-ignore format: a row stays a line
  const texts: [type: string | undefined, text: string][] = [
    [undefined,                             'a "b"'],
    ['text/html',                           'a "b"'],
    ['application/jsonx',                   'a "b"'],
    ['application/x;a=+json',               'a "b"'],
    ['text/x-application/json',             'a "b"'],
    ['application/json',                    '"a \\"b\\""'],
    ['application/json; charset=utf-8',     '"a \\"b\\""'],
    ['application/problem+json',            '"a \\"b\\""'],
  ]
  for (const [type, text] of texts) {
    test(`of a layer is ${text} where its type is ${type}`, () => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
      const layer: Layer = () => ({ status: 200, headers, body: 'a "b"' })
      const answerText = responder(notesWith(mapOf()).registry, [layer])
      expect(answerText({ method: 'GET', url: '/' })).toMatchObject({ content: text })
    })
  }

  test('of a layer that gives nothing is 500', () => {
    const { registry, errors } = notesWith(mapOf())
    const layer: Layer = () => ({ status: 200, headers: {}, body: undefined })
    const answerText = responder(registry, [layer])
    expect(answerText({ method: 'GET', url: '/' })).toMatchObject({ status: 500 })
    expect(errors).toEqual([new TypeError('The adapter returned a value that JSON cannot carry.')])
  })

  // biome-ignore format: a row stays a line
  const odd: [response: unknown, told: string][] = [
    [{ status: 204, headers: {} },                      'the status 204'],
    [null,                                              'the status undefined'],
    [{ status: 200 },                                   'no plain object of headers'],
    [{ status: 200, headers: null },                    'no plain object of headers'],
    [{ status: 200, headers: 'etag' },                  'no plain object of headers'],
    [{ status: 200, headers: new Map() },               'no plain object of headers'],
    [{ status: 200, headers: { etag: 5 } },             'a header "etag" that no message can hold'],
    [{ status: 200, headers: { 'e tag': 'x' } },        'a header "e tag" that no message can hold'],
    [{ status: 200, headers: { etag: 'x\r\ny: z' } },   'a header "etag" that no message can hold'],
  ]
  for (const [response, told] of odd) {
    test(`of a layer that gave ${JSON.stringify(response)} is 500`, () => {
      const { registry, errors } = notesWith(mapOf())
      const answerText = responder(registry, [(() => response) as never])
      expect(answerText({ method: 'GET', url: '/' })).toMatchObject({ status: 500 })
      expect(String(errors)).toContain(`A layer returned ${told}: return the result of answer()`)
    })
  }

  test('of a layer keeps what a message is framed by to itself', () => {
    const own = { 'Content-Length': '9', 'transfer-encoding': 'chunked', ETag: '"1"' }
    const headers = Object.assign(Object.create(null), own)
    const answerText = responder(notesWith(mapOf()).registry, [
      () => ({ status: 200, headers, body: 1 }),
    ])
    expect(answerText({ method: 'GET', url: '/' })).toMatchObject({ headers: { etag: '"1"' } })
    const written = answerText({ method: 'GET', url: '/' }) as { headers: object }
    expect(Object.keys(written.headers)).toEqual(['etag'])
  })

  // biome-ignore format: a row stays a line
  const others: [response: Partial<HttpResponse>, isUnknownPath: boolean][] = [
    [{ status: 404, body: { code: 'unknown_resource' } },             true],
    [{ status: 404, body: { code: 'not_found' } },                    false],
    [{ status: 404, body: 'a page', problem: 'unknown_version' },     true],
    [{ status: 404, body: 'a page', problem: 'not_found' },           false],
    [{ status: 404, body: null },                                     false],
    [{ status: 200, body: { code: 'unknown_resource' } },             false],
  ]
  for (const [response, isUnknownPath] of others) {
    test(`${JSON.stringify(response)} ${isUnknownPath ? 'may' : 'must not'} be foreign`, () => {
      const layer = (() => ({ headers: {}, ...response })) as Layer
      const answerText = responder(notesWith(mapOf()).registry, [layer])
      expect(answerText({ method: 'GET', url: '/' })).toMatchObject({ isUnknownPath })
    })
  }

  test('of another fault is a problem', () => {
    const { registry, errors } = notesWith(mapOf())
    const request = { method: 'GET', url: '/' }
    expect(respondWith(problem('bad_host', 'No host'), request, registry)).toMatchObject({
      status: 400,
    })
    expect(respondWith(new Error('secret'), request, registry)).toMatchObject({ status: 500 })
    expect(errors).toEqual([new Error('secret')])
  })
})

describe('an array of many items', () => {
  const many = (length: number) => Array.from({ length }, (_, n) => ({ id: `n${n}`, text: 'x' }))
  const list = { method: 'GET', url: '/notes' }

  test('is written at once up to 2,000', async () => {
    const { registry } = notesWith({ list: () => many(2000) })
    const { content: text, slices: rest } = await respond(list, registry)
    expect([JSON.parse(text).length, rest]).toEqual([2000, undefined])
  })

  test('is written in slices beyond', async () => {
    for (const length of [2001, 4000, 6001]) {
      const { registry } = notesWith({ list: () => many(length) })
      const { status, headers, content: text, slices: rest } = await respond(list, registry)
      expect([status, headers]).toEqual([200, { 'content-type': 'application/json' }])
      let all = text
      let slices = 1
      for (let isDone = rest === undefined; !isDone; slices++) {
        const { value = '', done = false } = (await rest?.next()) ?? {}
        all += value
        isDone = done
      }
      expect(all).toBe(JSON.stringify(many(length)))
      expect(slices).toBeGreaterThan(2)
    }
  })

  test('is told of once', async () => {
    const told: unknown[] = []
    const { registry } = notesWith({ list: () => many(3000) })
    const observed = { ...registry, onAnswer: (answered: unknown) => told.push(answered) }
    const { slices: rest } = await respond(list, observed)
    await rest?.close()
    expect(told).toMatchObject([{ kind: 'list', status: 200, isWhole: true }])
  })
})

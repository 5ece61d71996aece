import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  type HttpResponse,
  handle,
  problem,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Line, requestOf, verdictOf } from '../support/registry.ts'

const Firm = z.object({ id: z.string(), name: z.string() })
const Note = Firm.extend({ firm_id: z.string() })
const api = defineApi({
  v1: {
    '/firms': defineResource('firms', {
      schema: Firm,
      create: Firm.omit({ id: true }),
      searchable: ['name'],
      sortable: ['name'],
    }),
    '/firms/:firm_id/notes': defineResource('notes', {
      schema: Note,
      create: Note.omit({ id: true, firm_id: true }),
      sortable: ['name'],
    }),
  },
})
const firms = [
  { id: 'f1', name: 'Acme', vault: 'melon' },
  { id: 'f2', name: 'Globex', vault: 'grape' },
]
const notes = [
  { id: 'n1', name: 'a', firm_id: 'f1' },
  { id: 'n2', name: 'b', firm_id: 'f1' },
  { id: 'n3', name: 'c', firm_id: 'f2' },
]

function open(): (...line: Line) => Promise<HttpResponse> {
  const registry = defineRegistry(api)
    .context(({ headers }: HttpRequest) => (headers?.['x-who'] === 'nobody' ? undefined : {}))
    .onError(() => undefined)
    .adapters({ firms: memoryAdapter({ items: firms }), notes: memoryAdapter({ items: notes }) })
  return async (...line) => handle(requestOf(line), registry)
}

async function countOf(ask: (...line: Line) => Promise<HttpResponse>): Promise<unknown[]> {
  const urls = ['/firms/count', '/firms/f1/notes/count', '/firms/f2/notes/count']
  const counts = await Promise.all(urls.map((url) => ask('GET', url)))
  return counts.map(({ body }) => Object(body).count)
}

describe('what SECURITY.md promises of', () => {
  // biome-ignore format: a row stays a line
  const refused: readonly (readonly [line: Line, verdict: string])[] = [
    [['DELETE', '/v1/firms/'],                                             '400 bad_path'],
    [['DELETE', '/v1/firms?'],                                             '400 bad_parameter'],
    [['DELETE', '/v1/firms?q=acme'],                                       '409 too_many_affected'],
    [['DELETE', '/v1/firms?acme=1'],                                       '400 unknown_parameter'],
    [['DELETE', '/v1/firms', { id: 'f1' }],                                '400 body_not_allowed'],
    [['PUT', '/v1/firms/', []],                                            '400 bad_path'],
    [['DELETE', '/v1/firms/f1/notes/'],                                    '400 bad_path'],
    [['POST', '/v1/firms?_method=DELETE', { name: 'x' }],                  '400 unknown_parameter'],
    [['GET', '/v1/firms?vault=melon'],                                     '400 unknown_parameter'],
    [['GET', '/v1/firms?sort=vault'],                                      '400 sort_unknown_field'],
    [['GET', '/v1/firms/f1/notes/count?q=a'],                              '400 unknown_parameter'],
    [['GET', '/v1/firms/f1/notes/n3'],                                     '404 not_found'],
    [['GET', '/v1/firms/f9/notes'],                                        '404 parent_not_found'],
    [['POST', '/v1/firms/f1/notes', { name: 'x', firm_id: 'f2' }],         '422 validation_failed'],
    [['POST', '/v1/firms', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }], '400 unsupported_media_type'],
    [['POST', '/v1/firms', 'x', { 'content-type': 'multipart/form-data; boundary=x' }],        '400 unsupported_media_type'],
    [['POST', '/v1/firms', '{"name":"x"}', { 'content-type': 'text/plain' }],                  '400 unsupported_media_type'],
    [['POST', '/v1/firms', '{"name":"x"}', { 'content-type': '' }],                            '400 unsupported_media_type'],
    [['POST', '/v1/firms', '{"name":"x"}', { 'content-encoding': 'gzip' }],                    '400 unsupported_encoding'],
    [['POST', '/v1/firms', '{"name":"x","a":{"__proto__":{"b":1}}}'],      '400 json_forbidden_key'],
    [['GET', '/v1/firms?nope=1', undefined, { 'x-who': 'nobody' }],        '401 unauthenticated'],
    [['POST', '/v1/firms', '{', { 'x-who': 'nobody' }],                    '401 unauthenticated'],
    [['GET', '/v1/firms/f9', undefined, { 'x-who': 'nobody' }],            '401 unauthenticated'],
  ]
  for (const [line, verdict] of refused) {
    test(`${line.join(' ')} is ${verdict}`, async () => {
      const ask = open()
      const answer = await ask(...line)
      expect(verdictOf(answer)).toBe(verdict)
      expect(Object.keys(answer.headers).join()).not.toContain('access-control')
      expect(await countOf(ask)).toEqual([2, 2, 1])
    })
  }

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    test(`the name ${name} holds, wherever it stands`, async () => {
      const ask = open()
      // biome-ignore format: a row stays a line
      const rows: readonly (readonly [line: Line, verdict: string])[] = [
        [['GET', `/v1/${name}`],                         '404 unknown_resource'],
        [['GET', `/${name}/firms`],                      '404 unknown_resource'],
        [['GET', `/v1/firms/f1/${name}`],                '404 unknown_resource'],
        [['GET', `/v1/firms/${name}`],                   '404 not_found'],
        [['GET', `/v1/firms?${name}=1`],                 '400 unknown_parameter'],
        [['GET', `/v1/firms?sort=${name}`],              '400 sort_unknown_field'],
        [['GET', `/v1/firms?q=${name}`],                 '200'],
        [[name, '/v1/firms'],                            '405 method_not_allowed'],
        [['GET', '/v1/firms', undefined, Object.fromEntries([[name, 'x']])], '200'],
      ]
      for (const [line, verdict] of rows) expect(verdictOf(await ask(...line))).toBe(verdict)
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('name')
    })
  }

  test('fields that nobody declared', async () => {
    const ask = open()
    for (const url of ['/firms', '/firms/f1', '/firms/first', '/firms?sort=name&limit=1']) {
      const { headers, body } = await ask('GET', url)
      expect(JSON.stringify([headers, body])).not.toMatch(/vault|melon|grape/)
    }
    expect((await ask('GET', '/firms/count?q=melon')).body).toEqual({ count: 0 })
  })

  test('what is outside and what is not there', async () => {
    const ask = open()
    const outside = await ask('GET', '/v1/firms/f1/notes/n3')
    const absent = await ask('GET', '/v1/firms/f1/notes/n9')
    // The message names the id that the client sent.
    const named = JSON.stringify(absent).replaceAll('n9', 'n3')
    expect(outside).toEqual(JSON.parse(named))
    expect(outside).toEqual(await ask('DELETE', '/v1/firms/f1/notes/n3'))
  })

  test('a cursor that somebody made up', async () => {
    const ask = open()
    const { headers } = await ask('GET', '/v1/firms/f1/notes?sort=name&limit=1')
    const given = /after=([\w-]+)/.exec(headers.link ?? '')?.[1] ?? ''
    const [fingerprint, ...values] = JSON.parse(Buffer.from(given, 'base64url').toString())
    expect(values).toEqual(['a', 'n1'])
    for (const forged of [
      ['', 'n0'],
      ['zz', 'n9'],
      ['b', 'n3'],
      ['c', 'n3'],
    ]) {
      const cursor = Buffer.from(JSON.stringify([fingerprint, ...forged])).toString('base64url')
      const { status, body } = await ask('GET', `/v1/firms/f1/notes?sort=name&after=${cursor}`)
      expect(status).toBe(200)
      for (const note of body as { firm_id: string }[]) expect(note.firm_id).toBe('f1')
      const elsewhere = await ask('GET', `/v1/firms/f2/notes?sort=name&after=${cursor}`)
      expect(verdictOf(elsewhere)).toBe('400 invalid_cursor')
    }
  })

  test('the contract, which anybody may know', async () => {
    const ask = open()
    const nobody = { 'x-who': 'nobody' }
    // biome-ignore format: a row stays a line
    const rows: readonly (readonly [line: Line, verdict: string])[] = [
      [['OPTIONS', '/v1/firms', undefined, nobody],  '200'],
      [['OPTIONS', '*', undefined, nobody],          '200'],
      [['GET', '/v1/nowhere', undefined, nobody],    '404 unknown_resource'],
      [['PATCH', '/v1/firms/first', undefined, nobody], '405 method_not_allowed'],
    ]
    for (const [line, verdict] of rows) expect(verdictOf(await ask(...line))).toBe(verdict)
  })

  test('causes, which stay here', async () => {
    const secret = 'postgres://root:hunter2@db'
    for (const thrown of [
      new Error(secret),
      Object.assign(new Error(secret), { status: 404, code: secret }),
      problem('internal_error', secret, {
        issues: [{ pointer: '', code: secret, message: secret }],
      }),
      problem('unavailable', secret, { cause: secret, allowed: [secret] }),
      secret,
    ]) {
      const registry = defineRegistry(api)
        .context(() => {
          throw thrown
        })
        .onError(() => undefined)
        .adapters({ firms: memoryAdapter(), notes: memoryAdapter() })
      const answer = await handle({ method: 'GET', url: '/firms' }, registry)
      expect(answer.status).toBeGreaterThanOrEqual(500)
      expect(JSON.stringify(answer)).not.toContain('hunter2')
    }
  })
})

import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  handle,
  problem,
} from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { respond } from '../../src/server/respond.ts'
import { endingRegistry } from '../support/ending.ts'
import { bytesOf, exchange } from '../support/socket.ts'
import { generated } from '../support/streams.ts'

const { registry, told, seen } = endingRegistry()
const page = 'https://example.com/v2-to-v3'
const toPage = `<${page}>; rel="deprecation"; type="text/html", <${page}>; rel="sunset"`
const dates = { deprecation: '@1793491200', sunset: 'Mon, 01 Nov 2027 00:00:00 GMT' }
const json = { 'content-type': 'application/json' }

function linkTo(successor: string | undefined): string {
  return successor === undefined ? toPage : `<${successor}>; rel="successor-version", ${toPage}`
}

type Row = readonly [method: string, url: string, answer: number | string, successor?: string]

// biome-ignore format: a row stays a line
const ofVersion: readonly Row[] = [
  ['GET',     '/v2/companies',                        200, '/v3/firms'],
  ['HEAD',    '/v2/companies',                        200, '/v3/firms'],
  ['GET',     '/v2/companies/?sort=name',             200, '/v3/firms'],
  ['GET',     '/v2/companies/7',                      200, '/v3/firms/7'],
  ['GET',     '/v2/companies/a%20b%2f%C3%BC',         200, '/v3/firms/a%20b%2F%C3%BC'],
  ['GET',     '/v2/companies/%66irst',                200, '/v3/firms/first'],
  ['GET',     '/v2/companies/count',                  200, '/v3/firms/count'],
  ['GET',     '/v2/companies/7/staff/3?fields=name',  200, '/v3/firms/7/workers/3'],
  ['GET',     '/v2/companies/7/staff/last',           200],
  ['GET',     '/v2/staff/3',                          200],
  ['GET',     '/v2/faxes',                            200, '/v3/faxes'],
  ['OPTIONS', '/v2/companies/7',                      200, '/v3/firms/7'],
  ['GET',     '/companies/7',                         200, '/v3/firms/7'],
  ['GET',     'http://x.example/v2/companies/7',      200, '/v3/firms/7'],
  ['GET',     '/v2/companies/none',                   'not_found', '/v3/firms/none'],
  ['GET',     '/v2/companies/none/staff',             'parent_not_found', '/v3/firms/none/workers'],
  ['GET',     '/v2/companies/first/staff/3',          'parent_not_found'],
  ['GET',     '/v2/companies/%01',                    'not_found'],
  ['GET',     '/v2/companies?sort=no',                'sort_unknown_field', '/v3/firms'],
  ['POST',    '/v2/companies/7',                      'method_not_allowed', '/v3/firms/7'],
  ['OPTIONS', '/v2/nothing',                          'unknown_resource'],
  ['GET',     '/v2/nothing',                          'unknown_resource'],
  ['GET',     '/v2',                                  200, '/v3'],
  ['OPTIONS', '/v2/',                                 200, '/v3'],
  ['PUT',     '/v2',                                  'method_not_allowed', '/v3'],
  ['GET',     '/v2?q=a',                              'unknown_parameter', '/v3'],
  ['GET',     '/v2//',                                'unknown_resource'],
  ['GET',     '/v2/companies/7/nothing',              'unknown_resource'],
  ['GET',     '/companies/7/nothing',                 'unknown_resource'],
  ['GET',     '/v2/companies/%zz',                    'bad_percent_encoding'],
  ['GET',     '/v2/companies/..',                     'bad_path'],
  ['DELETE',  '/v2/companies/',                       'bad_path'],
  ['GET',     `/v2/companies?q=${'a'.repeat(5000)}`,  'uri_too_long'],
  ['POST',    '/v2/companies',                        'unsupported_media_type', '/v3/firms'],
  ['DELETE',  '/v2/companies/broken',                 'internal_error', '/v3/firms/broken'],
]

describe('a deprecated version is announced', () => {
  for (const [method, url, answer, successor] of ofVersion) {
    test(`by ${answer} of ${method} ${url.slice(0, 60)}`, async () => {
      const { status, headers, body } = await handle({ method, url }, registry)
      if (method !== 'HEAD') expect([status, Object(body).code]).toContain(answer)
      expect(headers).toMatchObject({ ...dates, link: linkTo(successor) })
    })
  }

  test('by a refused caller and a bad body', async () => {
    const of = (request: Partial<HttpRequest>) =>
      handle({ method: 'POST', url: '/v2/companies', ...request }, registry)
    const nobody = await of({ headers: { 'x-who': 'nobody' } })
    expect(nobody).toMatchObject({ status: 401, headers: { ...dates, link: linkTo('/v3/firms') } })
    const wrong = await of({ headers: json, body: { id: '8' } })
    expect(wrong).toMatchObject({ status: 422, headers: { ...dates, link: linkTo('/v3/firms') } })
  })

  test('after the link to the next page', async () => {
    const response = await handle({ method: 'GET', url: '/v2/companies?limit=1' }, registry)
    expect(response.headers.link).toMatch(
      /^<\/v2\/companies\?limit=1&after=[^>]+>; rel="next", <\/v3\/firms>; rel="successor-version"/,
    )
  })

  test('beside Location', async () => {
    const request = { method: 'POST', url: '/v2/companies', headers: json }
    const body = { id: 'new', name: 'New' }
    expect(await handle({ ...request, body }, registry)).toMatchObject({
      status: 201,
      headers: { ...dates, location: '/v2/companies/new', link: linkTo('/v3/firms') },
    })
  })

  test('below the base of its host', async () => {
    const fetch = toFetchHandler(endingRegistry('v3').registry, { base: '/api' })
    const linkOf = async (path: string) =>
      (await fetch(new Request(`http://x.example/api${path}`))).headers.get('link')
    expect(await linkOf('/v2/companies/7')).toBe(linkTo('/api/v3/firms/7'))
    expect(await linkOf('/v2/companies/none')).toBe(linkTo('/api/v3/firms/none'))
    const own =
      '</api/versions>; rel="deprecation"; type="text/html", </api/versions>; rel="sunset"'
    expect(await linkOf('/faxes')).toBe(own)
    expect(await linkOf('/v1/faxes')).toBe(own)
  })

  test('without a link that its own server refuses', async () => {
    const Note = z.object({ id: z.string() })
    const notes = defineResource('notes', { schema: Note, create: Note })
    const longer = '/notes-that-have-a-much-longer-name-in-the-second-version-notes'
    const options = { lifecycle: { v1: { deprecated: '2026-11-01', successor: 'v2' } } } as const
    const api = defineApi({ v1: { '/notes': notes }, v2: { [longer]: notes } }, options)
    const limits = { target: 512 }
    const small = defineRegistry(api, { defaultVersion: false, limits }).adapters({
      notes: memoryAdapter(),
    })
    const of = async (id: string) =>
      (await handle({ method: 'GET', url: `/v1/notes/${id}` }, small)).headers
    expect(await of('a')).toHaveProperty('link', `</v2${longer}/a>; rel="successor-version"`)
    expect(await of('%20'.repeat(150))).not.toHaveProperty('link')
  })

  test('by an item that JSON cannot carry', async () => {
    const Note = z.looseObject({ id: z.string() })
    const notes = defineResource('notes', { schema: Note })
    const options = { lifecycle: { v1: { deprecated: '2026-11-01' } } }
    const api = defineApi({ v1: { '/notes': notes } }, options)
    const odd = defineRegistry(api)
      .onError(() => undefined)
      .adapters({ notes: { read: () => ({ id: 'a', n: 1n }), list: () => [] } })
    const response = await respond({ method: 'GET', url: '/notes/a' }, odd)
    expect(response).toMatchObject({ status: 500, headers: { deprecation: '@1793491200' } })
  })

  test('by a list that streams', async () => {
    const Note = z.object({ id: z.string(), text: z.string() })
    const notes = defineResource('notes', { schema: Note, create: Note })
    const options = { lifecycle: { v1: { deprecated: '2026-11-01' } } }
    const api = defineApi({ v1: { '/notes': notes } }, options)
    const streams = defineRegistry(api).adapters({ notes: generated(3).adapter as never })
    const response = await toFetchHandler(streams)(new Request('http://x.example/v1/notes'))
    expect(response.headers.get('deprecation')).toBe('@1793491200')
    expect(await response.json()).toHaveLength(3)
  })

  test('by the problem of a layer', async () => {
    const busy = () => {
      throw problem('rate_limited')
    }
    const fetch = toFetchHandler(registry, { layers: [busy] })
    const of = async (path: string) => (await fetch(new Request(`http://x.example${path}`))).headers
    expect((await of('/v2/companies')).get('link')).toBe(linkTo('/v3/firms'))
    expect((await of('/openapi.json')).get('deprecation')).toBeNull()
  })

  test('by a Node server, whatever the method', async () => {
    const server = await serve(registry, { port: 0 })
    for (const method of ['BREW', 'GET']) {
      const { answers } = await exchange(server.port, bytesOf([method, '/v2/companies/none']))
      expect(answers).toMatchObject([{ headers: { deprecation: '@1793491200' } }])
    }
    await server.close()
  })
})

// biome-ignore format: a row stays a line
const others: readonly Row[] = [
  ['GET',     '/v3/firms',        200],
  ['GET',     '/v3/firms/none',   'not_found'],
  ['GET',     '/v3/nothing',      'unknown_resource'],
  ['OPTIONS', '/v3/firms',        200],
  ['OPTIONS', '*',                200],
  ['GET',     '/v4/companies',    'unknown_version'],
  ['GET',     '/nothing',         'unknown_resource'],
  ['GET',     '/%zz',             'bad_percent_encoding'],
  ['GET',     'companies',        'bad_path'],
]

describe('nothing else is announced', () => {
  for (const [method, url, answer] of others) {
    test(`by ${answer} of ${method} ${url}`, async () => {
      const { status, headers, body } = await handle({ method, url }, registry)
      expect([status, Object(body).code]).toContain(answer)
      for (const name of ['deprecation', 'sunset', 'link']) expect(headers).not.toHaveProperty(name)
    })
  }
})

describe('a deprecated path is announced by itself', () => {
  const link = '</versions>; rel="deprecation"; type="text/html", </versions>; rel="sunset"'
  for (const url of ['/v3/faxes', '/v3/faxes/1', '/v3/faxes/2', '/v3/faxes/1/pages']) {
    test(`by ${url}`, async () => {
      const { headers } = await handle({ method: 'GET', url }, registry)
      expect(headers).toMatchObject({ deprecation: '@1796126400', link })
      expect(headers).not.toHaveProperty('sunset')
    })
  }
})

describe('a retired version', () => {
  const link = '</versions>; rel="deprecation"; type="text/html", </versions>; rel="sunset"'
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'BREW']) {
    for (const url of ['/v1', '/v1/companies', '/v1/nothing/7/', '/v1/companies?sort=no']) {
      test(`answers ${method} ${url} before all else`, async () => {
        const headers = { 'x-who': 'nobody' }
        const response = await handle({ method, url, headers }, registry)
        expect(response).toMatchObject({ status: 404, headers: { link } })
        expect(response.headers).not.toHaveProperty('deprecation')
        if (method === 'HEAD') return
        expect(response.body).toEqual({
          type: 'https://x.example/retired_version',
          title: 'Retired version',
          status: 404,
          detail: 'Version v1 ended on 2026-06-01: use v2 or v3.',
          code: 'retired_version',
          message: 'Version v1 ended on 2026-06-01: use v2 or v3.',
          supported: ['v2', 'v3'],
          sunset: '2026-05-01',
        })
      })
    }
  }

  test('may say nothing but its name', async () => {
    const notes = defineResource('notes', { schema: z.object({ id: z.string() }) })
    const retired = { v1: {}, v2: { successor: 'v4' } } as const
    const api = defineApi({ v3: { '/notes': notes }, v4: { '/notes': notes } }, { retired })
    const bare = defineRegistry(api, { defaultVersion: 'v3' }).adapters({
      notes: { list: () => [] },
    })
    const of = (url: string) => handle({ method: 'GET', url }, bare)
    expect(await of('/v1/notes')).toMatchObject({
      headers: { 'content-type': 'application/problem+json' },
      body: { detail: 'Version v1 has ended: use v3 or v4.' },
    })
    expect(await of('/v1/notes')).not.toHaveProperty('headers.link')
    expect(await of('/v2/notes')).toMatchObject({
      body: { detail: 'Version v2 has ended: use v4.' },
    })
  })

  test('is answered, not passed to the host', async () => {
    const written = await respond({ method: 'GET', url: '/v1/companies' }, registry)
    expect(written).toMatchObject({ status: 404, isUnknownPath: false })
  })
})

describe('OPTIONS tells of the end', () => {
  test('of a target', async () => {
    const { body } = await handle({ method: 'OPTIONS', url: '/v2/faxes' }, registry)
    expect(body).toMatchObject({
      ...{ version: 'v2', deprecated: '2026-11-01', sunset: '2027-11-01', successor: 'v3' },
      docs: page,
    })
    const own = await handle({ method: 'OPTIONS', url: '/v3/faxes' }, registry)
    expect(own.body).toMatchObject({
      ...{ deprecated: '2026-12-01T12:00:00Z', sunset: null, successor: null, docs: '/versions' },
    })
  })

  test('of the whole api', async () => {
    const { body } = await handle({ method: 'OPTIONS', url: '*' }, registry)
    expect(body).toMatchObject({
      lifecycle: {
        v2: { deprecated: '2026-11-01', sunset: '2027-11-01', successor: 'v3', docs: page },
        'v3/faxes': { deprecated: '2026-12-01T12:00:00Z' },
      },
      retired: { v1: { since: '2026-06-01', sunset: '2026-05-01', docs: '/versions' } },
    })
  })
})

describe('code learns of the end', () => {
  test('in each operation', async () => {
    seen.length = 0
    await handle({ method: 'GET', url: '/v2/companies/7/staff/3?include=company' }, registry)
    await handle({ method: 'GET', url: '/v3/firms' }, registry)
    await handle({ method: 'GET', url: '/v3/faxes' }, registry)
    expect(seen.map(({ path, isDeprecated }) => [path, isDeprecated])).toEqual([
      ['/companies/:company_id/staff', true],
      ['/companies', true],
      ['/firms', false],
      ['/faxes', true],
    ])
  })

  const events: readonly (readonly [method: string, url: string, deprecated: boolean])[] = [
    ['GET', '/v2/companies', true],
    ['OPTIONS', '/v2/companies', true],
    ['GET', '/v2/nothing', true],
    ['GET', '/companies', true],
    ['GET', '/v3/firms', false],
    ['OPTIONS', '/v3/firms', false],
    ['GET', '/v3/faxes/none', true],
    ['GET', '/v1/companies', false],
    ['GET', '/v4', false],
    ['OPTIONS', '*', false],
  ]
  for (const [method, url, deprecated] of events) {
    test(`in the event of ${method} ${url}`, async () => {
      told.length = 0
      await handle({ method, url }, registry)
      expect(told).toMatchObject([{ deprecated }])
    })
  }
})

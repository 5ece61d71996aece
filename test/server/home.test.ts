import { defineApi, defineRegistry, defineResource, handle, type RegistryOptions } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { openApiAt } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { faultOfMethod } from '../../src/server/unknown-method.ts'
import { endingRegistry } from '../support/ending.ts'

const Company = z.object({ id: z.string(), name: z.string() })
const Report = z.object({ id: z.string(), company_id: z.string(), title: z.string() })
const companies = defineResource('companies', { schema: Company, create: Company })
const reports = defineResource('reports', { schema: Report, offers: ['list', 'read'] })
const api = defineApi(
  {
    v1: { '/companies': companies },
    v2: { '/companies': companies, '/companies/:company_id/reports': reports },
  },
  { lifecycle: { v1: { deprecated: '2026-11-01', sunset: '2027-11-01' } } },
)

function registryWith(options: Partial<RegistryOptions<typeof api>> = {}) {
  return defineRegistry(api, { defaultVersion: 'v2', ...options }).adapters({
    companies: memoryAdapter(),
    reports: memoryAdapter(),
  })
}

const registry = registryWith()

const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const v1 = {
  name: 'v1',
  path: '/v1',
  deprecated: '2026-11-01',
  sunset: '2027-11-01',
  resources: [
    {
      name: 'companies',
      path: '/v1/companies',
      item: '/v1/companies/{id}',
      methods: all,
      parents: [],
    },
  ],
}
const v2 = {
  name: 'v2',
  path: '/v2',
  resources: [
    {
      name: 'companies',
      path: '/v2/companies',
      item: '/v2/companies/{id}',
      methods: all,
      parents: [],
    },
    {
      name: 'reports',
      path: '/v2/companies/{company_id}/reports',
      item: '/v2/companies/{company_id}/reports/{id}',
      methods: ['GET', 'HEAD', 'OPTIONS'],
      parents: ['companies'],
    },
  ],
}

async function bodyOf(url: string, layers = [openApiAt('/openapi.json', registry, { info })]) {
  const fetch = toFetchHandler(registry, { layers, base: '/api' })
  return (await fetch(new Request(`http://x.example${url}`))).json()
}

const info = { title: 'Companies', version: '1' }

describe('a home document', () => {
  test('names versions, paths and methods', async () => {
    const response = await handle({ method: 'GET', url: '/' }, registry)
    const headers = { 'content-type': 'application/json' }
    expect(response).toEqual({ status: 200, headers, body: { versions: [v1, v2], documents: {} } })
  })

  test.each(['/v2', '/v2/', '/%762', 'http://x.example/v2'])(
    'of one version is %s',
    async (url) => {
      const { body } = await handle({ method: 'GET', url }, registry)
      expect(body).toEqual({ versions: [v2], documents: {} })
    },
  )

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [method: string, url: string, verdict: number | string])[] = [
    ['HEAD',    '/',            200],
    ['GET',     'http://x',     200],
    ['GET',     '/?&',          200],
    ['OPTIONS', '/?q=a',        200],
    ['OPTIONS', '/v2',          200],
    ['GET',     '/?q=a',        'unknown_parameter'],
    ['GET',     '/v2?a=1?b',    'unknown_parameter'],
    ['GET',     '/?%zz',        'bad_percent_encoding'],
    ['GET',     '/?q=a b',      'bad_path'],
    ['GET',     `/?q=${'a'.repeat(5000)}`, 'uri_too_long'],
    ['POST',    '/',            'method_not_allowed'],
    ['DELETE',  '/v2/',         'method_not_allowed'],
    ['BREW',    '/v2',          'method_not_allowed'],
    ['GET',     '//',           'unknown_resource'],
    ['GET',     '/v2//',        'unknown_resource'],
    ['OPTIONS', '/v2//',        'unknown_resource'],
    ['GET',     '/v3',          'unknown_version'],
    ['GET',     '/V2',          'unknown_resource'],
    ['GET',     '',             'bad_path'],
  ]
  for (const [method, url, verdict] of rows) {
    test(`${method} ${url.slice(0, 20)} is ${verdict}`, async () => {
      const { status, body, headers } = await handle({ method, url }, registry)
      expect(status === 200 ? status : Object(body).code).toBe(verdict)
      const hasAllow = method === 'OPTIONS' && status === 200
      if (hasAllow || status === 405) expect(headers.allow).toBe('GET, HEAD, OPTIONS')
    })
  }

  test('names what OPTIONS tells of each path', async () => {
    const paths = [...v1.resources, ...v2.resources]
    for (const { path, item, methods } of paths) {
      const allowOf = async (template: string) => {
        const url = template.replaceAll(/\{\w+\}/g, '7')
        return (await handle({ method: 'OPTIONS', url }, registry)).headers.allow
      }
      expect(await allowOf(path)).toBe(methods.join(', '))
      expect(await allowOf(item)).toContain('GET')
    }
  })

  test('is described by OPTIONS', async () => {
    const operations = [{ kind: 'home', method: 'GET', parameters: [] }]
    const { body } = await handle({ method: 'OPTIONS', url: '/v2' }, registry)
    expect(body).toEqual({ version: 'v2', target: 'home', operations })
    const { body: old } = await handle({ method: 'OPTIONS', url: '/v1' }, registry)
    expect(old).toMatchObject({ deprecated: '2026-11-01', sunset: '2027-11-01', operations })
    expect(await handle({ method: 'OPTIONS', url: '/' }, registry)).toMatchObject({
      body: { version: null, target: 'home' },
    })
  })

  test('takes no body', async () => {
    const code = async (body: NonNullable<Parameters<typeof handle>[0]['body']>) =>
      Object((await handle({ method: 'GET', url: '/', body }, registry)).body).code
    expect(await code('{}')).toBe('body_not_allowed')
    expect(await code(async () => '{}')).toBe('body_not_allowed')
    expect(await code(async () => '')).toBeUndefined()
  })

  test('asks no context and no middleware', async () => {
    const { registry: guarded, seen } = endingRegistry()
    const headers = { 'x-who': 'nobody' }
    expect(await handle({ method: 'GET', url: '/v3', headers }, guarded)).toMatchObject({
      status: 200,
    })
    expect(seen).toEqual([])
  })

  test('has the prefix of its host, and the documents of its layers', async () => {
    const documents = { openapi: '/api/openapi.json' }
    for (const url of ['/api', '/api/', '/api/v2', '/v2']) {
      expect(await bodyOf(url)).toMatchObject({ documents })
    }
    const { versions } = await bodyOf('/api/v2')
    expect(versions[0].resources[1]).toMatchObject({
      path: '/api/v2/companies/{company_id}/reports',
      item: '/api/v2/companies/{company_id}/reports/{id}',
    })
    expect((await handle({ method: 'GET', url: '/v2' }, registry)).body).toMatchObject({
      versions: [v2],
    })
    const layers = ['/v1.json', '/v2.json'].map((path) => openApiAt(path, registry, { info }))
    expect(await bodyOf('/api', layers)).toMatchObject({ documents: { openapi: '/api/v1.json' } })
    expect(await bodyOf('/api/v2/companies')).toEqual([])
  })

  test('has no page of a retired version', async () => {
    const { registry: ending } = endingRegistry()
    const { status, body } = await handle({ method: 'GET', url: '/v1' }, ending)
    expect([status, Object(body).code]).toEqual([404, 'retired_version'])
  })

  test('names the allowed methods to an unknown one', () => {
    for (const url of ['/', '/v1', '/v2/'])
      expect(faultOfMethod({ method: 'BREW', url }, registry)).toMatchObject({
        code: 'method_not_allowed',
        members: { allow: 'GET, HEAD, OPTIONS' },
      })
  })
})

describe('without home documents', () => {
  const none = registryWith({ home: false })
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'BREW']) {
    test.each(['/', '/v1', '/v2/'])(`${method} %s is 404`, async (url) => {
      const { status, headers } = await handle({ method, url }, none)
      expect(status).toBe(404)
      expect(headers.link).toBeUndefined()
    })
  }

  test('a browser has the start page alone', async () => {
    const fetch = toFetchHandler(none, { layers: [explorer(none)] })
    const page = async (url: string) =>
      fetch(new Request(`http://x.example${url}`, { headers: { accept: 'text/html' } }))
    const start = await page('/')
    expect(start.status).toBe(200)
    expect(await start.text()).toContain('<h2 id="version-v2"><span>v2</span></h2>')
    expect((await page('/v2')).status).toBe(404)
  })
})

import type { Layer } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { openApiAt } from 'nounful/openapi'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { companiesRegistry } from '../support/companies.ts'
import { endingRegistry } from '../support/ending.ts'

const { registry } = endingRegistry('v3')

beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 9, 1) }))
afterAll(() => void vi.useRealTimers())

/** Returns the page of a path, and the text of its banner, if there is one. */
async function show(path: string, layers: readonly Layer[] = []) {
  const fetch = toFetchHandler(registry, { base: '/api', layers: [explorer(registry), ...layers] })
  const request = new Request(`http://x.example/api${path}`, { headers: { accept: 'text/html' } })
  const response = await fetch(request)
  const page = await response.text()
  const [banner] = /<aside class="ending".*?<\/aside>/s.exec(page) ?? []
  return { response, page, banner, text: banner?.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ') }
}

function withHeaders(headers: Readonly<Record<string, string>>): Layer {
  return async (request, answer) => {
    const response = await answer(request)
    return { ...response, headers: { ...response.headers, ...headers } }
  }
}

describe('the banner of a deprecated path', () => {
  const dates = 'This path is deprecated from 2026-11-01 on, and may be gone from 2027-11-01 on.'
  const docs = 'Read about the end.'
  const rows: readonly (readonly [path: string, text: string | undefined])[] = [
    ['/v2/companies', `${dates} /api/v3/firms takes its place. ${docs}`],
    ['/v2/companies/7?fields=name', `${dates} /api/v3/firms/7 takes its place. ${docs}`],
    ['/v2/companies/count', `${dates} /api/v3/firms/count takes its place. ${docs}`],
    ['/v2/companies/none', `${dates} /api/v3/firms/none takes its place. ${docs}`],
    ['/v2/companies?sort=no', `${dates} /api/v3/firms takes its place. ${docs}`],
    ['/v2/staff', `${dates} ${docs}`],
    ['/v2', `${dates} /api/v3 takes its place. ${docs}`],
    ['/v3', undefined],
    ['/v2/nothing', `${dates} ${docs}`],
    ['/v3/faxes', `This path is deprecated from 2026-12-01 on. ${docs}`],
    ['/v1/companies', docs],
    ['/v3/firms', undefined],
    ['/v4/firms', undefined],
    ['/', undefined],
  ]
  for (const [path, text] of rows) {
    test(`says of ${path}: ${text ?? 'nothing'}`, async () => {
      expect((await show(path)).text?.trim()).toBe(text)
    })
  }

  test('says since when, once a day has come', async () => {
    const days = [
      Date.UTC(2026, 9, 31),
      Date.UTC(2026, 10, 1),
      Date.UTC(2027, 9, 31),
      Date.UTC(2027, 10, 1),
    ]
    const texts = []
    for (const day of days) {
      vi.setSystemTime(day)
      texts.push((await show('/v2/staff')).text?.trim().replace(` ${docs}`, ''))
    }
    vi.setSystemTime(Date.UTC(2026, 9, 1))
    const since = 'This path is deprecated since 2026-11-01, and may be gone'
    expect(texts).toEqual([
      dates,
      `${since} from 2027-11-01 on.`,
      `${since} from 2027-11-01 on.`,
      `${since} since 2027-11-01.`,
    ])
  })

  test('links, names itself and carries the headers', async () => {
    const { banner = '', response } = await show('/v2/companies/7')
    expect(banner).toContain('<aside class="ending" aria-label="Deprecation">')
    expect(banner).toContain('<a href="/api/v3/firms/7" rel="successor-version">')
    expect(banner).toContain('<a href="https://example.com/v2-to-v3">')
    expect(banner).toContain('<time datetime="2026-11-01T00:00:00.000Z">')
    expect(response.headers.get('deprecation')).toBe('@1793491200')
    expect((await show('/v1/x')).banner).toContain('<a href="/api/versions">')
  })

  test('links to no place that a layer makes up', async () => {
    const link =
      '<//evil.example/a>; rel="successor-version", <javascript:alert(1)>; rel="deprecation"'
    const { text } = await show('/v2/companies', [withHeaders({ link })])
    expect(text?.trim()).toBe(dates)
    const none = await show('/v1/companies', [withHeaders({ link })])
    expect(none.banner).toBeUndefined()
  })

  test('shows a moment beyond the calendar as sent', async () => {
    const { text } = await show('/v2/staff', [withHeaders({ deprecation: '@999999999999999' })])
    expect(text).toContain('from @999999999999999 on')
  })
})

test('the start page marks a deprecated version', async () => {
  const { page } = await show('/')
  expect(page).toContain(
    '<h2 id="version-v2"><a href="/api/v2">v2</a> <small>until 2027-11-01</small></h2>',
  )
  expect(page).toContain('<h2 id="version-v3"><a href="/api/v3">v3</a></h2>')
})

test('the page of a version lists its collections alone', async () => {
  const { page, response } = await show('/v2')
  expect(response.status).toBe(200)
  expect(response.headers.get('deprecation')).toBe('@1793491200')
  expect(page).toContain('<title>v2 · API</title>')
  expect(page).toContain('<li><a href="/api/v2" aria-current="page">v2</a></li>')
  expect(page).toContain('href="/api/v2/companies"')
  expect(page).not.toContain('href="/api/v3/firms"')
})

test('the start page and the rail link the documents of the layers', async () => {
  const openapi = openApiAt('/openapi.json', registry, { info: { title: 'API', version: '1' } })
  const link = '<li><a href="/api/openapi.json">openapi.json</a></li>'
  for (const path of ['/', '/v3', '/v3/firms', '/v3/firms/none'])
    expect((await show(path, [openapi])).page).toContain(link)
  expect((await show('/v3/firms')).page).not.toContain('>Documents<')
  const foreign: Layer = async (request, answer) => {
    const response = await answer(request)
    const documents = { openapi: 'javascript:alert(1)' }
    return request.url === '/' ? { ...response, body: { documents } } : response
  }
  for (const path of ['/', '/v3/firms'])
    expect((await show(path, [foreign])).page).not.toContain('alert')
})

test('a page of another layer stays as it is', async () => {
  const headers = { 'content-type': 'text/html' }
  const layer: Layer = () => ({ status: 200, headers, body: '<p>Welcome' })
  for (const path of ['/', '/v3']) expect((await show(path, [layer])).page).toBe('<p>Welcome')
})

test('an api without an end has no banner', async () => {
  const companies = companiesRegistry()
  const fetch = toFetchHandler(companies, { layers: [explorer(companies)] })
  const request = new Request('http://x.example/v1/employees', { headers: { accept: 'text/html' } })
  expect(await (await fetch(request)).text()).not.toMatch(/ending|deprecat/i)
})

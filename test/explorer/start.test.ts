import { defineApi, defineRegistry, defineResource, problem } from 'nounful'
import { type ExplorerOptions, explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const schema = z.object({ id: z.string(), name: z.string(), rank: z.number().optional() })
const options = { schema, searchable: ['name'], sortable: ['rank', 'name'] } as const
const firms = defineResource('firms', { ...options, restricted: ['rank'] })
const teams = defineResource('teams', { schema: schema.extend({ firm_id: z.string() }) })
const seats = defineResource('seats', { schema: schema.extend({ team_id: z.string() }) })
const logs = defineResource('logs', { schema: z.object({ id: z.string() }) })
const rooms = defineResource('rooms', { schema: z.object({ id: z.string(), log_id: z.string() }) })
const paths = { '/firms': firms, '/firms/:firm_id/teams': teams }
const api = defineApi(
  {
    v1: paths,
    v2: {
      ...paths,
      '/firms/:firm_id/teams/:team_id/seats': seats,
      '/logs': logs,
      '/logs/:log_id/rooms': rooms,
    },
  },
  { lifecycle: { v1: { deprecated: '2026-01-01', sunset: '2099-01-01', successor: 'v2' } } },
)
const names = ['Acme', '<b>', 'A name of more than thirty characters', '', 'Five', 'Six']

async function pageOf(path: string, explorerOptions: ExplorerOptions = {}, stranger = '') {
  const lists: string[] = []
  const registry = defineRegistry(api, { defaultVersion: false })
    .context(({ headers }) => {
      if (headers?.['x-stranger']) throw problem('unauthenticated')
      return {}
    })
    .reveal(() => ({}))
    .adapters({
      firms: memoryAdapter({
        items: names.map((name, place) => ({ id: `f/${place}`, name, rank: place })),
      }),
      teams: memoryAdapter(),
      seats: memoryAdapter(),
      logs: memoryAdapter({ items: [{ id: 'l' }] }),
      rooms: memoryAdapter(),
    })
  const watch = (request: { url: string }, answer: (request: never) => unknown) => {
    lists.push(request.url)
    return answer(request as never)
  }
  const layers = [explorer(registry, explorerOptions), watch as never]
  const fetch = toFetchHandler(registry, { base: '/in', layers })
  const headers = { accept: 'text/html', host: 'api.example', 'x-stranger': stranger }
  const page = await (await fetch(new Request(`https://h/in${path}`, { headers }))).text()
  return { page, lists: lists.filter((url) => url.includes('?')) }
}

/** The card of a resource at a path, without its methods. */
const cardIn = (page: string, path: string): string =>
  page.split('<li class="card">').find((card) => card.includes(`<code class="path">${path}<`)) ?? ''
const picksIn = (card: string): readonly string[] =>
  [...card.matchAll(/<li><a href="([^"]*)"><bdi>(.*?)<\/bdi>/g)].map(
    ([, url, name]) => `${name} ${url}`,
  )

describe('the start page', () => {
  test('begins with the title and the description', async () => {
    const { page } = await pageOf('/', { title: 'Firms', description: ' Who <b>.\n\nMore. ' })
    expect(page).toContain('<h1>Firms</h1>')
    expect(page).toContain('<p class="lead about">Who &lt;b&gt;.\n\nMore.</p>')
    expect((await pageOf('/')).page).not.toContain('about')
    expect((await pageOf('/v2', { description: 'X' })).page).toContain('about">X</p>')
  })

  test.each([[7], [null]])('needs a text as description, not %j', (description) => {
    const options = { description } as never
    expect(() => explorer({ bindings: {} } as never, options)).toThrow(
      '"description" of the explorer is',
    )
  })

  test('has a version that ends after the others', async () => {
    const versionsOf = (page: string) =>
      [...page.matchAll(/<h2 id="version-(\w+)"/g)].map(([, version]) => version)
    expect(versionsOf((await pageOf('/')).page)).toEqual(['v2', 'v1'])
    expect(versionsOf((await pageOf('/v1')).page)).toEqual(['v1'])
  })

  test('offers parents to pick, by name or id', async () => {
    const { page, lists } = await pageOf('/v2')
    const card = cardIn(page, '/v2/firms/:firm_id/teams')
    expect(card).toContain('<p>Pick one of <a href="/in/v2/firms">firms</a>:</p>')
    expect(card).toContain('<ul class="ends picks" aria-label="teams of">')
    expect(picksIn(card)).toEqual([
      'Acme /in/v2/firms/f%2F0/teams',
      '&lt;b&gt; /in/v2/firms/f%2F1/teams',
      'A name of more than thirty c… /in/v2/firms/f%2F2/teams',
      'f/3 /in/v2/firms/f%2F3/teams',
      'Five /in/v2/firms/f%2F4/teams',
    ])
    expect(picksIn(cardIn(page, '/v2/logs/:log_id/rooms'))).toEqual(['l /in/v2/logs/l/rooms'])
    expect(lists).toEqual(['/v2/firms?limit=5&fields=name', '/v2/logs?limit=5'])
  })

  test('leads to deeper collections step by step', async () => {
    const card = cardIn((await pageOf('/v2')).page, '/v2/firms/:firm_id/teams/:team_id/seats')
    expect(card).toContain('>firms</a>, then one of teams:</p>')
    expect(picksIn(card)[0]).toBe('Acme /in/v2/firms/f%2F0/teams')
  })

  test('has no parents for a stranger', async () => {
    const { page } = await pageOf('/', {}, '1')
    expect(cardIn(page, '/v2/firms/:firm_id/teams')).toContain('Pick one of')
    expect(page).not.toContain('picks')
  })

  test('links the reference of each resource with a path of its own', async () => {
    const { page } = await pageOf('/v2')
    expect([...page.matchAll(/<a href="([^"]*)">Reference</g)].map(([, url]) => url)).toEqual([
      '/in/v2/firms#more',
      '/in/v2/logs#more',
    ])
  })

  // The restricted field is not in the order, and the first version is deprecated.
  test.each([
    ['/', 'v2'],
    ['/v1', 'v1'],
  ])('%s has a request to try: of %s', async (path, version) => {
    const { page } = await pageOf(path)
    const [, example = ''] = /aria-labelledby="example">(.*?)<\/section>/s.exec(page) ?? []
    const url = `/in/${version}/firms?sort=name&amp;limit=2`
    expect(example).toContain(`<a href="${url}">${url}</a>`)
    expect(example).toContain(
      `data-origin="https://api.example">curl &#39;https://api.example${url}&#39;</code>`,
    )
    expect(example).toContain(`await client.${version}.firms.list({`)
    expect(page).toContain('<li><a href="#example">Typed client</a></li>')
  })

  test('a page without a path has neither', async () => {
    const { page } = await pageOf('/v2/nothing', { description: 'Who' })
    expect(page).not.toMatch(/id="example"|lead about|picks/)
    expect(page).toContain('class="cards"')
  })
})

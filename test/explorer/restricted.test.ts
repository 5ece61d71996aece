import { defineApi, defineRegistry, defineResource } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Worker = z.object({
  id: z.string(),
  name: z.string(),
  salary: z.number().optional(),
  boss_id: z.string().nullish(),
  cat_id: z.string().optional(),
  home: z.object({ city: z.string() }).optional(),
  tags: z.array(z.string()).optional(),
})
const cats = defineResource('cats', {
  ...{ schema: z.object({ id: z.string(), name: z.string().optional() }), restricted: ['name'] },
  ...{ sortable: ['name'], without: ['create', 'update', 'updateMany'] },
})
const workers = defineResource('workers', {
  schema: Worker,
  create: Worker.omit({ id: true }),
  restricted: ['salary', 'boss_id', 'home', 'tags'],
  sortable: ['name', 'salary'],
  searchable: ['name'],
  filterable: ['salary', 'boss_id', 'home.city', 'tags'],
  references: { boss_id: 'workers', cat_id: 'cats' },
})
const items = [
  { id: 'a', name: 'Ann', salary: 77_123, boss_id: 'hidden-boss' },
  { id: 'hidden-boss', name: 'Ben', salary: 77_124 },
]

function service() {
  const registry = defineRegistry(defineApi({ v1: { '/workers': workers, '/cats': cats } }))
    .context(({ headers }) => ({ isHr: headers?.authorization === 'hr' }))
    .reveal(({ isHr }) => (isHr ? { workers: ['salary', 'boss_id', 'home', 'tags'] } : {}))
    .adapters({ workers: memoryAdapter({ items }), cats: memoryAdapter() })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  return async (path: string, init: RequestInit = {}) => {
    const headers = { accept: 'text/html', ...Object(init.headers) }
    const response = await fetch(new Request(`https://h/v1/workers${path}`, { ...init, headers }))
    return { status: response.status, text: await response.text() }
  }
}

function formIn(page: string, kind: string): string {
  return new RegExp(`<form data-kind="${kind}".*?</form>`, 's').exec(page)?.[0] ?? ''
}

test('no page shows a hidden value', async () => {
  const ask = service()
  for (const path of ['', '?limit=1', '/a', '/first', '/last', '/count', '?q=ann']) {
    const page = await ask(path)
    expect(page.status).toBe(200)
    expect(page.text).not.toMatch(/7712|>hidden-boss<.*boss_id|boss_id&quot;: &quot;/)
  }
  expect((await ask('/a')).text).not.toContain('hidden-boss')
  expect((await ask('/a', { headers: { authorization: 'hr' } })).text).toContain('77123')
})

test.each(['?sort=salary', '?salary=77123', '?include=boss&limit=1', '/a?fields=salary'])(
  'the page of a hidden parameter is a problem: %s',
  async (path) => {
    const page = await service()(path)
    expect(page.status).toBe(400)
    expect(page.text).not.toContain('hidden-boss')
  },
)

test('a form sends no hidden field unless the client fills it', async () => {
  const ask = service()
  const page = await ask('/a')
  const filled = [
    ...formIn(page.text, 'patch').matchAll(/data-name="(\w+)"[^>]*data-initial="(.+?)"/g),
  ]
  expect(filled.map(([, name]) => name)).toEqual(['name'])
  const [, json = ''] = /<textarea[^>]*>([^<]*)</.exec(formIn(page.text, 'update')) ?? []
  const body = json.replaceAll('&quot;', '"')
  expect(JSON.parse(body)).toEqual({ name: 'Ann' })
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const put = await ask('/a', { method: 'PUT', headers, body })
  expect([put.status, put.text]).toEqual([200, '{"id":"a","name":"Ann"}'])
  const hr = await ask('/a', { headers: { accept: 'application/json', authorization: 'hr' } })
  expect(JSON.parse(hr.text)).toEqual(items[0])
})

test('a bulk form sends no hidden field', async () => {
  const page = await service()('')
  for (const kind of ['updateMany', 'patchMany'])
    expect(formIn(page.text, kind)).not.toMatch(/salary|boss_id/)
})

type Counted = readonly [path: string, caller: string, columns: number, inputs: number]
// biome-ignore format: a row stays a line
const pages: readonly Counted[] = [
  ['',       'anybody', 0, 0],
  ['',       'hr',      2, 2],
  ['?q=zzz', 'anybody', 0, 0],
  ['/a',     'anybody', 0, 0],
  ['/a',     'hr',      0, 2],
]
test.each(pages)(
  'a page %s for %s has its fields alone',
  async (path, authorization, ...counts) => {
    const { status, text } = await service()(path, { headers: { authorization } })
    const columns = text.match(/<th scope="col"[^>]*>.*?(?:salary|boss_id)/g) ?? []
    const form = formIn(text, path === '/a' ? 'patch' : 'create')
    const inputs = form.match(/data-name="(?:salary|boss_id)"/g) ?? []
    expect([status, columns.length, inputs.length]).toEqual([200, ...counts])
    if (authorization === 'anybody') expect(text).not.toMatch(/name="(?:salary|boss_id|home|tags)/)
    else if (path === '') expect(text).toMatch(/name="home.city.*name="tags:has/s)
  },
)

test('a column has no order by a field of which the caller may not know', async () => {
  const { text } = await service()('', { headers: { authorization: 'hr' } })
  expect(text).toContain('sort=boss.name')
  expect(text).toMatch(/<th scope="col"><bdi>cat_id/)
})

test('no form of filters names a restricted field, or one of a related item', async () => {
  const ask = service()
  for (const path of ['', '/count']) {
    expect((await ask(path)).text).not.toMatch(/name="(?:salary|boss_id|home|tags)/)
    const { text } = await ask(path, { headers: { authorization: 'hr' } })
    expect(text).toMatch(/name="salary:gte"/)
    expect(text).not.toMatch(/name="boss\./)
  }
})

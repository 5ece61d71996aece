import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  type HttpResponse,
  handle,
  type Registry,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { writeSnippets } from './snippets.ts'

interface Example extends Record<string, unknown> {
  readonly registry: Registry
}

const files = new Map(
  ['docs/guide.md', 'docs/middleware.md', 'docs/layers.md', 'docs/adapters.md'].flatMap(
    (document) =>
      writeSnippets(document, 'run').map(({ name, path }) => [`${document} ${name}`, path]),
  ),
)

async function load(name: string): Promise<Example> {
  return import(/* @vite-ignore */ String(files.get(name)))
}

function asking({
  registry,
}: Example): (method: string, url: string, more?: Partial<HttpRequest>) => Promise<HttpResponse> {
  const headers = { 'content-type': 'application/json' }
  return async (method, url, more) => handle({ method, url, headers, ...more }, registry)
}

describe('guide', () => {
  test('a resource in ten lines answers', async () => {
    const ask = asking(await load('docs/guide.md notes.ts'))
    const created = await ask('POST', '/v1/notes', { body: { text: 'milk' } })
    expect(created.status).toBe(201)
    expect((await ask('GET', String(created.headers.location))).body).toMatchObject({
      text: 'milk',
    })
    expect((await ask('GET', '/notes/count?q=MILK')).body).toEqual({ count: 1 })
    expect((await ask('POST', '/v1/notes', { body: { text: '' } })).status).toBe(422)
  })

  test('a nested resource keeps to its owner', async () => {
    const ask = asking(await load('docs/guide.md nested.ts'))
    const company = await ask('POST', '/v1/companies', { body: { name: 'Acme' } })
    const url = `${company.headers.location}/customers`
    expect((await ask('POST', url, { body: { name: 'Kay' } })).status).toBe(201)
    expect((await ask('GET', `${url}/count`)).body).toEqual({ count: 1 })
    expect((await ask('GET', '/v1/companies/nope/customers')).status).toBe(404)
  })

  test('a reference is checked and included', async () => {
    const ask = asking(await load('docs/guide.md references.ts'))
    const { body: owner } = await ask('POST', '/v1/users', { body: { name: 'Ann' } })
    const { id: owner_id } = owner as { readonly id: string }
    const task = { title: 'rest', owner_id }
    expect((await ask('POST', '/v1/tasks', { body: task })).status).toBe(201)
    const list = await ask('GET', '/v1/tasks?include=owner&limit=20')
    expect(list.body).toMatchObject([{ ...task, owner }])
    const unknown = await ask('POST', '/v1/tasks', { body: { ...task, owner_id: 'nope' } })
    const issues = [{ pointer: '/owner_id', code: 'reference_not_found' }]
    expect(unknown).toMatchObject({ status: 422, body: { issues } })
  })

  test('an item moves from state to state', async () => {
    const ask = asking(await load('docs/guide.md states.ts'))
    const { body: article } = await ask('POST', '/v1/articles', { body: { title: 'rest' } })
    const { id, status } = article as { readonly id: string; readonly status: string }
    expect(status).toBe('draft')
    const refused = await ask('PATCH', `/v1/articles/${id}`, { body: { status: 'archived' } })
    expect(refused).toMatchObject({
      status: 409,
      body: {
        issues: [{ message: 'must stay as it is, or become published', allowed: ['published'] }],
      },
    })
    const moved = await ask('PATCH', `/v1/articles/${id}`, { body: { status: 'published' } })
    expect(moved).toMatchObject({ status: 200, body: { status: 'published' } })
  })

  test('an adapter of a Map does everything it has', async () => {
    const ask = asking(await load('docs/guide.md adapter.ts'))
    const { body, headers } = await ask('POST', '/v1/tasks', { body: { title: 'rest' } })
    const url = String(headers.location)
    expect(body).toMatchObject({ title: 'rest', done: false })
    expect((await ask('PUT', url, { body: { title: 'work' } })).body).toMatchObject({
      title: 'work',
    })
    expect((await ask('GET', '/v1/tasks/first?q=work')).status).toBe(200)
    const undone = await ask('GET', '/v1/tasks?done=false&limit=1&offset=0&fields=title', {
      headers: { prefer: 'count=exact' },
    })
    expect(undone.body).toEqual([{ id: expect.any(String), title: 'work' }])
    expect(undone.headers['x-total-count']).toBe('1')
    expect((await ask('GET', '/v1/tasks/count?done=true')).body).toEqual({ count: 0 })
    expect((await ask('DELETE', '/v1/tasks')).headers.allow).toBe('GET, HEAD, POST, OPTIONS')
    expect((await ask('DELETE', url)).status).toBe(200)
    expect((await ask('DELETE', url)).status).toBe(404)
  })
})

describe('middleware', () => {
  test('authorization lets writers write', async () => {
    const ask = asking(await load('docs/middleware.md authorization.ts'))
    const as = (name: string): Partial<HttpRequest> => ({
      headers: { authorization: `Bearer ${name}`, 'content-type': 'application/json' },
      body: { text: 'x' },
    })
    expect((await ask('GET', '/v1/notes')).status).toBe(401)
    expect((await ask('POST', '/v1/notes', as('bob'))).status).toBe(403)
    expect((await ask('POST', '/v1/notes', as('ann'))).status).toBe(201)
  })

  test('logging writes a line an operation', async () => {
    const example = await load('docs/middleware.md logging.ts')
    const ask = asking(example)
    await ask('GET', '/v1/notes')
    await ask('GET', '/v1/notes/nope')
    expect(example.lines).toEqual(['list v1/notes done', 'read v1/notes not_found'])
  })

  test('caching answers again until something is written', async () => {
    const example = await load('docs/middleware.md caching.ts')
    const ask = asking(example)
    expect((await ask('GET', '/v1/notes/count')).body).toEqual({ count: 0 })
    expect((example.cache as Map<string, unknown>).size).toBe(1)
    expect((await ask('GET', '/v1/notes/count')).body).toEqual({ count: 0 })
    await ask('POST', '/v1/notes', { body: { text: 'x' } })
    expect((await ask('GET', '/v1/notes/count')).body).toEqual({ count: 1 })
    expect((await ask('GET', '/v1/notes?nope=1')).status).toBe(400)
  })

  test('rate limiting refuses the hundred and first', async () => {
    const ask = asking(await load('docs/middleware.md rate-limiting.ts'))
    for (let times = 0; times < 100; times++)
      expect((await ask('GET', '/v1/notes')).status).toBe(200)
    const refused = await ask('GET', '/v1/notes')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
  })
})

describe('layers', () => {
  test('a preflight is told what it may do', async () => {
    const { default: worker } = await load('docs/layers.md service.ts')
    const { fetch } = worker as { fetch(request: Request): Promise<Response> }
    const asked = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
    const { headers } = await fetch(
      new Request('http://x/v1/notes', { method: 'OPTIONS', headers: asked }),
    )
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(headers.get('access-control-allow-methods')).toBe(headers.get('allow'))
    const healthy = await fetch(new Request('http://x/health', { headers: asked }))
    expect([healthy.status, await healthy.json()]).toEqual([200, { status: 'ok' }])
    expect(healthy.headers.get('access-control-expose-headers')).toContain('X-Total-Count')
  })
})

describe('adapters', () => {
  test('a log of a million lines has pages and ends', async () => {
    const ask = asking(await load('docs/adapters.md log.ts'))
    const page = await ask('GET', '/v1/lines?limit=1')
    expect(page.body).toEqual([{ id: 1, text: 'line 1' }])
    const next = /<(.*)>/.exec(page.headers.link ?? '')?.[1] ?? ''
    expect((await ask('GET', next)).body).toEqual([{ id: 2, text: 'line 2' }])
    expect((await ask('GET', '/v1/lines/last')).body).toMatchObject({ id: 1_000_000 })
    expect((await ask('GET', '/v1/lines/count')).body).toEqual({ count: 1_000_000 })
    expect((await ask('GET', '/v1/lines/count?id:ne=7')).body).toEqual({ count: 999_999 })
    const asked = await ask('GET', '/v1/lines?id=7&id=9&sort=-id&limit=5&fields=id')
    expect(asked.body).toEqual([{ id: 9 }, { id: 7 }])
  })

  test('books serve filters, ids, totals and pages', async () => {
    const ask = asking(await load('docs/adapters.md books.ts'))
    const ids: string[] = []
    for (const title of ['Emma', 'Persuasion', 'Lady Susan']) {
      const book = { title, isbn: `979-${ids.length}` }
      const { headers } = await ask('POST', '/v1/books', { body: book })
      ids.push(String(headers.location).slice('/v1/books/'.length))
    }
    const titles = async (query: string): Promise<unknown> => {
      const { body } = await ask('GET', `/v1/books?sort=title&${query}`)
      return (body as readonly { readonly title: string }[]).map(({ title }) => title)
    }
    expect(await titles('isbn=979-0&isbn=979-1&isbn=979-2&title:ne=Emma')).toEqual([
      'Lady Susan',
      'Persuasion',
    ])
    expect(await titles(`id=${ids[0]}&id=${ids[2]}`)).toEqual(['Emma', 'Lady Susan'])
    expect(await titles('title:gt=Emma&title:contains=SUA')).toEqual(['Persuasion'])
    expect(await titles('limit=1&offset=1')).toEqual(['Lady Susan'])
    const headers = { prefer: 'count=exact' }
    const page = await ask('GET', '/v1/books?title:gt=F&limit=1', { headers })
    expect(page.headers['x-total-count']).toBe('2')
  })

  test('conditions are those that a query gives', async () => {
    const { where } = await load('docs/adapters.md where.ts')
    const schema = z.object({ id: z.string(), status: z.string(), due: z.iso.date() })
    const tickets = defineResource('tickets', {
      schema,
      sortable: ['due'],
      filterable: ['status', 'due'],
    })
    let given: unknown
    const registry = defineRegistry(defineApi({ v1: { '/tickets': tickets } })).adapters({
      tickets: {
        list: ({ query }) => {
          given = query.where
          return []
        },
      },
    })
    const url = '/v1/tickets?status=new&status=open&due:lt=2026-03-01'
    expect((await handle({ method: 'GET', url }, registry)).status).toBe(200)
    expect(given).toEqual(where)
  })

  test('books refuse an ISBN that is taken', async () => {
    const ask = asking(await load('docs/adapters.md books.ts'))
    const book = { title: 'Emma', isbn: '978-0' }
    expect((await ask('POST', '/v1/books', { body: book })).status).toBe(201)
    expect((await ask('POST', '/v1/books', { body: book })).body).toMatchObject({
      code: 'conflict',
      detail: 'isbn: another book has this ISBN',
    })
  })
})

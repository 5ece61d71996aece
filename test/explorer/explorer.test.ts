import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { type HttpResponse, type Layer, problem } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { toNodeListener } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { documentAt } from '../../src/wire/document.ts'
import { companiesRegistry } from '../support/companies.ts'
import { type Loose, mapOf, notesWith } from '../support/registry.ts'

const loose = z.looseObject({ id: z.string() })
const html = { accept: 'text/html,*/*;q=0.8' }

/** Asks the small service through the explorer. */
function ask(
  path: string,
  init: RequestInit & { readonly layers?: readonly Layer[]; readonly base?: string } = {},
): Promise<Response> {
  const registry = companiesRegistry()
  const { layers = [], base = '', ...rest } = init
  const fetch = toFetchHandler(registry, { base, layers: [explorer(registry), ...layers] })
  return Promise.resolve(
    fetch(new Request(`https://host.example${path}`, { headers: html, ...rest })),
  )
}

async function page(path: string, init: Parameters<typeof ask>[1] = {}): Promise<string> {
  return (await ask(path, init)).text()
}

describe('negotiation', () => {
  const rows: readonly (readonly [path: string, status: number])[] = [
    ['/v1/employees', 200],
    ['/employees/', 200],
    ['/v1/employees/e-ada', 200],
    ['/v1/employees/first', 200],
    ['/v1/employees/count?q=ada', 200],
    ['/v1/companies/c-acme/employees', 200],
    ['/v1/employees/nobody', 404],
    ['/v1/companies/nobody/employees', 404],
    ['/v1/employees?sort=nme', 400],
    ['/v1/employees/%zz', 400],
    ['/v1/employers', 404],
    ['/v7/employees', 404],
    ['/v1', 200],
  ]
  test.each(rows)('%s is a page and JSON of %i', async (path, status) => {
    const shown = await ask(path)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([
      status,
      'text/html; charset=utf-8',
    ])
    expect(shown.headers.get('vary')).toBe('Accept')
    expect(await shown.text()).toMatch(/^<!doctype html>/)
    const plain = await ask(path, { headers: { accept: '*/*' } })
    expect([plain.status, plain.headers.get('vary')]).toEqual([status, 'Accept'])
    expect(plain.headers.get('content-type')).toMatch(/^application\/(?:problem\+)?json$/)
  })

  test('JSON is as it was', async () => {
    const registry = companiesRegistry()
    const init = { headers: { accept: 'application/json' } }
    const request = () => new Request('https://host.example/v1/employees', init)
    const [plain, layered] = await Promise.all(
      [[], [explorer(registry)]].map((layers) => toFetchHandler(registry, { layers })(request())),
    )
    expect(await layered?.text()).toBe(await plain?.text())
  })

  test('what other layers vary by is kept', async () => {
    const varied: Layer = async (request, answer) => {
      const response = await answer(request)
      return { ...response, headers: { ...response.headers, vary: 'origin' } }
    }
    const response = await ask('/v1/employees', { headers: {}, layers: [varied] })
    expect(response.headers.get('vary')).toBe('origin, Accept')
  })

  test('writes are left alone', async () => {
    const headers = { ...html, 'content-type': 'application/json' }
    const response = await ask('/v1/companies', { method: 'POST', body: '{"name":"New"}', headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([
      201,
      'application/json',
    ])
    expect((await ask('/v1/companies', { method: 'OPTIONS' })).headers.get('allow')).toContain(
      'GET',
    )
  })

  test('HEAD has the head of the page', async () => {
    const head = await ask('/v1/employees', { method: 'HEAD' })
    const text = await page('/v1/employees')
    expect(head.headers.get('content-length')).toBe(`${new TextEncoder().encode(text).length}`)
    expect(await head.text()).toBe('')
  })
})

describe('pages', () => {
  test('forbid what is not their own', async () => {
    const { headers } = await ask('/v1/employees')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*|data:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('begin with what there is', async () => {
    const response = await ask('/')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('/v1/companies/:company_id/employees')
    expect((await ask('/', { headers: {} })).headers.get('vary')).toBe('Accept')
  })

  test('stay below the prefix of a host', async () => {
    const text = await page('/api/v1/companies/c-acme/employees?limit=1', { base: '/api' })
    const links = [...text.matchAll(/(?:href|src|action|data-url|data-list|data-count)="([^"]*)"/g)]
    const outside = links.map(([, url = '']) => url).filter((url) => !/^(?:\/api\/|#)/.test(url))
    expect(links.length).toBeGreaterThan(10)
    expect(outside).toEqual([])
    expect(text).toContain('GET /api/v1/companies/c-acme/employees?limit=1')
  })

  test('link their id, owner and ends', async () => {
    const text = await page('/v1/employees')
    for (const path of ['/v1/employees/e-ada', '/v1/companies/c-acme', '/v1/employees/first'])
      expect(text).toContain(`href="${path}"`)
  })

  test('keep what answers say beside their body', async () => {
    const { registry } = notesWith(mapOf(), {
      context: () => {
        throw problem('unauthenticated', 'Who are you?', { challenge: 'Basic realm="x"' })
      },
    })
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const response = await fetch(new Request('https://h/v1/notes', { headers: html }))
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="x"',
    ])
  })
})

describe('lists', () => {
  const many = Array.from({ length: 1200 }, (_, place) => ({ id: `n${place}`, text: `t${place}` }))

  async function limits(search: string, declaration: object = {}): Promise<readonly unknown[]> {
    const asked: unknown[] = []
    const adapter: Loose = {
      list: ({ query }) => {
        asked.push(query.limit)
        return (async function* () {
          yield many.slice(0, query.limit)
        })()
      },
    }
    const { registry } = notesWith(adapter, { declaration })
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const request = new Request(`https://h/v1/notes${search}`, { headers: html })
    const text = await (await fetch(request)).text()
    return [asked[0], text.match(/<th scope="row"><a/g)?.length]
  }

  const rows: readonly (readonly [
    search: string,
    declaration: object,
    asked: readonly number[],
  ])[] = [
    ['', {}, [51, 50]],
    ['?limit=3', {}, [4, 3]],
    ['?limit=900', {}, [501, 500]],
    ['', { maxLimit: 20 }, [21, 20]],
    ['', { defaultLimit: 10 }, [11, 10]],
    ['', { defaultLimit: 900 }, [51, 50]],
    ['?sort=-text', {}, [51, 50]],
  ]
  test.each(rows)('%s with %j ask for %j', async (search, declaration, asked) => {
    // One more than is shown, which tells whether there is a next page.
    expect(await limits(search, declaration)).toEqual(asked)
  })

  test('are asked for once, as the page says, and names of owners', async () => {
    const urls: string[] = []
    const spy: Layer = (request, answer) => {
      urls.push(request.url)
      return answer(request)
    }
    const text = await page('/v1/employees?q=a&sort=name', { layers: [spy] })
    const names = '/v1/companies?id=c-acme&limit=1&fields=name'
    expect(urls).toEqual(['/v1/employees?q=a&sort=name&limit=50', '/', names])
    expect(text).toContain('GET /v1/employees?q=a&amp;sort=name&amp;limit=50')
  })
})

describe('what another layer has written', () => {
  async function shown(
    headers: Readonly<Record<string, string>>,
    base = '',
  ): Promise<HttpResponse> {
    const { registry } = notesWith(mapOf())
    const request = { method: 'GET', url: '/v1/notes', headers: html, base }
    const fields = { 'content-type': 'application/json', ...headers }
    return explorer(registry)(request, () => ({ status: 200, headers: fields, body: [] }), {
      target: undefined,
    })
  }

  const links: readonly (readonly [url: string, isOffered: boolean])[] = [
    ['/v1/notes?after=x', true],
    ['javascript:alert(1)', false],
    ['//evil.example/', false],
    ['/\\evil.example/', false],
    ['https://evil.example/', false],
  ]
  test.each(links)('is no way out: %s', async (url, isOffered) => {
    const { body } = await shown({ link: `<${url}>; rel="next"` })
    expect(String(body).includes('Next page')).toBe(isOffered)
  })

  test.each(['//evil.example/api', '/\\evil.example/api'])(
    'does not lead out: %s',
    async (base) => {
      const { body } = await shown({}, base)
      expect(body).toContain('href="/evil.example/api/v1/notes')
      expect(body).not.toMatch(/(?:href|src|action|url)="\/[/\\]/)
    },
  )

  test('is not the length of the page', async () => {
    expect((await shown({ 'content-length': '2' })).headers).not.toHaveProperty('content-length')
  })
})

describe('forms', () => {
  test('send along what they do not show', async () => {
    const item = { id: 'a', text: 't', more: { deep: ['"'] } }
    const rests = [z.looseObject, z.strictObject].map(async (object) => {
      const update = object({ text: z.string() })
      const { registry } = notesWith(mapOf(item), { declaration: { schema: loose, update } })
      const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
      const response = await fetch(new Request('https://h/v1/notes/a', { headers: html }))
      return /data-rest="([^"]*)"/.exec(await response.text())?.[1]
    })
    expect(await Promise.all(rests)).toEqual([
      '{&quot;more&quot;:{&quot;deep&quot;:[&quot;\\&quot;&quot;]}}',
      undefined,
    ])
  })

  test('tell what an item does not have', async () => {
    const { registry } = notesWith(mapOf({ id: 'a' }), { declaration: { schema: loose } })
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const text = async (path: string): Promise<string> =>
      (await fetch(new Request(`https://h${path}`, { headers: html }))).text()
    expect(await text('/v1/notes/a')).toContain(
      'data-name="text" data-type="text" data-initial="">',
    )
    expect(await text('/v1/notes')).toContain('data-name="text" data-type="text">')
  })

  function kindsOf(text: string): readonly (string | undefined)[] {
    return [...text.matchAll(/data-kind="(\w+)"/g)].map(([, kind]) => kind)
  }

  test('are there for what is offered', async () => {
    const ofCollection = ['create', 'patchMany', 'updateMany', 'deleteAll']
    expect(kindsOf(await page('/v1/employees'))).toEqual(ofCollection)
    expect(kindsOf(await page('/v1/employees/e-ada'))).toEqual(['patch', 'update', 'delete'])
    expect(kindsOf(await page('/v1/employees/first'))).toEqual([])
    expect(kindsOf(await page('/v1/employees/nobody'))).toEqual([])
  })

  test('delete all of a bounded resource only where they can count', async () => {
    const formAt = async (declaration: object): Promise<string> => {
      const { registry } = notesWith(mapOf(), { declaration })
      const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
      const answer = await fetch(new Request('https://h/v1/notes', { headers: html }))
      return /<form data-kind="deleteAll".*?<\/form>/s.exec(await answer.text())?.[0] ?? ''
    }
    expect(await formAt({ bounded: true })).toContain('data-count="/v1/notes/count"')
    expect(await formAt({ without: ['count'] })).toContain('data-sure="notes"')
    const uncounted = await formAt({ bounded: true, without: ['count'] })
    expect(uncounted).toContain('DELETE needs <code>Prefer: max-affected</code> here')
    expect(uncounted).not.toContain('button')
  })

  test('are there for what can only be written', async () => {
    const { registry } = notesWith({ create: ({ item }) => ({ id: '1', ...item }) })
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const response = await fetch(new Request('https://h/v1/notes', { headers: html }))
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
    expect(kindsOf(await response.text())).toEqual(['create'])
  })

  test('leave out what the path and the server say', async () => {
    const names = [...(await page('/v1/companies/c-acme/employees')).matchAll(/data-name="(\w+)"/g)]
    expect(names.map(([, name]) => name)).toEqual(['name', 'birthdate', 'email'])
  })
})

describe('other layers', () => {
  const document = { type: 'text/html; charset=utf-8', body: '<p>docs</p>' }
  const layers = [documentAt('/docs', () => document)]

  test('answer for themselves', async () => {
    const response = await ask('/docs', { layers })
    expect([response.status, await response.text()]).toEqual([200, '<p>docs</p>'])
    expect(response.headers.get('vary')).toBeNull()
  })

  test('of a host get paths that are unknown', async () => {
    const registry = companiesRegistry()
    const app = express()
    app.use('/api', toNodeListener(registry, { layers: [explorer(registry)] }))
    app.use((_, response) => {
      response.status(200).send('the host')
    })
    const server = createServer(app).listen(0)
    const { port } = server.address() as AddressInfo
    const text = async (path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers: html })).text()
    expect(await text('/api/about')).toBe('the host')
    expect(await text('/api/v1/employees/nobody')).toContain('href="/api/v1/employees"')
    for (const top of ['/api', '/api/', '/api?x'])
      expect(await text(top)).toContain('href="/api/v1/companies"')
    server.close()
  })
})

describe('assets', () => {
  test('are there, and may be kept', async () => {
    const text = await page('/v1/employees')
    const urls = [...text.matchAll(/(?:href|src)="(\/_explorer\/[^"]+)"/g)].map(
      ([, url = '']) => url,
    )
    const answers = await Promise.all(urls.map((url) => ask(url, { headers: {} })))
    expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
      [200, 'image/svg+xml; charset=utf-8'],
      [200, 'text/css; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
    ])
    for (const { headers } of answers) expect(headers.get('cache-control')).toContain('immutable')
  })

  test('of another version must not be kept', async () => {
    const { status, headers } = await ask('/_explorer/0ther/style.css')
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  })

  const none = [
    '/_explorer',
    '/_explorer/',
    '/_explorer/x',
    '/_explorer/x/../assets.ts',
    '/_explorer/x/assets.ts',
  ]
  test.each(none)('are not at %s', async (path) => {
    expect((await ask(path, { headers: {} })).status).toBeGreaterThanOrEqual(400)
  })
})

describe('explorer', () => {
  const rows: readonly (readonly [options: object, message: RegExp])[] = [
    [{ titel: 'x' }, /no option "titel"/],
    [{ assets: 'assets' }, /no path for assets/],
    [{ assets: '/' }, /no path for assets/],
    [{ toJsonSchema: {} }, /takes a function/],
    [{ title: { a: 1 } }, /"title" of the explorer/],
    [{ exampleUsers: { ada: 'Bearer x' } }, /"exampleUsers" of the explorer/],
  ]
  test.each(rows)('refuses %j', (options, message) => {
    expect(() => explorer(companiesRegistry(), options)).toThrow(message)
  })

  test.each([{ title: 'Notes' }, undefined, companiesRegistry().api])(
    'needs a registry',
    (registry) => {
      expect(() => explorer(registry as never)).toThrow(/needs a registry: write explorer\(reg/)
    },
  )

  test('does without a schema that cannot be told', async () => {
    const registry = companiesRegistry()
    const layer = explorer(registry, {
      toJsonSchema: () => {
        throw new Error('It cannot be said')
      },
    })
    const fetch = toFetchHandler(registry, { layers: [layer] })
    const response = await fetch(new Request('https://h/v1/employees', { headers: html }))
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('data-name="birthdate"'),
    ])
  })

  test('takes schemas from elsewhere', async () => {
    const registry = companiesRegistry()
    const told: string[] = []
    const layer = explorer(registry, {
      title: 'Ours',
      assets: '/static/explorer',
      toJsonSchema: (_, direction) => {
        told.push(direction)
        return { properties: { name: { type: 'string' } } }
      },
    })
    const response = (await layer(
      { method: 'GET', url: '/v1/employees', headers: html },
      () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: [],
      }),
      { target: undefined },
    )) as HttpResponse
    expect(told).toContain('input')
    expect(response.body).toContain('/static/explorer/')
    expect(response.body).toContain('· Ours</title>')
  })
})

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toFetchHandler } from '../../src/fetch.ts'
import { defineApi, defineRegistry, defineResource, type Layer, problem } from '../../src/index.ts'
import { type CorsOptions, cors, health } from '../../src/layers.ts'
import { memoryAdapter } from '../../src/memory.ts'
import { refusalOf } from '../contract/thrown.ts'

const Note = z.object({ id: z.string(), text: z.string() })
const notes = defineResource('notes', { schema: Note, create: Note.omit({ id: true }) })
const registry = defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
  notes: memoryAdapter({ items: [{ id: '1', text: 'a' }] }),
})
const app = 'https://app.example'
const allowed = 'access-control-allow-origin'

async function ask(
  layers: readonly Layer[],
  target: string,
  { method = 'GET', ...headers }: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const handler = toFetchHandler(registry, { layers })
  return handler(new Request(`http://x${target}`, { method, headers }))
}

describe('cors', () => {
  const one = [cors({ origins: [app, 'http://localhost:5173'] })]

  test('names the origin of a listed page, and what it may read', async () => {
    const { headers, status } = await ask(one, '/v1/notes', { origin: app })
    expect(status).toBe(200)
    expect(headers.get(allowed)).toBe(app)
    expect(headers.get('vary')).toBe('Origin')
    const exposed = headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Deprecation', 'Sunset', 'Link']))
    expect(headers.has('access-control-allow-credentials')).toBe(false)
  })

  test('lets the page read problems too', async () => {
    for (const target of ['/v1/notes/2', '/nope', '/v1/notes?x=1', '/v1/notes/%']) {
      const response = await ask(one, target, { origin: app })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.headers.get(allowed)).toBe(app)
    }
    const refusing: Layer = () => {
      throw problem('unauthenticated')
    }
    expect((await ask([...one, refusing], '/v1/notes', { origin: app })).headers.get(allowed)).toBe(
      app,
    )
  })

  const strangers = [
    'https://app.example.evil.test',
    'https://evil.test',
    'http://app.example',
    'null',
    'https://app.example:8443',
    'https://APP.example',
    'https://app.example/',
    app.slice(0, -1),
    `${app}, ${app}`,
    '*',
    '',
  ]
  for (const origin of strangers) {
    test(`says nothing to ${JSON.stringify(origin)}`, async () => {
      const { headers } = await ask(one, '/v1/notes', { origin })
      expect([...headers.keys()].filter((name) => name.startsWith('access-'))).toEqual([])
      expect(headers.get('vary')).toBe('Origin')
    })
  }

  test('answers a preflight with 200, the methods of the target and the headers', async () => {
    const { status, headers } = await ask(one, '/v1/notes/1', {
      method: 'OPTIONS',
      origin: app,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'if-match,x-own',
      'access-control-request-private-network': 'true',
    })
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-methods')).toBe(headers.get('allow'))
    expect(headers.get('access-control-allow-methods')).toContain('PUT')
    expect(headers.get('access-control-allow-headers')).toContain('If-Match')
    expect(headers.get('access-control-allow-headers')).not.toContain('x-own')
    expect(headers.get('access-control-max-age')).toBe('600')
    expect(headers.has('access-control-allow-private-network')).toBe(false)
  })

  test('answers the preflight of any target with 200', async () => {
    const guarding: Layer = () => {
      throw problem('unauthenticated')
    }
    for (const [target, layers] of [
      ['/nope', one],
      ['/v1/notes/%', one],
      ['/v1/notes', [...one, guarding]],
    ] as const) {
      const asked = { method: 'OPTIONS', 'access-control-request-method': 'DELETE' }
      const response = await ask(layers, target, { ...asked, origin: app })
      expect([response.status, await response.json()]).toEqual([200, {}])
      expect(response.headers.get('access-control-allow-methods')).toMatch(
        /^HEAD, GET, POST, PUT, PATCH, DELETE$/,
      )
      expect(response.headers.get('vary')).toBe('Origin')
      const stranger = await ask(layers, target, { ...asked, origin: 'https://evil.test' })
      expect(stranger.status).toBeGreaterThanOrEqual(400)
    }
  })

  test('takes own headers, an age and credentials', async () => {
    const layers = [cors({ origins: [app], credentials: true, headers: ['X-Own'], maxAge: 5 })]
    const { headers } = await ask(layers, '/v1/notes', {
      method: 'OPTIONS',
      origin: app,
      'access-control-request-method': 'POST',
    })
    expect(headers.get('access-control-allow-credentials')).toBe('true')
    expect(headers.get('access-control-allow-headers')).toMatch(/X-Own$/)
    expect(headers.get('access-control-max-age')).toBe('5')
  })

  test('opens to all pages with a star, without Vary', async () => {
    const { headers } = await ask([cors({ origins: '*' })], '/v1/notes', { origin: 'https://a.b' })
    expect(headers.get(allowed)).toBe('*')
    expect(headers.has('vary')).toBe(false)
  })

  test('adds to a Vary that is there', async () => {
    const varying: Layer = async (request, next) => {
      const response = await next(request)
      return { ...response, headers: { ...response.headers, vary: 'Accept' } }
    }
    expect((await ask([...one, varying], '/v1/notes')).headers.get('vary')).toBe('Accept, Origin')
  })

  const refused: readonly (readonly [options: object | undefined, says: string])[] = [
    [undefined, 'origins'],
    [{}, 'origins'],
    [{ origins: app }, "['https://app.example']"],
    [{ origins: ['app.example'] }, 'scheme and host'],
    [{ origins: [`${app}/`] }, 'scheme and host'],
    [{ origins: ['*'] }, 'scheme and host'],
    [{ origins: ['null'] }, 'scheme and host'],
    [{ origins: '*', credentials: true }, 'list of "origins"'],
    [{ origins: [app], headers: 'X-Own' }, "['X-Own']"],
    [{ origins: [app], headers: ['X Own'] }, 'header names'],
    [{ origins: [app], maxAge: -1 }, 'maxAge'],
    [{ origins: [app], origin: app }, 'origins'],
  ]
  for (const [options, says] of refused) {
    test(`refuses ${JSON.stringify(options)}`, () => {
      expect(refusalOf(() => cors(options as CorsOptions))).toContain(says)
    })
  }
})

describe('health', () => {
  test('shares a check for a second', async () => {
    let checks = 0
    const check = async () => {
      checks++
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (checks > 1) throw new Error('The database is away')
    }
    const layers = [health('/health', { check })]
    const burst = async () => {
      const asked = Array.from({ length: 200 }, () => ask(layers, '/health'))
      return new Set((await Promise.all(asked)).map(({ status }) => status))
    }
    expect([await burst(), await burst(), checks]).toEqual([new Set([200]), new Set([200]), 1])
    await new Promise((resolve) => setTimeout(resolve, 1050))
    expect((await ask(layers, '/health')).status).toBe(503)
    expect(checks).toBe(2)
  })

  test('answers GET and HEAD, from no cache', async () => {
    const response = await ask([health()], '/health')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await ask([health()], '/health?x=1', { method: 'HEAD' })).status).toBe(200)
  })

  test('leaves other paths and methods', async () => {
    const layers = [health('/live')]
    expect((await ask(layers, '/health')).status).toBe(404)
    expect((await ask(layers, '/live/')).status).toBe(404)
    expect((await ask(layers, '/live', { method: 'POST' })).status).toBe(405)
    expect((await ask(layers, '/v1/notes')).status).toBe(200)
  })

  test('is 503 while its check fails, and tells nothing of the cause', async () => {
    let isWell = false
    const check = async (): Promise<void> => {
      if (!isWell) throw new Error('secret')
    }
    const layers = [health('/health', { check })]
    const response = await ask(layers, '/health')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await response.text()).not.toContain('secret')
    isWell = true
    await new Promise((resolve) => setTimeout(resolve, 1050))
    expect((await ask(layers, '/health')).status).toBe(200)
    isWell = false
    expect((await ask(layers, '/health', { method: 'OPTIONS' })).status).toBe(200)
  })

  test('is 503 in time while its check hangs', async () => {
    const check = () => new Promise(() => undefined)
    const begun = performance.now()
    const { status } = await ask([health('/health', { check, timeout: 50 })], '/health')
    expect(status).toBe(503)
    expect(performance.now() - begun).toBeLessThan(2000)
  })

  test('waits for a check within its time', async () => {
    const check = () => new Promise((resolve) => setTimeout(resolve, 20))
    expect((await ask([health('/health', { check, timeout: 5000 })], '/health')).status).toBe(200)
  })

  test('outlives a check that fails after its time', async () => {
    const check = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      throw new Error('late')
    }
    expect((await ask([health('/health', { check, timeout: 5 })], '/health')).status).toBe(503)
    await new Promise((resolve) => setTimeout(resolve, 50))
  })

  test('refuses what is no path, option or function', () => {
    for (const timeout of [0, -1, 1.5, 2 ** 31, '5s'])
      expect(refusalOf(() => health('/health', { timeout } as object))).toContain('milliseconds')
    expect(refusalOf(() => health('health'))).toContain('path')
    expect(refusalOf(() => health('/health', { checks: 1 } as object))).toContain('check')
    expect(refusalOf(() => health('/health', { check: true } as object))).toContain('function')
  })
})

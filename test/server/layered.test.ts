import { handle, isProblem, type Layer, problem, toResponse } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../src/node/serve.ts'
import { documentAt } from '../../src/wire/document.ts'
import { companiesRegistry } from '../support/companies.ts'
import { notesWith } from '../support/registry.ts'
import { bytesOf, exchange } from '../support/socket.ts'

/** The targets that a layer received, as `employees item e-ada`. */
const told: string[] = []
const guard: Layer = (request, answer, { target }) => {
  if (target === undefined) told.push('nothing')
  else {
    const { kind, collection, parents, id } = target
    told.push(
      [collection.resource.name, kind, ...parents, ...(id === undefined ? [] : [id])].join(' '),
    )
  }
  if (target?.collection.resource.name === 'employees') throw problem('forbidden')
  return answer(request)
}

// biome-ignore format: a row stays a line
const spellings: readonly (readonly [target: string, told: string, status: number])[] = [
  ['/v1/employees',                               'employees collection',        403],
  ['/v1/employees/',                              'employees collection',        403],
  ['/employees?limit=1',                          'employees collection',        403],
  ['/v1/%65mployees',                             'employees collection',        403],
  ['/%761/employees',                             'employees collection',        403],
  ['/v1/employees/e%2dada',                       'employees item e-ada',        403],
  ['/v1/employees/%66irst',                       'employees first',             403],
  ['/v1/companies/c-acme/%65mployees/e-ada',      'employees item c-acme e-ada', 403],
  ['http://x/v1/employees',                       'employees collection',        403],
  ['HTTP://x:80/v1/%65mployees?q=a',              'employees collection',        403],
  ['/v1/companies/c-acme',                        'companies item c-acme',       200],
  ['/v1/nothing',                                 'nothing',                     404],
  ['/v1/employees/..',                            'nothing',                     400],
  ['/v1/employees/%zz',                           'nothing',                     400],
  ['/v2/employees',                               'nothing',                     404],
]

const registry = companiesRegistry()
const layers = [
  guard,
  documentAt('/about.json', () => ({ type: 'application/json', body: 'about' })),
]
const respond = toFetchHandler(registry, { layers })

let server: RunningServer
let below: RunningServer
beforeAll(async () => {
  server = await serve(registry, { port: 0, layers, hosts: '*' })
  below = await serve(registry, { port: 0, layers, base: '/api', hosts: '*' })
})
afterAll(async () => void (await Promise.all([server.close(), below.close()])))

async function statusOf(port: number, target: string): Promise<number | undefined> {
  told.length = 0
  const { answers } = await exchange(port, bytesOf(['GET', target]))
  return answers[0]?.status
}

describe('a layer learns what a path names, however it is spelled', () => {
  for (const [target, addressed, status] of spellings) {
    test(`${target}: ${addressed}`, async () => {
      expect([await statusOf(server.port, target), told]).toEqual([status, [addressed]])
    })
    // A client of fetch resolves dot segments by itself.
    if (!target.includes('..')) {
      test(`${target} through fetch: ${addressed}`, async () => {
        told.length = 0
        const url = new URL(target, 'http://x').href
        const response = await respond(new Request(url))
        expect([response.status, told]).toEqual([status, [addressed]])
      })
    }
  }
})

describe('an absolute target', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [target: string, status: number])[] = [
    ['/api/about.json',               200],
    ['http://x/api/about.json',       200],
    ['http://x/about.json',           200],
    ['http://x/api/v1/companies',     200],
    ['http://x/api/v1/employees',     403],
    ['http://x/api?q=a',              400],
    ['http://x',                      200],
    ['http://user@x/api/v1/companies', 400],
  ]
  for (const [target, status] of rows) {
    test(`${target} is found below a prefix: ${status}`, async () => {
      expect(await statusOf(below.port, target)).toBe(status)
    })
  }

  test('gives links without its origin', async () => {
    const target = 'http://x/api/v1/companies?limit=1'
    const { answers } = await exchange(below.port, bytesOf(['GET', target]))
    expect(answers[0]?.headers.link).toMatch(/^<\/api\/v1\/companies\?limit=1&after=/)
  })

  test('is taken by handle too', async () => {
    const { status } = await handle({ method: 'GET', url: 'http://x/v1/employees' }, registry)
    expect(status).toBe(200)
  })
})

test('a layer that rewrites a target changes what the next one learns', async () => {
  const rewrite: Layer = (request, answer) =>
    answer({ ...request, method: 'GET', url: '/v1/employees', headers: {} })
  const { status } = await toFetchHandler(registry, { layers: [rewrite, guard] })(
    new Request('http://x/v1/companies'),
  )
  expect(status).toBe(403)
})

describe('toResponse', () => {
  const limit: Layer = () => {
    const { headers, ...rest } = toResponse(problem('rate_limited', 'Wait', { retryAfter: 3 }))
    return { ...rest, headers: { ...headers, 'x-limit': '10' } }
  }

  test('makes the response of a problem, which a layer may add to', async () => {
    const response = await toFetchHandler(registry, { layers: [limit] })(new Request('http://x/'))
    const { status, headers } = response
    expect([status, headers.get('retry-after'), headers.get('x-limit')]).toEqual([429, '3', '10'])
    expect(await response.json()).toMatchObject({ code: 'rate_limited', message: 'Wait' })
  })

  test('writes as the registry says', () => {
    const options = { problemTypes: 'https://x/', limits: registry.limits }
    expect(toResponse(problem('forbidden'), options).body).toMatchObject({
      type: 'https://x/forbidden',
    })
  })

  test('tells nothing of what is no problem', () => {
    const error: unknown = new Error('secret')
    if (isProblem(error)) throw error
    const { status, body } = toResponse(Object(error))
    expect([status, JSON.stringify(body).includes('secret')]).toEqual([500, false])
  })
})

test('a list that has begun is closed where a layer fails after it', async () => {
  const ends: string[] = []
  async function* all() {
    try {
      for (let id = 1; ; id++) yield { id: `${id}`, text: 'x' }
    } finally {
      ends.push('closed')
    }
  }
  const streaming = notesWith({ list: () => all() }).registry
  const failing: Layer = async (request, answer) => {
    await answer(request)
    throw problem('forbidden')
  }
  const serveNotes = toFetchHandler(streaming, { layers: [failing] })
  const { status } = await serveNotes(new Request('http://x/notes'))
  await new Promise(setImmediate)
  expect([status, ends]).toEqual([403, ['closed']])
})

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, type Fetch, isUnexpected, retrying } from 'nounful/client'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { api } from '../support/first-version.ts'

const ann = { name: 'Ann', birthdate: '1990-01-01' }
const item = { id: '1', ...ann }

/** A server that counts requests, and sends a response that suits any call. */
async function listening(
  answer: (request: IncomingMessage) => readonly [number, Record<string, string>, unknown],
): Promise<{ server: Server; url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    const [status, headers, body] = answer(request)
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

let redirect: readonly [status: number, location: string] = [302, '']
const other = await listening(() => [200, {}, item])
const first = await listening(({ url = '' }) =>
  url.startsWith('/moved') ? [200, {}, item] : [redirect[0], { location: redirect[1] }, item],
)

afterAll(() => {
  first.server.close()
  other.server.close()
})
beforeEach(() => {
  first.seen.length = 0
  other.seen.length = 0
})

function clientOf(fetch?: Fetch) {
  const headers = { authorization: 'Bearer secret' }
  return createClient<typeof api>({ baseUrl: first.url, headers, fetch }).v1
}

const calls = {
  GET: (fetch?: Fetch) => clientOf(fetch).employees('1').read(),
  POST: (fetch?: Fetch) => clientOf(fetch).employees.create(ann),
  PUT: (fetch?: Fetch) => clientOf(fetch).employees('1').update(ann),
  DELETE: (fetch?: Fetch) => clientOf(fetch).employees('1').delete(),
} as const
const rows = (Object.keys(calls) as (keyof typeof calls)[]).flatMap((method) =>
  [301, 302, 303, 307, 308].map((status) => [method, status] as const),
)

async function thrownBy(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`Nothing was thrown, but ${JSON.stringify(value)} given`)
    },
    (error: unknown) => error,
  )
}

// As in a page, where a script cannot read a redirect.
const asInPage: Fetch = async (request) => {
  const response = await fetch(request)
  if (response.status < 300 || response.status > 399) return response
  const opaque = new Response(null)
  Object.defineProperties(opaque, {
    type: { value: 'opaqueredirect' },
    status: { value: 0 },
    ok: { value: false },
  })
  return opaque
}

const ways: Readonly<Record<string, Fetch | undefined>> = {
  'the global fetch': undefined,
  retrying: retrying({ attempts: 3, wait: 1 }),
  'the fetch of a page': asInPage,
}

describe.each(Object.entries(ways))('no redirect is followed by %s', (_, way) => {
  test.each(rows)('of a %s, %i to another origin', async (method, status) => {
    redirect = [status, `${other.url}/moved`]
    const error = await thrownBy(calls[method](way))
    expect(isUnexpected(error)).toBe(true)
    expect(`${error}`).toMatch(/redirect/)
    expect(first.seen).toHaveLength(1)
    expect(other.seen).toEqual([])
  })

  test.each(rows)('of a %s, %i to the same origin', async (method, status) => {
    redirect = [status, '/moved']
    const error = await thrownBy(calls[method](way))
    expect(isUnexpected(error)).toBe(true)
    expect(`${error}`).toMatch(/redirect/)
    expect(first.seen).toHaveLength(1)
  })
})

test('the error holds the target of the redirect, if the runtime shows it', async () => {
  redirect = [307, `${other.url}/moved`]
  expect(await thrownBy(calls.DELETE())).toMatchObject({
    status: 307,
    headers: { location: redirect[1] },
    body: JSON.stringify(item),
  })
})

describe('rejects the response after a redirect that a fetch followed', () => {
  const following: Readonly<Record<string, Fetch>> = {
    'told by the response': (request) => fetch(new Request(request, { redirect: 'follow' })),
    'followed by hand to another origin': () => fetch(`${other.url}/moved`),
    'of an origin that begins like this one': async () =>
      Object.defineProperty(Response.json(item), 'url', { value: `${first.url}0/v1/employees/1` }),
    'followed by a fetch that only tells where it went': async () => {
      const response = Response.json(item)
      return Object.defineProperties(response, {
        redirected: { value: undefined },
        url: { value: `${other.url}/moved` },
      })
    },
  }
  for (const [name, way] of Object.entries(following)) {
    test(name, async () => {
      redirect = [302, `${other.url}/moved`]
      const error = await thrownBy(calls.GET(way))
      expect(isUnexpected(error)).toBe(true)
      expect(`${error}`).toMatch(/redirect/)
    })
  }

  test('also within the origin', async () => {
    redirect = [302, '/moved']
    const way: Fetch = (request) => fetch(new Request(request, { redirect: 'follow' }))
    expect(`${await thrownBy(calls.GET(way))}`).toMatch(/redirect/)
  })
})

test('accepts a response without a URL from a custom fetch', async () => {
  const way: Fetch = async () => {
    const response = await fetch(`${other.url}/moved`)
    return new Response(response.body, response)
  }
  expect(await calls.GET(way)).toEqual(item)
})

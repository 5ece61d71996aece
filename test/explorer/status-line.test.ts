import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type ProblemCode, problem } from 'nounful'
import { explorer } from 'nounful/explorer'
import { serve } from 'nounful/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notesWith } from '../support/registry.ts'

const { registry } = notesWith({
  list: () => [],
  read: ({ id }) => {
    if (id === 'there') return { id }
    throw id === 'broken' ? new Error('No disk') : problem(id as ProblemCode)
  },
})
const options = { port: 0, layers: [explorer(registry)] }
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  server = await serve(registry, options)
})
afterAll(() => server.close())

/** Returns the request line and the status line from the wire. */
async function sentFor(path: string): Promise<readonly string[]> {
  const request = get(`${server.url}${path}`, { headers: { accept: 'application/json' } })
  const [response]: IncomingMessage[] = await once(request, 'response')
  response?.resume()
  return [`GET ${path}`, `${response?.statusCode} ${response?.statusMessage}`]
}

/** Returns the same lines from the page: beside its title, and in its exchange. */
async function shownFor(path: string): Promise<readonly string[][]> {
  const page = await (
    await fetch(`${server.url}${path}`, { headers: { accept: 'text/html' } })
  ).text()
  const [, ...title] =
    /<code class="method[^"]*">(\w+)<\/code> <code class="url"[^>]*>([^<]*)<\/code> <code class="status[^"]*">([^<]*)</.exec(
      page,
    ) ?? []
  const messages = [
    ...page.matchAll(/<pre class="message(?: long-message"[^>]*|")><code>([^<\n]*)/g),
  ]
  return [[title.slice(0, 2).join(' '), title[2] ?? ''], messages.map(([, line = '']) => line)]
}

describe('the page tells the status line that was sent', () => {
  const paths = [
    '/v1/notes?limit=50',
    '/v1/notes/there',
    '/v1/notes?sort=nme',
    '/v1/notes/unauthenticated',
    '/v1/notes/forbidden',
    '/v1/notes/not_found',
    '/v1/notes/conflict',
    '/v1/notes/validation_failed',
    '/v1/notes/rate_limited',
    '/v1/notes/broken',
    '/v1/notes/unavailable',
    '/v1/others',
  ]
  test.each(paths)('%s', async (path) => {
    const sent = await sentFor(path)
    expect(await shownFor(path)).toEqual([sent, sent])
  })

  test('and the problem stays its title', async () => {
    const headers = { accept: 'text/html' }
    const page = await (await fetch(`${server.url}/v1/notes?sort=nme`, { headers })).text()
    expect(page).toContain('<h1>Unknown sort field</h1>')
  })
})

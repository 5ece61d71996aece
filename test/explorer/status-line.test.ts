import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type ProblemCode, problem } from 'nounful'
import { explorer } from 'nounful/explorer'
import { serve } from 'nounful/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatSize } from '../../src/explorer/message.ts'
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

/** Returns the request line and the status line from the wire, and the bytes of the body. */
async function sentFor(path: string) {
  const request = get(`${server.url}${path}`, { headers: { accept: 'application/json' } })
  const [response]: IncomingMessage[] = await once(request, 'response')
  const bytes = (await response?.toArray())?.reduce((sum, chunk) => sum + chunk.length, 0)
  return {
    lines: [`GET ${path}`, `${response?.statusCode} ${response?.statusMessage}`],
    kilobytes: Number(bytes) / 1000,
  }
}

/** Returns the same from the page: its line without the markup, and its messages. */
async function shownFor(path: string) {
  const page = await (
    await fetch(`${server.url}${path}`, { headers: { accept: 'text/html' } })
  ).text()
  const [, summary = ''] = /<details class="wire">\n<summary>(.*?)<\/summary>/.exec(page) ?? []
  const messages = [
    ...page.matchAll(/<pre class="message(?: long-message"[^>]*|")><code>([^<\n]*)/g),
  ]
  return {
    line: summary.replaceAll(/<[^>]*>/g, ''),
    messages: messages.map(([, line = '']) => line),
  }
}

describe('the page tells status and size of what was sent', () => {
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
    const { lines, kilobytes } = await sentFor(path)
    const { line, messages } = await shownFor(path)
    expect(messages).toEqual(lines)
    const [, status, size, url] = /: GET (\d+) · ([\d.]+) kB (.*)$/.exec(line) ?? []
    expect([status, url]).toEqual([lines[1]?.slice(0, 3), path])
    expect(Math.abs(Number(size) / kilobytes - 1)).toBeLessThan(0.05)
  })

  test.each([
    ['[]', '0.002 kB'],
    ['é'.repeat(300), '0.6 kB'],
    ['x'.repeat(12_345), '12 kB'],
    ['x'.repeat(1_250_000), '1,300 kB'],
  ])('in two digits: %.5s… is %s', (body, size) => {
    expect(formatSize(body)).toBe(size)
  })

  test('and the problem stays its title', async () => {
    const headers = { accept: 'text/html' }
    const page = await (await fetch(`${server.url}/v1/notes?sort=nme`, { headers })).text()
    expect(page).toContain('<h1>Unknown sort field</h1>')
  })
})

import { handle, type Registry } from 'nounful'
import { expect, test, vi } from 'vitest'
import { writeSnippets } from './snippets.ts'

const files = new Map(
  writeSnippets('docs/observability.md', 'observability').map(({ name, path }) => [name, path]),
)

async function load<Example>(name: string): Promise<Example> {
  return import(/* @vite-ignore */ String(files.get(name)))
}

test('a line is written for every answer', async () => {
  const { registry, lines } = await load<{ registry: Registry; lines: string[] }>('logged.ts')
  await handle({ method: 'GET', url: '/v1/notes/secret-id?q=secret' }, registry)
  await handle({ method: 'GET', url: '/notes/count' }, registry)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'GET', template: '/v1/notes/:id', status: 400, code: 'unknown_parameter' },
    { method: 'GET', template: '/v1/notes/count', status: 200, isWhole: true },
  ])
  expect(lines.join()).not.toContain('secret')
})

test('a subscriber counts', async () => {
  const { counts, stop } = await load<{ counts: Map<string, number>; stop(): void }>('counted.ts')
  const { registry } = await load<{ registry: Registry }>('logged.ts')
  for (let times = 0; times < 3; times++)
    await handle({ method: 'GET', url: '/v1/notes' }, registry)
  stop()
  await handle({ method: 'BREW', url: '/v1/notes' }, registry)
  expect([...counts]).toEqual([['GET /v1/notes 200', 3]])
})

test('a request keeps the id of its proxy', async () => {
  const { registry: calm } = await load<{ registry: Registry }>('named.ts')
  const told = vi.fn()
  const context = () => {
    throw new Error('boom')
  }
  const registry = { ...calm, context, onError: told }
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
  // biome-ignore format: a row stays a line
  const rows: [headers: Record<string, string | string[]>, id: unknown][] = [
    [{ 'x-request-id': 'req-12345678' },                            'req-12345678'],
    [{ traceparent: `00-${trace}-b7ad6b7169203331-01` },            trace],
    [{ 'X-Request-Id': 'a\r\nb', traceparent: '00-0-0-0' },         expect.stringMatching(uuid)],
    [{ 'x-request-id': ['req-12345678', 'req-87654321'] },          expect.stringMatching(uuid)],
    [{},                                                            expect.stringMatching(uuid)],
  ]
  for (const [headers, id] of rows) {
    const { body } = await handle({ method: 'GET', url: '/v1/notes', headers }, registry)
    expect(body).toMatchObject({ status: 500, request_id: id })
    expect(told.mock.lastCall?.[1]).toMatchObject({ requestId: Object(body).request_id })
  }
})

import { defineApi, defineRegistry, defineResource, problem } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Manual = z.object({ id: z.string(), title: z.string(), rev: z.number() })
const options = {
  schema: Manual,
  create: Manual.omit({ rev: true }),
  readOnly: ['rev'],
  revision: 'rev',
} as const
const manuals = defineResource('manuals', { ...options, putCreates: true })
const plain = defineResource('articles', options)
const api = defineApi({ v1: { '/manuals': manuals, '/articles': plain } })

async function pageOf(path: string): Promise<string> {
  const items = [{ id: 'a', title: 'A', rev: 1 }]
  const registry = defineRegistry(api)
    .context(() => ({}))
    .use((operation, _, next) => {
      if ('id' in operation && operation.id === 'secret') throw problem('forbidden')
      return next()
    })
    .adapters({ manuals: memoryAdapter({ items }), articles: memoryAdapter({ items }) })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const request = new Request(`https://h/v1/${path}`, { headers: { accept: 'text/html' } })
  return (await fetch(request)).text()
}

const formIn = (page: string): string =>
  /<form data-kind="update".*?<\/form>/s.exec(page)?.[0] ?? ''

describe('the page of an absent item', () => {
  test('creates it where a PUT does', async () => {
    const page = await pageOf('manuals/new%20one')
    const form = formIn(page)
    expect(page).toContain('<h2 id="actions">Create it here</h2>')
    expect(form).toContain('data-method="PUT" data-url="/v1/manuals/new%20one"')
    expect(form).toContain(' data-creates=""')
    expect(form).not.toContain('data-etag')
    expect([...form.matchAll(/class="field" data-name="(\w+)"/g)].map(([, name]) => name)).toEqual([
      'title',
    ])
    expect(form).toContain('class="primary">Create it here</button>')
    expect(form).toContain('Dry run')
  })

  test('has the command for it without the script', async () => {
    const page = await pageOf('manuals/new')
    const [, command = ''] = /<code data-curl[^>]*>([^<]*-X PUT[^<]*)</.exec(page) ?? []
    expect(command.replaceAll(/ \\\n +/g, ' ').replaceAll('&#39;', "'")).toBe(
      "curl -X PUT 'https://localhost/v1/manuals/new' -H 'content-type: application/json' " +
        "--data-raw '{&quot;title&quot;:&quot;text&quot;}'",
    )
  })

  test.each(['articles/new', 'manuals/secret', 'manuals/a', 'manuals/first/x', 'manuals?x=1'])(
    'no other page does: %s',
    async (path) => {
      const page = await pageOf(path)
      expect(page).not.toMatch(/data-creates|Create it here/)
    },
  )

  test('a stored item keeps its form', async () => {
    expect(formIn(await pageOf('manuals/a'))).toContain('data-etag')
  })
})

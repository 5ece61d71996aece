import { defineApi, defineRegistry, defineResource } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Article = z.object({ id: z.string(), status: z.string().optional(), rev: z.number() })
const states = { status: { draft: ['published', '"<b>'], published: [], '"<b>': [] } }
const declaration = {
  schema: Article,
  create: Article.omit({ id: true, rev: true }),
  revision: 'rev',
} as const
const items = [
  { id: 'd', status: 'draft', rev: 1 },
  { id: 'p', status: 'published', rev: 1 },
  { id: 'n', rev: 1 },
]

async function pageOf(path: string, options: object = { states }): Promise<string> {
  const articles = defineResource('articles', { ...declaration, ...options } as never)
  const api = defineApi({ v1: { '/articles': articles } } as never)
  const builder = defineRegistry(api)
  const revealing = 'restricted' in options ? builder.reveal(() => ({})) : builder
  const registry = revealing.adapters({
    articles: memoryAdapter<never>({ items: items as never }),
  } as never)
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const request = new Request(`https://h/v1/articles${path}`, { headers: { accept: 'text/html' } })
  return (await fetch(request)).text()
}

const formIn = (page: string): string => /<form data-kind="move".*?<\/form>/s.exec(page)?.[0] ?? ''
const button = (body: string, text: string): string =>
  `<button type="submit" data-body="${body}">${text}</button>`
const buttonsIn = (page: string): readonly string[] =>
  [...formIn(page).matchAll(/<button.*?<\/button>/g)].map(([text]) => text)

test('the page of an item has a button for each move', async () => {
  const page = await pageOf('/d')
  expect(formIn(page)).toContain('data-method="PATCH" data-url="/v1/articles/d"')
  expect(formIn(page)).toContain('<code>status</code> is <bdi>draft</bdi>. It can become:')
  expect(buttonsIn(page)).toEqual([
    button('{&quot;status&quot;:&quot;published&quot;}', 'published'),
    button('{&quot;status&quot;:&quot;\\&quot;&lt;b&gt;&quot;}', '&quot;&lt;b&gt;'),
  ])
})

test('the page of an item without moves says so', async () => {
  expect(formIn(await pageOf('/p'))).toContain('No state follows.')
  expect(buttonsIn(await pageOf('/n'))).toHaveLength(3)
})

test.each<[string, object?]>([
  [''],
  ['/x'],
  ['/d?fields=status'],
  ['/d', {}],
  ['/d', { states, without: ['update', 'updateMany'] }],
])('no other page has one: %s %j', async (path, options) => {
  expect(formIn(await pageOf(path, options))).toBe('')
})

test('a client that does not see the state moves none', async () => {
  const page = await pageOf('/d', { states, restricted: ['status'] })
  expect(formIn(page)).toBe('')
  expect(page).toContain('id="action-patch"')
})

test('the description of the path has the moves', async () => {
  expect(await pageOf('')).toContain(
    'draft → published or &quot;&lt;b&gt;, published, &quot;&lt;b&gt;',
  )
})

test('forms offer the first state of a new item, and those that another can move to', async () => {
  const status = z.enum(['draft', 'review', 'done'])
  const schema = z.object({ id: z.string(), status })
  const moves = { status: { draft: ['review'], review: ['draft', 'done'], done: [] } }
  const options = { schema, create: z.object({ status }), revision: undefined, states: moves }
  const choicesIn = async (path: string, kind: string) => {
    const [form = ''] =
      new RegExp(`<form data-kind="${kind}".*?</form>`, 's').exec(await pageOf(path, options)) ?? []
    return [...form.matchAll(/<option value="&quot;(\w+)&quot;"/g)].map(([, state]) => state)
  }
  expect(await choicesIn('?id=d', 'create')).toEqual(['draft'])
  expect(await choicesIn('/d', 'patch')).toEqual(['draft', 'review'])
})

import { defineApi, defineRegistry, defineResource } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Note = z.object({ id: z.string(), text: z.string(), day: z.iso.date() })
const options = {
  schema: Note,
  create: Note.omit({ id: true }),
  sortable: ['day'],
  searchable: ['text'],
  filterable: ['text', 'day'],
} as const
const api = defineApi({
  v1: {
    '/notes': defineResource('notes', options),
    '/notes/:note_id/marks': defineResource('marks', {
      schema: z.object({ id: z.string(), note_id: z.string() }),
      without: ['create'],
    }),
    '/drafts': defineResource('drafts', options),
    '/logs': defineResource('logs', { ...options, total: false }),
  },
})

async function emptyAt(path: string): Promise<string> {
  const items = [{ id: 'a', text: 'A', day: '2026-01-01' }]
  const registry = defineRegistry(api).adapters({
    notes: memoryAdapter({ items }),
    marks: memoryAdapter(),
    drafts: memoryAdapter(),
    logs: memoryAdapter({ items }),
  })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const headers = { accept: 'text/html' }
  const page = await (await fetch(new Request(`https://h/v1${path}`, { headers }))).text()
  const data = /<div id="data">.*?<nav class="pager"/s.exec(page)?.[0] ?? ''
  return data.slice(data.indexOf('class="empty"'))
}

const linksIn = (text: string): readonly (readonly [label: string, url: string])[] =>
  [...text.matchAll(/<a(?: class="[^"]*")? href="([^"]*)">(.*?)<\/a>/gs)].map(
    ([, url = '', label = '']) => [label.replace(/<[^>]*>/g, ''), url.replaceAll('&amp;', '&')],
  )

describe('a list that matches nothing', () => {
  type Links = readonly (readonly [label: string, url: string])[]
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [search: string, links: Links])[] = [
    ['q=z',                     [['Drop the search for z', '/v1/notes']]],
    ['day:lt=1990-01-01&q=%3Cb%3E&sort=-day', [
      ['Drop the search for &lt;b&gt;', '/v1/notes?day:lt=1990-01-01&sort=-day'],
      ['Drop day before 1990-01-01',    '/v1/notes?q=%3Cb%3E&sort=-day'],
      ['Drop all of them',              '/v1/notes?sort=-day'],
    ]],
    ['text=x&text=y&id=b&limit=5', [
      ['Drop text is x or y', '/v1/notes?id=b&limit=5'],
      ['Drop id is b',        '/v1/notes?text=x&text=y&limit=5'],
      ['Drop all of them',    '/v1/notes?limit=5'],
    ]],
    ['text:ne=A&offset=1',      [['Drop text is not A', '/v1/notes']]],
  ]
  test.each(rows)('offers to drop each filter of %s', async (search, links) => {
    const text = await emptyAt(`/notes?${search}`)
    expect(text).toContain('<p>No item matches.</p>')
    expect(linksIn(text)).toEqual(links)
  })
})

describe('a page behind the last item', () => {
  const paths = ['/notes?offset=5', '/notes?offset=5&day:gte=1990-01-01', '/logs?offset=5&q=z']
  test.each(paths)('of %s drops no filter', async (path) => {
    const text = await emptyAt(path)
    expect(text).toContain('class="empty">No item is on this page.</p>')
    expect(linksIn(text)).toEqual([])
  })
})

describe('a collection without items', () => {
  test('says how the first one comes', async () => {
    const text = await emptyAt('/drafts')
    expect(text).toContain('<p>The collection is empty.</p>')
    expect(linksIn(text)).toEqual([['New', '#new']])
    expect(text).toContain('curl -X POST &#39;https://localhost/v1/drafts&#39;')
  })

  test('has no way to one where clients create none', async () => {
    const text = await emptyAt('/notes/a/marks')
    expect(text).toContain('<p>The collection is empty.</p>')
    expect([linksIn(text), text.includes('curl')]).toEqual([[], false])
  })
})

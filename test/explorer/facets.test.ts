import { defineApi, defineRegistry, defineResource } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Post = z.object({
  id: z.string(),
  state: z.enum(['draft', 'live']),
  author_id: z.string().nullable(),
  mark: z.string(),
  secret: z.string(),
})
const options = {
  schema: Post,
  filterable: ['state', 'author_id'],
  sortable: ['state'],
  countable: ['state', 'author_id', 'mark', 'secret'],
  restricted: ['secret'],
  filled: ['secret'],
  references: { author_id: 'authors' },
} as const
const authors = defineResource('authors', {
  schema: z.object({ id: z.string(), name: z.string() }),
})
const api = defineApi({
  v1: {
    '/posts': defineResource('posts', options),
    '/authors': authors,
    '/logs': defineResource('logs', { ...options, total: false }),
    '/marks': defineResource('marks', {
      schema: z.object({ id: z.string(), a: z.string(), b: z.string() }).loose(),
      countable: ['a', 'b', 'c', 'd', 'e', 'f'],
    }),
  },
})
const post = (id: string, author_id: string | null) =>
  ({ id, state: 'live', author_id, mark: id === 'p1' ? '' : '<b>', secret: 's' }) as const

async function pageAt(path: string): Promise<string> {
  const registry = defineRegistry(api)
    .context(() => ({}))
    .reveal(() => ({ posts: ['secret'], logs: ['secret'] }))
    .adapters({
      posts: memoryAdapter({ items: [post('p1', 'a1'), post('p2', 'a1'), post('p3', null)] }),
      authors: memoryAdapter({ items: [{ id: 'a1', name: 'Ada' }] }),
      logs: memoryAdapter(),
      marks: memoryAdapter({
        items: Array.from({ length: 1001 }, (_, index) => ({
          id: `${index}`,
          a: `${index}`,
          b: '',
        })),
      }),
    })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const headers = { accept: 'text/html' }
  return (await fetch(new Request(`https://h/v1${path}`, { headers }))).text()
}

async function linesAt(path: string, name: string): Promise<readonly string[]> {
  const [list = ''] = new RegExp(`<ul class="${name}".*?</ul>`, 's').exec(await pageAt(path)) ?? []
  const lines = list.matchAll(/<li.*?<\/li>/gs)
  return [...lines].map(([line]) => {
    const url = /href="([^"]*)"/.exec(line)?.[1]?.replaceAll('&amp;', '&') ?? '-'
    return `${line.replace(/<[^>]*>/g, '')} ${url}`
  })
}

describe('facets', () => {
  const rows: readonly (readonly [path: string, lines: readonly string[]])[] = [
    [
      '/posts',
      [
        'state /v1/posts/count?by=state',
        'author_id /v1/posts/count?by=author_id',
        'mark /v1/posts/count?by=mark',
      ],
    ],
    [
      '/posts?state=live&state:ne=draft&author_id=a1&limit=1',
      [
        'state /v1/posts/count?author_id=a1&by=state',
        'author_id /v1/posts/count?state=live&state:ne=draft&by=author_id',
        'mark /v1/posts/count?state=live&state:ne=draft&author_id=a1&by=mark',
      ],
    ],
    ['/logs', []],
    ['/authors', []],
  ]

  test.each(rows)('%s counts the fields that all callers see', async (path, lines) => {
    expect(await linesAt(path, 'facets')).toStrictEqual(lines)
  })
})

test('further fields have a link to their count', async () => {
  const [list = ''] = /<ul class="facets".*?<\/ul>/s.exec(await pageAt('/marks?id=1')) ?? []
  expect(list.match(/data-facet="(\w)"/g)).toHaveLength(4)
  const [line = ''] = /<li>Count by.*?<\/li>/s.exec(list) ?? []
  expect([...line.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    '/v1/marks/count?id=1&amp;by=e',
    '/v1/marks/count?id=1&amp;by=f',
  ])
  expect(await pageAt('/posts')).not.toContain('Count by')
})

test('the largest groups say that they are not all', async () => {
  const note = 'These are the 1,000 largest groups.'
  expect(await pageAt('/marks/count?by=a')).toContain(note)
  expect(await pageAt('/marks/count?by=b')).not.toContain(note)
})

describe('groups', () => {
  const rows: readonly (readonly [path: string, lines: readonly string[]])[] = [
    ['/posts/count?by=state', ['live 3 /v1/posts?state=live']],
    [
      '/posts/count?by=author_id&state=live',
      [
        'Ada 2 /v1/posts?state=live&author_id=a1',
        'null 1 /v1/posts?state=live&author_id:null=true',
      ],
    ],
    ['/posts/count?by=mark', ['&lt;b&gt; 2 -', 'empty text 1 -']],
    [
      '/posts/count?by=state,author_id',
      [
        'live · Ada 2 /v1/posts?state=live&author_id=a1',
        'live · null 1 /v1/posts?state=live&author_id:null=true',
      ],
    ],
    ['/posts/count', []],
  ]

  test.each(rows)('%s leads to the items of each group', async (path, lines) => {
    expect(await linesAt(path, 'groups')).toStrictEqual(lines)
  })
})

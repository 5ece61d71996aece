import { type HttpResponse, handle, type Operation } from 'nounful'
import { select } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { delayed, notesWith, noting, verdictOf } from '../support/registry.ts'

const notes = ['e', 'b', 'd', 'a', 'c'].map((id, rank) => ({
  id,
  text: `Note ${id}`,
  rank: rank % 2,
}))
const list = (operation: Operation) => select(notes, operation)

interface Page {
  readonly ids: string[]
  readonly next: string | undefined
}

async function pageAt(
  url: string,
  differences: Parameters<typeof notesWith>[1] = {},
  base = '',
): Promise<Page> {
  const { registry } = notesWith(delayed({ list }), differences)
  const { body, headers } = await handle({ method: 'GET', url, base }, registry)
  const next = /^<([^>]*)>; rel="next"$/.exec(headers.link ?? '')?.[1]
  return { ids: (body as { id: string }[]).map(({ id }) => id), next }
}

describe('a list that is cut', () => {
  // biome-ignore format: a row stays a line
  const walks: [url: string, pages: string[]][] = [
    ['/notes?limit=2',                 ['ab', 'cd', 'e']],
    ['/notes?limit=5',                 ['abcde']],
    ['/notes?limit=1&sort=-text',      ['e', 'd', 'c', 'b', 'a']],
    ['/notes?limit=2&sort=rank,-text', ['ed', 'cb', 'a']],
    ['/notes?limit=4&q=note&sort=text', ['abcd', 'e']],
    ['/notes?limit=1000',              ['abcde']],
  ]
  for (const [start, pages] of walks) {
    test(`${start} goes on to its end`, async () => {
      const seen: string[] = []
      for (let url: string | undefined = start; url !== undefined; ) {
        const page: Page = await pageAt(url)
        seen.push(page.ids.join(''))
        url = page.next
      }
      expect(seen).toEqual(pages)
    })
  }

  test('links to its next page', async () => {
    const { next } = await pageAt('/notes/?limit=2&sort=-rank,text&q=note+n')
    expect(next).toMatch(/^\/v1\/notes\?q=note%20n&sort=-rank,text&limit=2&after=[\w-]+$/)
  })

  test('links under the prefix of its host', async () => {
    expect((await pageAt('/notes?limit=2', {}, '/api')).next).toMatch(
      /^\/api\/v1\/notes\?limit=2&after=/,
    )
  })

  test('is asked for with one item more', () => {
    const limits: unknown[] = []
    const { registry } = notesWith({ list: ({ query }) => noting(limits, query.limit, []) })
    for (const url of ['/notes', '/notes?limit=3']) handle({ method: 'GET', url }, registry)
    expect(limits).toEqual([undefined, 4])
  })

  test('goes on while items come and go', async () => {
    const stored = new Map(notes.map((note) => [note.id, note]))
    const { registry } = notesWith({ list: (operation) => select(stored.values(), operation) })
    const get = async (url: string) => await handle({ method: 'GET', url }, registry)
    const { headers } = await get('/notes?limit=2')
    stored.delete('b')
    stored.delete('c')
    stored.set('aa', { id: 'aa', text: 'x', rank: 0 })
    stored.set('dd', { id: 'dd', text: 'x', rank: 0 })
    const { body } = await get(/<(.*)>/.exec(headers.link ?? '')?.[1] ?? '')
    expect(body).toMatchObject([{ id: 'd' }, { id: 'dd' }])
  })

  test('is cut also where the adapter gives more', () => {
    const { registry } = notesWith({ list: () => notes })
    const { body, headers } = handle(
      { method: 'GET', url: '/notes?limit=2' },
      registry,
    ) as HttpResponse
    expect([body, headers.link]).toEqual([notes.slice(0, 2), expect.stringContaining('rel="next"')])
  })
})

describe('the length of a page', () => {
  test('is the whole list by default', async () => {
    expect(await pageAt('/notes')).toEqual({ ids: ['a', 'b', 'c', 'd', 'e'], next: undefined })
  })

  test('is the one the resource sets', async () => {
    const differences = { declaration: { defaultLimit: 3, maxLimit: 4 } }
    const { ids, next = '' } = await pageAt('/notes', differences)
    expect([ids, next]).toEqual([
      ['a', 'b', 'c'],
      expect.stringMatching(/^\/v1\/notes\?limit=3&after=/),
    ])
    expect((await pageAt(next, differences)).ids).toEqual(['d', 'e'])
    expect((await pageAt('/notes?limit=4', differences)).ids).toHaveLength(4)
  })

  // biome-ignore format: a row stays a line
  const faults: [url: string, verdict: string][] = [
    ['/notes?limit=5',               '400 bad_parameter'],
    ['/notes?limit=0',               '400 bad_parameter'],
    ['/notes?limit=1e0',             '400 bad_parameter'],
    ['/notes?limit=',                '400 bad_parameter'],
    ['/notes?limit=1&limit=1',       '400 repeated_parameter'],
    ['/notes?sort=ids',              '400 sort_unknown_field'],
    ['/notes?after=',                '400 invalid_cursor'],
    ['/notes?after=nonsense',        '400 invalid_cursor'],
    ['/notes/first?limit=1',         '400 unknown_parameter'],
    ['/notes/a?limit=1',             '400 unknown_parameter'],
  ]
  for (const [url, verdict] of faults) {
    test(`${url} is ${verdict}`, () => {
      const { registry } = notesWith({ list, read: () => null }, { declaration: { maxLimit: 4 } })
      expect(verdictOf(handle({ method: 'GET', url }, registry) as HttpResponse)).toBe(verdict)
    })
  }

  test('a cursor goes on only in its query', async () => {
    const { next = '' } = await pageAt('/notes?limit=2&sort=text&q=note')
    const { registry } = notesWith({ list })
    // biome-ignore format: a row stays a line
    const rows: [from: string | RegExp, to: string, status: number][] = [
      ['limit=2',   'limit=3',        200],
      ['/v1/notes', '/notes/',        200],
      ['sort=text', 'sort=-text',     400],
      ['q=note',    'q=other',        400],
      ['sort=text', 'sort=text,rank', 400],
    ]
    for (const [from, to, status] of rows) {
      expect(handle({ method: 'GET', url: next.replace(from, to) }, registry)).toMatchObject({
        status,
      })
    }
  })
})

describe('reads', () => {
  test('are answered in any shape of path', () => {
    const { registry } = notesWith({ read: ({ id }) => ({ id, text: 'x' }) })
    // biome-ignore format: a row stays a line
    const rows: [url: string, id: string][] = [
      ['/notes/a%2Fb',  'a/b'],
      ['/notes/a/',     'a'],
      ['/notes/%C3%A9', 'é'],
      ['/notes/%2541',  '%41'],
      ['/v1/notes/v1',  'v1'],
      ['https://any.example/v1/notes/a', 'a'],
    ]
    for (const [url, id] of rows) {
      expect(handle({ method: 'GET', url }, registry)).toMatchObject({ status: 200, body: { id } })
    }
  })

  test('of what is no id ask nobody', () => {
    const { registry, errors } = notesWith({
      read: () => {
        throw new Error('asked')
      },
    })
    for (const id of ['a%0Ab', 'a'.repeat(256), '%C2%85']) {
      const answer = handle({ method: 'GET', url: `/notes/${id}` }, registry) as HttpResponse
      expect([verdictOf(answer), errors]).toEqual(['404 not_found', []])
    }
  })
})

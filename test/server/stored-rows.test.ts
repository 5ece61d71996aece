import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  everything,
  type HttpResponse,
  handle,
  type Operation,
} from 'nounful'
import { memoryAdapter, select } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { take } from '../../src/convention/stream.ts'
import { nextOf } from '../support/cursors.ts'
import { verdictOf } from '../support/registry.ts'

const Note = z.object({
  id: z.string(),
  owner: z.string(),
  name: z.string(),
  secret: z.string(),
  state: z.enum(['open', 'shut']),
  addr: z.object({ city: z.string(), zip: z.string() }),
  tag_id: z.string().nullable(),
  rev: z.number(),
})
const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ id: true, rev: true, owner: true, secret: true }),
  sortable: ['name', 'state'],
  filterable: ['name', 'state', 'tag_id'],
  searchable: ['name'],
  references: { tag_id: 'tags' },
  restricted: ['secret'],
  filled: ['secret'],
  ownedBy: ['owner'],
  revision: 'rev',
})
const notes_v1 = defineView('notes_v1', notes, {
  schema: z.object({
    id: z.string(),
    owner: z.string(),
    title: z.string(),
    isOpen: z.boolean(),
    city: z.string(),
    rev: z.number(),
  }),
  create: z.object({ title: z.string(), isOpen: z.boolean(), city: z.string() }),
  fields: {
    title: 'name',
    isOpen: { of: 'state', values: { open: true, shut: false } },
    city: { in: 'addr', field: 'city' },
  },
  hidden: { addr: { city: '', zip: '' }, tag_id: null },
  revision: 'rev',
  sortable: ['title'],
  references: {},
})
const tags = defineResource('tags', {
  schema: z.object({ id: z.string(), color: z.string(), size: z.number() }),
  ownedBy: [],
})
const api = defineApi({
  v1: { '/notes': notes_v1 },
  v2: { '/notes': notes, '/tags': tags, '/tags/:tag_id/notes': notes },
})

const whole = {
  id: 'a',
  owner: 'o',
  name: 'n',
  secret: 's',
  state: 'open',
  addr: { city: 'c', zip: 'z' },
  tag_id: 't',
  rev: 1,
}
const oddIds = ['count', 'first', 'last', '', '.', '..', 'a\nb', 'x'.repeat(256), '\ud800', 7]
/** Rows that break the schema: a value is missing, or another one. */
const faults: readonly object[] = [
  { name: undefined },
  { name: null },
  { name: 7 },
  { secret: undefined },
  { state: undefined },
  { state: 'odd' },
  { addr: undefined },
  { addr: null },
  { addr: {} },
  { addr: [] },
  { addr: 'text' },
  { rev: undefined },
  { rev: 'one' },
  { name: undefined, state: undefined, addr: undefined, secret: undefined, rev: undefined },
]
const rows = [
  whole,
  ...faults.map((fault, place) => ({ ...whole, id: `f${place}`, ...fault })),
  ...oddIds.map((id) => ({ ...whole, id })),
]
const broken = [{ id: 't', size: 1 }]

type Home = 'memory' | 'stream' | 'bare'

function serviceOf(home: Home, caller: unknown = 'o') {
  const errors: unknown[] = []
  const memory = memoryAdapter({ items: rows as never })
  const byId = new Map<unknown, object>(rows.map((row) => [row.id, row]))
  const byHand = {
    async *list(operation: Operation) {
      yield* select([...byId.values()] as never[], operation)
    },
    holdsValue: () => true,
    read: ({ id }: Operation) => byId.get(id),
    delete({ id }: Operation) {
      const row = byId.get(id)
      byId.delete(id)
      return row
    },
  }
  const homes: Readonly<Record<Home, unknown>> = {
    memory,
    stream: byHand,
    bare: (({ modify, modifyMany, ...others }) => others)(memory),
  }
  const registry = defineRegistry(api, { defaultVersion: 'v2' })
    .onError((error) => void errors.push(error))
    .scope(() => (caller === 'o' ? { owner: 'o' } : everything))
    .reveal(() => ({ notes: caller === 'o' ? [] : ['secret'] }))
    .adapters({
      notes: homes[home] as never,
      tags: memoryAdapter({ items: broken as never }) as never,
    })
  const ask = async (line: string, body?: unknown): Promise<HttpResponse> => {
    const [method = '', url = ''] = line.split(' ')
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
    return handle({ method, url, ...sent }, registry)
  }
  return { ask, errors }
}

async function itemsOf({ body }: HttpResponse): Promise<readonly Record<string, unknown>[]> {
  const list: unknown = body
  const items = Array.isArray(list) ? list : await take(body as AsyncIterable<object>, 999)
  return items as never
}

function keysOf(errors: readonly unknown[]): readonly string[] {
  return errors.map((error) => {
    const { name, resource, field } = Object(error)
    return name === 'StoredValueError' ? `${resource}.${field}` : String(error)
  })
}

const reads = [
  'GET /v2/notes',
  'GET /v2/notes?q=n',
  'GET /v2/notes?fields=id',
  'GET /v2/notes?fields=name,addr',
  'GET /v2/notes?name:null=true',
  'GET /v2/notes?state:ne=open',
  'GET /v2/notes?limit=1000&include=tag',
  'GET /v2/notes?limit=3',
  'GET /v2/notes/first',
  'GET /v2/notes/last?sort=name',
  'GET /v2/notes/count',
  'HEAD /v2/notes',
  'GET /v2/tags',
  'GET /v2/tags/t',
  'GET /v2/tags/t/notes',
  'GET /v1/notes',
  'GET /v1/notes?sort=-title&limit=5',
  'GET /v1/notes?fields=city,isOpen',
  'GET /v1/notes/first',
  'HEAD /v1/notes',
]

describe.each(['memory', 'stream', 'bare'] as const)(
  'rows older than the schema, in %s',
  (home) => {
    for (const caller of ['o', 'everybody'])
      test.each(reads)(`%s never fails for ${caller}`, async (line) => {
        const { ask, errors } = serviceOf(home, caller)
        expect(verdictOf(await ask(line))).toBe('200')
        expect(keysOf(errors)).toEqual([...new Set(keysOf(errors))])
        expect(keysOf(errors).every((key) => /^(?:notes|notes_v1|tags)\.\w+$/.test(key))).toBe(true)
      })

    test('every row is read and deleted once', async () => {
      for (const version of ['v1', 'v2']) {
        const { ask } = serviceOf(home)
        const ids = (await itemsOf(await ask(`GET /${version}/notes`))).map(({ id }) => id)
        expect(ids).toHaveLength(rows.length)
        for (const { id } of rows.filter(({ id }) => !oddIds.includes(id))) {
          const url = `/${version}/notes/${id}`
          const { body } = await ask(`GET ${url}`)
          expect(verdictOf(await ask(`HEAD ${url}`))).toBe('200')
          expect(verdictOf(await ask(`OPTIONS ${url}`))).toBe('200')
          const deleted = await ask(`DELETE ${url}`)
          expect([verdictOf(deleted), deleted.body]).toEqual(['200', body])
          expect(verdictOf(await ask(`DELETE ${url}`))).toBe('404 not_found')
        }
      }
    })

    test('a page ends after every row', async () => {
      const { ask } = serviceOf(home)
      for (const start of ['/v2/notes?sort=-name,state&limit=1', '/v1/notes?sort=title&limit=2']) {
        const ids: unknown[] = []
        for (let url: string | undefined = start; url !== undefined; ) {
          const page: HttpResponse = await ask(`GET ${url}`)
          expect([url, verdictOf(page)]).toEqual([url, '200'])
          for (const { id } of await itemsOf(page)) ids.push(id)
          url = nextOf(page)
        }
        expect([ids.length, new Set(ids).size]).toEqual([rows.length, rows.length])
      }
    })
  },
)

test('a value that is missing leaves as null, inside JSON as stored', async () => {
  const { ask, errors } = serviceOf('memory')
  // biome-ignore format: a row stays a line
  const lines: [url: string, part: object][] = [
    ['/v2/notes/f0', { name: null, state: 'open', addr: whole.addr }],
    ['/v2/notes/f2', { name: 7 }],
    ['/v2/notes/f4', { state: null }],
    ['/v2/notes/f5', { state: 'odd' }],
    ['/v2/notes/f6', { addr: null }],
    ['/v2/notes/f8', { addr: {} }],
    ['/v2/notes/f10', { addr: 'text' }],
    ['/v2/notes/f11', { rev: null }],
    ['/v1/notes/f0', { title: null, isOpen: true }],
    ['/v1/notes/f5', { title: 'n', isOpen: null }],
    ['/v1/notes/f7', { city: null }],
    ['/v1/notes/f8', { city: null }],
    ['/v1/notes/f10', { city: null }],
    ['/v2/tags/t', { id: 't', size: 1, color: null }],
  ]
  for (const [url, part] of lines) {
    const { body, headers } = await ask(`GET ${url}`)
    expect([url, body]).toEqual([url, expect.objectContaining(part)])
    expect(body).not.toHaveProperty('secret')
    if (url.endsWith('f11')) expect(headers).not.toHaveProperty('etag')
  }
  expect(keysOf(errors).toSorted()).toEqual([
    'notes.addr', 'notes.name', 'notes.rev', 'notes.state', 'notes_v1.city', 'notes_v1.isOpen',
    'notes_v1.title', 'tags.color',
  ]) // biome-ignore format: words
})

test('an item included lacks a value, too', async () => {
  const { ask, errors } = serviceOf('memory')
  const { body } = await ask('GET /v2/notes?limit=1&include=tag')
  expect(body).toMatchObject([{ tag: { id: 't', color: null, size: 1 } }])
  expect(keysOf(errors)).toEqual(['tags.color'])
})

test('a list holds ids that no path names', async () => {
  const { ask } = serviceOf('memory')
  const ids = (await itemsOf(await ask('GET /v2/notes'))).map(({ id }) => id)
  for (const id of oddIds) expect(ids).toContain(id)
  for (const id of ['%2E%2E', 'a%0Ab', 'x'.repeat(256)])
    expect((await ask(`GET /v2/notes/${id}`)).status).toBeGreaterThanOrEqual(400)
})

test('a new item still needs an id that a path names', async () => {
  const { ask, errors } = serviceOf('memory')
  const { id, rev, owner, secret, ...body } = whole
  const registry = defineRegistry(defineApi({ v1: { '/tags': tags } }))
    .onError((error) => void errors.push(error))
    .adapters({ tags: { create: ({ item }) => ({ ...item, id: 'count' }) } as Adapter as never })
  const headers = { 'content-type': 'application/json' }
  const sent = JSON.stringify({ id: 'b', color: 'red', size: 1 })
  const made = await handle({ method: 'POST', url: '/v1/tags', headers, body: sent }, registry)
  expect(verdictOf(made)).toBe('500 internal_error')
  expect(`${errors}`).toMatch('that no path can name')
  expect(verdictOf(await ask('POST /v2/notes', body))).toBe('500 internal_error')
})

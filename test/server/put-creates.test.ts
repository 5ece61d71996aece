import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  type HttpHeaders,
  handle,
  type Operation,
  problem,
} from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Note = z.object({
  id: z.string(),
  tenant_id: z.string(),
  text: z.string().min(1),
  folder_id: z.string().optional(),
  made: z.string().optional(),
  rev: z.number(),
})
const NewNote = Note.omit({ id: true, tenant_id: true, made: true, rev: true })
const folders = defineResource('folders', {
  schema: z.object({ id: z.string(), tenant_id: z.string() }),
  create: z.object({ id: z.string() }),
  ownedBy: ['tenant_id'],
})
const notes = defineResource('notes', {
  schema: Note,
  create: NewNote,
  readOnly: ['made'],
  revision: 'rev',
  references: { folder_id: 'folders' },
  ownedBy: ['tenant_id'],
  putCreates: true,
})
// Its clients choose ids by a rule of their own. Another field may not repeat.
const tags = defineResource('tags', {
  schema: z.object({ id: z.string(), name: z.string() }),
  create: z.strictObject({ id: z.string().regex(/^[a-z]+$/), name: z.string() }),
  update: z.strictObject({ name: z.string() }),
  ownedBy: [],
  putCreates: true,
})
const labels = defineView('labels', tags, {
  schema: z.object({ id: z.string(), title: z.string() }),
  create: z.object({ id: z.string(), title: z.string() }),
  update: z.object({ title: z.string() }),
  fields: { title: 'name' },
})
// It merges a PUT with what is stored.
const Page = z.object({
  id: z.string(),
  text: z.string(),
  status: z.enum(['draft', 'public']),
  price: z.number().default(3),
  mark: z.string().optional(),
  tag_id: z.string().optional(),
})
const pages = defineResource('pages', {
  schema: Page,
  create: Page.omit({ id: true }),
  states: { status: { draft: ['public'], public: [] } },
  keep: ['mark'],
  restricted: ['price'],
  references: { tag_id: 'tags' },
  ownedBy: [],
  putCreates: true,
})
const api = defineApi({
  v1: {
    '/pages': pages,
    '/folders': folders,
    '/notes': notes,
    '/folders/:folder_id/notes': notes,
    '/tags': tags,
  },
  v2: { '/labels': labels },
})

const folder = { id: 'f', tenant_id: 'a' }
const stored = [
  { id: '1', tenant_id: 'a', text: 'one', rev: 1 },
  { id: '2', tenant_id: 'b', text: 'two', rev: 1 },
]
const memory = () => ({
  folders: memoryAdapter({ items: [folder] }),
  notes: memoryAdapter({ items: stored }),
  tags: memoryAdapter(),
  pages: memoryAdapter(),
})

const homes = {
  memory,
  // It reads and stores in two steps.
  byRevision() {
    const { modify, modifyMany, ...adapter } = memory().notes
    return { ...memory(), notes: adapter }
  },
  sqlite() {
    const file = new DatabaseSync(':memory:')
    file.exec(`create table folders (id text primary key, tenant_id text not null);
      create table notes (id text primary key, tenant_id text not null, text text not null,
        folder_id text, made text, rev integer not null default 1);
      create table tags (id text primary key, name text not null unique);
      create table pages (id text primary key, text text not null, status text not null,
        price integer not null default 3, mark text, tag_id text);
      insert into folders values ('f', 'a');
      insert into notes (id, tenant_id, text) values ('1', 'a', 'one'), ('2', 'b', 'two')`)
    const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
    const of = (table: string) => kyselyAdapter(db, { table })
    return {
      folders: of('folders'),
      notes: of('notes'),
      tags: of('tags'),
      pages: of('pages'),
    }
  },
}

type Seen = Pick<Operation, 'kind' | 'id' | 'scope'>

function serviceOf(home: keyof typeof homes, refused: readonly string[] = []) {
  const seen: Seen[] = []
  const errors: unknown[] = []
  const registry = defineRegistry(api, { defaultVersion: 'v1' })
    .context(({ headers }) => ({ tenant: `${headers?.tenant ?? 'a'}` }))
    .scope(({ tenant }) => ({ tenant_id: tenant }))
    .reveal(() => ({}))
    .use((operation, _, next) => {
      const { kind, id, scope } = operation
      seen.push({ kind, id, scope })
      if (refused.includes(kind)) throw problem('forbidden')
      return next()
    })
    .onError((error) => void errors.push(error))
    .adapters(homes[home]() as never)
  const put = async (path: string, body: unknown, headers: HttpHeaders = {}) => {
    const type = { 'content-type': 'application/json' }
    const request = { method: 'PUT', url: path, headers: { ...type, ...headers } }
    return handle({ ...request, body: JSON.stringify(body) }, registry)
  }
  const get = async (url: string) => (await handle({ method: 'GET', url }, registry)).body
  return { put, get, seen, errors }
}

const kept = (body: unknown) => body as Readonly<Record<string, unknown>>

describe.each(Object.keys(homes) as (keyof typeof homes)[])('PUT that creates, in %s', (home) => {
  test('creates with the id of the path, then replaces', async () => {
    const { put, get, seen } = serviceOf(home)
    const created = await put('/v1/notes/n%C3%A9w', { text: 'new' })
    expect(created).toMatchObject({
      status: 201,
      headers: { location: '/v1/notes/n%C3%A9w' },
      body: { id: 'néw', text: 'new', tenant_id: 'a' },
    })
    expect(created.headers.etag).toMatch(/^"/)
    expect(seen.map(({ kind, id }) => [kind, id])).toEqual([
      ['update', 'néw'],
      ['create', 'néw'],
    ])
    const replaced = await put('/v1/notes/n%C3%A9w', { text: 'newer', id: 'néw' })
    expect(replaced).toMatchObject({ status: 200, body: { text: 'newer' } })
    expect(replaced.headers.location).toBeUndefined()
    expect(await get('/v1/notes/n%C3%A9w')).toEqual(replaced.body)
  })

  test('creates in the scope of the path, below a parent that exists', async () => {
    const { put } = serviceOf(home)
    const created = await put('/v1/folders/f/notes/n', { text: 'new' })
    expect(created).toMatchObject({
      status: 201,
      headers: { location: '/v1/folders/f/notes/n' },
      body: { folder_id: 'f' },
    })
    const none = await put('/v1/folders/none/notes/n', { text: 'new' })
    expect(none).toMatchObject({ status: 404, body: { code: 'parent_not_found' } })
  })

  type Row = readonly [path: string, body: object, headers: HttpHeaders, outcome: string | number]
  const rows: readonly Row[] = [
    ['/v1/notes/n', { text: '' }, {}, 'validation_failed'],
    ['/v1/notes/n', { text: 'a', made: 'now' }, {}, 'validation_failed'],
    ['/v1/notes/n', { text: 'a', folder_id: 'none' }, {}, 'validation_failed'],
    ['/v1/notes/n', { text: 'a', folder_id: 'f' }, {}, 201],
    ['/v1/notes/n', { text: 'a', id: 'm' }, {}, 'id_mismatch'],
    ['/v1/notes/n', { text: '', id: 'm' }, {}, 'validation_failed'],
    ['/v1/notes/n', { text: 'a', rev: 1 }, {}, 'precondition_failed'],
    ['/v1/notes/n', { text: 'a' }, { 'if-match': '*' }, 'precondition_failed'],
    ['/v1/notes/n', { text: 'a' }, { 'if-match': '"1"' }, 'precondition_failed'],
    ['/v1/notes/n', { text: 'a' }, { 'if-none-match': '*' }, 201],
    ['/v1/notes/1', { text: 'a' }, { 'if-none-match': '*' }, 'precondition_failed'],
    ['/v1/notes/n', { text: 'a' }, { 'idempotency-key': 'k' }, 201],
    // Another owner has the item. The client learns that the id is taken, and no more.
    ['/v1/notes/2', { text: 'a' }, {}, 'conflict'],
    ['/v1/notes/2', { text: 'a' }, { 'if-none-match': '*' }, 'conflict'],
    ['/v1/notes/first', { text: 'a' }, {}, 'method_not_allowed'],
    ['/v1/notes/a%00', { text: 'a' }, {}, 'bad_percent_encoding'],
    ['/v1/tags/red', { name: 'r' }, {}, 201],
    ['/v1/tags/RED', { name: 'r' }, {}, 'validation_failed'],
    ['/v1/pages/p', { text: 'a' }, {}, 201],
    ['/v1/pages/p', { text: 'a', status: 'draft', mark: 'm' }, {}, 201],
    ['/v1/pages/p', { text: 'a', status: 'public' }, {}, 'validation_failed'],
    ['/v1/pages/p', { text: 5 }, {}, 'validation_failed'],
    ['/v1/pages/p', { text: 'a', price: 5 }, {}, 'validation_failed'],
    ['/v1/pages/p', { text: 'a', tag_id: 'none' }, {}, 'validation_failed'],
    ['/v1/pages/p', { text: 'a', id: 'q' }, {}, 'id_mismatch'],
    ['/v2/labels/red', { title: 'r' }, {}, 201],
    ['/v2/labels/RED', { title: 'r' }, {}, 'validation_failed'],
  ]
  test.each(rows)('%s %j %j: %s', async (path, body, headers, outcome) => {
    const { put, get, errors } = serviceOf(home)
    const before = await get('/v1/notes')
    const response = await put(path, body, headers)
    if (typeof outcome === 'number') {
      expect(response.status).toBe(outcome)
      const id = decodeURIComponent(path.split('/').at(-1) ?? '')
      expect(await get(path)).toMatchObject({ ...body, id })
    } else {
      const { code, message } = kept(response.body)
      expect(code).toBe(outcome)
      // A GET of the id is 404, so no text says that the item exists.
      if (code === 'conflict') expect(message).toBe('This id is taken: choose another one.')
      expect(await get('/v1/notes')).toEqual(before)
    }
    expect(errors).toEqual([])
  })

  test('a dry run tells the new item, and stores nothing', async () => {
    const { put, get } = serviceOf(home)
    const response = await put('/v1/notes/n?dry_run=true', { text: 'new' })
    expect(response).toMatchObject({ status: 200, body: { id: 'n', text: 'new' } })
    expect(response.headers.location).toBeUndefined()
    const label = await put('/v2/labels/red?dry_run=true', { title: 'r' })
    expect(label).toMatchObject({ status: 200, body: { id: 'red', title: 'r' } })
    expect(await get('/v1/notes/n')).toMatchObject({ status: 404 })
    expect(await get('/v1/tags/red')).toMatchObject({ status: 404 })
  })

  test('twenty at once make one item, and the rest replace it', async () => {
    const { put, get } = serviceOf(home)
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`)
    const all = await Promise.all(texts.map((text) => put('/v1/notes/n', { text })))
    const statuses = all.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.every((status) => [200, 201, 409].includes(status))).toBe(true)
    const only = await Promise.all(
      texts.map((text) => put('/v1/notes/m', { text }, { 'if-none-match': '*' })),
    )
    const codes = only.map(({ status, body }) => (status === 201 ? 201 : kept(body).code))
    expect(codes.filter((code) => code === 201)).toHaveLength(1)
    expect(codes.filter((code) => code === 'precondition_failed')).toHaveLength(19)
    expect(kept(await get('/v1/notes/m')).text).toBe(texts[codes.indexOf(201)])
  })

  test('needs the right to update, and the right to create', async () => {
    const creating = serviceOf(home, ['create'])
    expect(await creating.put('/v1/notes/n', { text: 'a' })).toMatchObject({ status: 403 })
    expect(await creating.put('/v1/notes/1', { text: 'a' })).toMatchObject({ status: 200 })
    const updating = serviceOf(home, ['update'])
    expect(await updating.put('/v1/notes/n', { text: 'a' })).toMatchObject({ status: 403 })
    expect(updating.seen.map(({ kind }) => kind)).toEqual(['update'])
  })
})

test('a bulk and a patch create nothing', async () => {
  const { put } = serviceOf('memory')
  const bulk = await put('/v1/notes', [{ id: 'n', text: 'a' }])
  expect(bulk).toMatchObject({ status: 404 })
})

test('an adapter that makes ids of its own is a fault of the server', async () => {
  const errors: unknown[] = []
  const { createMany: _, ...adapter } = memoryAdapter()
  const counting = { ...adapter, create: () => ({ id: '7', name: 'r' }) }
  const registry = defineRegistry(defineApi({ v1: { '/tags': tags } }))
    .onError((error) => void errors.push(error))
    .adapters({ tags: counting } as never)
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'PUT', url: '/v1/tags/red', headers, body: '{"name":"r"}' }
  expect(await handle(request, registry)).toMatchObject({ status: 500 })
  expect(errors.map(String)).toEqual([
    'TypeError: The adapter of "tags" gave, for "create", an item with another id: ' +
      'keep the id of operation.item.',
  ])
})

describe('without a middleware', () => {
  const Task = z.object({ id: z.string(), list_id: z.string(), text: z.string() })
  const lists = defineResource('lists', { schema: z.object({ id: z.string() }) })
  const tasks = defineResource('tasks', {
    schema: Task,
    create: Task.omit({ id: true, list_id: true }),
    putCreates: true,
  })
  const nested = defineApi({ v1: { '/lists': lists, '/lists/:list_id/tasks': tasks } })
  const put = (adapters: object) => {
    const registry = defineRegistry(nested).adapters(adapters as never)
    const headers = { 'content-type': 'application/json' }
    const url = '/v1/lists/l/tasks/t'
    return () => handle({ method: 'PUT', url, headers, body: '{"text":"a"}' }, registry)
  }

  test('it answers at once, as its adapters do', () => {
    const list = memoryAdapter({ items: [{ id: 'l' }] })
    const send = put({ lists: list, tasks: memoryAdapter() })
    expect(send()).toMatchObject({ status: 201, body: { id: 't', list_id: 'l', text: 'a' } })
    expect(send()).toMatchObject({ status: 200 })
  })

  test('a parent that goes meanwhile is the answer', () => {
    const answers = [{ id: 'l' }, null]
    const send = put({ lists: { read: () => answers.shift() }, tasks: memoryAdapter() })
    expect(send()).toMatchObject({ status: 404, body: { code: 'parent_not_found' } })
  })

  test('another fault than a taken id is the answer', () => {
    const { modify, modifyMany, create, createMany, ...adapter } = memoryAdapter()
    const full = () => {
      throw problem('validation_failed')
    }
    const lists = memoryAdapter({ items: [{ id: 'l' }] })
    const send = put({ lists, tasks: { ...adapter, create: full } })
    expect(send()).toMatchObject({ status: 422 })
  })

  test('a text that is no id creates nothing', async () => {
    const create = z.object({ text: z.string() })
    const steps = defineResource('steps', {
      schema: create.extend({ id: z.int() }),
      id: z.coerce.number().int(),
      create,
      putCreates: true,
    })
    const numbered = defineRegistry(defineApi({ v1: { '/steps': steps } })).adapters({
      steps: memoryAdapter({ nextId: () => 1 }),
    })
    const headers = { 'content-type': 'application/json' }
    const answers = ['x', '07', '7'].map((id) =>
      handle({ method: 'PUT', url: `/v1/steps/${id}`, headers, body: '{"text":"a"}' }, numbered),
    )
    expect(answers).toMatchObject([
      { status: 404, body: { code: 'not_found' } },
      { status: 404, body: { code: 'not_found' } },
      { status: 201, body: { id: 7 } },
    ])
  })

  const text = v.string()
  const slug = v.pipe(text, v.regex(/^[a-z]+$/))
  // biome-ignore format: a row stays a line
  const bodies = [
    ['no id',               v.strictObject({ text }),                          'A1', 201],
    ['no id, and a fault',  v.strictObject({ text: v.literal('b') }),          'A1', 422, '/text'],
    ['any id',              v.strictObject({ id: text, text }),                'A1', 201],
    ['an id of a rule',     v.strictObject({ id: slug, text }),                'a',  201],
    ['an id of a rule',     v.strictObject({ id: slug, text }),                'A1', 422, '/id'],
    ['an optional id',      v.strictObject({ id: v.optional(slug), text }),    'a',  201],
    ['an optional id',      v.strictObject({ id: v.optional(slug), text }),    'A1', 422, '/id'],
    ['more than its own',   v.object({ text }),                                'A1', 201],
  ] as const
  test.each(bodies)('a schema without a JSON Schema may take %s', async (...row) => {
    const [, create, id, status, pointer] = row
    const schema = v.object({ id: text, text })
    const update = v.object({ text })
    const memos = defineResource('memos', { schema, create, update, putCreates: true })
    const registry = defineRegistry(defineApi({ v1: { '/memos': memos } })).adapters({
      memos: memoryAdapter(),
    })
    const headers = { 'content-type': 'application/json' }
    const body = '{"text":"a"}'
    const response = await handle(
      { method: 'PUT', url: `/v1/memos/${id}`, headers, body },
      registry,
    )
    expect(response.status).toBe(status)
    const expected = pointer === undefined ? { id, text: 'a' } : { issues: [{ pointer }] }
    expect(response.body).toMatchObject(expected)
  })

  test('it needs an adapter that creates', () => {
    const { create, createMany, ...adapter } = memoryAdapter()
    expect(() => put({ lists: memoryAdapter(), tasks: adapter })).toThrow(
      '"tasks" has "putCreates": give its adapter the "create" that it needs.',
    )
  })
})

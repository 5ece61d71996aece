import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpHeaders,
  handle,
  problem,
} from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Loose, notesWith, requestOf } from '../support/registry.ts'

const NewNote = z.object({
  text: z.string().transform((text) => text.trim()),
  due: z.iso.datetime({ offset: true }).optional(),
  folder_id: z.string().optional(),
  kind: z.string().default('plain'),
  secret: z.string().optional(),
  remark: z.string().nullish(),
})
const Note = z.object({
  id: z.string(),
  text: z.string(),
  due: z.iso.datetime().optional(),
  folder_id: z.string().optional(),
  kind: z.string(),
  remark: z.string().optional(),
})
const folders = defineResource('folders', {
  schema: z.object({ id: z.string() }),
  create: z.object({ id: z.string() }),
})
const notes = defineResource('notes', {
  schema: Note,
  create: NewNote,
  idempotent: true,
  references: { folder_id: 'folders' },
})
const logs = defineResource('logs', { schema: Note, create: NewNote })
const api = defineApi({
  v1: {
    '/folders': folders,
    '/notes': notes,
    '/folders/:folder_id/notes': notes,
    '/logs': logs,
  },
})

const hidden = { name: 'secret', writeOnly: true }

const homes = {
  memory: () => ({ folders: memoryAdapter(), notes: memoryAdapter(), logs: memoryAdapter() }),
  sqlite() {
    const file = new DatabaseSync(':memory:')
    const columns = 'text text not null, due text, folder_id text, kind text not null, remark text'
    file.exec(`create table folders (id text primary key);
      create table notes (id text primary key, ${columns}, secret text);
      create table logs (id text primary key, ${columns}, secret text)`)
    const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
    return {
      folders: kyselyAdapter(db, { table: 'folders' }),
      notes: kyselyAdapter(db, { table: 'notes', columns: { secret: hidden } as never }),
      logs: kyselyAdapter(db, { table: 'logs', columns: { secret: hidden } as never }),
    }
  },
}

function world(home: keyof typeof homes) {
  const registry = defineRegistry(api, { idempotentFor: ({ user }: { user: string }) => user })
    .context(({ headers }) => ({ user: `${headers?.user ?? 'ann'}` }))
    .adapters(homes[home]() as never)
  const sending =
    (method: string) =>
    async (url: string, body: unknown, headers: HttpHeaders = {}) =>
      handle(
        {
          method,
          url,
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        },
        registry,
      )
  const [post, patch] = [sending('POST'), sending('PATCH')]
  const ask = async (method: string, url: string) => handle({ method, url }, registry)
  const count = async () => (await ask('GET', '/notes/count')).body
  return { post, patch, ask, count }
}

const key = { 'idempotency-key': 'k1' }
const isReplayed = { 'idempotency-replayed': 'true' }

type Repeated = readonly [name: string, first: object, second: object, headers?: HttpHeaders]
type Refused = readonly [
  url: string,
  body: unknown,
  key: string | string[],
  status: number,
  code: string,
]

for (const home of ['memory', 'sqlite'] as const) {
  describe(`a create with a key in ${home}`, () => {
    const repeated: readonly Repeated[] = [
      ['equal', { text: 'a' }, { text: 'a' }],
      ['transformed', { text: ' a ' }, { text: 'a' }],
      ['without a default', { text: 'a', kind: 'plain' }, { text: 'a' }],
      ['with a default', { text: 'a' }, { text: 'a', kind: 'plain' }],
      [
        'of the same moment',
        { text: 'a', due: '2020-01-01T00:00:00+01:00' },
        { text: 'a', due: '2019-12-31T23:00:00Z' },
      ],
      ['with a write-only field', { text: 'a', secret: 'x' }, { text: 'a', secret: 'x' }],
      ['with null for a missing field', { text: 'a', remark: null }, { text: 'a', remark: null }],
      ['with a quoted key', { text: 'a' }, { text: 'a' }, { 'idempotency-key': '"k1"' }],
    ]
    for (const [name, first, second, headers = key] of repeated) {
      test(`is replayed for a body ${name}`, async () => {
        const { post, count } = world(home)
        const made = await post('/notes', first, key)
        expect(made).toMatchObject({ status: 201 })
        expect(made.headers).not.toMatchObject(isReplayed)
        const again = await post('/notes', second, headers)
        expect(again).toMatchObject({ status: 201, body: made.body, headers: isReplayed })
        expect(again.headers.location).toBe(made.headers.location)
        expect(await count()).toEqual({ count: 1 })
      })
    }

    test('is refused for another body', async () => {
      const { post, count } = world(home)
      await post('/notes', { text: 'a' }, key)
      const other = await post('/notes', { text: 'b' }, key)
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
      expect(await count()).toEqual({ count: 1 })
    })

    test('of another caller, path or key makes another item', async () => {
      const { post, count } = world(home)
      await post('/folders', { id: 'f' })
      const made = [
        await post('/notes', { text: 'a' }, key),
        await post('/notes', { text: 'a' }, { ...key, user: 'bob' }),
        await post('/notes', { text: 'a' }, { 'idempotency-key': 'K1' }),
        await post('/folders/f/notes', { text: 'a' }, key),
      ]
      const ids = made.map(({ body }) => Object(body).id)
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      expect(new Set(ids).size).toBe(4)
      expect(await count()).toEqual({ count: 4 })
    })

    test('of twenty at once makes one item', async () => {
      const { post, count } = world(home)
      const all = await Promise.all(
        Array.from({ length: 20 }, () => post('/notes', { text: 'a' }, key)),
      )
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]))
      expect(new Set(all.map(({ body }) => Object(body).id)).size).toBe(1)
      expect(await count()).toEqual({ count: 1 })
    })

    test('makes a deleted item again', async () => {
      const { post, ask } = world(home)
      const { headers } = await post('/notes', { text: 'a' }, key)
      await ask('DELETE', `${headers.location}`)
      const again = await post('/notes', { text: 'a' }, key)
      expect(again).toMatchObject({ status: 201 })
      expect(again.headers).not.toMatchObject(isReplayed)
    })

    test('is replayed although a reference is gone', async () => {
      const { post } = world(home)
      await post('/folders', { id: 'f' })
      const made = await post('/notes', { text: 'a', folder_id: 'f' }, key)
      expect(await post('/notes', { text: 'a', folder_id: 'f' }, key)).toMatchObject({
        status: 201,
        body: made.body,
        headers: isReplayed,
      })
    })

    test('with dry_run makes nothing', async () => {
      const { post, count } = world(home)
      expect(await post('/notes?dry_run=true', { text: 'a' }, key)).toMatchObject({ status: 200 })
      expect(await count()).toEqual({ count: 0 })
    })
  })
}

describe('a key is refused', () => {
  const refused: readonly Refused[] = [
    ['/notes', [{ text: 'a' }], 'k', 400, 'idempotency_unsupported'],
    ['/notes', { text: 'a', id: 'x' }, 'k', 400, 'idempotency_unsupported'],
    ['/logs', { text: 'a' }, 'k', 400, 'idempotency_unsupported'],
    ['/notes', { text: 'a' }, '', 400, 'bad_request'],
    ['/notes', { text: 'a' }, '""', 400, 'bad_request'],
    ['/notes', { text: 'a' }, 'a b', 400, 'bad_request'],
    ['/notes', { text: 'a' }, '"a b"', 400, 'bad_request'],
    ['/notes', { text: 'a' }, '"a', 400, 'bad_request'],
    ['/notes', { text: 'a' }, 'a, b', 400, 'bad_request'],
    ['/notes', { text: 'a' }, ['a', 'b'], 400, 'bad_request'],
    ['/notes', { text: 'a' }, 'é', 400, 'bad_request'],
    ['/notes', { text: 'a' }, 'a\u0000', 400, 'bad_request'],
    ['/notes', { text: 'a' }, 'a'.repeat(256), 400, 'bad_request'],
    ['/notes', { text: 1 }, 'k', 422, 'validation_failed'],
  ]
  for (const [url, body, sent, status, code] of refused) {
    test(`${url} ${JSON.stringify(body)} ${JSON.stringify(sent).slice(0, 20)}`, async () => {
      const { post, count } = world('memory')
      const answer = await post(url, body, { 'idempotency-key': sent })
      expect(answer).toMatchObject({ status, body: { code } })
      expect(await count()).toEqual({ count: 0 })
    })
  }

  test('by PATCH', async () => {
    const { post, patch } = world('memory')
    const { headers } = await post('/notes', { text: 'a' })
    expect(await patch(`${headers.location}`, {})).toMatchObject({ status: 200 })
    expect(await patch(`${headers.location}`, {}, key)).toMatchObject({
      status: 400,
      body: { code: 'idempotency_unsupported' },
    })
  })
})

describe('an adapter that sets ids', () => {
  const onCreate = () => ({ id: randomUUID(), kind: 'plain' })
  const adapters = {
    memory: () => memoryAdapter({ onCreate }),
    sqlite() {
      const file = new DatabaseSync(':memory:')
      file.exec('create table notes (id text primary key, text text not null, kind text not null)')
      const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
      return kyselyAdapter(db, { table: 'notes', onCreate })
    },
  }
  for (const home of ['memory', 'sqlite'] as const) {
    test(`keeps the id of a key, in ${home}`, async () => {
      const { registry, errors } = notesWith(adapters[home]() as Loose, {
        declaration: {
          schema: z.object({ id: z.string(), text: z.string(), kind: z.string() }),
          create: z.object({ text: z.string() }),
          filled: ['kind'],
          sortable: [],
          idempotent: true,
        },
      })
      const send = (headers: HttpHeaders) =>
        handle(requestOf(['POST', '/notes', { text: 'a' }, headers]), registry)
      const made = await send(key)
      expect(made).toMatchObject({ status: 201 })
      for (let times = 0; times < 3; times++)
        expect(await send(key)).toMatchObject({ body: made.body, headers: isReplayed })
      expect(await send({})).toMatchObject({ status: 201 })
      expect(await handle(requestOf(['GET', '/notes/count']), registry)).toMatchObject({
        body: { count: 2 },
      })
      expect(errors).toEqual([])
    })
  }
})

test('a storage that gives another id is an error of its author', async () => {
  const adapters = homes.memory()
  const { notes } = adapters
  const registry = defineRegistry(api).adapters({
    ...adapters,
    notes: {
      ...notes,
      createMany: undefined,
      create: ({ item }: { item: object }) => ({ ...item, id: 'other' }),
    },
  } as never)
  const errors: unknown[] = []
  const answer = await handle(
    {
      method: 'POST',
      url: '/notes',
      headers: { 'content-type': 'application/json', ...key },
      body: '{"text":"a"}',
    },
    { ...registry, onError: (error) => void errors.push(error) },
  )
  expect(answer.status).toBe(500)
  expect(String(errors[0])).toContain('keep the id of operation.item')
})

describe('a create with a key that the storage refuses', () => {
  const refusals = [
    [() => problem('conflict'), 409],
    [() => problem('validation_failed'), 422],
    [() => problem('forbidden'), 403],
    [() => new Error('broken'), 500],
  ] as const
  for (const [refusal, status] of refusals) {
    test(`is ${status} without an item`, async () => {
      const create = () => {
        throw refusal()
      }
      const registry = defineRegistry(api)
        .onError(() => undefined)
        .adapters({ ...homes.memory(), notes: { read: () => null, create } } as never)
      const headers = { 'content-type': 'application/json', ...key }
      const request = { method: 'POST', url: '/notes', headers, body: '{"text":"a"}' }
      expect(await handle(request, registry)).toMatchObject({ status })
    })
  }
})

test('a create with a key that a crash undid is tried once more', async () => {
  for (const [losses, status, attempts] of [
    [1, 201, 2],
    [5, 409, 2],
  ] as const) {
    const notes = memoryAdapter()
    let sent = 0
    const create: typeof notes.create = (operation, context) => {
      sent++
      // As InnoDB does whose log lost the commit that another request has seen.
      if (sent <= losses) throw problem('conflict')
      if (notes.create === undefined) throw problem('unavailable')
      return notes.create(operation, context)
    }
    const registry = defineRegistry(api).adapters({
      ...homes.memory(),
      notes: { read: notes.read, create },
    } as never)
    const headers = { 'content-type': 'application/json', ...key }
    const request = { method: 'POST', url: '/notes', headers, body: '{"text":"a"}' }
    expect(await handle(request, registry)).toMatchObject({ status })
    expect(sent).toBe(attempts)
  }
})

test('a caller without a text gets an error, and creates nothing', async () => {
  for (const caller of [undefined, null, 1, Promise.resolve('ann')]) {
    const adapters = homes.memory()
    const errors: unknown[] = []
    const registry = defineRegistry(api, { idempotentFor: () => caller as never })
      .context(() => ({}))
      .onError((error) => {
        errors.push(error)
      })
      .adapters(adapters as never)
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' }
    const request = { method: 'POST', url: '/notes', headers, body: '{"text":"a"}' }
    expect(await handle(request, registry)).toMatchObject({ status: 500 })
    expect(String(errors[0])).toContain('"idempotentFor" gave no text')
    expect(await handle({ method: 'GET', url: '/notes' }, registry)).toMatchObject({ body: [] })
  }
})

describe('a declaration is refused', () => {
  const declared = { schema: Note, create: NewNote, idempotent: true }

  test('with ids that take no UUID', () => {
    const numbers = { ...declared, id: z.string().regex(/^\d+$/) }
    expect(() => defineResource('notes', numbers)).toThrow('takes no UUID: write "id: z.uuid()"')
  })

  test('with a POST that needs an id', () => {
    const { create: _, ...plain } = declared
    const fault = 'declare a "create" schema without "id"'
    expect(() => defineResource('notes', plain)).toThrow(fault)
    const chosen = Note.extend({ id: z.string().default('x') })
    expect(() => defineResource('notes', { ...declared, create: chosen })).not.toThrow()
    const free = Note.partial({ id: true })
    expect(() => defineResource('notes', { ...declared, create: free })).not.toThrow()
    const opaque = NewNote.transform((note) => ({ ...note }))
    expect(() => defineResource('notes', { ...declared, create: opaque })).not.toThrow()
  })

  test('with a context that tells no caller', () => {
    const builder = defineRegistry(api).context(() => ({}))
    expect(() => builder.adapters(homes.memory() as never)).toThrow('write "idempotentFor')
  })

  test('with an adapter without read', () => {
    const adapters = { ...homes.memory(), notes: { create: () => ({ id: '1' }) } }
    expect(() => defineRegistry(api).adapters(adapters as never)).toThrow(
      'give its adapter the "read"',
    )
  })
})

import { type Kysely, sql } from 'kysely'
import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpResponse,
  handle,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeSqliteTable } from '../../src/kysely/engine/sqlite-table.ts'
import { nextOf } from '../support/cursors.ts'
import { verdictOf } from '../support/registry.ts'
import { databaseOf, type Engine, has } from '../support/stores.ts'

const Note = z.object({ id: z.string(), name: z.string(), size: z.number() })
const notes = defineResource('notes', {
  schema: Note,
  sortable: ['name', 'size'],
  filterable: ['name'],
  searchable: ['name'],
})
const links = defineResource('links', {
  schema: z.object({ id: z.string(), note_id: z.string().nullable() }),
  references: { note_id: 'notes' },
})
const parts = defineResource('parts', {
  schema: z.object({ id: z.number(), name: z.string() }),
  id: z.coerce.number(),
})
const api = defineApi({ v1: { '/notes': notes, '/links': links, '/parts': parts } })

/** Ids that a table may hold and no path names, with the path that a client would try. */
const oddIds: readonly (readonly [id: string, path: string])[] = [
  ['count', 'count'],
  ['first', 'first'],
  ['last', 'last'],
  ['.', '.'],
  ['..', '..'],
  ['.', '%2E'],
  ['..', '%2e%2e'],
  ['', ''],
  ['a\nb', 'a%0Ab'],
  ['\u007f', '%7F'],
  ['x'.repeat(256), 'x'.repeat(256)],
  ['😀'.repeat(256), encodeURIComponent('😀'.repeat(256))],
]
const stored = [...new Set(['a', 'b', ...oddIds.map(([id]) => id)])]
const wide = ['9007199254740993', '-9007199254740995', '9223372036854775807']

type Ask = (line: string, headers?: Readonly<Record<string, string>>) => Promise<HttpResponse>

interface Service {
  readonly ask: Ask
  readonly errors: unknown[]
  /** Counts the rows without an id that the store still has. */
  readonly lost: () => Promise<number>
}

/** The statements that make the tables of an engine, whose ids may be null. */
const tables: Readonly<Record<string, readonly [engine: Engine, id: string, part: string]>> = {
  'sqlite, text primary key': ['sqlite', 'text primary key', 'integer primary key'],
  'sqlite, unique text': ['sqlite', 'text unique', 'bigint unique'],
  'sqlite, varchar': ['sqlite', 'varchar(300) primary key', 'int primary key'],
  postgres: ['postgres', 'text unique', 'bigint unique'],
  mariadb: [
    'mariadb',
    'varchar(300) character set utf8mb4 collate utf8mb4_nopad_bin unique',
    'bigint unique',
  ],
}

let drop: () => Promise<unknown> = async () => undefined
afterEach(() => drop())

function serviceOf(adapters: Readonly<Record<'notes' | 'links' | 'parts', Adapter>>) {
  const errors: unknown[] = []
  const registry = defineRegistry(api)
    .onError((error) => void errors.push(error))
    .adapters(adapters as never)
  const ask: Ask = async (line, headers = {}) => {
    const [method = '', url = ''] = line.split(' ')
    return handle({ method, url, headers }, registry)
  }
  return { ask, errors }
}

async function tableOf(name: string): Promise<Service> {
  const [engine, id, part] = tables[name] as NonNullable<(typeof tables)[string]>
  const { db, drop: dropped } = await databaseOf<Record<string, object>>(engine)
  drop = dropped
  await sql`create table notes (id ${sql.raw(id)}, name varchar(9) not null, size int)`.execute(db)
  await sql`create table links (id varchar(9) primary key, note_id varchar(300))`.execute(db)
  await sql`create table parts (id ${sql.raw(part)}, name varchar(9) not null)`.execute(db)
  await fill(db, part.startsWith('integer') ? wide : [...wide, null, null])
  const adapterOf = (table: string) => kyselyAdapter(db as Kysely<unknown>, { table })
  const adapters = {
    notes: adapterOf('notes'),
    links: adapterOf('links'),
    parts: adapterOf('parts'),
  }
  const lost = async () => {
    const { rows } = await sql<{ n: unknown }>`
      select count(*) as n from notes where id is null`.execute(db)
    return Number(rows[0]?.n)
  }
  return { ...serviceOf(adapters as never), lost }
}

async function fill(db: Kysely<Record<string, object>>, wholes: readonly (string | null)[]) {
  for (const [size, id] of [null, ...stored, null, null].entries()) {
    await sql`insert into notes (id, name, size) values (${id}, 'n', ${size})`.execute(db)
  }
  for (const [place, id] of [null, ...stored].entries()) {
    await sql`insert into links (id, note_id) values (${`l${place}`}, ${id})`.execute(db)
  }
  for (const id of wholes) {
    await sql`insert into parts (id, name) values (${sql.raw(id ?? 'null')}, 'n')`.execute(db)
  }
}

function memoryOf(): Service {
  const items = [null, ...stored, null, undefined].map((id, size) => ({ id, name: 'n', size }))
  const note_ids = [null, ...stored]
  const adapters = {
    notes: memoryAdapter({ items: items as never }),
    links: memoryAdapter({
      items: note_ids.map((note_id, place) => ({ id: `l${place}`, note_id })),
    }),
    parts: memoryAdapter({ items: [...wide, null].map((id) => ({ id, name: 'n' })) as never }),
  }
  return { ...serviceOf(adapters as never), lost: async () => 3 }
}

const makers: Readonly<Record<string, () => Promise<Service>>> = {
  memory: async () => memoryOf(),
  ...Object.fromEntries(
    Object.keys(tables)
      .filter((name) => has(tables[name]?.[0] ?? 'sqlite'))
      .map((name) => [name, () => tableOf(name)]),
  ),
}

function idsOf({ body }: HttpResponse): readonly unknown[] {
  return (body as readonly { id: unknown }[]).map(({ id }) => id)
}

async function idsByPages(ask: Ask, start: string): Promise<readonly unknown[]> {
  const ids: unknown[] = []
  for (let url: string | undefined = start; url !== undefined && ids.length < 99; ) {
    const page: HttpResponse = await ask(`GET ${url}`)
    expect([url, verdictOf(page)]).toEqual([url, '200'])
    ids.push(...idsOf(page))
    url = nextOf(page)
  }
  return ids
}

describe.each(Object.entries(makers))('in %s', (_, make) => {
  test('a row without an id is no item', async () => {
    const { ask, errors, lost } = await make()
    const lists = [
      '/v1/notes',
      '/v1/notes?limit=99',
      '/v1/notes?q=n',
      '/v1/notes?name=n',
      '/v1/notes?name:ne=x',
      '/v1/notes?id:ne=zzz',
      '/v1/notes?sort=size',
      '/v1/notes?sort=-size&q=n',
    ]
    for (const url of lists) {
      const page = await ask(`GET ${url}`)
      expect([url, verdictOf(page), idsOf(page).toSorted()]).toEqual([
        url,
        '200',
        stored.toSorted(),
      ])
    }
    for (const query of ['', '?q=n', '?name=n', '?id:ne=zzz']) {
      const { body } = await ask(`GET /v1/notes/count${query}`)
      expect([query, body]).toEqual([query, { count: stored.length }])
    }
    expect((await ask('GET /v1/notes/first?sort=size')).body).toMatchObject({ id: 'a' })
    expect((await ask('GET /v1/notes/last?sort=size')).body).toMatchObject({ id: stored.at(-1) })
    expect((await ask('GET /v1/notes?id:null=true')).status).toBe(400)
    const links = (await ask('GET /v1/links?include=note&limit=99')).body
    expect(links).toHaveLength(stored.length + 1)
    expect(links).toContainEqual({ id: 'l0', note_id: null, note: null })
    expect(links).toContainEqual(
      expect.objectContaining({ note: expect.objectContaining({ id: 'a' }) }),
    )
    await ask('DELETE /v1/links')
    const few = { prefer: `max-affected=${stored.length - 1}` }
    expect(verdictOf(await ask('DELETE /v1/notes', few))).toBe('409 too_many_affected')
    expect((await ask('DELETE /v1/notes')).body).toEqual({ deleted: stored.length })
    expect([await lost(), errors]).toEqual([3, []])
    expect((await ask('DELETE /v1/notes')).body).toEqual({ deleted: 0 })
  })

  test('an id without a path stands in lists', async () => {
    const { ask, errors } = await make()
    for (const sort of ['id', '-id', 'name', '-size']) {
      const whole = idsOf(await ask(`GET /v1/notes?sort=${sort}`))
      expect(whole.toSorted()).toEqual(stored.toSorted())
      for (const limit of [1, 2, 5]) {
        expect(await idsByPages(ask, `/v1/notes?sort=${sort}&limit=${limit}`)).toEqual(whole)
      }
    }
    for (const [id, path] of oddIds) {
      for (const method of ['GET', 'HEAD', 'DELETE']) {
        const answer = await ask(`${method} /v1/notes/${path}`)
        const isOfItem = JSON.stringify(answer.body ?? null).includes(`"id":${JSON.stringify(id)}`)
        const isCollection = path === '' && method !== 'DELETE'
        const isWord = ['count', 'first', 'last'].includes(path) && method !== 'DELETE'
        if (isCollection || isWord) continue
        expect([method, path, answer.status < 400, isOfItem]).toEqual([method, path, false, false])
      }
    }
    expect((await ask('GET /v1/notes/count')).body).toEqual({ count: stored.length })
    expect(errors).toEqual([])
  })

  test('a number beyond 2^53 stands in lists', async () => {
    const { ask, errors } = await make()
    for (const sort of ['id', '-id']) {
      const whole = idsOf(await ask(`GET /v1/parts?sort=${sort}`))
      expect(whole.toSorted()).toEqual(wide.toSorted())
      expect(await idsByPages(ask, `/v1/parts?sort=${sort}&limit=1`)).toEqual(whole)
    }
    for (const id of [...wide, '9007199254740992', '9007199254740994']) {
      expect([id, verdictOf(await ask(`GET /v1/parts/${id}`))]).toEqual([id, '404 not_found'])
      expect([id, verdictOf(await ask(`DELETE /v1/parts/${id}`))]).toEqual([id, '404 not_found'])
    }
    expect((await ask('GET /v1/parts/count')).body).toEqual({ count: wide.length })
    expect(errors).toEqual([])
  })
})

/** Tables of SQLite, which takes a null in most primary keys. */
const declared = [
  '(id integer primary key, name text)',
  '(id INTEGER primary key, name text)',
  '(id int primary key, name text)',
  '(id text primary key, name text)',
  '(id text primary key not null, name text)',
  '(id text primary key, name text) without rowid',
  '(id text primary key, name text) WITHOUT\n  ROWID',
  '(id text primary key, name text) strict',
  '(id text unique, name text)',
  '(id text not null unique, name text)',
  '(id integer, name text, primary key (id))',
  '(id integer, name text, primary key (name, id))',
  '(id text, name text, primary key (name, id))',
  '(id text, name text, primary key (name, id)) without rowid',
  '(id blob primary key, name text)',
]

test.each(declared)('the catalogue tells nullable ids: %s', async (columns) => {
  const { db, drop: dropped } = await databaseOf<unknown>('sqlite')
  drop = dropped
  await sql.raw(`create table rows ${columns}`).execute(db)
  await sql`insert or ignore into rows values (null, 'n')`.execute(db).catch(() => undefined)
  const { rows } = await sql`select 1 from rows where id is null`.execute(db)
  const described = await describeSqliteTable(db, 'rows')
  const id = described?.columns.find(({ name }) => name === 'id')
  expect(id?.isNullable).toBe(rows.length > 0)
})

import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { d1Dialect, kyselyAdapter } from 'nounful/kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { d1Of } from '../support/d1.ts'
import { databaseOf, type Engine, has, type TestDatabase } from '../support/stores.ts'

const Note = z.object({ id: z.string(), slug: z.string(), revision: z.int() })
const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ revision: true }),
  putCreates: true,
  revision: 'revision',
  sortable: ['slug'],
  searchable: ['slug'],
  filterable: ['slug'],
})
const api = defineApi({ v1: { '/notes': notes } })

const exact = 'character set utf8mb4 collate utf8mb4_nopad_bin'
const texts = { sqlite: 'text', postgres: 'text', mariadb: `varchar(40) ${exact}` }

const plain = { table: 'notes', softDelete: 'deleted_at' }

function sender({ db }: TestDatabase<unknown>, options = plain) {
  const registry = defineRegistry(api)
    .onError(() => undefined)
    .adapters({ notes: kyselyAdapter(db, options) })
  const send = async (line: string, body?: unknown, others: object = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json', ...others }
    const request = { method, url: `/v1${path}`, headers, body: body as HttpRequest['body'] }
    const answer = await handle(request, registry)
    return [answer.status, answer.body] as const
  }
  return { registry, send }
}

async function tableOf({ db, engine }: TestDatabase<unknown>, column: string): Promise<void> {
  const text = sql.raw(texts[engine])
  await sql`create table notes (id ${text} primary key, slug ${text} not null,
    revision integer, deleted_at ${sql.raw(column)})`.execute(db)
}

const code = (name: string) => expect.objectContaining({ code: name })

const columns: readonly (readonly [engine: Engine, column: string])[] = [
  ['sqlite', 'text'],
  ['sqlite', 'integer'],
  ['sqlite', 'timestamp'],
  ['postgres', 'timestamptz'],
  ['postgres', 'timestamp'],
  ['postgres', 'text'],
  ['postgres', 'bigint'],
  ['mariadb', 'datetime'],
  ['mariadb', 'datetime(6)'],
  ['mariadb', 'timestamp(3) null default null'],
  ['mariadb', 'bigint default null'],
]

describe.each(columns.filter(([engine]) => has(engine)))(
  'a soft delete in %s, %s',
  (engine, column) => {
    let database: TestDatabase<unknown>

    beforeEach(async () => {
      database = await databaseOf(engine)
      await tableOf(database, column)
    }, 60_000)

    afterEach(() => database.drop())

    test('hides the item and keeps the row', async () => {
      const { db } = database
      const { registry, send } = sender(database)
      await registry.ready()
      const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, slug: id }))
      for (const item of [a, b, c]) expect((await send('POST /notes', item))[0]).toBe(201)
      const before = Date.now()
      expect(await send('DELETE /notes/a')).toEqual([200, { ...a, revision: 1 }])
      const absent = [404, code('not_found')]
      for (const line of ['GET /notes/a', 'DELETE /notes/a'])
        expect(await send(line)).toEqual(absent)
      expect(await send('PATCH /notes/a', { slug: 'x' })).toEqual(absent)
      expect(await send('PUT /notes', [a, b])).toEqual([404, code('not_found')])
      const left = [b, c].map((item) => ({ ...item, revision: 1 }))
      expect(await send('GET /notes')).toEqual([200, left])
      expect(await send('GET /notes?sort=-slug&limit=2')).toEqual([200, left.toReversed()])
      expect(await send('GET /notes?q=a')).toEqual([200, []])
      expect(await send('GET /notes?slug=a')).toEqual([200, []])
      expect(await send('GET /notes/first')).toEqual([200, left[0]])
      expect(await send('GET /notes/count')).toEqual([200, { count: 2 }])
      for (const line of ['POST /notes', 'PUT /notes/a'])
        expect(await send(line, a)).toEqual([409, code('conflict')])
      const stale = { 'if-match': '"9"' }
      expect(await send('DELETE /notes/b', undefined, stale)).toEqual([
        409,
        code('precondition_failed'),
      ])
      const most = (count: number) => ({ prefer: `max-affected=${count}` })
      const refused = await send('DELETE /notes', undefined, most(1))
      expect(refused[1]).toEqual(code('too_many_affected'))
      expect(await send('GET /notes/count')).toEqual([200, { count: 2 }])
      expect(await send('DELETE /notes', undefined, most(2))).toEqual([200, { deleted: 2 }])
      expect(await send('DELETE /notes')).toEqual([200, { deleted: 0 }])
      const { rows } = await sql<Record<'id' | 'revision' | 'moment', unknown>>`
      select id, revision, ${moment(engine, column)} as moment from notes order by id`.execute(db)
      expect(rows.map(({ id, revision }) => [id, Number(revision)])).toEqual([
        ['a', 2],
        ['b', 2],
        ['c', 2],
      ])
      for (const { moment } of rows) {
        expect(Number(moment)).toBeGreaterThan(before - 1100)
        expect(Number(moment)).toBeLessThan(Date.now() + 1000)
      }
    })

    test('frees a value of a partial index', async () => {
      if (engine === 'mariadb') return
      const { db } = database
      await sql`create unique index by_slug on notes (slug) where deleted_at is null`.execute(db)
      const { send } = sender(database)
      const slug = 's'
      expect((await send('POST /notes', { id: 'a', slug }))[0]).toBe(201)
      expect(await send('POST /notes', { id: 'b', slug })).toEqual([409, code('conflict')])
      expect((await send('DELETE /notes/a'))[0]).toBe(200)
      expect((await send('POST /notes', { id: 'b', slug }))[0]).toBe(201)
    })
  },
)

// Milliseconds since 1970, as far as the column holds them.
function moment(engine: Engine, column: string) {
  const stored = sql.id('deleted_at')
  if (column.includes('int')) return stored
  if (engine === 'sqlite') return sql`unixepoch(${stored}) * 1000`
  if (engine === 'mariadb') {
    return sql`timestampdiff(microsecond, '1970-01-01', ${
      column.startsWith('timestamp')
        ? sql`convert_tz(${stored}, @@session.time_zone, '+00:00')`
        : stored
    }) / 1000`
  }
  const zoned =
    column === 'timestamp' ? sql`${stored} at time zone 'UTC'` : sql`${stored}::timestamptz`
  return sql`extract(epoch from ${zoned}) * 1000`
}

const mismatches: readonly (readonly [engine: Engine, column: string, message: string])[] = [
  ['sqlite', 'boolean', 'is of type boolean'],
  ['sqlite', 'text not null', 'cannot be null'],
  ['sqlite', "text default 'x'", 'has a default'],
  ['sqlite', "text generated always as (slug || 'x')", 'is computed by the database'],
  ['postgres', 'date', 'is of type date'],
  ['postgres', 'integer', 'is too short for a moment'],
  ['postgres', 'timestamptz default now()', 'has a default'],
  ['mariadb', 'varchar(9)', 'is too short for a moment'],
]

test.each(mismatches.filter(([engine]) => has(engine)))(
  '%s refuses %s',
  async (engine, column, message) => {
    const database = await databaseOf<unknown>(engine)
    await tableOf(database, column)
    const { registry } = sender(database)
    await expect(registry.ready()).rejects.toThrow(message)
    await sql`alter table notes drop column deleted_at`.execute(database.db)
    await expect(registry.ready()).rejects.toThrow('no column "deleted_at" for "softDelete"')
    await database.drop()
  },
)

test.each(['postgres', 'mariadb'] as const)(
  '%s deletes no item twice and none that a view hides meanwhile',
  async (engine) => {
    if (!has(engine)) return
    const database = await databaseOf<unknown>(engine)
    const { db } = database
    await tableOf(database, engine === 'mariadb' ? 'datetime(3)' : 'timestamptz')
    await sql`create view seen as select * from notes where slug <> 'hidden'`.execute(db)
    for (const id of ['a', 'b', 'c']) {
      await sql`insert into notes (id, slug, revision) values (${id}, ${id}, 1)`.execute(db)
    }
    const options = { table: 'seen', writeTo: 'notes', softDelete: 'deleted_at' }
    const { registry, send } = sender(database, options)
    await registry.ready()
    const { deleted } = await db.transaction().execute(async (transaction) => {
      await sql`update notes set deleted_at = '2020-01-01 00:00:00', revision = 2
      where id = 'a'`.execute(transaction)
      await sql`update notes set slug = 'hidden' where id = 'c'`.execute(transaction)
      const deleted = send('DELETE /notes')
      await sql`select ${sql.raw(engine === 'mariadb' ? 'sleep(0.3)' : 'pg_sleep(0.3)')}`.execute(
        transaction,
      )
      return { deleted }
    })
    expect(await deleted).toEqual([200, { deleted: 1 }])
    const { rows } = await sql`select id from notes where revision = 2`.execute(db)
    expect(rows).toHaveLength(2)
    await database.drop()
  },
)

test('a client cannot write the column', async () => {
  const database = await databaseOf<unknown>('sqlite')
  await tableOf(database, 'text')
  const schema = Note.extend({ deleted_at: z.string().optional() })
  const open = (readOnly: readonly 'deleted_at'[]) =>
    defineRegistry(
      defineApi({ v1: { '/notes': defineResource('notes', { schema, create: Note, readOnly }) } }),
    )
      .adapters({ notes: kyselyAdapter(database.db, { table: 'notes', softDelete: 'deleted_at' }) })
      .ready()
  await expect(open([])).rejects.toThrow('name its field in "readOnly" of "notes"')
  await open(['deleted_at'])
  await database.drop()
})

test('D1 keeps the row', async () => {
  const database = await databaseOf<unknown>('sqlite', { sqlite: (file) => d1Dialect(d1Of(file)) })
  await tableOf(database, 'text')
  const { send } = sender(database)
  const item = { id: 'a', slug: 'a' }
  await send('POST /notes', item)
  expect(await send('DELETE /notes/a')).toEqual([200, { ...item, revision: 1 }])
  await send('POST /notes', { ...item, id: 'b' })
  const bounded = { prefer: 'max-affected=1' }
  expect(await send('DELETE /notes', undefined, bounded)).toEqual([200, { deleted: 1 }])
  const { rows } = await sql`select id from notes where deleted_at is not null`.execute(database.db)
  expect(rows).toHaveLength(2)
  await database.drop()
})

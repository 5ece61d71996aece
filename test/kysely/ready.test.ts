import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

const Note = z.object({ id: z.string(), owner_id: z.string(), text: z.string() })
const notes = defineResource('notes', { schema: Note, sortable: ['text'] })
const owners = defineResource('owners', { schema: z.object({ id: z.string() }) })
const api = defineApi({
  v1: { '/owners': owners, '/notes': notes, '/owners/:owner_id/notes': notes },
})
const headers = { 'content-type': 'application/json' }
const text = (engine: Engine) => sql.raw(engine === 'mariadb' ? 'varchar(40)' : 'text')

function registryOf(db: Kysely<unknown>) {
  return defineRegistry(api)
    .onError(() => undefined)
    .adapters({
      notes: kyselyAdapter(db, { table: 'notes' }),
      owners: kyselyAdapter(db, { table: 'owners' }),
    })
}

async function mismatchesOf(registry: { ready(): Promise<void> }): Promise<readonly string[]> {
  try {
    await registry.ready()
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(AggregateError)
    return (error as AggregateError).message.split('\n')
  }
}

describe.each(engines.filter(has))('%s', (engine) => {
  test('every mismatch of every table is reported at once', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const type = text(engine)
    await sql`create table notes (
      id ${type}, owner_id ${type}, primary key (owner_id, id))`.execute(db)
    const registry = registryOf(db)
    expect(await mismatchesOf(registry)).toEqual([
      'The storage does not fit the contract:',
      expect.stringMatching(/^owners: The database has no table "owners" for "owners"/),
      expect.stringMatching(/^notes: The table "notes" has no column "text"/),
    ])
    await sql`alter table notes add column text ${type}`.execute(db)
    await sql`create table owners (id ${type} primary key)`.execute(db)
    expect(await mismatchesOf(registry)).toEqual([
      'The storage does not fit the contract:',
      expect.stringContaining('serve it only below "owner_id"'),
    ])
    await sql`create unique index one_note on notes (id)`.execute(db)
    expect(await mismatchesOf(registryOf(db))).toEqual([])
    await drop()
  })

  test('a table may be created or changed at any time', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const type = text(engine)
    const registry = registryOf(db)
    const ask = async (method: string, url: string, body?: HttpRequest['body']) =>
      (await handle({ method, url, headers, body }, registry)).status
    const make = async (column: string) => {
      await sql`create table notes (
        id ${type} primary key, ${sql.id(column)} ${type}, text ${type})`.execute(db)
    }
    const note = { id: 'a', owner_id: 'o', text: 'x' }
    expect(await ask('GET', '/notes')).toBe(500)
    await sql`create table notes (id ${type}, owner_id ${type}, text ${type})`.execute(db)
    expect(await ask('GET', '/notes')).toBe(500)
    await sql`create unique index one_note on notes (id)`.execute(db)
    expect(await ask('GET', '/notes')).toBe(200)
    await sql`drop table notes`.execute(db)
    await make('owner_id')
    expect(await ask('POST', '/notes', note)).toBe(201)
    await sql`drop table notes`.execute(db)
    expect(await ask('GET', '/notes')).toBe(500)
    await make('owner')
    expect(await ask('GET', '/notes')).toBe(500)
    await sql`drop table notes`.execute(db)
    await make('owner_id')
    expect(await ask('POST', '/notes', note)).toBe(201)
    await drop()
  })
})

test.runIf(has('postgres'))('the adapter repeats its look-up and the operation', async () => {
  const { db, drop } = await databaseOf<unknown>('postgres')
  await sql`create table notes (id text primary key, owner_id text, words text, text text)`.execute(
    db,
  )
  const found = defineResource('notes', { schema: Note, searchable: ['text'] })
  const registry = defineRegistry(defineApi({ v1: { '/notes': found } })).adapters({
    notes: kyselyAdapter(db, { table: 'notes', search: ({ q }) => sql`words = ${q}` }),
  })
  const ask = async (method: string, url: string, body?: HttpRequest['body']) =>
    (await handle({ method, url, headers, body }, registry)).status
  const note = { owner_id: 'o', text: 'x' }
  expect(await ask('POST', '/notes', { id: 'a', ...note })).toBe(201)
  // `text collate "C"` of a column that is now another type.
  await sql`alter table notes alter column id type varchar(9) using id`.execute(db)
  expect(await ask('GET', '/notes?q=x')).toBe(200)
  await sql`alter table notes add column n integer generated always as identity`.execute(db)
  expect(await ask('PUT', '/notes', [{ id: 'a', ...note }])).toBe(200)
  await drop()
})

test.runIf(has('postgres'))('a statement runs again after a change of type', async () => {
  const { db, drop } = await databaseOf<unknown>('postgres')
  await sql`create table ranks (id text primary key, rank text)`.execute(db)
  await sql`insert into ranks values ('a', '2'), ('b', '10')`.execute(db)
  const ranks = defineResource('ranks', {
    schema: z.object({ id: z.string(), rank: z.string().optional() }),
    sortable: ['rank'],
  })
  const registry = defineRegistry(defineApi({ v1: { '/ranks': ranks } })).adapters({
    ranks: kyselyAdapter(db, { table: 'ranks' }),
  })
  const ask = async () => {
    const { status, body } = await handle({ method: 'GET', url: '/ranks?sort=rank' }, registry)
    return [status, [body].flat().map((item) => Object(item).rank)]
  }
  expect(await ask()).toEqual([200, ['10', '2']])
  // A type without collations cannot be compared by one.
  await sql`alter table ranks alter column rank type integer using rank::integer`.execute(db)
  expect(await ask()).toEqual([200, ['10', '2']])
  await drop()
})

test('a table that was a view for a moment is looked up again', async () => {
  const file = new DatabaseSync(':memory:')
  const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
  const make = (name: string) =>
    file.exec(`create table notes (id text primary key, owner_id text, text ${name})`)
  make('text')
  const registry = registryOf(db)
  const ask = async (method: string, url: string, body?: HttpRequest['body']) =>
    (await handle({ method, url, headers, body }, registry)).status
  expect(await ask('GET', '/notes')).toBe(200)
  file.exec('alter table notes rename to kept; create view notes as select * from kept')
  expect(await ask('DELETE', '/notes')).toBe(500)
  file.exec('drop view notes; alter table kept rename to notes')
  expect(await ask('DELETE', '/notes')).toBe(200)
  await db.destroy()
})

test('the columns and fields of options are reported with the others', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  await sql`create table notes (id text primary key, text text, secret text)`.execute(db)
  const resource = defineResource('notes', {
    schema: Note.extend({ secret: z.string().optional() }),
    sortable: ['secret'],
    searchable: ['secret', 'text'],
  })
  const columns = { secret: { writeOnly: true } }
  const options = { table: 'notes', softDelete: 'deleted_at', columns }
  const open = () =>
    mismatchesOf(
      defineRegistry(defineApi({ v1: { '/notes': resource } })).adapters({
        notes: kyselyAdapter<never>(db, options),
      }),
    )
  const hidden = expect.stringMatching(/sorts by "secret", which no response holds/)
  expect(await open()).toEqual([
    'The storage does not fit the contract:',
    expect.stringMatching(/^notes: The table "notes" has no column "owner_id"/),
    expect.stringMatching(/^notes: The table "notes" has no column "deleted_at" for "softDelete"/),
    hidden,
  ])
  await sql`alter table notes add column owner_id text`.execute(db)
  await sql`alter table notes add column deleted_at text`.execute(db)
  expect(await open()).toEqual(['The storage does not fit the contract:', hidden])
  await drop()
})

test('adapters without a check are ready', async () => {
  const registry = defineRegistry(api).adapters({
    notes: { list: () => [], ready: () => Promise.reject(new Error('no disk')) },
    owners: memoryAdapter<never>(),
  })
  expect(await mismatchesOf(registry)).toEqual([
    'The storage does not fit the contract:',
    'notes: no disk',
  ])
  const { headers } = await handle({ method: 'OPTIONS', url: '/notes' }, registry)
  expect(headers.allow).toBe('GET, HEAD, OPTIONS')
})

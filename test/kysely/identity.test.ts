import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

const Note = z.object({ id: z.string(), owner_id: z.string().optional(), text: z.string() })
const notes = defineResource('notes', { schema: Note, sortable: ['text'] })
const owners = defineResource('owners', { schema: z.object({ id: z.string() }) })
const apis = {
  '/notes': defineApi({ v1: { '/owners': owners, '/notes': notes } }),
  '/owners/:owner_id/notes': defineApi({
    v1: { '/owners': owners, '/owners/:owner_id/notes': notes },
  }),
}
const text = (engine: Engine) => (engine === 'mariadb' ? 'varchar(40)' : 'text')
interface Asked {
  readonly path: keyof typeof apis
  readonly key?: readonly ('id' | 'owner_id')[]
}

async function answerOf(db: Kysely<unknown>, { path, key }: Asked) {
  const told: unknown[] = []
  const registry = defineRegistry(apis[path] as unknown as (typeof apis)['/notes'])
    .onError((error) => void told.push(String(error)))
    .adapters({
      notes: kyselyAdapter<never>(db, { table: 'notes', ...(key && { key: key as never }) }),
      owners: memoryAdapter({ items: [{ id: 'o' }] }),
    })
  const url = `/v1${path.replace(':owner_id', 'o')}`
  const { status } = await handle({ method: 'GET', url }, registry)
  return [status, ...told]
}

const everywhere = engines
const withIndexes: readonly Engine[] = ['sqlite', 'postgres']

const alone = 'has no unique key on "id" of "notes", so'
const together = 'has no unique key on "id" of "notes", alone or together with "owner_id", so'
const below = 'add one, or serve it only below "owner_id"'
const named = 'name the fields that identify an item'

/** The statement that creates a table, its engines, and the reason for a refusal. */
// biome-ignore format: a row stays a line
const tables: readonly (readonly [
  name: string,
  engines: readonly Engine[],
  made: string,
  top: string,
  owned: string,
])[] = [
  ['without a key',            everywhere,   'create table notes (id $, owner_id $, text $)', alone, together],
  ['with an index',            everywhere,   'create table notes (id $, owner_id $, text $); create index i on notes (id)', alone, together],
  ['with a primary key',       everywhere,   'create table notes (id $ primary key, owner_id $, text $)', '', ''],
  ['with a unique index',      everywhere,   'create table notes (id $, owner_id $, text $); create unique index i on notes (id)', '', ''],
  ['with the owner in its key', everywhere,  'create table notes (id $, owner_id $, text $, primary key (owner_id, id))', below, ''],
  ['with another in its key',  everywhere,   'create table notes (id $, owner_id $, text $, primary key (text, id))', alone, together],
  ['with another key',         everywhere,   'create table notes (id $, owner_id $, text $ primary key)', alone, together],
  ['with one note an owner',   everywhere,   'create table notes (id $, owner_id $ unique, text $)', alone, ''],
  ['unique in part',           withIndexes,  'create table notes (id $, owner_id $, text $); create unique index i on notes (id) where text is null', alone, together],
  ['unique by an expression',  withIndexes,  'create table notes (id $, owner_id $, text $); create unique index i on notes (lower(id))', alone, together],
  ['unique by its beginning',  ['mariadb'],  'create table notes (id text, owner_id $, text $, unique key (id(5)))', '', ''],
  ['without rowid',            ['sqlite'],   'create table notes (id $ primary key, owner_id $, text $) without rowid', '', ''],
  ['that is virtual',          ['sqlite'],   'create virtual table notes using fts5(id, owner_id, text)', named, named],
  ['partitioned by id',        ['postgres'], 'create table notes (id $ primary key, owner_id $, text $) partition by hash (id)', '', ''],
  ['partitioned by owner',     ['postgres'], 'create table notes (id $, owner_id $, text $, primary key (owner_id, id)) partition by list (owner_id)', below, ''],
  ['partitioned without a key', ['postgres'], 'create table notes (id $, owner_id $, text $) partition by list (owner_id); create table p partition of notes default; create unique index i on p (id)', alone, together],
  ['with child tables',               ['postgres'], 'create table notes (id $ primary key, owner_id $, text $); create table children () inherits (notes)', named, named],
  ['whose key is unfinished',  ['postgres'], 'create table notes (id $, owner_id $, text $) partition by list (owner_id); create table p partition of notes default; create unique index i on only notes (owner_id, id)', alone, together],
  ['whose key comes late',     ['postgres'], 'create table notes (id $ unique deferrable initially deferred, owner_id $, text $)', '', ''],
  ['that is a view',           everywhere,   'create table t (id $ primary key, owner_id $, text $); create view notes as select * from t', named, named],
  ['that is kept as a view',   ['postgres'], 'create table t (id $ primary key, owner_id $, text $); create materialized view notes as select * from t; create unique index i on notes (id)', '', ''],
]

describe.each(engines.filter(has))('%s', (engine) => {
  const rows = tables.filter(([, some]) => some.includes(engine))

  test.each(rows)('serves or refuses a table %s', async (_, __, made, top, owned) => {
    const { db, drop } = await databaseOf<unknown>(engine)
    for (const statement of made.replaceAll('$', text(engine)).split('; ')) {
      await sql.raw(statement).execute(db)
    }
    const expected = (fault: string) =>
      fault === '' ? [200] : [500, expect.stringContaining(fault)]
    expect(await answerOf(db, { path: '/notes' })).toEqual(expected(top))
    expect(await answerOf(db, { path: '/owners/:owner_id/notes' })).toEqual(expected(owned))
    await drop()
  })

  test('a view uses the key that you name', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const made = 'create table t (id $, owner_id $, text $)'.replaceAll('$', text(engine))
    await sql.raw(made).execute(db)
    expect(await answerOf(db, { path: '/notes', key: ['id'] })).toEqual([
      500,
      expect.stringContaining('The database has no table'),
    ])
    await sql.raw('create view notes as select * from t').execute(db)
    expect(await answerOf(db, { path: '/notes', key: ['id'] })).toEqual([200])
    expect(await answerOf(db, { path: '/notes', key: ['owner_id', 'id'] })).toEqual([
      500,
      expect.stringContaining(named),
    ])
    expect(
      await answerOf(db, { path: '/owners/:owner_id/notes', key: ['owner_id', 'id'] }),
    ).toEqual([200])
    await drop()
  })

  test('a table needs a key of its own, whatever you name', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    await sql
      .raw('create table notes (id $, owner_id $, text $)'.replaceAll('$', text(engine)))
      .execute(db)
    expect(await answerOf(db, { path: '/notes', key: ['id'] })).toEqual([
      500,
      expect.stringContaining(alone),
    ])
    await drop()
  })
})

// A wrong key in the options.
describe.each(engines.filter(has))('two rows of one id in a view of %s', (engine) => {
  let db: Kysely<unknown>
  let drop: () => Promise<void>
  const told: string[] = []
  const headers = { 'content-type': 'application/json' }
  const ask = async (method: string, url: string, body?: HttpRequest['body']) => {
    const registry = defineRegistry(defineApi({ v1: { '/notes': notes } }))
      .onError((error) => void told.push(String(error)))
      .adapters({ notes: kyselyAdapter<never>(db, { table: 'notes', key: ['id'] as never }) })
    return (await handle({ method, url, headers, body }, registry)).status
  }

  beforeAll(async () => {
    ;({ db, drop } = await databaseOf<unknown>(engine))
    const made = 'create table t (id $, owner_id $, text $)'.replaceAll('$', text(engine))
    await sql.raw(made).execute(db)
    await sql`insert into t (id, text) values ('1', 'a'), ('1', 'b'), ('2', 'c')`.execute(db)
    await sql`create view notes as select * from t`.execute(db)
    if (engine !== 'sqlite') return
    await sql`create trigger u instead of update on notes begin
      update t set text = new.text where id = old.id; end`.execute(db)
    await sql`create trigger d instead of delete on notes begin
      delete from t where id = old.id; end`.execute(db)
  }, 30_000)
  afterAll(() => drop())

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [method: string, url: string, body: unknown, status: number])[] = [
    ['GET', '/notes/1', undefined, 500],
    ['PUT', '/notes/1', { text: 'x' }, 500],
    ['PUT', '/notes', [{ id: '1', text: 'x' }], 500],
    ['DELETE', '/notes/1', undefined, 500],
    ['PUT', '/notes/2', { text: 'x' }, 200],
    ['PUT', '/notes', [{ id: '2', text: 'y' }], 200],
    ['DELETE', '/notes/2', undefined, 200],
  ]
  test.each(rows)('%s %s %j writes neither', async (method, url, body, status) => {
    told.length = 0
    expect([await ask(method, url, body as HttpRequest['body']), ...told]).toEqual(
      status === 200 ? [200] : [500, expect.stringContaining('An id of "notes" names 2 rows')],
    )
    const { rows } = await sql`select text from t where id = '1' order by text`.execute(db)
    expect(rows).toEqual([{ text: 'a' }, { text: 'b' }])
  })
})

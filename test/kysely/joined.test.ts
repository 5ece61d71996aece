import { type Kysely, sql } from 'kysely'
import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  handle,
  isProblem,
  type Middleware,
  type Operation,
  type UncheckedAdapter,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { noQuery } from '../../src/contract/resource/operation.ts'
import { databaseOf, engines, has, type TestDatabase } from '../support/stores.ts'

const Note = z.object({ id: z.string(), text: z.string() })
const notes = defineResource('notes', { schema: Note, sortable: ['text'], total: true })
const api = defineApi({ v1: { '/notes': notes } })

interface Context {
  database: Kysely<unknown>
}

const exact = 'character set utf8mb4 collate utf8mb4_nopad_bin'
const json = { 'content-type': 'application/json' }
const code = (name: string) => expect.objectContaining({ code: name })

describe.each(engines.filter(has))('a transaction of %s around an operation', (engine) => {
  let database: TestDatabase<unknown>

  beforeEach(async () => {
    database = await databaseOf(engine)
    const text = sql.raw(engine === 'mariadb' ? `varchar(40) ${exact}` : 'text')
    await sql`create table notes (id ${text} primary key, text ${text} not null)`.execute(
      database.db,
    )
    await sql`create table audits (line ${text} not null unique)`.execute(database.db)
    await sql`create table entries (line ${text} primary key)`.execute(database.db)
  }, 60_000)

  afterEach(() => database.drop())

  function sender(around: Middleware<Context>) {
    const { db } = database
    const registry = defineRegistry(api)
      .context((): Context => ({ database: db }))
      .onError(() => undefined)
      .use((operation, context, next) =>
        db.transaction().execute(async (transaction) => {
          context.database = transaction
          return around(operation, context, next)
        }),
      )
      .adapters({ notes: kyselyAdapter((context) => context?.database ?? db, { table: 'notes' }) })
    const send = async (line: string, body?: unknown, others: object = {}) => {
      const [method = '', path = ''] = line.split(' ')
      const headers = { 'content-type': 'application/json', ...others }
      const request = { method, url: `/v1${path}`, headers, body: body as HttpRequest['body'] }
      const answer = await handle(request, registry)
      return [answer.status, answer.body] as const
    }
    return { registry, send }
  }

  const lines = async () => (await sql`select line from audits`.execute(database.db)).rows

  const audited = (): Middleware<Context> => async (operation, context, next) => {
    const outcome = await next()
    if (operation.kind !== 'list' && operation.kind !== 'read') {
      await sql`insert into audits values (${operation.kind})`.execute(context.database)
    }
    return outcome
  }

  test('stores the item and its audit together or not at all', async () => {
    const { registry, send } = sender(audited())
    await registry.ready()
    const [a, b] = ['a', 'b'].map((id) => ({ id, text: id }))
    expect(await send('POST /notes', a)).toEqual([201, a])
    expect(await lines()).toEqual([{ line: 'create' }])
    expect(await send('POST /notes', b)).toEqual([500, code('internal_error')])
    expect(await send('GET /notes')).toEqual([200, [a]])
    expect(await send('PUT /notes', [{ ...a, text: 'x' }])).toEqual([200, [{ ...a, text: 'x' }]])
    expect(await send('PUT /notes', [{ ...a, text: 'y' }])).toEqual([500, code('internal_error')])
    expect(await send('DELETE /notes/a')).toEqual([200, { ...a, text: 'x' }])
    expect(await send('POST /notes', a)).toEqual([500, code('internal_error')])
    expect(await send('GET /notes')).toEqual([200, []])
  })

  test('holds for references and includes', async () => {
    const { db } = database
    const text = sql.raw(engine === 'mariadb' ? `varchar(40) ${exact}` : 'text')
    await sql`create table replies (id ${text} primary key, note_id ${text} not null)`.execute(db)
    const Reply = z.object({ id: z.string(), note_id: z.string() })
    const replies = defineResource('replies', { schema: Reply, references: { note_id: 'notes' } })
    const adapterOf = (table: string) =>
      kyselyAdapter<never>((context: Context | undefined) => context?.database ?? db, { table })
    const registry = defineRegistry(defineApi({ v1: { '/notes': notes, '/replies': replies } }))
      .context((): Context => ({ database: db }))
      .use((_, context, next) => {
        if (context.database.isTransaction) return next()
        return db.transaction().execute(async (transaction) => {
          context.database = transaction
          await sql`insert into notes values ('n', 'unseen outside')`.execute(transaction)
          const outcome = await next()
          await sql`delete from notes`.execute(transaction)
          return outcome
        })
      })
      .adapters({ notes: adapterOf('notes'), replies: adapterOf('replies') } as never)
    const reply = { id: 'r', note_id: 'n' }
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(reply)
    const made = await handle({ method: 'POST', url: '/replies', headers, body }, registry)
    expect(made).toMatchObject({ status: 201, body: reply })
    const read = await handle({ method: 'GET', url: '/replies/r?include=note' }, registry)
    expect(read).toMatchObject({ status: 200, body: { note: { id: 'n', text: 'unseen outside' } } })
  })

  test('lets a patch wait for the same transaction', async () => {
    const { db } = database
    await sql`insert into notes values ('a', 'x'), ('b', 'y')`.execute(db)
    await db.transaction().execute(async (transaction) => {
      const { modify, read, createMany }: UncheckedAdapter = kyselyAdapter<never>(transaction, {
        table: 'notes',
      })
      const operation = (others: object) =>
        ({
          ...{ kind: 'patch', resource: notes, scope: {}, id: 'a', query: noQuery },
          ...{ signal: new AbortController().signal, ...others },
        }) as unknown as Operation
      const change = async (stored: object) => {
        const other = await read?.(operation({ kind: 'read', id: 'b' }), undefined)
        return { ...stored, text: Object(other).text }
      }
      expect(await modify?.(operation({}), undefined, change as never)).toEqual({
        id: 'a',
        text: 'y',
      })
      const items = [
        { id: 'c', text: 'z' },
        { id: 'b', text: 'z' },
      ]
      const made = createMany?.(operation({ kind: 'create', items }), undefined)
      await expect(made).rejects.toMatchObject({ code: 'conflict' })
    })
    const { rows } = await sql`select id, text from notes order by id`.execute(db)
    expect(rows).toEqual([
      { id: 'a', text: 'y' },
      { id: 'b', text: 'y' },
    ])
  })

  test('goes on after a failed write', async () => {
    const { send } = sender(async (operation, { database }, next) => {
      try {
        return await next()
      } catch (error) {
        if (!isProblem(error)) throw error
        await sql`insert into audits values (${`${operation.kind} ${error.code}`})`.execute(
          database,
        )
        return { gives: 'count', count: 0 } as never
      }
    })
    const items = ['a', 'b'].map((id) => ({ id, text: id }))
    for (const item of items) expect((await send('POST /notes', item))[0]).toBe(201)
    await send('POST /notes', items[0])
    await send('DELETE /notes', undefined, { prefer: 'max-affected=1' })
    await sql`alter table notes add unique (text)`.execute(database.db).catch(() => undefined)
    expect(await send('GET /notes')).toEqual([200, items])
  })

  test('undoes a bulk that breaks a bound, also if you commit', async () => {
    const { db } = database
    for (const id of ['a', 'b']) await sql`insert into notes values (${id}, 'x')`.execute(db)
    await db.transaction().execute(async (transaction) => {
      const adapter = kyselyAdapter<never>(transaction, { table: 'notes' })
      const operation = {
        ...{ kind: 'deleteAll', resource: notes, scope: {}, maxAffected: 1 },
        ...{ query: undefined, signal: new AbortController().signal },
      }
      const deleted = adapter.deleteAll?.(operation as never, undefined as never)
      await expect(deleted).rejects.toThrow('would delete more than 1')
      await sql`insert into audits values ('went on')`.execute(transaction)
    })
    expect((await sql`select id from notes`.execute(db)).rows).toHaveLength(2)
    expect(await lines()).toEqual([{ line: 'went on' }])
  })

  test('takes the writes of several adapters in turn', async () => {
    const { db } = database
    const audits = defineResource('audits', {
      schema: z.object({ id: z.string() }),
      create: z.object({ id: z.string() }),
    })
    const both = defineApi({ v1: { '/notes': notes, '/audits': audits } })
    await db.transaction().execute(async (transaction) => {
      const registry = defineRegistry(both)
        .onError(() => undefined)
        .adapters({
          notes: kyselyAdapter(transaction, { table: 'notes' }),
          audits: kyselyAdapter(transaction, { table: 'entries', columns: { id: 'line' } }),
        })
      await sql`insert into entries values ('taken')`.execute(transaction)
      const post = async (path: string, body: object) =>
        (await handle({ method: 'POST', url: `/v1${path}`, headers: json, body }, registry)).status
      const posted = [
        post('/notes', { id: 'a', text: 'x' }),
        post('/audits', { id: 'taken' }),
        post('/notes', { id: 'b', text: 'x' }),
        post('/audits', { id: 'taken' }),
      ]
      expect(await Promise.all(posted)).toEqual([201, 409, 201, 409])
    })
    const { rows } = await sql`select id from notes order by id`.execute(db)
    expect(rows).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  test('reads a long list whole, and its total', async () => {
    for (let start = 0; start < 2500; start += 500) {
      const some = Array.from({ length: 500 }, (_, at) => sql`(${`n${start + at}`}, 't')`)
      await sql`insert into notes values ${sql.join(some)}`.execute(database.db)
    }
    const { send } = sender(audited())
    const [status, list] = await send('GET /notes')
    expect([status, (list as unknown[]).length]).toEqual([200, 2500])
  })

  test('repeats nothing', async () => {
    let count = 0
    const { send } = sender(async (_, { database }, next) => {
      count++
      const outcome = await next()
      await sql`select 1`.execute(database)
      return outcome
    })
    await send('GET /notes')
    await sql`alter table notes rename to others`.execute(database.db)
    expect(await send('GET /notes')).toEqual([500, code('internal_error')])
    expect(count).toBe(2)
    await sql`alter table others rename to notes`.execute(database.db)
    expect(await send('GET /notes')).toEqual([200, []])
  })
})

test('a database of each tenant', async () => {
  const [one, two] = [await databaseOf<unknown>('sqlite'), await databaseOf<unknown>('sqlite')]
  const tenants = new Map(Object.entries({ one: one.db, two: two.db }))
  for (const { db } of [one, two]) {
    await sql`create table notes (id text primary key, text text not null)`.execute(db)
  }
  const errors: unknown[] = []
  const registry = defineRegistry(api)
    .context(({ headers }) => ({ tenant: String(headers?.authorization) }))
    .onError((error) => void errors.push(String(error)))
    .adapters({
      notes: kyselyAdapter((context) => context && tenants.get(context.tenant), { table: 'notes' }),
    })
  await registry.ready()
  const send = async (authorization: string, method: string, body?: HttpRequest['body']) => {
    const headers = { authorization, 'content-type': 'application/json' }
    return (await handle({ method, url: '/v1/notes', headers, body }, registry)).body
  }
  const item = { id: 'a', text: 'x' }
  await send('one', 'POST', item)
  expect(await send('one', 'GET')).toEqual([item])
  expect(await send('two', 'GET')).toEqual([])
  expect(await send('none', 'GET')).toEqual(code('internal_error'))
  expect(errors).toEqual([expect.stringContaining('returned no database for a request')])
  await one.drop()
  await two.drop()
})

// MariaDB reads the rows of the start of a transaction, unless it locks them.
describe.each(['postgres', 'mariadb'] as const)('rows that %s changes meanwhile', (engine) => {
  test.runIf(has(engine)).each([['notes'], ['seen']])('through %s', async (table) => {
    const Versioned = Note.extend({ version: z.int() })
    const resource = defineResource('notes', {
      schema: Versioned,
      create: Note,
      update: Note,
      readOnly: ['version'],
      revision: 'version',
    })
    const { db, drop } = await databaseOf<unknown>(engine)
    const text = sql.raw(engine === 'mariadb' ? `varchar(40) ${exact}` : 'text')
    await sql`create table notes (id ${text} primary key, text ${text}, version int)`.execute(db)
    await sql`create view seen as select n.*, count(*) as copies
      from notes n left join notes m on m.text = n.text
      group by n.id, n.text, n.version`.execute(db)
    for (const id of ['a', 'b', 'c'])
      await sql`insert into notes values (${id}, 'x', 1)`.execute(db)
    await db.transaction().execute(async (transaction) => {
      await sql`select * from notes`.execute(transaction)
      await sql`update notes set text = 'new', version = 2 where id = 'a'`.execute(db)
      await sql`delete from notes where id = 'b'`.execute(db)
      const options = table === 'seen' ? { table, writeTo: 'notes' } : { table }
      const registry = defineRegistry(defineApi({ v1: { '/notes': resource } }))
        .onError(() => undefined)
        .adapters({ notes: kyselyAdapter(transaction, options) })
      const ask = async (method: string, path: string, body?: HttpRequest['body'], other = {}) => {
        const headers = { ...json, ...other }
        const answer = await handle({ method, url: `/v1/notes${path}`, headers, body }, registry)
        return [answer.status, answer.body] as const
      }
      const [a, b] = ['a', 'b'].map((id) => ({ id, text: 'mine' }))
      const stale = { 'if-match': '"1"' }
      expect(await ask('PUT', '/a', a, stale)).toEqual([409, code('precondition_failed')])
      const bulk = [{ ...a, version: 1 }]
      expect(await ask('PUT', '', bulk)).toEqual([409, code('precondition_failed')])
      expect(await ask('PUT', '/b', b)).toEqual([404, code('not_found')])
      expect(await ask('DELETE', '/b')).toEqual([404, code('not_found')])
      const same = { id: 'a', text: 'new' }
      expect(await ask('PUT', '/a', same)).toEqual([200, { ...same, version: 3 }])
    })
    await drop()
  })

  test.runIf(has(engine))('and writes again', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const text = sql.raw(engine === 'mariadb' ? `varchar(40) ${exact}` : 'text')
    await sql`create table notes (id ${text} primary key, text ${text} not null)`.execute(db)
    await sql`insert into notes values ('a', 'x')`.execute(db)
    await db.transaction().execute(async (transaction) => {
      await sql`select * from notes`.execute(transaction)
      await sql`update notes set text = 'new'`.execute(db)
      const registry = defineRegistry(api).adapters({
        notes: kyselyAdapter(transaction, { table: 'notes' }),
      })
      const body = { id: 'a', text: 'new' }
      const answer = await handle(
        { method: 'PUT', url: '/v1/notes/a', headers: json, body },
        registry,
      )
      expect([answer.status, answer.body]).toEqual([200, body])
    })
    await drop()
  })
})

test.runIf(has('postgres'))('a failed look-up of the issues leaves the transaction', async () => {
  const { db, drop } = await databaseOf<unknown>('postgres')
  const role = sql.id(`writer_${Date.now()}`)
  for (const statement of [
    sql`create table owners (id text primary key)`,
    sql`create table notes (id text primary key, text text not null references owners)`,
    sql`create role ${role}`,
    sql`grant select, insert on notes to ${role}`,
  ])
    await statement.execute(db)
  await db.transaction().execute(async (transaction) => {
    await sql`set local role ${role}`.execute(transaction)
    const registry = defineRegistry(api)
      .onError(() => undefined)
      .adapters({ notes: kyselyAdapter(transaction, { table: 'notes' }) })
    const ask = async (method: string, body?: HttpRequest['body']) =>
      (await handle({ method, url: '/v1/notes', headers: json, body }, registry)).status
    expect(await ask('POST', { id: 'a', text: 'none' })).toBe(422)
    expect(await ask('GET')).toBe(200)
  })
  await sql`drop owned by ${role}`.execute(db)
  await sql`drop role ${role}`.execute(db)
  await drop()
})

describe.runIf(has('postgres'))('the deadline in a transaction', () => {
  test('ends the operation and rolls back', async () => {
    const { db, drop } = await databaseOf<unknown>('postgres')
    await sql`create table notes (id text primary key, text text not null)`.execute(db)
    await sql`create function slow() returns trigger
      as 'begin perform pg_sleep(0.8); return new; end' language plpgsql`.execute(db)
    await sql`create trigger slow after insert on notes
      for each row execute function slow()`.execute(db)
    const failed = db.transaction().execute(async (transaction) => {
      const registry = defineRegistry(api)
        .onError(() => undefined)
        .adapters({ notes: kyselyAdapter(transaction, { table: 'notes', timeout: 200 }) })
      const headers = { 'content-type': 'application/json' }
      const body = { id: 'a', text: 'x' }
      const { status } = await handle({ method: 'POST', url: '/v1/notes', headers, body }, registry)
      throw status
    })
    await expect(failed).rejects.toBe(503)
    expect((await sql`select id from notes`.execute(db)).rows).toEqual([])
    await drop()
  })
})

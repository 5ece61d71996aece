import { DatabaseSync } from 'node:sqlite'
import { type Dialect, Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Note = z.object({ id: z.string(), text: z.string() })
const notes = defineResource('notes', { schema: Note, sortable: ['text'], searchable: ['text'] })
const api = defineApi({ v1: { '/notes': notes } })

const first = { id: '1', text: 'one' }
function open(dialectOf: (file: DatabaseSync) => Dialect, log?: (text: string) => void) {
  const file = new DatabaseSync(':memory:')
  file.exec(`create table notes (id text primary key, text text not null);
    create index by_text on notes (text, id);
    insert into notes values ('1', 'one')`)
  const dialect = dialectOf(file)
  const db = new Kysely<unknown>({
    dialect,
    ...(log && { log: ({ query }) => log(query.sql) }),
  })
  const registry = defineRegistry(api)
    .onError(() => undefined)
    .adapters({ notes: kyselyAdapter(db, { table: 'notes' }) })
  const get = (url: string) => handle({ method: 'GET', url }, registry)
  return { file, db, registry, get }
}

describe('a read of a free SQLite database', () => {
  test('gives the response of an item at once, after the first', async () => {
    const { get, db } = open(sqliteDialect)
    expect(await get('/v1/notes/1')).toMatchObject({ status: 200, body: first })
    expect(get('/v1/notes/1')).toMatchObject({ status: 200, body: first })
    expect(get('/v1/notes/2')).toMatchObject({ status: 404 })
    expect(await get('/v1/notes?sort=text&limit=5')).toMatchObject({ body: [first] })
    await db.destroy()
  })

  test('that fails once is repeated with the new columns', async () => {
    const { get, file, db } = open(sqliteDialect)
    await get('/v1/notes/1')
    file.exec('drop table notes; create table notes (text text not null, id text primary key)')
    file.exec(`insert into notes values ('two', '1')`)
    expect(await get('/v1/notes/1')).toMatchObject({ status: 200, body: { id: '1', text: 'two' } })
    file.exec('drop table notes')
    expect(await get('/v1/notes/1')).toMatchObject({ status: 500 })
    await db.destroy()
    expect(await get('/v1/notes/1')).toMatchObject({ status: 500 })
  })
})

describe('a read of SQLite waits for Kysely', () => {
  test('while a transaction is open, and sees nothing of it', async () => {
    const { get, db } = open(sqliteDialect)
    await get('/v1/notes/1')
    let response: unknown
    await db
      .transaction()
      .execute(async (transaction) => {
        await sql`update notes set text = 'half'`.execute(transaction)
        response = get('/v1/notes/1')
        await new Promise((resolve) => setTimeout(resolve, 5))
        throw new Error('back')
      })
      .catch(() => undefined)
    expect(response).toBeInstanceOf(Promise)
    expect(await response).toMatchObject({ body: first })
    expect(get('/v1/notes/1')).toMatchObject({ body: first })
    await db.destroy()
  })

  test('where Kysely logs statements', async () => {
    const texts: string[] = []
    const { get, db } = open(sqliteDialect, (text) => texts.push(text))
    await get('/v1/notes/1')
    texts.length = 0
    expect(await get('/v1/notes/1')).toMatchObject({ body: first })
    expect(texts).toEqual([expect.stringContaining('select')])
    await db.destroy()
  })

  test('where another driver wraps the connection', async () => {
    const texts: string[] = []
    const { get, db } = open((file) => watched(sqliteDialect(file), (text) => texts.push(text)))
    await get('/v1/notes/1')
    texts.length = 0
    expect(await get('/v1/notes/1')).toMatchObject({ body: first })
    expect(texts).toEqual([expect.stringContaining('select')])
    await db.destroy()
  })
})

// As a library for traces wraps a dialect.
function watched(dialect: Dialect, log: (text: string) => void): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver()
      const acquire = driver.acquireConnection.bind(driver)
      driver.acquireConnection = async () => {
        const connection = await acquire()
        return {
          executeQuery(query, ...rest) {
            log(query.sql)
            return connection.executeQuery(query, ...rest)
          },
          streamQuery: (...given) => connection.streamQuery(...given),
        }
      }
      return driver
    },
  }
}

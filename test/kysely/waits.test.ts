import { type Dialect, type Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createConnection, createPool } from 'mysql2'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ServedEngine, servedEngines } from '../support/databases.ts'
import { databaseOf, has, QuietClient, type TestDatabase } from '../support/stores.ts'

const Note = z.object({ id: z.string(), text: z.string() })
const notes = defineResource('notes', { schema: Note })
const api = defineApi({ v1: { '/notes': notes } })
const headers = { 'content-type': 'application/json' }

/** Options of a connection that waits one second for a lock, then rolls back. */
const impatient: Readonly<Record<ServedEngine, (url: string) => Dialect>> = {
  postgres: (connectionString) =>
    new PostgresDialect({
      pool: new pg.Pool({ connectionString, options: '-c lock_timeout=1s', Client: QuietClient }),
    }),
  mariadb: (url) => {
    const pool = createPool(url)
    pool.on('connection', (connection) =>
      connection.query('set session innodb_lock_wait_timeout = 1'),
    )
    return new MysqlDialect({ pool, controlConnection: createConnection })
  },
}

describe.each(servedEngines.filter(has))('a locked row of %s', (engine) => {
  let patient: TestDatabase<unknown>
  let hasty: TestDatabase<unknown>
  const databases = () => [patient, hasty]
  beforeAll(async () => {
    patient = await databaseOf(engine)
    hasty = await databaseOf(engine, { served: impatient[engine] })
    for (const { db } of databases())
      await sql`create table notes (id varchar(20) primary key, text varchar(20))`.execute(db)
  }, 60_000)
  beforeEach(async () => {
    for (const { db } of databases()) {
      await sql`delete from notes`.execute(db)
      await sql`insert into notes values ('1', 'a')`.execute(db)
    }
  })
  afterAll(() => Promise.all(databases().map(({ drop }) => drop())))

  const put = async (db: Kysely<unknown>, timeout: number) => {
    const registry = defineRegistry(api)
      .onError(() => undefined)
      .adapters({ notes: kyselyAdapter(db, { table: 'notes', timeout }) })
    const start = performance.now()
    const body = '{"text":"x"}'
    const { status } = await handle({ method: 'PUT', url: '/v1/notes/1', headers, body }, registry)
    return { status, took: performance.now() - start }
  }
  const whileHeld = <Result>(db: Kysely<unknown>, act: () => Promise<Result>) =>
    db.transaction().execute(async (transaction) => {
      await sql`select id from notes for update`.execute(transaction)
      return act()
    })

  test('delays an operation as long as it may take', async () => {
    const { status, took } = await whileHeld(patient.db, () => put(patient.db, 700))
    expect(status).toBe(503)
    expect(took).toBeGreaterThan(650)
    expect(took).toBeLessThan(2500)
    expect(await put(patient.db, 700)).toMatchObject({ status: 200 })
  })

  test('delays an operation until it is free', async () => {
    const { asked } = await whileHeld(patient.db, async () => ({ asked: put(patient.db, 5000) }))
    expect(await asked).toMatchObject({ status: 200 })
  })

  test('delays an operation for about a second if the database waits less', async () => {
    const { status, took } = await whileHeld(hasty.db, () => put(hasty.db, 10_000))
    expect(status).toBe(503)
    expect(took).toBeGreaterThan(950)
    expect(took).toBeLessThan(5000)
  })
})

import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, isProblem } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { serve } from 'nounful/node'
import { z } from 'zod'
import { openDatabase } from '../../examples/companies/database.ts'
import type { ServedEngine } from './databases.ts'
import { type Ask, askAt, type Reply } from './service.ts'
import { databaseOf, type TestDatabase } from './stores.ts'

const Thing = z.object({ id: z.string(), name: z.string() })
const things = defineResource('things', { schema: Thing, searchable: ['name'] })

/** Milliseconds that an operation may take in this service. */
export const timeout = 300

/** A service in this process, and a look at its database from aside. */
export interface FaultyService {
  readonly ask: Ask
  /** The pool that the service uses. */
  readonly db: Kysely<unknown>
  /** Unexpected errors, which are 500. */
  readonly errors: readonly unknown[]
  /** Locks an item until the promise settles. */
  hold(id: string, until: Promise<unknown>): Promise<Held>
  /** The statements that the service waits for. */
  running(): Promise<readonly string[]>
  /** How many connections the service has, for the database. */
  connections(): Promise<number>
  /** Connections with an idle transaction. */
  forgotten(): Promise<number>
  /** Ends all connections of the service, as an administrator does. */
  killAll(): Promise<number>
  close(): Promise<void>
}

/**
 * Options to poll {@link FaultyService.forgotten}. InnoDB lists transactions from a copy, and makes
 * a new one only after a tenth of a second without a query.
 */
export const patiently = { timeout: 3000, interval: 150 }

/** A lock. */
interface Held {
  readonly released: Promise<void>
}

/** Serves a table of a few things over the example's pool; on a server of its own with a url. */
export async function startFaulty(engine: ServedEngine, url?: string): Promise<FaultyService> {
  const test = url === undefined ? await databaseOf<unknown>(engine) : await databaseAt(engine, url)
  const text = engine === 'postgres' ? 'text collate "C"' : 'varchar(100) collate utf8mb4_nopad_bin'
  await sql`create table things (id ${sql.raw(text)} primary key, name ${sql.raw(text)})`.execute(
    test.db,
  )
  for (const id of ['a', 'b', 'c']) {
    await sql`insert into things values (${id}, 'first')`.execute(test.db)
  }
  const { db } = await openDatabase(await urlOfService(test))
  const errors: unknown[] = []
  const registry = defineRegistry(defineApi({ v1: { '/things': things } }))
    .onError((error) => {
      if (isProblem(error) && error.code === 'unavailable') return
      errors.push(error)
    })
    .adapters({ things: kyselyAdapter(db, { table: 'things', timeout }) })
  const server = await serve(registry, { port: 0 })
  return {
    ask: askAt(server.url),
    db,
    errors,
    ...views[engine](test),
    close: async () => {
      await server.close()
      await db.destroy()
      await forgetService(test)
      await test.drop()
    },
  }
}

type Views = Pick<FaultyService, 'hold' | 'running' | 'connections' | 'forgotten' | 'killAll'>

const views: Readonly<Record<ServedEngine, (test: TestDatabase<unknown>) => Views>> = {
  postgres: ({ db }) => {
    const mine = sql`datname = current_database() and application_name = 'service'`
    return {
      hold: (id, until) => hold(db, id, until),
      running: () =>
        texts(
          db,
          sql`select query as text from pg_stat_activity where ${mine} and state = 'active'`,
        ),
      connections: () => countOf(db, sql`select pid from pg_stat_activity where ${mine}`),
      forgotten: () =>
        countOf(
          db,
          sql`select pid from pg_stat_activity where ${mine} and state like 'idle in transaction%'`,
        ),
      killAll: () =>
        countOf(db, sql`select pg_terminate_backend(pid) from pg_stat_activity where ${mine}`),
    }
  },
  mariadb: ({ db }) => {
    const mine = sql`p.user <> 'root' and p.db = database()`
    const processes = sql`information_schema.processlist p`
    return {
      hold: (id, until) => hold(db, id, until),
      running: () =>
        texts(
          db,
          sql`select info as text from ${processes}
            where ${mine} and command in ('Query', 'Execute')`,
        ),
      connections: () => countOf(db, sql`select p.id from ${processes} where ${mine}`),
      forgotten: () =>
        countOf(
          db,
          sql`select p.id from information_schema.innodb_trx join ${processes}
            on p.id = trx_mysql_thread_id where ${mine} and command = 'Sleep'`,
        ),
      killAll: async () => {
        const ids = await texts(db, sql`select p.id as text from ${processes} where ${mine}`)
        for (const id of ids) await sql`kill ${sql.raw(id)}`.execute(db).catch(() => undefined)
        return ids.length
      },
    }
  },
}

async function databaseAt(engine: ServedEngine, url: string): Promise<TestDatabase<unknown>> {
  const own = new URL(url)
  own.pathname = '/own'
  const server = await openDatabase(url)
  await sql`create database own`.execute(server.db)
  await server.db.destroy()
  const { db } = await openDatabase(own.href)
  return { engine, url: own.href, db, drop: () => db.destroy() }
}

/** A url with a name by which the database recognizes the service. */
async function urlOfService({ engine, url, db }: TestDatabase<unknown>): Promise<string> {
  const own = new URL(url)
  if (engine === 'postgres') own.searchParams.set('application_name', 'service')
  else {
    const name = own.pathname.slice(1)
    own.username = name
    await sql`create user ${sql.id(name)}@localhost`.execute(db)
    await sql`grant all on ${sql.id(name)}.* to ${sql.id(name)}@localhost`.execute(db)
  }
  return own.href
}

async function forgetService({ engine, url, db }: TestDatabase<unknown>): Promise<void> {
  if (engine === 'postgres') return
  await sql`drop user ${sql.id(new URL(url).pathname.slice(1))}@localhost`.execute(db)
}

async function texts(db: Kysely<unknown>, query: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await query.execute(db)
  return rows.map((row) => String(Object(row).text))
}

async function countOf(db: Kysely<unknown>, query: ReturnType<typeof sql>): Promise<number> {
  return (await query.execute(db)).rows.length
}

async function hold(db: Kysely<unknown>, id: string, until: Promise<unknown>): Promise<Held> {
  let isHeld = (): void => undefined
  const held = new Promise<void>((resolve) => {
    isHeld = resolve
  })
  const released = db.transaction().execute(async (transaction) => {
    await sql`select name as hold from things where id = ${id} for update`.execute(transaction)
    isHeld()
    await until
  })
  await Promise.race([held, released])
  return { released }
}

/** An answer, and how long it took, in milliseconds. */
export interface Timed extends Reply {
  readonly took: number
}

/** Asks, and takes the time. */
export async function timed(ask: () => Promise<Reply>): Promise<Timed> {
  const start = performance.now()
  const reply = await ask()
  return { ...reply, took: performance.now() - start }
}

/** How long it takes until something is so; rejects after two seconds. */
export async function until(isSo: () => Promise<boolean>): Promise<number> {
  const start = performance.now()
  while (!(await isSo())) {
    if (performance.now() - start > 2000) throw new Error('It is not so after 2000 ms.')
    await pause(5)
  }
  return performance.now() - start
}

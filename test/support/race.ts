import { type Kysely, sql } from 'kysely'
import {
  type AdapterFor,
  defineApi,
  defineRegistry,
  defineResource,
  handle,
  type Registry,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { z } from 'zod'
import { openDatabase } from '../../examples/companies/database.ts'
import type { Ask } from './service.ts'
import { databaseOf, type Engine } from './stores.ts'

const Thing = z.object({ id: z.string(), name: z.string(), version: z.number() })
const things = defineResource('things', {
  schema: Thing,
  create: Thing.pick({ id: true, name: true }),
  update: Thing.pick({ name: true }),
  revision: 'version',
  readOnly: ['version'],
})

const Plain = z.object({ id: z.string(), name: z.string() })
const plains = defineResource('plains', {
  schema: Plain,
  create: Plain,
  update: Plain.pick({ name: true }),
})

const Span = z.object({
  id: z.string(),
  name: z.string(),
  note: z.string(),
  start: z.number(),
  end: z.number(),
})
const NewSpan = Span.refine(({ start, end }) => start <= end, 'ends before it starts')
const spans = defineResource('spans', { schema: Span, create: NewSpan, update: NewSpan })
const Turn = Span.extend({ version: z.number() })
const turns = defineResource('turns', {
  schema: Turn,
  create: NewSpan,
  update: NewSpan,
  revision: 'version',
})

const api = defineApi({
  v1: { '/things': things, '/plains': plains, '/spans': spans, '/turns': turns },
})

const tables = ['things', 'plains', 'spans', 'turns']

/**
 * Things and turns with a version, and plains and spans without; ids are chosen by clients. A span
 * and a turn never end before they start. The adapter of turns has no `modify`.
 */
export interface Race {
  /** Each request through another pool, where the engine has them. */
  readonly ask: Ask
  /** Unexpected errors, which are 500. */
  readonly errors: readonly unknown[]
  clear(): Promise<void>
  close(): Promise<void>
}

/** Makes a table, and two services on it. */
export async function startRace(engine: Engine): Promise<Race> {
  const { databases, close } = await databasesOf(engine)
  const [db] = databases
  const text =
    engine === 'mariadb'
      ? 'varchar(100) collate utf8mb4_nopad_bin'
      : `text${engine === 'postgres' ? ' collate "C"' : ''}`
  const type = sql.raw(text)
  const fields = sql`id ${type} primary key, name ${type} not null`
  await sql`create table things (${fields}, version integer not null)`.execute(db)
  await sql`create table plains (${fields})`.execute(db)
  const end = sql.ref('end')
  const time = sql`integer not null`
  const span = sql`${fields}, note ${type} not null, start ${time}, ${end} ${time}`
  await sql`create table spans (${span})`.execute(db)
  await sql`create table turns (${span}, version integer not null)`.execute(db)
  const errors: unknown[] = []
  const registries = databases.map((db) => registryOn(db, errors))
  let asked = 0
  const ask: Ask = async (method, url, { body, headers = {} } = {}) => {
    const registry = registries[asked++ % registries.length]
    if (registry === undefined) throw new Error('There is no registry.')
    const request = { method, url, headers: { 'content-type': 'application/json', ...headers } }
    const text = JSON.stringify(body)
    const reply = await handle(body === undefined ? request : { ...request, body: text }, registry)
    return { status: reply.status, headers: reply.headers, body: reply.body }
  }
  return {
    ask,
    errors,
    clear: async () => {
      for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(db)
    },
    close,
  }
}

function registryOn(db: Kysely<unknown>, errors: unknown[]): Registry {
  const whole: AdapterFor<typeof api, 'turns'> = kyselyAdapter(db, { table: 'turns' })
  const { modify: _, modifyMany: __, ...replacing } = whole
  return defineRegistry(api)
    .onError((error) => {
      errors.push(error)
    })
    .adapters({
      things: kyselyAdapter(db, { table: 'things' }),
      plains: kyselyAdapter(db, { table: 'plains' }),
      spans: kyselyAdapter(db, { table: 'spans' }),
      turns: replacing,
    })
}

interface Databases {
  readonly databases: readonly [Kysely<unknown>, ...Kysely<unknown>[]]
  close(): Promise<void>
}

async function databasesOf(engine: Engine): Promise<Databases> {
  const test = await databaseOf<unknown>(engine)
  // In this process SQLite has one connection: another would hold up both.
  if (engine === 'sqlite') return { databases: [test.db], close: () => test.drop() }
  const { db } = await openDatabase(test.url)
  const close = async () => {
    await db.destroy()
    await test.drop()
  }
  return { databases: [db, test.db], close }
}

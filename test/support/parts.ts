import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { d1Dialect, type KyselyOptions, kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { z } from 'zod'
import { d1Of } from './d1.ts'
import { remoteDialect } from './remote.ts'
import { databaseOf, type Engine, engines, has } from './stores.ts'

/** The ways to keep parts: each engine, and SQLite without a connection of its own. */
export const partStores = [
  ...engines.map((engine) => ({ name: engine, engine, options: {} })),
  {
    name: 'SQLite behind a service',
    engine: 'sqlite' as const,
    options: { sqlite: (file: DatabaseSync) => remoteDialect(String(file.location())) },
  },
  {
    name: 'D1',
    engine: 'sqlite' as const,
    options: { sqlite: (file: DatabaseSync) => d1Dialect(d1Of(file)) },
  },
].filter(({ engine }) => has(engine))

/** One of them. */
export type PartStore = (typeof partStores)[number]

const Part = z.object({
  id: z.string(),
  name: z.string(),
  note: z.string().optional(),
  low: z.number(),
  high: z.number(),
  data: z.record(z.string(), z.unknown()).optional(),
  state: z.string(),
  kit_id: z.string().optional(),
  made_by: z.string().optional(),
  version: z.number(),
})

const kits = defineResource('kits', { schema: z.object({ id: z.string() }) })

/** A part as a response holds it. */
export type StoredPart = z.infer<typeof Part>

/** What a test changes about the parts and their adapter. */
export interface PartOptions {
  /** A rule about a whole part. It may be asynchronous. */
  readonly rule?: (part: { low: number; high: number }, db: Kysely<unknown>) => unknown
  readonly adapter?: object
  /** Keeps the parts without a revision. */
  readonly isPlain?: boolean
}

const headers = { 'content-type': 'application/json' }

const columnsOf = (engine: Engine, isPlain: boolean) => {
  const text = engine === 'mariadb' ? 'varchar(100) collate utf8mb4_nopad_bin' : 'text'
  return sql.raw(`id ${text} primary key, name ${text} not null unique, note ${text},
    low integer not null, high integer not null check (high < 1000),
    data ${engine === 'postgres' ? 'jsonb' : 'json'}, state ${text} not null default 'new',
    kit_id ${text} references kits (id), made_by ${text}, secret ${text},
    deleted_at bigint${isPlain ? '' : ', version integer not null'}`)
}

/** Makes a table of parts, and two services on it, each on connections of its own if it can. */
export async function openParts({ engine, options }: PartStore, given: PartOptions = {}) {
  const { isPlain = false, rule = () => true } = given
  const test = await databaseOf<unknown>(engine, options)
  const { db } = test
  const text = sql.raw(engine === 'mariadb' ? 'varchar(100) collate utf8mb4_nopad_bin' : 'text')
  if (engine === 'sqlite') await sql`pragma foreign_keys = on`.execute(db)
  await sql`create table kits (id ${text} primary key)`.execute(db)
  await sql`insert into kits values ('k1'), ('k2')`.execute(db)
  await sql`create table parts (${columnsOf(engine, isPlain)})`.execute(db)
  const isEmbedded = engine === 'sqlite' && !('sqlite' in options)
  const other = isEmbedded
    ? new Kysely<unknown>({ dialect: sqliteDialect(new DatabaseSync(test.url)) })
    : db
  const errors: unknown[] = []
  const [service, second] = [db, other].map((db) =>
    serviceOn(db, { ...given, isPlain, rule, errors }),
  )
  if (service === undefined || second === undefined) throw new Error('There is no service.')
  let asked = 0
  const ask = async (line: string, body?: unknown) => {
    const [method = '', path = ''] = line.split(' ')
    const request: HttpRequest = { method, url: `/v1${path}`, headers }
    const sent = body === undefined ? request : { ...request, body: JSON.stringify(body) }
    const answer = await handle(sent, (asked++ % 2 === 0 ? service : second).registry)
    return [answer.status, answer.body] as const
  }
  const drop = async () => {
    if (other !== db) await other.destroy()
    await test.drop()
  }
  return { ...service, db, ask, errors, drop }
}

/** Parts in a database. */
export type Parts = Awaited<ReturnType<typeof openParts>>

function serviceOn(
  db: Kysely<unknown>,
  {
    isPlain,
    rule,
    adapter: options,
    errors,
  }: Required<Pick<PartOptions, 'isPlain' | 'rule'>> & PartOptions & { readonly errors: unknown[] },
) {
  const Whole = isPlain ? Part.omit({ version: true }) : Part
  const Body = Part.omit({ id: true, version: true, made_by: true })
  const Sent = Body.extend({ secret: z.string().optional() })
  const Created = Sent.extend({ id: z.string().optional(), state: z.string().optional() })
  const parts = defineResource('parts', {
    schema: Whole,
    create: Created,
    update: Sent.refine((part) => rule(part, db)),
    filled: ['state'],
    readOnly: ['made_by', ...(isPlain ? [] : (['version'] as never[]))],
    ...(isPlain ? {} : { revision: 'version' as never }),
  })
  const adapter = kyselyAdapter(db, {
    table: 'parts',
    columns: { secret: 'secret' },
    ...options,
  } as KyselyOptions<never>)
  const api = defineApi({ v1: { '/parts': parts, '/kits': kits, '/kits/:kit_id/parts': parts } })
  const registry = defineRegistry(api)
    .onError((error) => {
      errors.push(error)
    })
    .adapters({ parts: adapter, kits: kyselyAdapter(db, { table: 'kits' }) } as never)
  return { registry, adapter, resource: parts }
}

import { sql } from 'kysely'
import {
  defineRegistry,
  everything,
  type HttpRequest,
  type HttpResponse,
  handle,
  type Registry,
  type UncheckedAdapter,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { openDatabase } from '../../examples/companies/database.ts'
import { startServer } from '../support/databases.ts'
import { api } from './contract.ts'

/** The recorded API on an empty storage. */
interface Service {
  readonly registry: Registry
  answer(request: HttpRequest): Promise<HttpResponse>
  /** Stores the specimens. */
  readonly adapter: UncheckedAdapter
}

/** A place that stores the items of the recorded API. */
export interface Store {
  /** Empties the storage, and returns the service on it. */
  reset(): Promise<Service>
  close(): Promise<void>
}

/** The stores, and how many thousand requests each gets. */
export const thousands = { memory: 60, sqlite: 40, postgres: 25, mariadb: 25 } as const

/** The name of a store. */
export type StoreName = keyof typeof thousands

/** Opens a store; the servers are private ones, started for this. */
export async function openStore(name: StoreName): Promise<Store> {
  if (name === 'memory') return memoryStore()
  if (name === 'sqlite') return tableStore(name, ':memory:', async () => undefined)
  const server = await startServer(name, { durable: false })
  if (server === undefined) throw new Error(`The server of "${name}" is not installed.`)
  return tableStore(name, await createDatabase(name, server.url), () => server.stop())
}

/** Counts the ids of new items up, so that two runs name the items alike. */
function counter(prefix: string): () => string {
  let count = 0
  return () => `${prefix}${++count}`
}

const callers = new Map([
  ['Bearer ann', { tenant_id: 'a', sees: false }],
  ['Bearer amy', { tenant_id: 'a', sees: true }],
  ['Bearer bob', { tenant_id: 'b', sees: false }],
  ['Bearer both', { tenant_id: ['a', 'b'], sees: true }],
  ['Bearer ops', { tenant_id: undefined, sees: true }],
])

function builder() {
  return defineRegistry(api, { defaultVersion: 'v2', requestId: () => 'request' })
    .context(({ headers }) => ({ caller: callers.get(String(headers?.authorization)) }))
    .scope(({ caller }) => {
      if (caller === undefined) return undefined
      return caller.tenant_id === undefined ? everything : { tenant_id: caller.tenant_id }
    })
    .reveal(({ caller }) => (caller?.sees ? { players_v2: ['salary'] } : {}))
}

function serviceOf(registry: Registry): Service {
  const binding = registry.bindings.find(({ resource }) => resource.name === 'specimens')
  if (binding === undefined) throw new Error('The registry has no specimens.')
  const answer = async (request: HttpRequest) => handle(request, registry)
  return { registry, answer, adapter: binding.adapter }
}

function memoryStore(): Store {
  const reset = async () => {
    const registry = builder().adapters({
      teams: memoryAdapter({ nextId: counter('t'), unique: ['name'] }),
      players_v2: memoryAdapter({ nextId: counter('p') }),
      specimens: memoryAdapter({ nextId: counter('s') }),
    })
    return serviceOf(registry)
  }
  return { reset, close: async () => undefined }
}

/** Makes a database on a server, and returns its address. */
async function createDatabase(name: 'postgres' | 'mariadb', url: string): Promise<string> {
  const { db } = await openDatabase(url)
  const clause = name === 'postgres' ? '' : 'character set utf8mb4'
  await sql`create database recorded ${sql.raw(clause)}`.execute(db)
  await db.destroy()
  const address = new URL(url)
  address.pathname = '/recorded'
  return address.href
}

const types = {
  sqlite: { text: 'text', number: 'real', json: 'json' },
  postgres: { text: 'text collate "C"', number: 'double precision', json: 'json' },
  mariadb: {
    text: 'varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin',
    number: 'double',
    json: 'json',
  },
} as const

async function tableStore(
  name: keyof typeof types,
  url: string,
  stop: () => Promise<void>,
): Promise<Store> {
  const { db } = await openDatabase(url)
  const { text, number, json } = types[name]
  const tables = {
    teams: `id ${text} primary key, name ${text} not null unique, city ${text}`,
    players: `id ${text} primary key, tenant_id ${text} not null, full_name ${text} not null,
      team_id ${text} not null, rival_id ${text}, shirt integer, rating ${number},
      state ${text} not null, born ${text}, joined ${text}, captain boolean, tags ${json},
      address ${json}, salary ${number}, revision integer not null`,
    specimens: `id ${text} primary key, name ${text} not null, note ${text}, ${quoted(name)}
      ${number}, flag boolean, data ${json}`,
  }
  for (const [table, columns] of Object.entries(tables)) {
    await sql`create table ${sql.table(table)} (${sql.raw(columns)})`.execute(db)
  }
  const reset = async () => {
    for (const table of Object.keys(tables)) await sql`delete from ${sql.table(table)}`.execute(db)
    const registry = builder().adapters({
      teams: kyselyAdapter(db, { table: 'teams', nextId: counter('t') }),
      players_v2: kyselyAdapter(db, { table: 'players', nextId: counter('p') }),
      specimens: kyselyAdapter(db, { table: 'specimens', nextId: counter('s') }),
    })
    await registry.ready()
    return serviceOf(registry)
  }
  const close = async () => {
    await db.destroy()
    await stop()
  }
  return { reset, close }
}

/** The column "rank" is a reserved word of MySQL. */
function quoted(name: keyof typeof types): string {
  return name === 'mariadb' ? '`rank`' : 'rank'
}

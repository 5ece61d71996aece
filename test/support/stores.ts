import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Dialect, Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createConnection, createPool } from 'mysql2'
import mysql from 'mysql2/promise'
import { sqliteDialect } from 'nounful/kysely'
import pg, { type ClientConfig } from 'pg'
import { inject } from 'vitest'
import type { ServedEngine } from './databases.ts'

/** The kinds of storage. */
export const engines = ['sqlite', 'postgres', 'mariadb'] as const

/** One of them. */
export type Engine = (typeof engines)[number]

/** An empty database of one test. */
export interface TestDatabase<Tables> {
  readonly engine: Engine
  /** The address for the engine's driver; of SQLite the path of a file. */
  readonly url: string
  /** With a pool of ten connections at most; of SQLite one. */
  readonly db: Kysely<Tables>
  /** Closes the pool and removes the database. */
  drop(): Promise<void>
}

/** How a database is made. */
export interface DatabaseOptions {
  /** The rest of a server's `create database …`: `template template0 locale 'C'`. */
  readonly clause?: string
  /** How Kysely speaks to a SQLite file. */
  readonly sqlite?: (file: DatabaseSync) => Dialect
  /** How Kysely speaks to a server. */
  readonly served?: (url: string) => Dialect
}

/** Whether this machine has the engine; if not, the run has said so. */
export function has(engine: Engine): boolean {
  return engine === 'sqlite' || inject('missing')[engine] === undefined
}

/** Makes a database. The first one on a server starts the servers, which takes a second or two. */
export async function databaseOf<Tables>(
  engine: Engine,
  options: DatabaseOptions = {},
): Promise<TestDatabase<Tables>> {
  if (engine === 'sqlite') return openFile(options)
  const server = await serverOf(engine)
  const name = `nounful_${randomBytes(6).toString('hex')}`
  const { clause = engine === 'postgres' ? '' : 'character set utf8mb4' } = options
  await run(engine, server, `create database ${name} ${clause}`)
  const url = withDatabase(server, name)
  const { served = (url: string) => dialectOf(engine, url) } = options
  const db = new Kysely<Tables>({ dialect: served(url) })
  const drop = async () => {
    await db.destroy()
    const force = engine === 'postgres' ? ' with (force)' : ''
    await run(engine, server, `drop database if exists ${name}${force}`)
  }
  return { engine, url, db, drop }
}

function openFile<Tables>({
  sqlite = sqliteDialect,
}: DatabaseOptions): Promise<TestDatabase<Tables>> {
  const home = mkdtempSync(join(tmpdir(), 'nounful-sqlite-'))
  const url = join(home, 'data.sqlite')
  const file = new DatabaseSync(url, { timeout: 50 })
  file.exec('pragma journal_mode = wal; pragma synchronous = normal')
  const db = new Kysely<Tables>({ dialect: sqlite(file) })
  const drop = async () => {
    await db.destroy()
    rmSync(home, { recursive: true })
  }
  return Promise.resolve({ engine: 'sqlite', url, db, drop })
}

/** Kysely's way to a server, for tests that take the server away meanwhile, too. */
export function dialectOf(engine: ServedEngine, url: string): PostgresDialect | MysqlDialect {
  if (engine === 'mariadb')
    return new MysqlDialect({ pool: createPool(url), controlConnection: createConnection })
  const pool = new pg.Pool({ connectionString: url, Client: QuietClient })
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool })
}

/**
 * A client of PostgreSQL with a listener. Without one, a server that ends a connection would take
 * the process with it. A pool listens to its idle clients only, and Kysely makes some of its own,
 * to cancel statements with.
 */
export class QuietClient extends pg.Client {
  constructor(config?: ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}

async function serverOf(engine: ServedEngine): Promise<string> {
  const reason = inject('missing')[engine]
  if (reason !== undefined) throw new Error(reason)
  const response = await fetch(`${inject('databases')}/${engine}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

async function run(engine: ServedEngine, url: string, statement: string): Promise<void> {
  if (engine === 'postgres') {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(statement).finally(() => client.end())
  } else {
    const connection = await mysql.createConnection(url)
    await connection.query(statement).finally(() => connection.end())
  }
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

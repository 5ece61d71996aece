import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import mysql from 'mysql2'
import { sqliteDialect } from 'nounful/kysely'
import pg from 'pg'
import { createIndexes, createTables } from '../../examples/companies/tables.ts'
import { startMariaDb, startPostgres } from '../../test/support/databases.ts'
import { person, toRow } from './people.ts'

/** The databases that the benches measure. */
export const engines = ['sqlite', 'postgres', 'mariadb'] as const
/** The name of a database. */
export type Engine = (typeof engines)[number]

/** A database of the bench, which ends with `close`. */
export interface Store {
  readonly engine: Engine
  /** The database and its driver, in words. */
  readonly version: string
  /** The address for a server process. */
  readonly address: string
  readonly db: Kysely<unknown>
  readonly textType: () => Promise<string>
  /** Statements after many writes, `TABLE` in place of the table. */
  readonly upkeep: readonly string[]
  close(): Promise<void>
}

/** Opens a database of each engine; `undefined` where its software is missing. */
export const openers: Readonly<Record<Engine, () => Promise<Store | undefined>>> = {
  sqlite: async () => {
    const home = mkdtempSync(join(tmpdir(), 'nounful-bench-'))
    const address = join(home, 'companies.sqlite')
    const file = new DatabaseSync(address)
    // A disk whose speed varies would hide the figures.
    file.exec('pragma journal_mode = wal; pragma synchronous = off')
    const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
    const close = async () => {
      await db.destroy()
      rmSync(home, { recursive: true })
    }
    return {
      ...{ engine: 'sqlite', address, db, close, textType: async () => 'text' },
      version: `SQLite ${process.versions.sqlite}, node:sqlite, WAL, synchronous = off`,
      upkeep: ['analyze', 'pragma wal_checkpoint(truncate)'],
    }
  },
  postgres: async () => {
    const server = await startPostgres({ durable: false })
    if (server === undefined) return undefined
    const pool = new pg.Pool({ connectionString: server.url })
    const { rows } = await pool.query<{ server_version: string }>('show server_version')
    return {
      ...{ engine: 'postgres', ...opened(server, new PostgresDialect({ pool })) },
      version: `PostgreSQL ${rows[0]?.server_version}, pg, Unix socket, fsync off`,
      textType: async () => 'text collate "C"',
      upkeep: ['vacuum analyze TABLE', 'checkpoint'],
    }
  },
  mariadb: async () => {
    const server = await startMariaDb({ durable: false })
    if (server === undefined) return undefined
    const pool = mysql.createPool({ uri: server.url, charset: 'utf8mb4' })
    const database = opened(server, new MysqlDialect({ pool }))
    // The default of 128 MiB would hold neither the table nor the tasks without the disk.
    await sql`set global innodb_buffer_pool_size = 1 << 30`.execute(database.db)
    const query = sql<{ version: string }>`select version() as version`
    const { rows } = await query.execute(database.db)
    const settings = 'mysql2, Unix socket, not flushed at commit, buffer pool 1 GiB'
    return {
      ...{ engine: 'mariadb', ...database, version: `MariaDB ${rows[0]?.version}, ${settings}` },
      textType: async () => 'varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin',
      upkeep: ['analyze table TABLE'],
    }
  },
}

interface Server {
  readonly url: string
  stop(): Promise<void>
}

function opened(server: Server, dialect: PostgresDialect | MysqlDialect) {
  const db = new Kysely<unknown>({ dialect })
  const close = async () => {
    await db.destroy()
    await server.stop()
  }
  return { address: server.url, db, close }
}

/** A row of any table. */
type Fields = Readonly<Record<string, unknown>>

/** Inserts so many rows, a thousand in a statement. */
export async function fill(
  { db }: Pick<Store, 'db'>,
  table: string,
  { count, rowAt }: { readonly count: number; readonly rowAt: (place: number) => Fields },
): Promise<void> {
  const tables = db.withTables<Record<string, Record<string, unknown>>>()
  for (let start = 0; start < count; start += 1000) {
    const length = Math.min(1000, count - start)
    const rows = Array.from({ length }, (_, place) => rowAt(start + place))
    await tables.insertInto(table).values(rows).execute()
  }
}

/** Runs the upkeep of a table after many writes. */
export async function maintain({ db, upkeep }: Store, table: string): Promise<void> {
  for (const command of upkeep) await sql.raw(command.replace('TABLE', table)).execute(db)
}

// Indexes that no foreign key needs: creating them after the rows is faster.
const indexes = ['name', 'birthdate', 'created_at'].flatMap((column) => [
  `employees_by_${column}`,
  `employees_by_${column}_desc`,
])

/** Creates the tables of the example, and so many employees. */
export async function load(store: Store, count: number): Promise<void> {
  const { db, engine } = store
  await createTables(store)
  await sql`delete from employees`.execute(db)
  const on = engine === 'mariadb' ? sql` on employees` : sql``
  for (const name of indexes) await sql`drop index ${sql.ref(name)}${on}`.execute(db)
  await fill(store, 'employees', { count, rowAt: (place) => toRow(person(place)) })
  await createIndexes(db)
  await maintain(store, 'employees')
  // The server's own later work.
  await sleep(1000)
}

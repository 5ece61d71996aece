import { DatabaseSync } from 'node:sqlite'
import { type Dialect, Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { sqliteDialect } from 'nounful/kysely'
import type { ClientConfig } from 'pg'

/** A database to keep the service's data in. */
export interface Database {
  readonly db: Kysely<unknown>
  /** The type of a text of up to 255 characters that is compared and ordered by code point, as indexes are then. */
  textType(): Promise<string>
}

/**
 * Opens a database: `postgres://…`, `mysql://…`, or the path of a SQLite file, which is made where there is none.
 * Servers are connected to when they are needed, and again after that has failed.
 */
export async function openDatabase(place: string): Promise<Database> {
  if (/^postgres(?:ql)?:/.test(place)) return openPostgres(place)
  if (/^(?:mysql|mariadb):/.test(place)) return openMysql(place)
  return openSqlite(place)
}

function openSqlite(path: string): Database {
  // So long the statements of the example itself wait for another process. They block none of its requests.
  const file = new DatabaseSync(path, { timeout: 1000 })
  // Readers beside a writer; what was acknowledged is on the disk.
  file.exec('pragma journal_mode = wal; pragma synchronous = full')
  return { db: kyselyOn(sqliteDialect(file)), textType: async () => 'text' }
}

async function openPostgres(connectionString: string): Promise<Database> {
  const { default: pg } = await import('pg')
  // Without a listener of its own, a connection that breaks ends the process: the pool listens only while nobody uses it.
  class Client extends pg.Client {
    constructor(config?: ClientConfig) {
      super(config)
      this.on('error', tellLost)
    }
  }
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: 3000,
    keepAlive: true,
    Client,
  })
  // Told already.
  pool.on('error', () => undefined)
  return { db: kyselyOn(new PostgresDialect({ pool })), textType: async () => 'text collate "C"' }
}

async function openMysql(uri: string): Promise<Database> {
  const { createConnection, createPool } = await import('mysql2')
  const pool = createPool({ uri, charset: 'utf8mb4', connectTimeout: 3000 })
  pool.on('connection', (connection) => connection.on('error', tellLost))
  // A statement that takes too long is cancelled through a connection of its own.
  const db = kyselyOn(new MysqlDialect({ pool, controlConnection: createConnection }))
  return {
    db,
    async textType() {
      const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
      const isMariaDb = rows[0]?.version.includes('MariaDB')
      const collation = isMariaDb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
      return `varchar(255) character set utf8mb4 collate ${collation}`
    },
  }
}

function kyselyOn(dialect: Dialect): Kysely<unknown> {
  return new Kysely({ dialect })
}

function tellLost({ message }: Error): void {
  console.error(`A connection to the database was lost: ${message}`)
}

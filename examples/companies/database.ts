import { DatabaseSync } from 'node:sqlite'
import { type Dialect, Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { sqliteDialect } from 'nounful/kysely'
import type { ClientConfig } from 'pg'

/** A database to keep the service's data in. */
export interface Database {
  readonly db: Kysely<unknown>
  /** The column type of a text of up to 255 characters, compared and ordered by code point. */
  textType(): Promise<string>
}

/**
 * Opens a database: `postgres://…`, `mysql://…`, or the path of a SQLite file, which it creates.
 * Connects to servers when they are needed, and again after a failure.
 */
export async function openDatabase(place: string): Promise<Database> {
  if (/^postgres(?:ql)?:/.test(place)) return openPostgres(place)
  if (/^(?:mysql|mariadb):/.test(place)) return openMysql(place)
  return openSqlite(place)
}

function openSqlite(path: string): Database {
  // The example's own statements wait so long for another process. They block no request.
  const file = new DatabaseSync(path, { timeout: 1000 })
  // Readers work beside a writer, and acknowledged writes are on the disk.
  file.exec('pragma journal_mode = wal; pragma synchronous = full')
  return { db: kyselyOn(sqliteDialect(file)), textType: async () => 'text' }
}

async function openPostgres(connectionString: string): Promise<Database> {
  const { default: pg } = await import('pg')
  // Without this listener a broken connection ends the process: the pool listens to idle ones only.
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
  // The pool has reported it.
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

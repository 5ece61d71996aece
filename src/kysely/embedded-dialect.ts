import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'
import { pause } from './deadline.ts'

/** The options of a statement that fails at once on a lock, since its sender tries again. */
export const withoutWaiting = Object.freeze({ signal: undefined })

/** Marks the dialect of SQLite in this process among the dialects of SQLite. */
export class EmbeddedAdapter extends SqliteAdapter {}

/** Kysely's dialect for SQLite in this process. Its statements wait for locks without blocking. */
export class EmbeddedDialect extends SqliteDialect implements Dialect {
  readonly #config: SqliteDialectConfig
  readonly #patience: number

  /** @param patience The milliseconds that a statement waits for a lock. */
  constructor(config: SqliteDialectConfig, patience: number) {
    super(config)
    this.#config = config
    this.#patience = patience
  }

  override createAdapter(): SqliteAdapter {
    return new EmbeddedAdapter()
  }

  override createDriver(): SqliteDriver {
    return new PatientDriver(this.#config, this.#patience)
  }
}

class PatientDriver extends SqliteDriver {
  readonly #patience: number
  #connection: DatabaseConnection | undefined

  constructor(config: SqliteDialectConfig, patience: number) {
    super(config)
    this.#patience = patience
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new PatientConnection(await super.acquireConnection(), this.#patience)
    return this.#connection
  }

  // A transaction that reads before it writes fails if another one writes meanwhile. So it waits at
  // its start.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #patience: number

  constructor(connection: DatabaseConnection, patience: number) {
    this.#connection = connection
    this.#patience = patience
  }

  executeQuery<Row>(query: CompiledQuery, options?: object): Promise<QueryResult<Row>> {
    const result = this.#connection.executeQuery<Row>(query)
    return options === withoutWaiting ? result : result.catch((error) => this.#again(query, error))
  }

  streamQuery<Row>(
    ...asked: Parameters<DatabaseConnection['streamQuery']>
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery(...asked)
  }

  async #again<Row>(query: CompiledQuery, failed: unknown): Promise<QueryResult<Row>> {
    const end = performance.now() + this.#patience
    let error = failed
    for (let longest = 2; isBusy(error) && performance.now() < end; longest *= 2) {
      await pause(Math.random() * Math.min(longest, longestPause))
      try {
        return await this.#connection.executeQuery<Row>(query)
      } catch (next) {
        error = next
      }
    }
    throw error
  }
}

const longestPause = 50

// SQLITE_BUSY. No wait helps a transaction with an older state of the file (SQLITE_BUSY_SNAPSHOT).
function isBusy(error: unknown): boolean {
  return Object(error).errcode === 5
}

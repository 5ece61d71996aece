import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/** Runs before a statement. Default: a moment passes. */
export type Delay = (statement: string) => Promise<unknown>

/**
 * SQLite as a service over HTTP shows it. Each statement runs alone, on a connection of the
 * service, except in a transaction that was begun as such. A `begin` as a statement has no effect.
 */
export function remoteDialect(path: string, delay: Delay = () => turn()): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => new RemoteConnection(path, delay),
      beginTransaction: async (connection) => remote(connection).begin(),
      commitTransaction: async (connection) => remote(connection).end('commit'),
      rollbackTransaction: async (connection) => remote(connection).end('rollback'),
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    }),
  }
}

class RemoteConnection implements DatabaseConnection {
  readonly #path: string
  readonly #delay: Delay
  #transaction: DatabaseSync | undefined

  constructor(path: string, delay: Delay) {
    this.#path = path
    this.#delay = delay
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    await this.#delay(sql)
    const file = this.#transaction ?? openFile(this.#path)
    try {
      const before = totalOf(file)
      const rows = file.prepare(sql).all(...(parameters as SQLInputValue[])) as Row[]
      return { rows, numAffectedRows: BigInt(totalOf(file) - before) }
    } finally {
      if (file !== this.#transaction) file.close()
    }
  }

  async begin(): Promise<void> {
    await this.#delay('begin')
    const file = openFile(this.#path)
    try {
      file.exec('begin immediate')
    } catch (error) {
      file.close()
      throw error
    }
    this.#transaction = file
  }

  async end(statement: 'commit' | 'rollback'): Promise<void> {
    await this.#delay(statement)
    this.#transaction?.exec(statement)
    this.#transaction?.close()
    this.#transaction = undefined
  }

  streamQuery(): never {
    throw new Error('It does not stream.')
  }
}

function remote(connection: DatabaseConnection): RemoteConnection {
  if (connection instanceof RemoteConnection) return connection
  throw new Error('It is a connection of another dialect.')
}

function openFile(path: string): DatabaseSync {
  const file = new DatabaseSync(path)
  file.exec('pragma synchronous = off')
  return file
}

function totalOf(file: DatabaseSync): number {
  return Number(file.prepare('select total_changes() as total').get()?.total)
}

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type BatchConnection, isGuarded } from './batch.ts'
import type { Engine } from './engine.ts'
import { sqlite } from './sqlite.ts'

/** The used part of a database of Cloudflare's D1. */
export interface D1Database {
  prepare(sql: string): D1Statement
  batch(statements: D1Statement[]): Promise<D1Result[]>
}

/** The used part of a statement of D1. */
export interface D1Statement {
  bind(...values: unknown[]): D1Statement
  all(): Promise<D1Result>
}

/** The used part of a result of D1. */
export interface D1Result {
  readonly results: unknown[]
  readonly meta: { readonly changes?: number; readonly last_row_id?: number }
}

/** SQLite behind a service without `begin`, which runs several statements in one transaction. */
export const d1: Engine = {
  ...sqlite,
  hasBatches: true,
  failureOf: (error) => (isGuarded(error) ? { kind: 'retry' } : sqlite.failureOf(error)),
}

/**
 * Returns Kysely's dialect for D1: `new Kysely({ dialect: d1Dialect(env.DB) })`. It has no
 * transactions of Kysely's.
 */
export function d1Dialect(database: D1Database): Dialect {
  const connection = new D1Connection(database)
  return {
    createAdapter: () => new D1Adapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => connection,
      beginTransaction: refuseTransaction,
      commitTransaction: refuseTransaction,
      rollbackTransaction: refuseTransaction,
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    }),
  }
}

/** Marks the dialect of D1 among the dialects of SQLite. */
export class D1Adapter extends SqliteAdapter {
  // Else requests would wait for each other, and forever for a request that a Worker dropped.
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

async function refuseTransaction(): Promise<never> {
  throw new Error('D1 has no transactions: see its "batch".')
}

class D1Connection implements DatabaseConnection, BatchConnection {
  readonly #database: D1Database

  constructor(database: D1Database) {
    this.#database = database
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return toResult(await this.#prepare(query).all())
  }

  async executeBatch<Row>(queries: readonly CompiledQuery[]): Promise<QueryResult<Row>[]> {
    const results = await this.#database.batch(queries.map((query) => this.#prepare(query)))
    return results.map((result) => toResult(result))
  }

  streamQuery(): never {
    throw new Error('D1 does not stream.')
  }

  #prepare({ sql, parameters }: CompiledQuery): D1Statement {
    return this.#database.prepare(sql).bind(...parameters)
  }
}

function toResult<Row>({ results, meta }: D1Result): QueryResult<Row> {
  return {
    // The text of a statement decides the type of its rows.
    rows: results as Row[],
    numAffectedRows: BigInt(meta.changes ?? 0),
    insertId: BigInt(meta.last_row_id ?? 0),
  }
}

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { DeclaringEngine } from './declarations.ts'
import type { BatchTransactions, Row, Sql } from './engine.ts'
import { jsonListOf } from './json-list.ts'
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

const maxParameters = 100

const marker = 'nounful: changed'

// A function with a wrong argument is the only way to make a statement of SQLite fail.
const transactions: BatchTransactions = {
  kind: 'batch',
  guard: (condition) =>
    `select case when changes() ${condition} then 1 else json_extract('{}', '${marker}') end`,
  isGuarded: (error) => String(error).includes(marker),
}

/** SQLite behind a service without `begin`, which runs several statements in one transaction. */
export const d1: DeclaringEngine = {
  ...sqlite,
  name: 'D1',
  speaks: ({ adapter }) => adapter instanceof D1Adapter,
  transactions,
  maxParameters,
  maxListed: 0,
  rowState,
  failureOf: (error) =>
    transactions.isGuarded(error) ? { kind: 'retry' } : sqlite.failureOf(error),
}

// D1 takes expressions of a depth of 100.
const columnsAtOnce = 10

function rowState(columns: readonly string[]): Sql {
  const quoted = columns.map((column) => sql`quote(${sql.id(column)})`)
  const parts = quoted.flatMap((_, index) => {
    if (index % columnsAtOnce > 0) return []
    return sql`(${sql.join(quoted.slice(index, index + columnsAtOnce), sql` || ',' || `)})`
  })
  return sql`(${sql.join(parts, sql` || ',' || `)})`
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
    createDriver: () =>
      Object.assign(new DummyDriver(), {
        acquireConnection: async () => connection,
        beginTransaction: refuseTransaction,
      }),
  }
}

/** Marks the dialect of D1 among the dialects of SQLite. */
class D1Adapter extends SqliteAdapter {
  // Else requests would wait for each other, and forever for a request that a Worker dropped.
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

async function refuseTransaction(): Promise<never> {
  throw new Error('D1 has no transactions: see its "batch".')
}

class D1Connection implements DatabaseConnection {
  readonly #database: D1Database

  constructor(database: D1Database) {
    this.#database = database
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return toResult(await this.#prepare(query).all())
  }

  /** Runs several statements in one transaction. */
  async executeBatch(queries: readonly CompiledQuery[]): Promise<QueryResult<Row>[]> {
    const results = await this.#database.batch(queries.map((query) => this.#prepare(query)))
    return results.map((result) => toResult<Row>(result))
  }

  streamQuery(): never {
    throw new Error('D1 does not stream.')
  }

  #prepare(query: CompiledQuery): D1Statement {
    const { sql, parameters } = packed(query)
    return this.#database.prepare(sql).bind(...parameters)
  }
}

// A string, a quoted name, or a parameter.
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g

// D1 takes 100 parameters. The last one then holds all further values, as JSON.
function packed({ sql, parameters }: CompiledQuery): Pick<CompiledQuery, 'sql' | 'parameters'> {
  if (parameters.length <= maxParameters) return { sql, parameters }
  const plainCount = maxParameters - 1
  let count = 0
  const text = sql.replaceAll(token, (match) => {
    if (match !== '?' || count++ < plainCount) return match
    return `json_extract(?${maxParameters}, '$[${count - 1 - plainCount}]')`
  })
  return {
    sql: text,
    parameters: [...parameters.slice(0, plainCount), jsonListOf(parameters.slice(plainCount))],
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

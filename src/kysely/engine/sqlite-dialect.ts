import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase as KyselySqliteDatabase,
  type SqliteStatement as KyselySqliteStatement,
  type QueryResult,
  SqliteAdapter,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { foldCase } from '../../contract/values/order.ts'
import { pause, withoutWaiting } from '../run/deadline.ts'
import type { DeclaringEngine } from './declarations.ts'
import type { SliceReads } from './engine.ts'
import { sqlite } from './sqlite.ts'
import { foldFunction } from './sqlite-table.ts'

/** The used part of `DatabaseSync` of `node:sqlite`. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  function(
    name: string,
    options: { readonly deterministic: boolean },
    define: (text: unknown) => string | null,
  ): void
  close(): void
}

/** The used part of `StatementSync` of `node:sqlite`. */
export interface SqliteStatement {
  all(...parameters: SqliteValue[]): unknown[]
  run(...parameters: SqliteValue[]): {
    readonly changes: number | bigint
    readonly lastInsertRowid: number | bigint
  }
  iterate(...parameters: SqliteValue[]): IterableIterator<unknown>
  columns(): readonly { readonly name: string }[]
  /** Returns whole numbers as `bigint`. Reading a number beyond the safe range fails otherwise. */
  setReadBigInts(isEnabled: boolean): void
  /** Node 24 and later. */
  setReturnArrays?(isEnabled: boolean): void
}

/** A parameter of SQLite. */
export type SqliteValue = null | number | bigint | string | Uint8Array

/**
 * Returns Kysely's dialect for `node:sqlite`: `new Kysely({ dialect: sqliteDialect(new
 * DatabaseSync('data.sqlite')) })`. It keeps prepared statements, and makes SQLite ignore case in
 * searches for all of Unicode.
 *
 * The dialect has one connection, and operations wait for its transactions. Set `pragma
 * journal_mode = wal` if several processes share a file.
 *
 * SQLite blocks the process while it waits for a lock. So the dialect sets the file's busy timeout
 * to 0 and waits itself. It waits as long as the timeout was, or as the adapter's operation may
 * take.
 */
export function sqliteDialect(database: SqliteDatabase): Dialect {
  database.function(foldFunction, { deterministic: true }, (text) =>
    typeof text === 'string' ? foldCase(text) : null,
  )
  const busyTimeout = takeBusyTimeout(database)
  const config = { database: preparing(database) }
  const access = new DirectAccess(config.database)
  return {
    createAdapter: () => new EmbeddedAdapter(access),
    createDriver: () => new WaitingDriver(config, busyTimeout, access),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Marks the dialect of SQLite in this process among the dialects of SQLite. */
class EmbeddedAdapter extends SqliteAdapter {
  readonly access: DirectAccess

  constructor(access: DirectAccess) {
    super()
    this.access = access
  }
}

/**
 * Runs statements without Kysely's way to a connection, which takes several promises: longer than
 * the read of an item. Kysely's way stays the one of transactions, logs and wrapped drivers.
 */
class DirectAccess {
  readonly #database: KyselySqliteDatabase
  readonly #executors = new WeakSet<object>()
  /** The number of sessions that hold the connection. */
  #holders = 0
  #isClosed = false

  constructor(database: KyselySqliteDatabase) {
    this.#database = database
  }

  hold(): void {
    this.#holders++
  }

  release(): void {
    this.#holders--
  }

  close(): void {
    this.#isClosed = true
  }

  // Kysely replaces the method of a connection whose statements it logs.
  allow(executor: object, connection: DatabaseConnection): void {
    const isOwn = connection instanceof WaitingConnection
    if (isOwn && !Object.hasOwn(connection, 'executeQuery')) this.#executors.add(executor)
  }

  run<Row>(executor: object, query: CompiledQuery): QueryResult<Row> | undefined {
    const isFree = this.#holders === 0 && !this.#isClosed
    return isFree && this.#executors.has(executor) ? runOn<Row>(this.#database, query) : undefined
  }
}

function runOn<Row>(
  database: KyselySqliteDatabase,
  { sql, parameters }: CompiledQuery,
): QueryResult<Row> {
  const statement = database.prepare(sql)
  // Kysely's type of a row is the caller's word.
  if (statement.reader) return { rows: statement.all(parameters) as Row[] }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
}

const slices: SliceReads = {
  milliseconds: 12,
  bytes: 2 ** 20,
  explain: (statement) => `explain query plan ${statement}`,
  planIn(rows) {
    const details = rows.map(({ detail }) => String(detail))
    const isOrdered = !details.some((detail) => detail.includes('TEMP B-TREE'))
    const searches = details.filter((detail) => detail.startsWith('SEARCH'))
    const isCovered = searches.every((detail) => detail.includes('USING COVERING INDEX'))
    return { isOrdered, isCovered, terms: new Set(searches.flatMap(termsIn)) }
  },
  // A view has no row numbers, nor has a table `without rowid`: sqlite.org/rowidtable.html
  async rowKey(database, table, columns) {
    const { rows } = await sql<{ type: string; wr: number }>`
      select type, wr from pragma_table_list(${table})`.execute(database)
    const names = columns.map(({ name }) => name.toLowerCase())
    const name = ['rowid', '_rowid_', 'oid'].find((name) => !names.includes(name))
    const isStoredSo = rows.every(({ type, wr }) => type === 'table' && Number(wr) === 0)
    return isStoredSo && name !== undefined ? sql.raw(name) : undefined
  },
}

// `SEARCH employees USING INDEX by_company (company_id=? AND name>?)`
function termsIn(detail: string): readonly string[] {
  return detail.slice(detail.indexOf('(') + 1, -1).split(' AND ')
}

/** SQLite in this process. */
export const embedded: DeclaringEngine = {
  ...sqlite,
  speaks: ({ adapter }) => adapter instanceof EmbeddedAdapter,
  // Writers wait at the start: a transaction that reads before it writes fails if another one
  // writes meanwhile.
  transactions: { kind: 'statement', begin: 'begin immediate' },
  endsAtOnce: true,
  runAtOnce(session, query) {
    const executor = session.getExecutor()
    const { adapter } = executor
    return adapter instanceof EmbeddedAdapter ? adapter.access.run(executor, query) : undefined
  },
  allowRuns(session, connection) {
    const executor = session.getExecutor()
    const { adapter } = executor
    if (adapter instanceof EmbeddedAdapter) adapter.access.allow(executor, connection)
  },
  slices,
}

class WaitingDriver extends SqliteDriver {
  readonly #busyTimeout: number
  readonly #access: DirectAccess
  #connection: DatabaseConnection | undefined

  /** @param busyTimeout The milliseconds that a statement waits for a lock. */
  constructor(config: SqliteDialectConfig, busyTimeout: number, access: DirectAccess) {
    super(config)
    this.#busyTimeout = busyTimeout
    this.#access = access
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#access.hold()
    this.#connection ??= new WaitingConnection(await super.acquireConnection(), this.#busyTimeout)
    return this.#connection
  }

  override async releaseConnection(): Promise<void> {
    this.#access.release()
  }

  override async destroy(): Promise<void> {
    this.#access.close()
    await super.destroy()
  }

  // A transaction that reads before it writes fails if another one writes meanwhile. So it waits at
  // its start.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/** Waits for locks without blocking the process. */
class WaitingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #busyTimeout: number

  constructor(connection: DatabaseConnection, busyTimeout: number) {
    this.#connection = connection
    this.#busyTimeout = busyTimeout
  }

  executeQuery<Row>(query: CompiledQuery, options?: object): Promise<QueryResult<Row>> {
    const result = this.#connection.executeQuery<Row>(query)
    return options === withoutWaiting ? result : result.catch((error) => this.#again(query, error))
  }

  streamQuery<Row>(
    ...streamed: Parameters<DatabaseConnection['streamQuery']>
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery(...streamed)
  }

  async #again<Row>(query: CompiledQuery, failed: unknown): Promise<QueryResult<Row>> {
    const end = performance.now() + this.#busyTimeout
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

function takeBusyTimeout(database: SqliteDatabase): number {
  const [row] = database.prepare('pragma busy_timeout').all()
  database.prepare('pragma busy_timeout = 0').all()
  return Number(Object(row).timeout)
}

const maxPrepared = 500

// Keeps prepared statements.
function preparing(database: SqliteDatabase): KyselySqliteDatabase {
  const prepared = new Map<string, KyselySqliteStatement>()
  return {
    prepare(sql) {
      const cached = prepared.get(sql)
      if (cached) return cached
      // A prepared statement keeps the names of its columns.
      if (prepared.size >= maxPrepared || /^\s*(?:alter|create|drop)\b/i.test(sql)) prepared.clear()
      const statement = toPrepared(database, sql)
      prepared.set(sql, statement)
      return statement
    },
    close: () => database.close(),
  }
}

function toPrepared(database: SqliteDatabase, sql: string): KyselySqliteStatement {
  const statement = database.prepare(sql)
  const names = statement.columns().map(({ name }) => name)
  // Node creates row objects slowly, and only a full collection frees them.
  statement.setReturnArrays?.(true)
  // The result of a write must not fail to be read. A failed `select` runs again.
  let isWide = !/^\s*select\b/i.test(sql)
  statement.setReadBigInts(isWide)
  function all(parameters: readonly unknown[]): unknown[] {
    try {
      const rows = statement.all(...valuesOf(parameters))
      return rows.map((row) => toRow(isWide ? narrowed(row) : row, names))
    } catch (error) {
      if (isWide || Object(error).code !== 'ERR_OUT_OF_RANGE') throw error
      isWide = true
      statement.setReadBigInts(true)
      return all(parameters)
    }
  }
  return {
    reader: names.length > 0,
    all,
    run: (parameters) => statement.run(...valuesOf(parameters)),
    // A statement of its own: the prepared one may run again before this result is read.
    iterate: (parameters) => database.prepare(sql).iterate(...valuesOf(parameters)),
  }
}

function toRow(values: unknown, names: readonly string[]): unknown {
  if (!Array.isArray(values)) return values
  const row: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) row[name] = values[index]
  return row
}

function narrowed(row: unknown): unknown {
  if (Array.isArray(row)) return row.map(toNumber)
  return Object.fromEntries(
    Object.entries(Object(row)).map(([name, value]) => [name, toNumber(value)]),
  )
}

// A whole number stays a bigint if a number would change it.
function toNumber(value: unknown): unknown {
  return typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value
}

function valuesOf(parameters: readonly unknown[]): SqliteValue[] {
  return parameters.map((value) => {
    if (isValue(value)) return value
    throw new TypeError(`SQLite takes no value of type ${typeof value} as a parameter.`)
  })
}

function isValue(value: unknown): value is SqliteValue {
  const type = typeof value
  return (
    value === null ||
    type === 'string' ||
    type === 'number' ||
    type === 'bigint' ||
    value instanceof Uint8Array
  )
}

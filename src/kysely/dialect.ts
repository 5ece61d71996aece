import type { Dialect } from 'kysely'
import { foldCase } from '../model/search.ts'
import { EmbeddedDialect } from './embedded-dialect.ts'
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
  const patience = takeBusyTimeout(database)
  const prepared = new Map<string, Prepared>()
  const config = {
    database: {
      prepare(sql: string): Prepared {
        const known = prepared.get(sql)
        if (known) return known
        // A prepared statement keeps the names of its columns.
        if (prepared.size >= maxPrepared || /^\s*(?:alter|create|drop)\b/i.test(sql))
          prepared.clear()
        const statement = toPrepared(database, sql)
        prepared.set(sql, statement)
        return statement
      },
      close: () => database.close(),
    },
  }
  return new EmbeddedDialect(config, patience)
}

function takeBusyTimeout(database: SqliteDatabase): number {
  const [row] = database.prepare('pragma busy_timeout').all()
  database.prepare('pragma busy_timeout = 0').all()
  return Number(Object(row).timeout)
}

const maxPrepared = 500

interface Prepared {
  /** The statement returns rows. */
  readonly reader: boolean
  all(parameters: readonly unknown[]): unknown[]
  run(parameters: readonly unknown[]): ReturnType<SqliteStatement['run']>
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>
}

function toPrepared(database: SqliteDatabase, sql: string): Prepared {
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
      if (isWide || !isOutOfRange(error)) throw error
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

function isOutOfRange(error: unknown): boolean {
  return Object(error).code === 'ERR_OUT_OF_RANGE'
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

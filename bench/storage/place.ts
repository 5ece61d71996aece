import type { Kysely, LogEvent } from 'kysely'
import type { Database } from '../../examples/companies/database.ts'
import type { Row } from './people.ts'

/** The engines that are measured. */
export const engines = ['sqlite', 'postgres', 'mariadb'] as const

/** One of them. */
export type EngineName = (typeof engines)[number]

/** A value of a statement. */
export type Value = string | number | null

/** Runs a statement through the bare driver, with the engine's parameters: `?` or `$1`. */
export type Ask = (text: string, parameters: readonly Value[]) => Result | Promise<Result>

/** The rows that a statement gave, or how many it wrote where it gives none. */
export interface Result {
  readonly rows: readonly unknown[]
  readonly affected: number
}

/** A database: through Kysely, and through the driver on the same connections. */
export interface Place extends Database {
  readonly engine: EngineName
  /** The database and its driver, in words. */
  readonly version: string
  readonly ask: Ask
  /** Does something in a transaction of the bare driver. */
  transact<Done>(work: (ask: Ask) => Promise<Done>): Promise<Done>
  /** Inserts rows as fast as the engine takes them. */
  fill(rows: readonly Row[]): Promise<void>
  /** Statements for the engine after many writes. */
  readonly upkeep: readonly string[]
  /** Another Kysely on the same database, that tells its statements. */
  listen(log: (event: LogEvent) => void): Kysely<unknown>
  /** The address that a server process can be started on. */
  readonly address: string
  close(): Promise<void>
}

/** Writes the parameters of a statement as the engine does. */
export function placeholders(engine: EngineName, text: string): string {
  let count = 0
  return engine === 'postgres' ? text.replace(/\?/g, () => `$${++count}`) : text
}

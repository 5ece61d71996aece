import { type RawBuilder, sql } from 'kysely'
import type { Mismatch } from '../../convention/mismatch.ts'
import type { Column, Engine, Session } from '../engine/engine.ts'

/** A statement that fixes a table. */
export interface Fix {
  readonly statement: string
  /** What rows could hinder it. Default: nothing. */
  readonly obstacle?: Obstacle
}

/** Rows that hinder a statement. */
export interface Obstacle {
  /** Finds a row, or fails, where the statement would fail. */
  readonly probe: RawBuilder<unknown>
  readonly message: string
}

/** The rows that `doctor` looks at. */
const mostRows = 1_000_000

const obstacles = new WeakMap<Mismatch, Obstacle>()

/** Returns a finding with the statement that fixes it. */
export function mismatchWith(about: Omit<Mismatch, 'fix'>, fix: Fix | undefined): Mismatch {
  if (fix === undefined) return about
  const finding = { ...about, fix: fix.statement }
  if (fix.obstacle !== undefined) obstacles.set(finding, fix.obstacle)
  return finding
}

/** Returns a finding without its statement if rows hinder that. Reads the table. */
export async function withoutHindered(database: Session, finding: Mismatch): Promise<Mismatch> {
  const obstacle = obstacles.get(finding)
  if (obstacle === undefined || !(await isHindered(database, obstacle))) return finding
  const { fix: _, ...about } = finding
  return { ...about, message: `${about.message} ${obstacle.message}` }
}

async function isHindered(database: Session, { probe }: Obstacle): Promise<boolean> {
  try {
    const { rows } = await probe.execute(database)
    return rows.length > 0
  } catch {
    return true
  }
}

/** The rows without a value in a column. */
export function emptyIn(table: string, column: string): Obstacle {
  return {
    probe: sql`select 1 from ${some(table)} where ${sql.id(column)} is null limit 1`,
    message: `Rows have no value in "${column}": give them one first.`,
  }
}

/** The rows that share the values of a key. */
export function twiceIn(table: string, columns: readonly string[]): Obstacle {
  const all = columns.map((column) => sql.id(column))
  const isWhole = sql.join(
    all.map((column) => sql`${column} is not null`),
    sql` and `,
  )
  return {
    probe: sql`select 1 from ${some(table)} where ${isWhole}
      group by ${sql.join(all)} having count(*) > 1 limit 1`,
    message: `Rows share the values of (${columns.join(', ')}): change them first.`,
  }
}

// PostgreSQL holds so many bytes of a row in an index.
const mostBytes = 2600

/** The rows that are too long for an index; `undefined` where none can be. */
export function longInIndex(
  dialect: Engine['dialect'],
  table: string,
  columns: readonly Column[],
): Obstacle | undefined {
  const texts = columns.filter(
    ({ family, length = mostBytes }) => family === 'text' && length * 4 > mostBytes / 4,
  )
  if (dialect !== 'postgres' || texts.length === 0) return undefined
  const bytes = texts.map(({ name }) => sql`coalesce(octet_length(${sql.id(name)}), 0)`)
  return {
    probe: sql`select 1 from ${some(table)}
      where ${sql.join(bytes, sql` + `)} > ${sql.lit(mostBytes)} limit 1`,
    message: 'Rows are too long for an index: shorten them first.',
  }
}

/** The rows whose values do not convert. */
export function unlike(table: string, column: string, converted: string): Obstacle {
  const value = sql.raw(converted)
  return {
    probe: sql`select 1 from ${some(table)} having count(${value}) < 0`,
    message: `Rows have other values in "${column}": change them first.`,
  }
}

/** The rows with a value that meets a condition. */
export function meetingIn(table: string, column: string, condition: string): Obstacle {
  return {
    probe: sql`select 1 from ${some(table)} where ${sql.id(column)} ${sql.raw(condition)} limit 1`,
    message: `Rows have other values in "${column}": change them first.`,
  }
}

/** The first rows of a table. */
function some(table: string): RawBuilder<unknown> {
  return sql`(select * from ${sql.table(table)} limit ${sql.lit(mostRows)}) as ${sql.id('=some')}`
}

/** A finding about a field, and the statement that fixes it. */
export interface Advice extends Pick<Mismatch, 'message'> {
  readonly field: string
  readonly fix: Fix | undefined
}

/** Returns an advice. */
export function advised(field: string, message: string, fix?: Fix): Advice {
  return { field, message, fix }
}

import { sql } from 'kysely'
import { foldCase } from '../../contract/values/order.ts'
import { fieldOf } from '../../convention/value.ts'
import type { Row, Session } from '../engine/engine.ts'
import type { BoundField } from '../fields.ts'
import { fieldFor, itemFrom, notDeleted, type Table } from '../table.ts'

/** A fold with the number of rows that have another one, or none. */
interface StaleFold {
  readonly field: BoundField
  readonly fold: BoundField
  readonly count: number
}

/** Counts the rows whose fold is missing or stale. The process compares, as databases differ. */
export async function staleFoldsIn(table: Table, database: Session): Promise<readonly StaleFold[]> {
  const all: StaleFold[] = []
  for (const [name, fold] of table.folds) {
    const field = fieldFor(table, name)
    const count = await countStale(table, [field, fold], database)
    if (count > 0) all.push({ field, fold, count })
  }
  return all
}

const rowsAtOnce = 10_000

async function countStale(
  table: Table,
  [field, fold]: readonly [field: BoundField, fold: BoundField],
  database: Session,
): Promise<number> {
  const { engine, name } = table
  const { column } = fieldFor(table, 'id')
  const conditions = notDeleted(table)
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const texts = [field, fold].map(
    ({ alias, stored }) => sql`${engine.readable(stored)} as ${sql.id(alias)}`,
  )
  let count = 0
  for (let at = 0; ; at += rowsAtOnce) {
    const statement = sql<Row>`select ${sql.join(texts)} from ${name} ${where}
      order by ${sql.id(column)} limit ${sql.lit(rowsAtOnce)} offset ${sql.lit(at)}`
    const { rows } = await statement.execute(database)
    for (const row of rows) {
      const text = fieldOf(itemFrom({ itemFields: [field] }, row), field.name) ?? null
      const expected = typeof text === 'string' ? foldCase(text) : null
      if ((row[fold.alias] ?? null) !== expected) count++
    }
    if (rows.length < rowsAtOnce) return count
  }
}

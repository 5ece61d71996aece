import { sql } from 'kysely'
import { fieldOf } from '../model/operation.ts'
import type { Session } from './engine.ts'
import { encode, type Table } from './table.ts'

/**
 * The columns of an item that name an item which is not there, for a database that says only that there is one.
 */
export async function danglingIn(
  session: Session,
  { described, fields, engine }: Table,
  item: object,
): Promise<readonly string[]> {
  const dangling: string[] = []
  for (const { column, table, key } of described.references) {
    const field = fields.find((field) => field.column === column)
    const value = field && encode(field, fieldOf(item, field.name), engine)
    if (value === undefined || value === null) continue
    const { rows } =
      await sql`select 1 from ${sql.table(table)} where ${sql.id(key)} = ${value} limit 1`.execute(
        session,
      )
    if (rows.length === 0) dangling.push(column)
  }
  return dangling
}

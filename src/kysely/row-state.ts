import { sql } from 'kysely'
import type { Item } from '../contract/resource/resource.ts'
import type { Row, Sql } from './engine.ts'
import { Parameter } from './statement.ts'
import type { StorageTask, Table } from './table.ts'

// D1 has no locks. An update compares the row with the state that the adapter read.
const alias = '(state)'

/** Returns the columns of an item, and the state of its row if the database has no locks. */
export function selectionWithState(table: Table): Sql {
  if (!table.engine.hasBatches) return table.selection
  return sql`${table.selection}, ${stateOf(table)} as ${sql.id(alias)}`
}

/** Keeps the state of a row that {@link selectionWithState} has selected. */
export function keepState({ table, states }: StorageTask, id: Item['id'], row: Row): void {
  if (table.engine.hasBatches) states.set(id, row[alias])
}

/** Returns the condition that a row has the state of the values. */
export function hasState(table: Table): Sql {
  return sql`${stateOf(table)} = ${new Parameter(({ state }) => state)}`
}

// D1 takes expressions of a depth of 100.
const columnsAtOnce = 10

function stateOf({ shown }: Table): Sql {
  const quoted = shown.map(({ column }) => sql`quote(${sql.id(column)})`)
  const parts = quoted.flatMap((_, index) => {
    if (index % columnsAtOnce > 0) return []
    return sql`(${sql.join(quoted.slice(index, index + columnsAtOnce), sql` || ',' || `)})`
  })
  return sql`(${sql.join(parts, sql` || ',' || `)})`
}

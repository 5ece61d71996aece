import type { Operation } from '../contract/resource/operation.ts'
import { joinsIn } from '../contract/values/related.ts'
import type { Awaitable } from '../convention/awaitable.ts'
import { execute } from './run/execute.ts'
import { keyOfFilters, meets } from './sql/filter.ts'
import { areJoinable } from './sql/related.ts'
import { exists, keyOfScope } from './sql/where.ts'
import { type Store, type Table, TableSelection } from './table.ts'

/** Returns the selection of the items that an operation lists. */
export function selectionIn(store: Store, operation: Operation): Awaitable<object> {
  const { scope, query } = operation
  return withTable(
    store,
    operation,
    (table) =>
      new TableSelection(
        { store, table, operation },
        {
          conditions: () => [...exists({ table, store }, scope), ...meets(table, query)],
          key: () => keyOfScope(scope) + keyOfFilters(table, query),
        },
      ),
  )
}

function withTable<Result>(
  store: Store,
  operation: Operation,
  use: (table: Table) => Result,
): Awaitable<Result> {
  const table = store.tables.get(operation.resource)
  return table ? use(table) : execute(store, operation, async (task) => use(task.table))
}

/**
 * Tells whether one statement can compare a field of an operation with the ids of each selection of
 * its query: the tables are in one database, and the columns compare alike.
 */
export function joins(store: Store, operation: Operation): Awaitable<boolean> {
  const isHere = joinsIn(operation.query).every(
    (join) =>
      join?.selection instanceof TableSelection && join.selection.store.source === store.source,
  )
  return isHere && withTable(store, operation, (table) => areJoinable(table, operation.query))
}

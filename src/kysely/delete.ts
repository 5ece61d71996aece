import { type QueryResult, sql } from 'kysely'
import type {
  AdapterShape,
  DeleteManyOperation,
  Operation,
  Scope,
} from '../contract/resource/operation.ts'
import { tooManyAffected } from '../convention/problem.ts'
import type { Sql } from './engine/engine.ts'
import { execute, inTransaction, performUpTo, transact } from './run/execute.ts'
import { statementOf } from './sql/select.ts'
import {
  limitParameter,
  prepare,
  run,
  type Statement,
  type StatementValues,
} from './sql/statement.ts'
import { exists, existsBelow, keyOfScope, lookedFor, where } from './sql/where.ts'
import { countedUp, deleteFrom, writeTarget } from './sql/write.ts'
import { fieldFor, type StorageTask, type Store, type Table } from './table.ts'

/** Deletes all items of the scope and returns their number. */
export function deleteItems(store: Store, operation: Operation): Promise<number> {
  const { maxAffected } = operation
  if (maxAffected === undefined) {
    return execute(store, operation, (task) =>
      task.table.base === undefined ? removeAll(task) : inTransaction(task, () => removeAll(task)),
    )
  }
  return transact(store, operation, (task) => removeUpTo(task, maxAffected, removeAll))
}

/** Deletes the items that an operation selects, and returns their number. */
export function deleteSelected(
  store: Store,
  operation: DeleteManyOperation<AdapterShape>,
): Promise<number> {
  const { maxAffected } = operation
  // With one more than allowed, the transaction fails.
  const query = { ...lookedFor(store, operation.query), limit: maxAffected + 1 }
  const values = { ...operation, query }
  return transact(store, operation, (task) =>
    removeUpTo(task, maxAffected, (part) => removeSelected(part, values)),
  )
}

async function removeUpTo(
  task: StorageTask,
  most: number,
  perform: (task: StorageTask) => Promise<number>,
): Promise<number> {
  const deleted = await performUpTo(task, most, perform)
  if (deleted === undefined) throw tooManyAffected(most)
  return deleted
}

// Deletes all items of the scope.
async function removeAll(task: StorageTask): Promise<number> {
  const { table, operation } = task
  const { scope } = operation
  if (table.base !== undefined) await lockAll(task)
  const statement = prepare(
    task,
    `delete all ${operation.maxAffected !== undefined} ${keyOfScope(scope)}`,
    () =>
      sql`${deleteFrom(table, countedUp(table, []))} ${where(allInScope(task, scope))}
        ${returnedOnes(task)}`,
  )
  return deletedBy(await run(task, statement, operation), task)
}

// Ends a statement that deletes a bounded number of items, for `deletedBy`.
function returnedOnes(task: StorageTask): Sql {
  return countsRows(task) ? sql`returning 1 as one` : sql``
}

// Returns the number of items that a statement has deleted.
function deletedBy({ rows, numAffectedRows }: QueryResult<unknown>, task: StorageTask): number {
  return countsRows(task) ? rows.length : Number(numAffectedRows)
}

// D1 counts the rows, too, that triggers and foreign keys delete.
function countsRows({ table, operation }: StorageTask): boolean {
  return operation.maxAffected !== undefined && table.engine.transactions?.kind === 'batch'
}

// A view may hide a row while the statement waits for it. PostgreSQL does not ask the view again.
async function lockAll(task: StorageTask): Promise<void> {
  const { table, operation } = task
  const { scope } = operation
  const statement = prepare(task, `lock all ${keyOfScope(scope)}`, () => {
    const id = sql.id(fieldFor(table, 'id').column)
    const all = where(allInScope(task, scope))
    const locked = sql`select ${id} from ${writeTarget(table)} ${all} order by ${id}`
    return sql`select count(*) from (${locked} ${table.engine.locking}) as ${sql.id('=locked')}`
  })
  await run(task, statement, operation)
}

// The view may have fewer rows than the table below it. `distinct` makes MySQL read the ids first.
function allInScope(task: StorageTask, scope: Scope): readonly Sql[] {
  const { table } = task
  if (table.base === undefined) return exists(task, scope)
  const id = sql.id(fieldFor(table, 'id').column)
  const viewed = sql`select distinct ${id} from ${table.name} ${where(exists(task, scope))}`
  return [
    sql`${id} in (select ${id} from (${viewed}) as ${sql.id('=viewed')})`,
    ...existsBelow(table, scope),
  ]
}

// Deletes the items that a query selects, up to its limit.
async function removeSelected(task: StorageTask, values: StatementValues): Promise<number> {
  const { table } = task
  if (table.base !== undefined) await run(task, lockingSelected(task, values), values)
  const statement = statementOf(
    'delete some',
    task,
    values,
    (_, conditions) =>
      sql`${deleteFrom(table, countedUp(table, []))}
        ${where([isSelected(table, conditions), ...existsBelow(table, values.scope)])}
        ${returnedOnes(task)}`,
  )
  return deletedBy(await run(task, statement, values), task)
}

// As `lockAll`.
function lockingSelected(task: StorageTask, values: StatementValues): Statement {
  return statementOf('lock some', task, values, (table, conditions) => {
    const id = sql.id(fieldFor(table, 'id').column)
    const locked = sql`select ${id} from ${writeTarget(table)}
      where ${isSelected(table, conditions)} order by ${id} ${table.engine.locking}`
    return sql`select count(*) from (${locked}) as ${sql.id('=locked')}`
  })
}

// A lock in the selection makes PostgreSQL select again what another write has changed meanwhile.
// MySQL takes a limit only in a derived table.
function isSelected(table: Table, conditions: readonly Sql[]): Sql {
  const { base, engine, name } = table
  const id = sql.id(fieldFor(table, 'id').column)
  const locking = base === undefined ? engine.locking : sql``
  const distinct = base === undefined ? sql`` : sql`distinct`
  const selected = sql`select ${distinct} ${id} from ${name} ${where(conditions)}
    limit ${limitParameter} ${locking}`
  return sql`${id} in (select ${id} from (${selected}) as ${sql.id('=selected')})`
}

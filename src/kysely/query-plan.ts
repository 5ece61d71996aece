import { sql } from 'kysely'
import { inScope, where } from './condition.ts'
import type { Sql } from './engine.ts'
import { keyOfScope, type Selector } from './select.ts'
import { compile, noValues, Parameter, run, type Statement, statementFor } from './statement.ts'
import type { StorageTask } from './store.ts'
import { fieldFor, type Table } from './table.ts'

/** A read in an embedded database, which blocks the process during a statement. */
export interface EmbeddedRead {
  readonly task: StorageTask
  readonly selector: Selector
}

/** SQLite's plan of a statement. */
export interface QueryPlan {
  /** An index gives the rows in their order. */
  readonly isOrdered: boolean
  /** An index finds the scope. True for the empty scope. */
  readonly isFound: boolean
}

const plans = new WeakMap<Statement, QueryPlan>()

/** Returns SQLite's plan of a statement. Asks once for each statement. */
export async function planOf(
  { task, selector }: EmbeddedRead,
  statement: Statement,
): Promise<QueryPlan> {
  const known = plans.get(statement)
  if (known) return known
  const { compiled, fills } = statement
  const explained = { ...compiled, sql: `explain query plan ${compiled.sql}` }
  const values = { ...noValues, ...selector, slice: { rows: 1 } }
  const { rows } = await run(task, { compiled: explained, fills }, values)
  const details = rows.map(({ detail }) => String(detail))
  const plan = {
    isOrdered: !details.some((detail) => detail.includes('TEMP B-TREE')),
    isFound: Object.keys(selector.scope).every((name) => isFoundBy(details, task.table, name)),
  }
  plans.set(statement, plan)
  return plan
}

// `SEARCH employees USING INDEX by_company (company_id=? AND name>?)`
function isFoundBy(details: readonly string[], table: Table, name: string): boolean {
  const term = `${fieldFor(table, name).column}=?`
  return details.some((detail) =>
    detail
      .slice(detail.indexOf('(') + 1, -1)
      .split(' AND ')
      .includes(term),
  )
}

/**
 * Counts the items in the scope. Returns `undefined` above the limit, and if no index finds the
 * items.
 *
 * @param most The limit.
 */
export async function countUpTo(read: EmbeddedRead, most: number): Promise<number | undefined> {
  const { task, selector } = read
  const { table, session } = task
  const { scope } = selector
  const statement = statementFor(table.statements, `few ${keyOfScope(scope)}`, () => {
    const limit = new Parameter(({ slice }) => slice?.rows)
    const some = sql`select 1 from ${table.name} ${where(inScope(table, scope))} limit ${limit}`
    return compile(session, sql`select count(*) as count from (${some})`)
  })
  if (!(await planOf(read, statement)).isFound) return undefined
  const { rows } = await run(task, statement, { ...noValues, scope, slice: { rows: most + 1 } })
  const count = Number(rows[0]?.count)
  return count > most ? undefined : count
}

const rowKeys = new WeakMap<Table, Sql | undefined>()

/**
 * Returns the column of SQLite's row numbers, and `undefined` for a view and a table `without
 * rowid`.
 *
 * @see https://www.sqlite.org/rowidtable.html
 */
export async function rowKeyOf({ table, session }: StorageTask): Promise<Sql | undefined> {
  if (rowKeys.has(table)) return rowKeys.get(table)
  const { rows } = await sql<{ type: string; wr: number }>`
    select type, wr from pragma_table_list(${table.tableName})`.execute(session)
  const columns = table.described.columns.map(({ name }) => name.toLowerCase())
  const name = ['rowid', '_rowid_', 'oid'].find((name) => !columns.includes(name))
  const isStoredSo = rows.every(({ type, wr }) => type === 'table' && Number(wr) === 0)
  const key = isStoredSo && name !== undefined ? sql.raw(name) : undefined
  rowKeys.set(table, key)
  return key
}

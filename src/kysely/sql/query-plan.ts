import { sql } from 'kysely'
import { noQuery, ownerValues } from '../../contract/resource/operation.ts'
import type { Condition } from '../../convention/filter-operators.ts'
import type { Sql } from '../engine/engine.ts'
import { fieldFor, type StorageTask, type Table } from '../table.ts'
import { isRange } from './bound.ts'
import { keyOfFilters, meets } from './filter.ts'
import { prepare, rowsParameter, run, type Statement, type StatementValues } from './statement.ts'
import { exists, keyOfScope, where } from './where.ts'

/** SQLite's plan of a statement. */
interface QueryPlan {
  /** An index gives the rows in their order. */
  readonly isOrdered: boolean
  /** An index finds the scope. True for the empty scope. */
  readonly isFound: boolean
  /** The columns by which an index finds rows. */
  readonly terms: ReadonlySet<string>
}

const plans = new WeakMap<Statement, QueryPlan>()

/** Returns SQLite's plan of a statement. Asks once for each statement. */
export async function planOf(
  task: StorageTask,
  values: StatementValues,
  statement: Statement,
): Promise<QueryPlan> {
  const cached = plans.get(statement)
  if (cached) return cached
  const { compiled, fills } = statement
  const explained = { ...compiled, sql: `explain query plan ${compiled.sql}` }
  const { rows } = await run(
    task,
    { compiled: explained, fills },
    { ...values, slice: { rows: 1 } },
  )
  const details = rows.map(({ detail }) => String(detail))
  const terms = new Set(details.flatMap(termsIn))
  const plan = {
    isOrdered: !details.some((detail) => detail.includes('TEMP B-TREE')),
    isFound: Object.keys(values.scope).every((name) =>
      terms.has(`${fieldFor(task.table, name).column}=?`),
    ),
    terms,
  }
  plans.set(statement, plan)
  return plan
}

// `SEARCH employees USING INDEX by_company (company_id=? AND name>?)`
function termsIn(detail: string): readonly string[] {
  return detail.startsWith('SEARCH') ? detail.slice(detail.indexOf('(') + 1, -1).split(' AND ') : []
}

/** Returns the filters that the index of a plan serves. */
export function servedBy(
  { terms }: QueryPlan,
  table: Table,
  where: readonly Condition[],
): readonly Condition[] {
  return where.filter(({ field, is }) => {
    const { column } = fieldFor(table, field)
    if (is === 'in') return terms.has(`${column}=?`)
    if (is === 'gt' || is === 'gte') return terms.has(`${column}>?`)
    return (is === 'lt' || is === 'lte') && terms.has(`${column}<?`)
  })
}

/** The number of items that an index finds. */
interface FoundCount {
  readonly count: number
  /** The index finds by every filter, so that these are all selected items without a search. */
  readonly isWhole: boolean
}

/**
 * Tells whether slices are of no use: the database does not block the process, the scope holds no
 * item, or a condition of the user's has its own index. Each slice would query that index again.
 */
export function isIndexed({ store }: StorageTask, { scope, query }: StatementValues): boolean {
  if (!store.engine.isEmbedded || store.visible !== undefined) return true
  if (Object.keys(scope).some((name) => ownerValues(scope, name).length === 0)) return true
  return store.search !== undefined && query.words.length > 0
}

/** Tells whether a known plan lets one short statement select the items. */
export function isShort(task: StorageTask, values: StatementValues, plain: Statement): boolean {
  if (isIndexed(task, values)) return true
  const plan = plans.get(plain)
  return plan !== undefined && isServed(plan, task.table, values)
}

/** Tells whether the index of a plan finds and orders all selected items. */
export function isServed(plan: QueryPlan, table: Table, { query }: StatementValues): boolean {
  const { words, where } = query
  if (!plan.isOrdered || !plan.isFound || words.length > 0) return false
  return where.length === 0 || servedBy(plan, table, where).length === where.length
}

/**
 * Counts the items in the scope that meet the filters which an index serves. Returns `undefined`
 * above the limit, and if no index finds the items.
 *
 * @param most The limit.
 */
export async function countUpTo(
  task: StorageTask,
  values: StatementValues,
  most: number,
): Promise<FoundCount | undefined> {
  const { where } = values.query
  let served: readonly Condition[] = where.filter(({ is }) => is === 'in' || isRange(is))
  for (;;) {
    const sought = { ...values, query: { ...noQuery, where: served } }
    const statement = fewOf(task, sought)
    const plan = await planOf(task, sought, statement)
    const servedFilters = servedBy(plan, task.table, served)
    if (servedFilters.length < served.length) {
      served = servedFilters
      continue
    }
    if (!plan.isFound || (where.length > 0 && served.length === 0)) return undefined
    const { rows } = await run(task, statement, { ...sought, slice: { rows: most + 1 } })
    const count = Number(rows[0]?.count)
    return count > most ? undefined : { count, isWhole: served.length === where.length }
  }
}

function fewOf(task: StorageTask, { scope, query }: StatementValues): Statement {
  const { table } = task
  return prepare(task, `few ${keyOfScope(scope)}${keyOfFilters(table, query)}`, () => {
    const all = where([...exists(task, scope), ...meets(table, query)])
    const some = sql`select 1 from ${table.name} ${all} limit ${rowsParameter}`
    return sql`select count(*) as count from (${some})`
  })
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

import { sql } from 'kysely'
import { noQuery, type Operation } from '../contract/resource/operation.ts'
import { maxGroups } from '../convention/limits.ts'
import type { ColumnKind, Row } from './engine/engine.ts'
import { few, SliceRunner, withDeadline } from './run/deadline.ts'
import { execute } from './run/execute.ts'
import { countUpTo, isServed, longRead, planOf } from './sql/query-plan.ts'
import {
  eachSlice,
  inSlices,
  runOnSlice,
  type Slicing,
  sliceStatementOf,
  statementOf,
} from './sql/select.ts'
import { rowsParameter, run, type Statement, type StatementValues } from './sql/statement.ts'
import { lookedFor, orderBy, where } from './sql/where.ts'
import { fieldFor, itemFrom, type LongRead, type StorageTask, type Store } from './table.ts'

/** Counts the matching items. */
export function countInTable(store: Store, operation: Operation): Promise<number> {
  const values = { ...operation, query: lookedFor(store, operation.query) }
  return execute(store, operation, async (task) => {
    const long = longRead(task, values)
    const count = long && (await countSliced(long))
    if (count !== undefined) return count
    const { rows } = await run(task, selectCount(task, values), values)
    return Number(rows[0]?.count)
  })
}

/** Counts the matching items by their values in the fields of the query. */
export function countGroupsInTable(
  store: Store,
  operation: Operation,
): Promise<readonly object[] | undefined> {
  const { by = [] } = operation.query
  const values = { ...operation, query: lookedFor(store, operation.query) }
  return execute(store, operation, async (task) => {
    const statement = selectCounts(task, values, by)
    const itemFields = by.map((name) => fieldFor(task.table, name))
    const rows = statement && (await run(task, statement, values)).rows
    const countOf = (row: Row): number => Number(row[countAlias])
    return rows?.map((row) => ({ ...itemFrom({ itemFields }, row), count: countOf(row) }))
  })
}

// SQLite counts so many entries of an index in a few milliseconds.
const fewEntries = 100_000
// It may look up the row of each entry.
const fewFound = 10_000

/**
 * Counts the selected items in slices, so that other requests have their turn. Returns `undefined`
 * if one short statement counts them.
 *
 * @throws {ProblemError} `unavailable` after the timeout, or when no client waits any more.
 */
async function countSliced(read: LongRead): Promise<number | undefined> {
  const { table } = read.task
  const { words, where: filters } = read.values.query
  const hasWords = words.length > 0
  const isLookedUp = filters.length > 0 || table.deletion !== undefined
  const most = hasWords ? few : isLookedUp ? fewFound : fewEntries
  const counted = await countUpTo(read, most)
  if (counted !== undefined) {
    if (counted.isWhole && !hasWords) return counted.count
    if (counted.count <= few) return undefined
  }
  return (await countAlong(read)) ?? inSlices(read, addUp, [])
}

// The last part is counted twice.
const mostSkipped = 2 ** 15

// An index finds the items, and has them in the order of their ids.
async function countAlong(read: LongRead): Promise<number | undefined> {
  const { task, slices } = read
  const { table, store, operation } = task
  const values = { ...read.values, query: { ...read.values.query, sort: noQuery.sort } }
  const plan = await planOf({ ...read, values }, selectEdge(task, values))
  if (!plan.isCovered || !isServed(plan, table, values)) return undefined
  const runner = new SliceRunner(slices.milliseconds)
  return withDeadline(store, operation, (deadline) =>
    countFrom({ task: { ...task, deadline }, values, runner }, values, 0),
  )
}

interface Counting {
  readonly task: StorageTask
  readonly values: StatementValues
  readonly runner: SliceRunner
}

async function countFrom(
  counting: Counting,
  page: StatementValues,
  count: number,
): Promise<number> {
  const { task, values, runner } = counting
  const rows = Math.min(runner.rows, mostSkipped)
  const edges = await runner.run(async () =>
    run(task, selectEdge(task, page), { ...page, slice: { rows } }),
  )
  const [edge] = edges.rows
  if (edge !== undefined) {
    const query = { ...values.query, after: { id: '' } }
    const next = { ...values, query, position: { id: edge.id } }
    return countFrom(counting, next, count + rows + 1)
  }
  const last = await run(task, selectCount(task, page), page)
  return count + Number(last.rows[0]?.count)
}

async function addUp(slicing: Slicing): Promise<number> {
  let count = 0
  const statement = sliceStatementOf(slicing, 'count', ({ table, conditions, isWithin }) => {
    const all = where([isWithin, ...conditions])
    return sql`select count(*) as count from ${table.name} not indexed ${all}`
  })
  await eachSlice(slicing, async (slice) => {
    const [row] = await runOnSlice(slicing, statement, slice)
    count += Number(row?.count)
  })
  return count
}

/** Returns the statement that counts the selected items. */
function selectCount(task: StorageTask, values: StatementValues): Statement {
  return statementOf(
    'count',
    task,
    values,
    ({ name }, conditions) => sql`select count(*) as count from ${name} ${where(conditions)}`,
  )
}

/** Returns the statement that finds the id of a selected item after so many others. */
function selectEdge(task: StorageTask, values: StatementValues): Statement {
  return statementOf('edge', task, values, (table, conditions) => {
    const id = sql.id(fieldFor(table, 'id').column)
    return sql`select ${id} as id from ${table.name} ${where(conditions)}
      order by ${orderBy(table, values.query.sort)} limit 1 offset ${rowsParameter}`
  })
}

/**
 * Returns the statement that counts the selected items by their values in some fields, the largest
 * groups first; `undefined` for a column that no engine groups.
 */
function selectCounts(
  task: StorageTask,
  values: StatementValues,
  by: readonly string[],
): Statement | undefined {
  const fields = by.map((name) => fieldFor(task.table, name))
  if (fields.some(({ stored }) => ungrouped.has(stored.kind))) return undefined
  return statementOf(`count by ${by.join()}`, task, values, (table, conditions) => {
    const { engine } = table
    const readable = fields.map(
      ({ alias, stored }) => sql`${engine.readable(stored)} as ${sql.id(alias)}`,
    )
    // A column with an inexact equality has groups by its exact text.
    const keys = fields.flatMap(({ stored }) => [
      sql.id(stored.name),
      ...(stored.equality === 'exact' ? [] : [engine.exact(stored)]),
    ])
    const order = fields.map(({ stored }) =>
      engine.sorted(engine.ordered(stored), 'asc', stored.isNullable),
    )
    return sql`select ${sql.join(readable)}, count(*) as ${sql.id(countAlias)} from ${table.name}
      ${where(conditions)} group by ${sql.join(keys)}
      order by ${sql.id(countAlias)} desc, ${sql.join(order)} limit ${sql.lit(maxGroups + 1)}`
  })
}

/** The number of a group in a result: no field has this name. */
const countAlias = '=count'

const ungrouped: ReadonlySet<ColumnKind> = new Set(['json', 'list', 'binary'])

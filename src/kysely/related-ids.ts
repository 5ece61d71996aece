import { sql } from 'kysely'
import { conditionOfIds, type Operation } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import type { Condition } from '../convention/filter-operators.ts'
import { maxRelated } from '../convention/limits.ts'
import { few } from './run/deadline.ts'
import { execute } from './run/execute.ts'
import { longRead, planOf, servedBy } from './sql/query-plan.ts'
import { storedIds } from './sql/related.ts'
import { statementOf } from './sql/select.ts'
import {
  limitParameter,
  prepare,
  rowsParameter,
  run,
  type StatementValues,
} from './sql/statement.ts'
import { where } from './sql/where.ts'
import { fieldFor, type StorageTask, type Store, TableSelection } from './table.ts'

/**
 * Reads with a query that names the ids of related items in place of their selections, where a long
 * statement blocks the process: a plan then tells whether an index finds and orders the items.
 * Keeps the selection of more than 1,000 items, and one that only a long scan finds.
 */
export function withRelatedIds<Result>(
  store: Store,
  operation: Operation,
  read: (store: Store, operation: Operation) => Promise<Result>,
): Promise<Result> {
  const { related, sort } = operation.query
  const isPlain = related === undefined || store.engine.slices === undefined
  // An order joins the related items anyway.
  if (isPlain || sort.some((sortField) => sortField.related !== undefined))
    return read(store, operation)
  return withIds(operation, related).then((plain) => read(store, plain))
}

type Related = NonNullable<Operation['query']['related']>

async function withIds(operation: Operation, related: Related): Promise<Operation> {
  const conditions: Condition[] = []
  const joined: Related[number][] = []
  for (const each of related) {
    const { selection } = { ...each.join }
    const ids = selection instanceof TableSelection ? await idsOf(selection) : undefined
    if (each.join === undefined || ids === undefined) joined.push(each)
    else conditions.push(conditionOfIds(each.join.field, ids))
  }
  const { query } = operation
  const where = [...query.where, ...conditions]
  return {
    ...operation,
    query: { ...query, where, related: joined.length === 0 ? undefined : joined },
  }
}

type Id = Item['id']

// `undefined` for too many, and for ids that leave as others than they are stored.
async function idsOf({ store, operation }: TableSelection): Promise<readonly Id[] | undefined> {
  const limit = maxRelated + 1
  const selected = { ...operation, query: { ...operation.query, limit } }
  const ids = await execute(store, selected, (task) => shortIds(task, selected))
  return ids === undefined || ids.length === limit ? undefined : ids
}

// One statement for ids that an index finds, and for those of a small table.
async function shortIds(
  task: StorageTask,
  values: StatementValues,
): Promise<readonly Id[] | undefined> {
  const long = longRead(task, values)
  if (long === undefined) return undefined
  const { table } = task
  const { where: filters } = values.query
  const id = fieldFor(table, 'id')
  const statement = statementOf('ids', task, values, ({ engine, name }, conditions) => {
    const ids = sql`${engine.readable(id.stored)} as ${sql.id(id.alias)}`
    return sql`select ${ids} from ${name} ${where(conditions)} limit ${limitParameter}`
  })
  const plan = await planOf(long, statement)
  const isServed = plan.isFound && servedBy(plan, table, filters).length === filters.length
  if (!isServed && !(await isSmall(task, values))) return undefined
  const { rows } = await run(task, statement, values)
  return storedIds(id, rows)
}

async function isSmall(task: StorageTask, values: StatementValues): Promise<boolean> {
  const statement = prepare(task, 'size', () => {
    const some = sql`select 1 from ${task.table.name} limit ${rowsParameter}`
    return sql`select count(*) as count from (${some})`
  })
  const { rows } = await run(task, statement, { ...values, slice: { rows: few + 1 } })
  return Number(rows[0]?.count) <= few
}

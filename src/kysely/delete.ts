import { type QueryResult, sql } from 'kysely'
import {
  type AdapterShape,
  byId,
  type DeleteManyOperation,
  type Judge,
  type Operation,
  type Query,
  type Scope,
} from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { maxTries } from '../convention/limits.ts'
import { outOfTries, tooManyAffected } from '../convention/problem.ts'
import type { Row, Sql } from './engine/engine.ts'
import { execute, inTransaction, performUpTo, sessionOf, transact } from './run/execute.ts'
import { isPossibleId, lockOne, lockRows } from './sql/lock.ts'
import { statementOf } from './sql/select.ts'
import {
  limitParameter,
  prepare,
  run,
  type Statement,
  type StatementValues,
} from './sql/statement.ts'
import {
  exists,
  existsBelow,
  hasOneOf,
  keyOfIds,
  keyOfScope,
  lookedFor,
  orderBy,
  where,
} from './sql/where.ts'
import { countedUp, deleteFrom, remove, writeTarget } from './sql/write.ts'
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
  return execute(store, operation, async (task) => {
    const { base, engine } = task.table
    const counting = base === undefined ? engine.counting : undefined
    const deleted = counting === 'statement' ? await removeCounted(task, values) : undefined
    if (deleted !== undefined) return deleted
    const perform = async (part: StorageTask) => {
      if (counting !== 'transaction') return removeSelected(part, values)
      if (maySelect(store, query)) return removeByIds(part, values)
      return (await removeCounted(part, values)) ?? removeSelected(part, values)
    }
    return inTransaction(task, () => removeUpTo(task, maxAffected, perform))
  })
}

// MySQL deletes from no table that a condition selects from, as one of related items or one of the
// user's may do.
function maySelect({ visible, search }: Store, { words, related = [] }: Query): boolean {
  const isSearched = search !== undefined && words.length > 0
  return visible !== undefined || isSearched || related.length > 0
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

// Deletes the items that a query selects. Its limit stands for that many and for more: then the
// transaction fails.
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

// One statement counts and deletes. It deletes nothing where the number of items reaches the limit.
// Returns `undefined` where it deletes none of fewer items.
async function removeCounted(
  task: StorageTask,
  values: StatementValues,
): Promise<number | undefined> {
  const { limit = 0 } = values.query
  const { name, engine } = task.table
  const selectCount = (conditions: readonly Sql[], locking: Sql) => {
    const some = sql`select 1 from ${name} ${where(conditions)} limit ${limitParameter} ${locking}`
    return sql<Row>`select count(*) as count from (${some}) as ${sql.id('=selected')}`
  }
  const deletion = statementOf('delete counted', task, values, (table, conditions) => {
    const isWithin = sql`(${selectCount(conditions, sql``)}) < ${limitParameter}`
    return sql`${deleteFrom(table, countedUp(table, []))} ${where([...conditions, isWithin])}`
  })
  const deleted = deletedBy(await run(task, deletion, values), task)
  if (deleted > 0) return deleted
  // A transaction of MySQL may see an older state, and a lock makes it look again.
  const locking = engine.counting === 'transaction' ? engine.locking : sql``
  const count = statementOf('count some', task, values, (_, conditions) =>
    selectCount(conditions, locking),
  )
  const { rows } = await run(task, count, values)
  const number = Number(rows[0]?.count)
  if (number === limit) throw tooManyAffected(limit - 1)
  // Other requests have deleted some of too many meanwhile, or the database keeps these rows.
  return number === 0 ? 0 : undefined
}

// MySQL reads all rows for a condition that selects from another table, but not for a list of ids.
async function removeByIds(task: StorageTask, values: StatementValues): Promise<number> {
  // An order by the id could make the database read all rows in that order.
  const ids = await selectIds(task, { ...values, query: { ...values.query, sort: [] } })
  if (ids.length === values.query.limit) return ids.length
  let deleted = 0
  for (const part of partsOf(ids, itemsAtOnce))
    deleted += await removeListed(task, { ...values, ids: part })
  return deleted
}

/** Deletes those of the listed items that a query still selects, and returns their number. */
async function removeListed(
  task: StorageTask,
  values: StatementValues & { readonly ids: readonly Item['id'][] },
): Promise<number> {
  const size = values.ids.length
  const statement = statementOf(`delete ${keyOfIds(size)}`, task, values, (table, conditions) => {
    const all = [hasOneOf(table, size), ...conditions]
    const isPlain = table.base === undefined && !maySelect(task.store, values.query)
    // The list lets MySQL read these rows alone.
    const met = isPlain ? all : [hasOneOf(table, size), isSelected(table, all)]
    return sql`${deleteFrom(table, countedUp(table, []))}
      ${where([...met, ...existsBelow(table, values.scope)])} ${returnedOnes(task)}`
  })
  const limited = { ...values, query: { ...values.query, limit: size } }
  return deletedBy(await run(task, statement, limited), task)
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

/** Deletes an item once `judge` allows it, and returns it. Returns `undefined` for none. */
export async function deleteJudged(
  store: Store,
  operation: Operation,
  judge: Judge<Item>,
): Promise<Item | undefined> {
  if (!isPossibleId(operation.id)) return undefined
  const find: Find = async (task, judgeFound) => {
    const stored = await lockOne(task, operation)
    if (stored === undefined) return []
    judgeFound([stored])
    return [stored]
  }
  const [removed] = await removeUntilCurrent(store, operation, { find, judge })
  return removed
}

/**
 * Deletes the items of a scope, or those that a query selects, once `judge` allows each. Returns
 * their number.
 */
export async function deleteAllJudged(
  store: Store,
  operation: Operation,
  judge: Judge<Item>,
): Promise<number> {
  const { maxAffected = Number.POSITIVE_INFINITY } = operation
  const find: Find = async (task, judgeFound) => {
    const found: Item[] = []
    for await (const items of selectedItems(task, maxAffected + 1)) {
      judgeFound(items)
      // A deletion of a whole table holds its ids, not its items.
      found.push(...items.map(({ id }) => ({ id })))
    }
    if (found.length > maxAffected) throw tooManyAffected(maxAffected)
    return found
  }
  const removed = await removeUntilCurrent(store, operation, { find, judge })
  return removed.length
}

/** Locks the items to delete, and judges them. */
type Find = (task: StorageTask, judge: Judge<Item>) => Promise<readonly Item[]>

/** A deletion of what `judge` allows. */
interface Removal {
  readonly find: Find
  readonly judge: Judge<Item>
}

// The items that it deletes are those that the judge saw. If one no longer meets the query, or if
// another request changes one where nothing locks it, all of it begins again.
async function removeUntilCurrent(
  store: Store,
  operation: Operation,
  { find, judge }: Removal,
): Promise<readonly Item[]> {
  for (let tries = 0; tries < maxTries && !operation.signal.aborted; tries++) {
    const refusals: unknown[] = []
    const judgeFound: Judge<Item> = (items) => {
      try {
        judge(items)
      } catch (error) {
        refusals.push(error)
        throw error
      }
    }
    try {
      return await transact(store, operation, async (task) => {
        const found = await find(task, judgeFound)
        // It undoes the transaction.
        if ((await removeFound(task, found)) < found.length) throw changed
        return found
      })
    } catch (error) {
      // The adapter does not take an error of the judge for one of the database.
      if (refusals.length > 0) throw refusals[0]
      if (error !== changed) throw error
    }
  }
  throw outOfTries(changed)
}

const changed = new Error('Other writes changed the items during each try.')

// A database without transactions deletes each item as it was read, or none of them.
async function removeFound(task: StorageTask, found: readonly Item[]): Promise<number> {
  const { operation, states, store } = task
  const session = sessionOf(store)
  const isEach = session.isFinal || operation.id !== undefined
  const parts = partsOf(found, isEach ? 1 : itemsAtOnce)
  const counts = await session.performAll(task, parts, {
    condition: '= 1',
    placeOf: () => undefined,
    async perform(performed, items) {
      if (!isEach) return removeListed(performed, { ...selectionOf(task), ids: idsOf(items) })
      const [id] = idsOf(items)
      const removed = await remove(performed, { ...operation, id, state: states.get(id ?? '') })
      return session.isFinal && removed === undefined ? 0 : 1
    },
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

const itemsAtOnce = 1000

function partsOf<Part>(all: readonly Part[], size: number): readonly (readonly Part[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )
}

function idsOf(items: readonly Item[]): readonly Item['id'][] {
  return items.map(({ id }) => id)
}

function selectionOf({ operation, store }: StorageTask): StatementValues {
  return { ...operation, query: { ...lookedFor(store, operation.query), sort: byId } }
}

// Locks the selected items in parts, up to a number.
async function* selectedItems(
  task: StorageTask,
  most: number,
): AsyncGenerator<readonly Item[], void> {
  const values = selectionOf(task)
  let after: StatementValues['query']['after']
  for (let left = most; left > 0; ) {
    const limit = Math.min(itemsAtOnce, left)
    const ids = await selectIds(task, { ...values, query: { ...values.query, limit, after } })
    const items = await lockRows(task, ids.filter(isPossibleId))
    yield items.filter((item) => item !== undefined)
    if (ids.length < limit) return
    left -= limit
    after = { id: ids.at(-1) ?? null }
  }
}

async function selectIds(
  task: StorageTask,
  values: StatementValues,
): Promise<readonly Item['id'][]> {
  const { table } = task
  const { sort } = values.query
  const { alias, stored, decode } = fieldFor(table, 'id')
  const statement = statementOf('ids', task, values, ({ name, engine }, conditions) => {
    const id = sql<Row>`${engine.readable(stored)} as ${sql.id(alias)}`
    const order = sort.length === 0 ? sql`` : sql`order by ${orderBy(table, sort)}`
    return sql<Row>`select ${id} from ${name} ${where(conditions)} ${order} limit ${limitParameter}`
  })
  const { rows } = await run(task, statement, values)
  const idOf = (row: Row): unknown => (decode ? decode(row[alias]) : row[alias])
  return rows.map(idOf).filter((id) => typeof id === 'string' || typeof id === 'number')
}

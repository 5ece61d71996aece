import { sql } from 'kysely'
import type { Operation, Query } from '../model/operation.ts'
import { compareValues, positionOf, reverse } from '../model/order.ts'
import { invalidCursor } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { encode, itemFrom } from './codec.ts'
import {
  exists,
  existsBelow,
  hasId,
  isPossibleId,
  isWritten,
  mayReach,
  where,
} from './condition.ts'
import type { Row, Sql } from './engine.ts'
import { execute } from './execute.ts'
import { isFindable } from './fit.ts'
import { keyOfScope, selectCount, selectItems, withoutContainedWords } from './select.ts'
import { countSliced, selectSliced } from './sliced.ts'
import { compile, prepare, run, type StatementValues } from './statement.ts'
import { fieldFor, type StorageTask, type Store, type Table } from './table.ts'
import { checkSingle } from './table-checks.ts'

// One statement reads most lists. Further statements read the rest of a longer list, so that a slow
// client holds no connection. They are short: V8's young generation grows with the objects that are
// alive at once.
const firstStep = 1000
const step = 250

/** Returns the matching items: a few at once, many in parts. */
export async function listFromTable(
  store: Store,
  operation: Operation,
): Promise<readonly Item[] | AsyncIterable<readonly Item[]>> {
  if (operation.query.limit !== undefined) return readPage(store, operation, {})
  const limit = firstStep + 1
  const items = await readPage(store, operation, { limit })
  if (items.length < limit) return items
  const parts = readOn(store, operation, items)
  return store.isJoined ? allOf(parts) : parts
}

// The user's transaction ends before the client takes the list.
async function allOf(parts: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const part of parts) items.push(...part)
  return items
}

async function* readOn(
  store: Store,
  operation: Operation,
  start: readonly Item[],
): AsyncIterable<readonly Item[]> {
  let items = start
  let limit = start.length
  for (let last = items.at(-1); last !== undefined; last = items.at(-1)) {
    const isLast = items.length < limit
    yield items
    if (isLast) return
    // Frees the items before it reads the next ones.
    items = []
    limit = step
    const after = positionOf(last, operation.query.sort)
    items = await readPage(store, operation, { limit, after })
    // Prevents an endless list.
    if (items.at(-1)?.id === last.id)
      throw new TypeError('The database returned the same page of the list again.')
  }
}

function readPage(
  store: Store,
  operation: Operation,
  page: Partial<Query>,
): Promise<readonly Item[]> {
  const values = { ...operation, query: lookedFor(store, { ...operation.query, ...page }) }
  return execute(store, operation, async (task) => {
    const { table } = task
    const { after, sort } = operation.query
    if (after !== undefined && !mayReach(table, sort, after)) throw invalidCursor()
    const statement = selectItems(task, values)
    const slices = await selectSliced(task, values, statement)
    if (slices !== undefined) return slices.map((row) => itemFrom(table, row))
    const { rows } = await run(task, statement, values)
    const items = rows.map((row) => itemFrom(table, row))
    // Frees the rows for drivers that keep their result: `pg` does until V8 collects its old
    // generation.
    rows.length = 0
    return items
  })
}

// An index of the database may distinguish a word from a longer word.
function lookedFor({ search }: Store, query: Query): Query {
  return search === undefined ? withoutContainedWords(query) : query
}

/** Returns the first or the last matching item. */
export async function readEndOfList(store: Store, operation: Operation): Promise<Item | undefined> {
  const { query, kind } = operation
  const sort = kind === 'last' ? reverse(query.sort) : query.sort
  const [item] = await readPage(store, operation, { sort, limit: 1 })
  return item
}

/** Counts the matching items. */
export function countInTable(store: Store, operation: Operation): Promise<number> {
  const values = { ...operation, query: lookedFor(store, operation.query) }
  return execute(store, operation, async (task) => {
    const slices = await countSliced(task, values)
    if (slices !== undefined) return slices
    const { rows } = await run(task, selectCount(task, values), values)
    return Number(rows[0]?.count)
  })
}

/** Returns the item of the operation's id. */
export async function readFromTable(store: Store, operation: Operation): Promise<Item | undefined> {
  // A database may take a malformed id for another id, so the adapter does not query it.
  return isPossibleId(operation.id)
    ? execute(store, operation, (task) => readOne(task, operation))
    : undefined
}

/** Reads the item of an id in a scope. With `lock`, locks it until the transaction ends. */
export async function readOne(
  task: StorageTask,
  values: StatementValues,
  kind: 'read' | 'lock' = 'read',
): Promise<Item | undefined> {
  const { table } = task
  const { scope, id } = values
  const isLocked = kind === 'lock'
  const [row] = isLocked ? await lockBase(task, [hasId(table)], values) : [{}]
  if (row === undefined) return undefined
  const statement = prepare(task, `${kind} ${keyOfScope(scope)}`, () => {
    const isSought = where([hasId(table), ...exists(task, scope)])
    const lock = isLocked ? lockingOf(table) : sql``
    return sql`select ${table.selection} from ${table.name} ${isSought} ${lock}`
  })
  const { rows } = await run(task, statement, values)
  checkSingle(table, rows.length)
  const item = rows[0] && itemFrom(table, { ...rows[0], ...row })
  return item?.id === id ? item : undefined
}

// A lock through a view fails for outer joins and groups, so the table below it has the lock.
function lockingOf({ base, engine }: Table): Sql {
  return base === undefined ? engine.locking : sql``
}

/**
 * Locks rows of the table below a view and returns their ids and revisions. In MySQL, the view
 * shows the rows as they were when the transaction first read.
 */
async function lockBase(
  { table, session, ...task }: StorageTask,
  isSought: readonly Sql[],
  values: StatementValues,
): Promise<readonly Row[]> {
  const { base, engine, resource } = table
  if (base === undefined) return [{}]
  const id = fieldFor(table, 'id')
  const fields = new Set([id, table.field.get(resource.revision ?? '') ?? id])
  const selected = [...fields]
    .filter((field) => isWritten(table, field))
    .map(({ alias, stored }) => sql`${engine.readable(stored)} as ${sql.id(alias)}`)
  const all = where([...isSought, ...existsBelow(table, values.scope)])
  const rows = sql<Row>`select ${sql.join(selected)} from ${base.name} ${all}
    order by ${sql.id(id.column)} ${engine.locking}`
  return (await run({ session, ...task }, compile(session, rows), values)).rows
}

// Less than every engine's limit of parameters in a statement: D1 takes 100.
const idsAtOnce = 90

/** Locks many items of the scope, in an order that prevents deadlocks. */
export async function lockMany(
  task: StorageTask,
  ids: readonly Item['id'][],
): Promise<ReadonlyMap<Item['id'], Item>> {
  const { table, session, operation } = task
  const { engine } = table
  const field = fieldFor(table, 'id')
  const column = sql.id(field.column)
  const found = new Map<Item['id'], Item>()
  const sorted = ids
    .filter((id) => isPossibleId(id) && isFindable(field, id, engine))
    .sort(compareValues)
  for (let start = 0; start < sorted.length; start += idsAtOnce) {
    const some = sorted.slice(start, start + idsAtOnce)
    const listed = some.map((id) =>
      engine.writable(field.stored, sql`${encode(field, id, engine)}`),
    )
    const isListed = sql`${column} in (${sql.join(listed)})`
    const locked = new Map(
      (await lockBase(task, [isListed], operation)).map((row) => [row[field.alias], row]),
    )
    const all = where([isListed, ...exists(task, operation.scope)])
    const statement = compile(
      session,
      sql`select ${table.selection} from ${table.name} ${all}
        order by ${column} ${lockingOf(table)}`,
    )
    const { rows } = await run(task, statement, operation)
    for (const row of rows) {
      const own = table.base === undefined ? row : locked.get(row[field.alias])
      const item = own && itemFrom(table, { ...row, ...own })
      if (item) found.set(item.id, item)
    }
  }
  return found
}

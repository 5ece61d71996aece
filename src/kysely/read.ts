import type { Operation, Query } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { positionOf, reverse } from '../contract/values/order.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { pause } from './run/deadline.ts'
import { execute, executeRead } from './run/execute.ts'
import { countSliced, selectSliced } from './slices.ts'
import { isPossibleId, readOne } from './sql/lock.ts'
import { isShort, longRead } from './sql/query-plan.ts'
import {
  placedAt,
  portionOf,
  selectCount,
  selectItems,
  withoutContainedWords,
} from './sql/select.ts'
import { run, type Statement, type StatementValues } from './sql/statement.ts'
import { checkReach } from './sql/where.ts'
import { itemFrom, type StorageTask, type Store } from './table.ts'

// One statement reads most lists. Further statements read the rest of a longer list, so that a slow
// client holds no connection. They are short: V8's young generation grows with the objects that are
// alive at once.
const firstStep = 1000
const step = 250

/** Returns the matching items: a few at once, many in parts. */
export function listFromTable(
  store: Store,
  operation: Operation,
): Awaitable<readonly Item[] | AsyncIterable<readonly Item[]>> {
  if (operation.query.limit !== undefined) return readPage(store, operation)
  const limit = firstStep + 1
  return whenReady(readPage(store, operation, { limit }), (items) => {
    if (items.length < limit) return items
    const parts = readOn(store, operation, items)
    return store.isJoined ? allOf(parts) : parts
  })
}

// The user's transaction ends before the client takes the list.
async function allOf(parts: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const page of parts) items.push(...page)
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

// Reads rows of many bytes in portions, so that other requests have their turn in between.
function readPage(
  store: Store,
  operation: Operation,
  page?: Partial<Query>,
): Awaitable<readonly Item[]> {
  const pageQuery = page === undefined ? operation.query : { ...operation.query, ...page }
  const query = lookedFor(store, pageQuery)
  return whenReady(readPortion(store, operation, query), (portion) =>
    portion.isWhole ? portion.items : readRest(portion, { store, operation, query }),
  )
}

/** A page in portions. */
interface PortionedPage {
  readonly store: Store
  readonly operation: Operation
  readonly query: Query
}

async function readRest(
  first: Portion,
  { store, operation, query }: PortionedPage,
): Promise<readonly Item[]> {
  let { items, isWhole } = first
  const { limit = 0 } = query
  for (let last = items.at(-1); !isWhole && last !== undefined; last = items.at(-1)) {
    await pause(0)
    const after = positionOf(last, query.sort)
    const next = { ...query, after, isCut: false, offset: 0, limit: limit - items.length }
    const portion = await readPortion(store, operation, next)
    items = [...items, ...portion.items]
    isWhole = portion.isWhole
  }
  return items
}

/** Items of a page. */
interface Portion {
  readonly items: readonly Item[]
  /** No further item belongs to the page. */
  readonly isWhole: boolean
}

function readPortion(store: Store, operation: Operation, query: Query): Awaitable<Portion> {
  const values = query === operation.query ? operation : { ...operation, query }
  return executeRead(store, operation, (task) => {
    const { after, sort } = operation.query
    if (after !== undefined) checkReach(task.table, sort, after)
    return whenReady(placedAt(task, values), (placed) => readPlaced(task, placed))
  })
}

function readPlaced(task: StorageTask, values: StatementValues): Awaitable<Portion> {
  const statement = selectItems(task, values)
  const long = longRead(task, values)
  if (long === undefined || isShort(long, statement)) return readRows(task, values, statement)
  return selectSliced(long, statement).then((rows) =>
    rows === undefined
      ? readRows(task, values, statement)
      : { items: rows.map((row) => itemFrom(task.table, row)), isWhole: true },
  )
}

function readRows(
  task: StorageTask,
  values: StatementValues,
  statement: Statement,
): Awaitable<Portion> {
  return whenReady(portionOf(task, values), (portion) => {
    const isWhole = portion === undefined
    const read = isWhole ? values : { ...values, query: { ...values.query, limit: portion } }
    return whenReady(run(task, statement, read), ({ rows }) => {
      const items = rows.map((row) => itemFrom(task.table, row))
      // Frees the rows for drivers that keep their result: `pg` does until V8 collects its old
      // generation.
      rows.length = 0
      return { items, isWhole }
    })
  })
}

// An index of the database may distinguish a word from a longer word.
function lookedFor({ search }: Store, query: Query): Query {
  return search === undefined ? withoutContainedWords(query) : query
}

/** Returns the first or the last matching item. */
export function readEndOfList(store: Store, operation: Operation): Awaitable<Item | undefined> {
  const { query, kind } = operation
  const sort = kind === 'last' ? reverse(query.sort) : query.sort
  return whenReady(readPage(store, operation, { sort, limit: 1 }), ([item]) => item)
}

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

/** Returns the item of the operation's id. */
export function readFromTable(store: Store, operation: Operation): Awaitable<Item | undefined> {
  // A database may take a malformed id for another id, so the adapter does not query it.
  return isPossibleId(operation.id)
    ? executeRead(store, operation, (task) => readOne(task, operation))
    : undefined
}

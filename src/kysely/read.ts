import { sql } from 'kysely'
import type { Operation, Query } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { positionOf, reverse } from '../contract/values/order.ts'
import type { Row, Sql } from './engine/engine.ts'
import { few, lightTime, pause } from './run/deadline.ts'
import { execute } from './run/execute.ts'
import { startAtCursor } from './sql/position.ts'
import {
  countUpTo,
  isServed,
  isShort,
  jsonTestOf,
  longRead,
  planOf,
  relatedGroups,
  servedBy,
} from './sql/query-plan.ts'
import {
  bytesOfRow,
  eachSlice,
  inSlices,
  isHeavy,
  mostOf,
  offsetOf,
  portionOf,
  runOnSlice,
  type Slicing,
  selectItems,
  sliceStatementOf,
} from './sql/select.ts'
import {
  limitParameter,
  Parameter,
  rowsParameter,
  run,
  type Slice,
  type Statement,
  type StatementValues,
} from './sql/statement.ts'
import { checkReach, columnsIn, isGood, lookedFor, readerIn, where } from './sql/where.ts'
import { fieldFor, type LongRead, orderedFields, type StorageTask, type Store } from './table.ts'

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
  if (operation.query.limit !== undefined) return readPage(store, operation)
  const limit = firstStep + 1
  const items = await readPage(store, operation, { limit })
  if (items.length < limit) return items
  const parts = readOn(store, operation, items)
  return store.isJoined ? allOf(parts) : parts
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
    checkProgress(items, last)
  }
}

// Prevents an endless list.
function checkProgress(items: readonly Item[], last: Item | undefined): void {
  if (last !== undefined && items.at(-1)?.id === last.id)
    throw new TypeError('The database returned the same page of the list again.')
}

async function readPage(
  store: Store,
  operation: Operation,
  page?: Partial<Query>,
): Promise<readonly Item[]> {
  const pageQuery = page === undefined ? operation.query : { ...operation.query, ...page }
  const query = lookedFor(store, pageQuery)
  const meets = jsonTestOf(query)
  return meets === undefined
    ? readRows(store, operation, query)
    : readMeeting({ store, operation, query, meets })
}

interface MeetingRead {
  readonly store: Store
  readonly operation: Operation
  readonly query: Query
  readonly meets: (item: Item) => boolean
}

// Reads on for each row that does not meet the filters.
async function readMeeting({ store, operation, query, meets }: MeetingRead): Promise<Item[]> {
  const { limit = 0, sort } = query
  const items: Item[] = []
  let page = query
  for (let last: Item | undefined; ; ) {
    const rows = await readRows(store, operation, page)
    checkProgress(rows, last)
    items.push(...rows.filter(meets))
    last = rows.at(-1)
    if (last === undefined || rows.length < (page.limit ?? 0) || items.length === limit)
      return items
    const after = positionOf(last, sort)
    page = { ...query, after, isCut: false, offset: 0, limit: limit - items.length }
  }
}

// Reads rows of many bytes in portions, so that other requests have their turn in between.
async function readRows(
  store: Store,
  operation: Operation,
  query: Query,
): Promise<readonly Item[]> {
  let { items, isWhole } = await readPortion(store, operation, query)
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

function readPortion(store: Store, operation: Operation, query: Query): Promise<Portion> {
  return execute(store, operation, async (task) => {
    const { table } = task
    const { after, sort } = operation.query
    if (after !== undefined) checkReach(table, sort, after)
    const page = query === operation.query ? operation : { ...operation, query }
    const { items: found, values } = await startAtCursor(task, page, readFromRow)
    if (found !== undefined) return { items: found, isWhole: true }
    const statement = selectItems(task, values)
    const long = longRead(task, values)
    if (long !== undefined && !isShort(long, statement)) {
      const rows = (await selectAlong(long)) ?? (await selectSliced(long, statement))
      if (rows !== undefined) return { items: rows.map(readerIn(table, sort)), isWhole: true }
    }
    const portion = await portionOf(task, values, statement)
    const isWhole = portion === undefined
    const read = isWhole ? values : { ...values, query: { ...values.query, limit: portion } }
    const { rows } = await run(task, statement, read)
    const items = rows.map(readerIn(table, sort))
    // Frees the rows for drivers that keep their result: `pg` does until V8 collects its old
    // generation.
    rows.length = 0
    return { items, isWhole }
  })
}

// Reads the items of a page and the one before, if one statement does so at once.
async function readFromRow(
  task: StorageTask,
  values: StatementValues,
): Promise<readonly Item[] | undefined> {
  const { query } = values
  const limit = query.limit === undefined ? undefined : query.limit + 1
  const page = { ...values, isFromRow: true, query: { ...query, limit } }
  const statement = selectItems(task, page)
  const long = longRead(task, page)
  if (long !== undefined && !isServed(await planOf(long, statement), task.table, page))
    return undefined
  if ((await portionOf(task, page, statement)) !== undefined) return undefined
  const { rows } = await run(task, statement, page)
  return rows.map(readerIn(task.table, query.sort))
}

/** Returns the first or the last matching item. */
export async function readEndOfList(store: Store, operation: Operation): Promise<Item | undefined> {
  const { query, kind } = operation
  const sort = kind === 'last' ? reverse(query.sort) : query.sort
  const [item] = await readPage(store, operation, { sort, limit: 1 })
  return item
}

// Selects the items of the first related one of an order, then those of the next. Returns
// `undefined` if no index finds them, or if they do not fill the page.
async function selectAlong(read: LongRead): Promise<readonly Row[] | undefined> {
  const { task, values } = read
  const { query } = values
  const { limit = 0 } = query
  const { alias } = fieldFor(task.table, 'id')
  const rows = new Map<unknown, Row>()
  for (const { where: condition, columns, isStart } of await relatedGroups(read)) {
    const part = {
      ...{ sort: query.sort.slice(1), limit: limit - rows.size, related: undefined },
      ...{ where: [...query.where, condition], after: isStart ? query.after : undefined },
    }
    const position = isStart ? values.position : undefined
    const page = { ...values, position, query: { ...query, ...part } }
    const statement = selectItems(task, page)
    const plan = await planOf({ ...read, values: page }, statement)
    const isShort = isServed(plan, task.table, page)
    if (!isShort || (await portionOf(task, page, statement)) !== undefined) return undefined
    const found = await run(task, statement, page)
    // Another request may move an item from one related item to the next meanwhile.
    for (const row of found.rows) rows.set(row[alias], { ...row, ...columns })
    if (rows.size === limit) return [...rows.values()]
  }
  return undefined
}

/**
 * Selects items in slices, so that other requests have their turn. Returns `undefined` if one short
 * statement selects them.
 *
 * @param plain The statement for all of them.
 * @throws {ProblemError} `unavailable`, as {@link inSlices}.
 */
async function selectSliced(read: LongRead, plain: Statement): Promise<readonly Row[] | undefined> {
  const { task, values } = read
  const { table } = task
  const started = await readStartAgain(read, plain)
  if (started !== undefined) return started
  const plan = await planOf(read, plain)
  if (isServed(plan, table, values)) return undefined
  const isDirect = plan.isOrdered && plan.isFound
  const { words, where: filters } = values.query
  const served = servedBy(plan, table, filters)
  // The start of an order is often enough for a page of filtered items.
  const isFiltered = isDirect && words.length === 0
  if (!isFiltered && (await countUpTo(read, few)) !== undefined) return undefined
  const select = async (slicing: Slicing) => {
    const starts = isDirect || (await isWalked(slicing))
    const rows = starts ? await readStart(slicing, plain) : undefined
    return rows ?? readBest(slicing)
  }
  return inSlices(read, select, isDirect ? served : [])
}

const firstRows = 4000
// The statement on the first rows that filled the last page of another one.
const starts = new WeakMap<Statement, { readonly statement: Statement; readonly since: number }>()

// The next page needs neither a count nor the weight of the rows before.
async function readStartAgain(
  { task, values }: LongRead,
  plain: Statement,
): Promise<readonly Row[] | undefined> {
  const start = starts.get(plain)
  if (start === undefined || performance.now() - start.since > lightTime) return undefined
  const { rows } = await run(task, start.statement, { ...values, slice: { rows: firstRows } })
  return rows.length === values.query.limit ? rows : undefined
}

// Many searches fill a page soon, and an index has the order. A pause of the process can make one
// slice slow, so only a second slow one ends this.
async function readStart(slicing: Slicing, plain: Statement): Promise<readonly Row[] | undefined> {
  const { values, runner } = slicing
  const { sort } = values.query
  const statement = sliceStatementOf(slicing, 'start', (parts) => {
    const { table, joins, matching, indexed, order } = parts
    const walked = sql`select * from ${table.name} ${joins} ${where(indexed)}
      order by ${order} limit ${rowsParameter}`
    return sql`select ${columnsIn(table, sort)} from (${walked}) ${where(matching)}
      limit ${limitParameter}${offsetOf(values.query)}`
  })
  const beyond = beyondOf(slicing)
  const weight = sliceStatementOf(slicing, 'weight', ({ table, joins, indexed, order }) => {
    const walked = sql`select ${bytesOfRow(table)} as "=bytes"
      from ${table.name} ${joins} ${where(indexed)} order by ${order} limit ${rowsParameter}`
    return sql`select sum("=bytes") as bytes from (${walked})`
  })
  for (let rows = firstRows, slow = 0; slow < 2; rows *= 2) {
    const slice = { rows }
    if (await isHeavy(slicing, weight, slice)) return undefined
    const { rows: before } = runner
    const items = await runner.run(() => runOnSlice(slicing, statement, slice))
    if (items.length === values.query.limit) {
      if (rows === firstRows) starts.set(plain, { statement, since: performance.now() })
      return items
    }
    const followers = await runOnSlice(slicing, beyond, slice)
    if (followers.length === 0) return items
    if (runner.rows <= before) slow++
  }
  return undefined
}

function beyondOf(slicing: Slicing): Statement {
  return sliceStatementOf(
    slicing,
    'beyond',
    ({ table, joins, indexed, order }) =>
      sql`select 1 from ${table.name} ${joins} ${where(indexed)}
        order by ${order} limit 1 offset ${rowsParameter}`,
  )
}

// An index has the order, though another one finds the items.
async function isWalked(slicing: Slicing): Promise<boolean> {
  const { isOrdered, isFound } = await planOf(slicing, beyondOf(slicing))
  return isOrdered && isFound
}

const mostParameter = new Parameter(({ query }) => mostOf(query))

const none: Slice = { rows: 0, best: '[]' }

const maxAttempts = 4

// Reads the first items of an order without an index, in slices. Starts again when an item changes
// meanwhile that displaced other items. The last attempt returns its rows in any case.
async function readBest(slicing: Slicing): Promise<readonly Row[]> {
  for (let attempts = 1; attempts < maxAttempts; attempts++) {
    const rows = await readOnce(slicing, boundOf)
    if (rows !== undefined) return rows
  }
  return (await readOnce(slicing, () => undefined)) ?? []
}

type BoundOf = (row: Row | undefined) => Slice['bound']

async function readOnce(slicing: Slicing, boundOf: BoundOf): Promise<readonly Row[] | undefined> {
  const most = mostOf(slicing.values.query)
  const choose = chooseOf(slicing)
  let best = none
  let isWhole = true
  await eachSlice(slicing, async (slice) => {
    if (!isWhole) return
    const rows = await runOnSlice(slicing, choose, { ...best, ...slice })
    isWhole = best.bound === undefined || rows.length === most
    const bound = rows.length === most ? boundOf(rows.at(-1)) : undefined
    best = { rows: 0, best: `[${rows.map(({ row }) => row)}]`, bound }
  })
  const items = await runOnSlice(slicing, readOf(slicing), best)
  const { limit } = slicing.values.query
  return isWhole && (best.bound === undefined || items.length === limit) ? items : undefined
}

function boundOf(row: Row | undefined): Slice['bound'] {
  const { row: _, ...values } = { ...row }
  return Object.values(values)
}

function chooseOf(slicing: Slicing) {
  return sliceStatementOf(slicing, 'choose', (parts) => {
    const { table, joins, conditions, rowKey, isWithin, isBest, order } = parts
    const { sort } = slicing.values.query
    const among = (isHere: Sql) => {
      const all = where([isHere, isGood(table, sort), ...conditions])
      return sql`select ${rowKey} as "=row", * from ${table.name} not indexed ${joins} ${all}`
    }
    const values = orderedFields(table, sort).map(
      ({ field }, at) => sql`${table.engine.ordered(field.stored)} as ${sql.id(`=${at}`)}`,
    )
    return sql`select "=row" as row, ${sql.join(values)}
      from (${among(isWithin)} union all ${among(isBest)})
      order by ${order} limit ${mostParameter}`
  })
}

function readOf(slicing: Slicing) {
  const { sort } = slicing.values.query
  return sliceStatementOf(slicing, 'best', ({ table, joins, conditions, isBest, order }) => {
    const all = where([isBest, isGood(table, sort), ...conditions])
    return sql`select ${columnsIn(table, sort)} from ${table.name} ${joins} ${all}
      order by ${order} limit ${limitParameter}${offsetOf(slicing.values.query)}`
  })
}

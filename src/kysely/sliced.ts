import { sql } from 'kysely'
import type { Operation } from '../model/operation.ts'
import { readBest } from './best.ts'
import { where } from './condition.ts'
import { withDeadline } from './deadline.ts'
import type { Row } from './engine.ts'
import { few, Pace } from './pace.ts'
import { countUpTo, type EmbeddedRead, planOf, rowKeyOf } from './query-plan.ts'
import {
  eachSlice,
  limitParameter,
  rowsParameter,
  runOnSlice,
  type Slicing,
  sliceStatementOf,
} from './slicing.ts'
import { noValues, run, type Statement } from './statement.ts'
import type { Store } from './store.ts'

// SQLite counts so many entries of an index in a few milliseconds.
const fewEntries = 100_000

/**
 * Counts the selected items in slices, so that other requests have their turn. Returns `undefined`
 * if one short statement counts them, or if the database does not block the process.
 *
 * @throws {ProblemError} `unavailable` after the timeout, or when no client waits any more.
 */
export async function countSliced(
  store: Store,
  operation: Operation,
  read: EmbeddedRead,
): Promise<number | undefined> {
  if (isIndexed(store, read)) return undefined
  const isAll = read.selector.query.words.length === 0
  const count = await countUpTo(read, isAll ? fewEntries : few)
  if (count !== undefined) return isAll ? count : undefined
  return inSlices(store, operation, read, addUp)
}

/**
 * Selects items in slices, as {@link countSliced} counts them.
 *
 * @param plain The statement for all of them.
 * @throws {ProblemError} `unavailable`, as {@link countSliced}.
 */
export async function selectSliced(
  store: Store,
  operation: Operation,
  read: EmbeddedRead & { readonly plain: Statement },
): Promise<readonly Row[] | undefined> {
  if (isIndexed(store, read)) return undefined
  const { isOrdered, isFound } = await planOf(read, read.plain)
  const isDirect = isOrdered && isFound
  if (isDirect && read.selector.query.words.length === 0) return undefined
  if ((await countUpTo(read, few)) !== undefined) return undefined
  return inSlices(store, operation, read, async (slicing) => {
    const started = isDirect ? await readStart(slicing) : undefined
    return started ?? (await readBest(slicing))
  })
}

// A user's search has an index of its own, which each slice would query again.
function isIndexed({ engine, search }: Store, { selector }: EmbeddedRead): boolean {
  return !engine.isEmbedded || (search !== undefined && selector.query.words.length > 0)
}

async function inSlices<Result>(
  { timeout: milliseconds, database }: Store,
  { signal }: Operation,
  { task, selector }: EmbeddedRead,
  perform: (slicing: Slicing) => Promise<Result>,
): Promise<Result | undefined> {
  const rowKey = await rowKeyOf(task)
  if (rowKey === undefined) return undefined
  return withDeadline({ milliseconds, signal, provider: database.getExecutor() }, (deadline) =>
    perform({
      task: { ...task, deadline },
      selector,
      rowKey,
      pace: new Pace(selector.query.limit),
    }),
  )
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

// Many searches fill a page soon, and an index has the order.
async function readStart(slicing: Slicing): Promise<readonly Row[] | undefined> {
  const { task, selector, pace } = slicing
  const statement = sliceStatementOf(slicing, 'start', ({ table, found, rest, order }) => {
    const walked = sql`select * from ${table.name} ${where(rest)}
      order by ${order} limit ${rowsParameter}`
    return sql`select ${table.selection} from (${walked}) ${where(found)} limit ${limitParameter}`
  })
  const beyond = sliceStatementOf(
    slicing,
    'beyond',
    ({ table, rest, order }) =>
      sql`select 1 from ${table.name} ${where(rest)}
        order by ${order} limit 1 offset ${rowsParameter}`,
  )
  for (let isFast = true; isFast; ) {
    const slice = { rows: pace.rows }
    const items = await pace.run(() => runOnSlice(slicing, statement, slice))
    if (items.length === selector.query.limit) return items
    const others = await run(task, beyond, { ...noValues, ...selector, slice })
    if (others.rows.length === 0) return items
    isFast = pace.rows > slice.rows
  }
  return undefined
}

import { sql } from 'kysely'
import type { Operation } from '../model/operation.ts'
import { readBest } from './best.ts'
import { where } from './condition.ts'
import { within } from './deadline.ts'
import type { Row } from './engine.ts'
import { few, Pace } from './pace.ts'
import { eachSlice, limit, rows, runOn, type Slicing, statementOf } from './slicing.ts'
import { noValues, run, type Statement } from './statement.ts'
import type { Store } from './store.ts'
import { countFew, type Reading, rowKeyOf, wayOf } from './way.ts'

// How many entries of an index SQLite counts in a few milliseconds.
const fewEntries = 100_000

/**
 * Counts the items that are wanted, in slices that let other requests have their turn. `undefined` where one statement
 * does it in a short time, and where the process is not kept by it.
 *
 * @throws {ProblemError} `unavailable` when it takes too long, or nobody waits any more.
 */
export async function countSliced(
  store: Store,
  operation: Operation,
  reading: Reading,
): Promise<number | undefined> {
  if (isIndexed(store, reading)) return undefined
  const isAll = reading.wanted.query.words.length === 0
  const count = await countFew(reading, isAll ? fewEntries : few)
  if (count !== undefined) return isAll ? count : undefined
  return inSlices(store, operation, reading, addUp)
}

/**
 * Selects the items that are wanted in slices, as {@link countSliced} counts them.
 *
 * @param plain The statement for all of them.
 * @throws {ProblemError} `unavailable`, likewise.
 */
export async function selectSliced(
  store: Store,
  operation: Operation,
  reading: Reading & { readonly plain: Statement },
): Promise<readonly Row[] | undefined> {
  if (isIndexed(store, reading)) return undefined
  const { isOrdered, isFound } = await wayOf(reading, reading.plain)
  const isDirect = isOrdered && isFound
  if (isDirect && reading.wanted.query.words.length === 0) return undefined
  if ((await countFew(reading, few)) !== undefined) return undefined
  return inSlices(store, operation, reading, async (slicing) => {
    const started = isDirect ? await readStart(slicing) : undefined
    return started ?? (await readBest(slicing))
  })
}

// A search of somebody else's has an index of its own, which it would ask anew in each slice.
function isIndexed({ engine, search }: Store, { wanted }: Reading): boolean {
  return !engine.isEmbedded || (search !== undefined && wanted.query.words.length > 0)
}

async function inSlices<Result>(
  { timeout: milliseconds, database }: Store,
  { signal }: Operation,
  { work, wanted }: Reading,
  carry: (slicing: Slicing) => Promise<Result>,
): Promise<Result | undefined> {
  const rowKey = await rowKeyOf(work)
  if (rowKey === undefined) return undefined
  return within({ milliseconds, signal, provider: database.getExecutor() }, (deadline) =>
    carry({ work: { ...work, deadline }, wanted, rowKey, pace: new Pace(wanted.query.limit) }),
  )
}

async function addUp(slicing: Slicing): Promise<number> {
  let count = 0
  const statement = statementOf(slicing, 'count', ({ table, conditions, isWithin }) => {
    const all = where([isWithin, ...conditions])
    return sql`select count(*) as count from ${table.name} not indexed ${all}`
  })
  await eachSlice(slicing, async (slice) => {
    const [row] = await runOn(slicing, statement, slice)
    count += Number(row?.count)
  })
  return count
}

// Many searches find a page soon, and an index has the order.
async function readStart(slicing: Slicing): Promise<readonly Row[] | undefined> {
  const { work, wanted, pace } = slicing
  const statement = statementOf(slicing, 'start', ({ table, found, rest, order }) => {
    const walked = sql`select * from ${table.name} ${where(rest)} order by ${order} limit ${rows}`
    return sql`select ${table.selection} from (${walked}) ${where(found)} limit ${limit}`
  })
  const beyond = statementOf(
    slicing,
    'beyond',
    ({ table, rest, order }) =>
      sql`select 1 from ${table.name} ${where(rest)} order by ${order} limit 1 offset ${rows}`,
  )
  for (let isFast = true; isFast; ) {
    const slice = { rows: pace.rows }
    const items = await pace.run(() => runOn(slicing, statement, slice))
    if (items.length === wanted.query.limit) return items
    const others = await run(work, beyond, { ...noValues, ...wanted, slice })
    if (others.rows.length === 0) return items
    isFast = pace.rows > slice.rows
  }
  return undefined
}

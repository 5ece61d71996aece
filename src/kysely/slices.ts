import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../convention/filter-operators.ts'
import { matches, orderBy } from './condition.ts'
import { pause } from './deadline.ts'
import type { Row, Sql } from './engine.ts'
import { meets } from './filter.ts'
import { exists } from './scope.ts'
import { afterEnd, bytesOfRow, keyOf, mostBytes } from './select.ts'
import {
  Parameter,
  prepare,
  run,
  type Slice,
  type Statement,
  type StatementValues,
} from './statement.ts'
import type { StorageTask } from './table.ts'

/** A read of a whole table in slices. */
export interface Slicing {
  readonly task: StorageTask
  readonly values: StatementValues
  /** The row number that SQLite stores. */
  readonly rowKey: Sql
  readonly runner: SliceRunner
  /** The filters that the index of the order serves. */
  readonly served: readonly Condition[]
}

/** The number of rows in a slice. */
export const rowsParameter = new Parameter(({ slice }) => slice?.rows)
const afterParameter = new Parameter(({ slice }) => slice?.after)
const throughParameter = new Parameter(({ slice }) => slice?.through)
const bestParameter = new Parameter(({ slice }) => slice?.best)

/** Returns the statement of a kind for a read in slices. */
export function sliceStatementOf(
  slicing: Slicing,
  kind: string,
  build: (parts: ReturnType<typeof partsOf>) => RawBuilder<Row>,
): Statement {
  const { task, values } = slicing
  const key = `slice ${kind} ${keyOf(task.table, values)}`
  return prepare(task, key, () => build(partsOf(slicing)))
}

function partsOf({ task, values, rowKey, served }: Slicing) {
  const { scope, query } = values
  const { table } = task
  // Every word is found, and every other filter holds.
  const others = query.where.filter((condition) => !served.includes(condition))
  const found = [...meets(table, query, others), ...matches(table, query)]
  // The conditions that an index serves: the scope, the filters and the cursor.
  const rest = [...exists(task, scope), ...meets(table, query, served), ...afterEnd(table, values)]
  return {
    table,
    rowKey,
    found,
    rest,
    conditions: [...rest, ...found],
    isWithin: sql`${rowKey} > ${afterParameter} and ${rowKey} <= ${throughParameter}`,
    isBest: sql`${rowKey} in (select value from json_each(${bestParameter}))`,
    order: orderBy(table, query.sort),
  }
}

/** Runs a statement on a slice. */
export async function runOnSlice(
  { task, values }: Slicing,
  statement: Statement,
  slice: Slice,
): Promise<readonly Row[]> {
  const { rows } = await run(task, statement, { ...values, slice })
  return rows
}

// All row numbers lie between these.
const start = Number.NEGATIVE_INFINITY
const end = Number.POSITIVE_INFINITY

// Milliseconds that light rows stay so.
const trusted = 1000
const light = new WeakMap<Statement, { readonly rows: number; readonly since: number }>()

/** Tells whether a slice has more bytes than one statement should read. Remembers for a second. */
export async function isHeavy(slicing: Slicing, weight: Statement, slice: Slice): Promise<boolean> {
  const known = light.get(weight)
  const now = performance.now()
  if (known !== undefined && known.rows >= slice.rows && now - known.since < trusted) return false
  const [all] = await slicing.runner.run(() => runOnSlice(slicing, weight, slice))
  if (Number(all?.bytes) > mostBytes) return true
  light.set(weight, { rows: slice.rows, since: now })
  return false
}

// Finds the last row of a slice: after so many rows, or so many bytes.
function edgeOf(task: StorageTask, rowKey: Sql): Statement {
  const { table } = task
  return prepare(task, 'slice edge', () => {
    const rows = sql`select ${rowKey} as "=row", ${bytesOfRow(table)} as "=bytes"
      from ${table.name} not indexed where ${rowKey} > ${afterParameter}
      order by ${rowKey} limit ${rowsParameter} + 1`
    const added = sql`select "=row", row_number() over (order by "=row") as "=place",
      sum("=bytes") over (order by "=row") as "=all" from (${rows})`
    // A slice has one row at least.
    const isBeyond = sql`("=all" > ${sql.lit(mostBytes)} and "=place" > 1)`
    return sql`select count(*) as count, coalesce(sum(${isBeyond}), 0) as heavy,
      max("=row") filter (where not (${isBeyond}) and "=place" <= ${rowsParameter}) as row
      from (${added})`
  })
}

/** Performs a function for each slice of a table. */
export async function eachSlice(
  slicing: Slicing,
  perform: (slice: Slice) => Promise<void>,
): Promise<void> {
  const { task, rowKey, runner } = slicing
  const edge = edgeOf(task, rowKey)
  for (let after: unknown = start; after !== end; ) {
    after = await runner.run(async () => {
      const slice = { after, rows: runner.rows }
      const [last] = await runOnSlice(slicing, edge, slice)
      const isLast = Number(last?.count) <= runner.rows && Number(last?.heavy) === 0
      const through = isLast ? end : last?.row
      if (Number(last?.heavy) > 0) runner.shorten()
      await perform({ ...slice, through })
      return through
    })
  }
}

/** The number of items that a statement may read without a time check. */
export const few = 1000

// Milliseconds. A slower statement reads too much, and one in half the time may read more.
const longest = 12

const leastRows = 50
const mostRows = 2 ** 24

let line: Promise<void> = Promise.resolve()

// One at a time: other requests get their turn between two slices, however many operations read in
// slices.
function takeTurn(): Promise<void> {
  line = line.then(() => pause(0))
  return line
}

/** Runs an operation in slices, so that it never blocks the process for long. */
export class SliceRunner {
  /** The number of items in the next slice. */
  rows: number
  readonly #least: number
  #since = performance.now()
  #isShortened = false

  /**
   * @param kept The number of items that each slice passes to the next, which takes time too.
   *   Default: none.
   */
  constructor(kept = 0) {
    this.#least = Math.max(leastRows, 2 * kept)
    this.rows = Math.max(few, this.#least)
  }

  /** Runs the next slice, after a turn of the event loop if the slices before took long. */
  async run<Result>(slice: () => Promise<Result>): Promise<Result> {
    if (performance.now() - this.#since > longest) {
      await takeTurn()
      this.#since = performance.now()
    }
    const start = performance.now()
    // A driver that leaves the process free does not need smaller slices.
    let isKept = true
    const timer = setTimeout(() => {
      isKept = false
      this.#since = performance.now()
    }, 0)
    try {
      return await slice()
    } finally {
      clearTimeout(timer)
      this.#adapt(isKept ? performance.now() - start : 0)
    }
  }

  /** Makes the next slice shorter: bytes end a slice before its number of rows does. */
  shorten(): void {
    this.#isShortened = true
  }

  #adapt(took: number): void {
    if (this.#isShortened) {
      this.rows = Math.max(leastRows, Math.floor(this.rows / 2))
      this.#isShortened = false
      return
    }
    if (took > longest) this.rows = Math.max(this.#least, Math.floor(this.rows / 2))
    if (took < longest / 2) this.rows = Math.min(mostRows, this.rows * 2)
  }
}

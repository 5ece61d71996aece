import { type RawBuilder, sql } from 'kysely'
import { inScope, matches, orderBy } from './condition.ts'
import type { Row, Sql } from './engine.ts'
import type { Pace } from './pace.ts'
import type { EmbeddedRead } from './query-plan.ts'
import { afterEnd, keyOf } from './select.ts'
import {
  compile,
  noValues,
  Parameter,
  run,
  type Slice,
  type Statement,
  statementFor,
} from './statement.ts'
import type { Table } from './table.ts'

/** A read of a whole table in slices. */
export interface Slicing extends EmbeddedRead {
  /** The row number that SQLite stores. */
  readonly rowKey: Sql
  readonly pace: Pace
}

/** The number of items to return. */
export const limitParameter = new Parameter(({ query }) => query.limit)
/** The number of rows in a slice. */
export const rowsParameter = new Parameter(({ slice }) => slice?.rows)

/** The parts of a slice's statement. */
export interface SliceParts {
  readonly table: Table
  readonly rowKey: Sql
  /** The conditions that every word is found. */
  readonly found: readonly Sql[]
  /** The conditions of the scope and the cursor. */
  readonly rest: readonly Sql[]
  readonly conditions: readonly Sql[]
  /** The row is in the slice. */
  readonly isWithin: Sql
  /** The row is among the best. */
  readonly isBest: Sql
  readonly order: Sql
}

/** Returns the statement of a kind for a read in slices. */
export function sliceStatementOf(
  { task, selector, rowKey }: Slicing,
  kind: string,
  build: (parts: SliceParts) => RawBuilder<Row>,
): Statement {
  const { table, session } = task
  return statementFor(table.statements, `slice ${kind} ${keyOf(table, selector)}`, () => {
    const { scope, query } = selector
    const found = matches(table, query)
    const rest = [...inScope(table, scope), ...afterEnd(table, query)]
    const after = new Parameter(({ slice }) => slice?.after)
    const through = new Parameter(({ slice }) => slice?.through)
    const best = new Parameter(({ slice }) => slice?.best)
    return compile(
      session,
      build({
        table,
        rowKey,
        found,
        rest,
        conditions: [...rest, ...found],
        isWithin: sql`${rowKey} > ${after} and ${rowKey} <= ${through}`,
        isBest: sql`${rowKey} in (select value from json_each(${best}))`,
        order: orderBy(table, query.sort),
      }),
    )
  })
}

/** Runs a statement on a slice. */
export async function runOnSlice(
  { task, selector }: Slicing,
  statement: Statement,
  slice: Slice,
): Promise<readonly Row[]> {
  const { rows } = await run(task, statement, { ...noValues, ...selector, slice })
  return rows
}

// All row numbers lie between these.
const start = Number.NEGATIVE_INFINITY
const end = Number.POSITIVE_INFINITY

/** Performs a function for each slice of a table. */
export async function eachSlice(
  slicing: Slicing,
  perform: (slice: Slice) => Promise<void>,
): Promise<void> {
  const { task, rowKey, pace } = slicing
  const { table, session } = task
  const edge = statementFor(table.statements, 'slice edge', () => {
    const after = new Parameter(({ slice }) => slice?.after)
    return compile(
      session,
      sql`select ${rowKey} as row from ${table.name} not indexed where ${rowKey} > ${after}
        order by ${rowKey} limit 1 offset ${rowsParameter}`,
    )
  })
  for (let after: unknown = start; after !== end; ) {
    after = await pace.run(async () => {
      const slice = { after, rows: pace.rows }
      const [last] = await runOnSlice(slicing, edge, slice)
      const through = last?.row ?? end
      await perform({ ...slice, through })
      return through
    })
  }
}

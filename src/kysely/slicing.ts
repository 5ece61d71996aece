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

/** A reading of a whole table in slices. */
export interface Slicing extends EmbeddedRead {
  /** The number by which the database stores a row. */
  readonly rowKey: Sql
  readonly pace: Pace
}

/** How many items are wanted. */
export const limitParameter = new Parameter(({ query }) => query.limit)
/** How many rows a slice reads. */
export const rowsParameter = new Parameter(({ slice }) => slice?.rows)

/** What statements of a slice are made of. */
export interface SliceParts {
  readonly table: Table
  readonly rowKey: Sql
  /** Every word is found. */
  readonly found: readonly Sql[]
  /** The scope, and after the end of the page before. */
  readonly rest: readonly Sql[]
  readonly conditions: readonly Sql[]
  /** The row is one of the slice. */
  readonly isWithin: Sql
  /** The row is one of the best. */
  readonly isBest: Sql
  readonly order: Sql
}

/** The statement of a kind for a reading. */
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

// Numbers of rows lie between these.
const start = Number.NEGATIVE_INFINITY
const end = Number.POSITIVE_INFINITY

/** Goes through the rows of a table, slice by slice. */
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

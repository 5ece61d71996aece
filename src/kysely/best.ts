import { sql } from 'kysely'
import type { SortField } from '../model/operation.ts'
import { where } from './condition.ts'
import type { Row, Sql } from './engine.ts'
import { eachSlice, limitParameter, runOnSlice, type Slicing, sliceStatementOf } from './slicing.ts'
import { Parameter, type Slice } from './statement.ts'
import { fieldFor, type Table } from './table.ts'

const none: Slice = { rows: 0, best: '[]' }

const maxAttempts = 4

/**
 * Reads the first items of an order without an index, in slices. Starts again when an item changes
 * meanwhile that displaced other items. The last attempt returns its rows in any case.
 */
export async function readBest(slicing: Slicing): Promise<readonly Row[]> {
  for (let attempts = 1; attempts < maxAttempts; attempts++) {
    const rows = await readOnce(slicing, boundOf)
    if (rows !== undefined) return rows
  }
  return (await readOnce(slicing, () => undefined)) ?? []
}

type BoundOf = (row: Row | undefined) => Slice['bound']

async function readOnce(slicing: Slicing, boundOf: BoundOf): Promise<readonly Row[] | undefined> {
  const most = slicing.selector.query.limit
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
  return isWhole && (best.bound === undefined || items.length === most) ? items : undefined
}

function boundOf(row: Row | undefined): Slice['bound'] {
  const { row: _, ...values } = { ...row }
  return Object.values(values)
}

function chooseOf(slicing: Slicing) {
  return sliceStatementOf(slicing, 'choose', (parts) => {
    const { table, conditions, rowKey, isWithin, isBest, order } = parts
    const { sort } = slicing.selector.query
    const among = (isHere: Sql) => {
      const all = where([isHere, isGood(table, sort), ...conditions])
      return sql`select ${rowKey} as "=row", * from ${table.name} not indexed ${all}`
    }
    const values = sort.map(
      ({ field }, at) => sql`${comparedOf(table, field)} as ${sql.id(`=${at}`)}`,
    )
    return sql`select "=row" as row, ${sql.join(values)}
      from (${among(isWithin)} union all ${among(isBest)})
      order by ${order} limit ${limitParameter}`
  })
}

function readOf(slicing: Slicing) {
  return sliceStatementOf(slicing, 'best', ({ table, conditions, isBest, order }) => {
    const all = where([isBest, isGood(table, slicing.selector.query.sort), ...conditions])
    return sql`select ${table.selection} from ${table.name} ${all}
      order by ${order} limit ${limitParameter}`
  })
}

function comparedOf(table: Table, field: string): Sql {
  return table.engine.ordered(fieldFor(table, field).stored)
}

// The row is not after the last kept row, if there is no room for more rows.
function isGood(table: Table, sort: readonly SortField[]): Sql {
  const isBefore = sort.reduceRight<Sql>((rest, { field, direction }, at) => {
    const value = comparedOf(table, field)
    const bound = sql`${new Parameter(({ slice }) => slice?.bound?.[at] ?? null)}`
    const isFirst =
      direction === 'asc'
        ? sql`${value} < ${bound} or ${bound} is null and ${value} is not null`
        : sql`${value} > ${bound} or ${value} is null and ${bound} is not null`
    return sql`(${isFirst} or ${value} is ${bound} and ${rest})`
  }, sql`true`)
  return sql`${new Parameter(({ slice }) => Number(slice?.bound === undefined))} or ${isBefore}`
}

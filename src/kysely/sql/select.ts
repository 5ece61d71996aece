import { type RawBuilder, sql } from 'kysely'
import type { Query } from '../../contract/resource/operation.ts'
import { foldCase } from '../../contract/values/order.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import type { Condition } from '../../convention/filter-operators.ts'
import { type ColumnKind, isLongText, type Row, type Sql } from '../engine/engine.ts'
import { lightTime, SliceRunner, withDeadline } from '../run/deadline.ts'
import { type LongRead, orderedFields, type StorageTask, type Table } from '../table.ts'
import { keyOfFilters, meets } from './filter.ts'
import { isRelated, joinsOf, keyOfJoins, keyOfRelated, preparing } from './related.ts'
import {
  compile,
  limitParameter,
  Parameter,
  prepare,
  rowsParameter,
  run,
  type Slice,
  type Statement,
  type StatementValues,
} from './statement.ts'
import {
  columnsIn,
  exists,
  isBeyond,
  keyOfAfter,
  keyOfScope,
  matches,
  orderBy,
  where,
} from './where.ts'

/** The number of items to leave out at the beginning. */
const offsetParameter = new Parameter(({ query }) => query.offset)

/** Returns the statement that selects items in their order, up to a limit. */
export function selectItems(task: StorageTask, values: StatementValues): Statement {
  const { sort } = values.query
  return statementOf('list', task, values, (table, conditions) => {
    const isLong = orderedFields(table, sort).some(({ field }) => isLongText(field.stored))
    const { start = sql``, hint = sql`` } = (isLong && table.described.longSort) || {}
    return sql`${start} select ${hint} ${columnsIn(table, sort)}
      from ${table.name} ${joinsOf(table, values.query)} ${where(conditions)}
      order by ${orderBy(table, sort)} limit ${limitParameter}${offsetOf(values.query)}`
  })
}

/**
 * Returns the bytes of the texts of a row, 0 if the engine cannot tell. It knows them without
 * reading the texts.
 */
export function bytesOfRow({ described }: Table): Sql {
  if (described.hasOctetLength !== true) return sql`0`
  const texts = described.columns.filter(({ kind }) => unbounded.has(kind))
  const all = texts.map(({ name }) => sql`coalesce(octet_length(${sql.id(name)}), 0)`)
  return all.length === 0 ? sql`0` : sql.join(all, sql` + `)
}

const unbounded: ReadonlySet<ColumnKind> = new Set(['text', 'json', 'binary', 'any'])

/** Returns the statement that selects the bytes of the same rows as {@link selectItems}. */
function selectBytes(task: StorageTask, values: StatementValues): Statement {
  const { sort } = values.query
  return statementOf('bytes', task, values, (table, conditions) => {
    return sql`select ${bytesOfRow(table)} as bytes
      from ${table.name} ${joinsOf(table, { sort })} ${where(conditions)}
      order by ${orderBy(table, sort)} limit ${limitParameter}${offsetOf(values.query)}`
  })
}

/** Returns the part of a statement that leaves out the first items, if a query wants it. */
export function offsetOf({ offset }: Query): Sql {
  return offset === 0 ? sql`` : sql` offset ${offsetParameter}`
}

/** Returns a statement on the items that a scope and a query select. */
export function statementOf(
  kind: string,
  task: StorageTask,
  values: StatementValues,
  build: (table: Table, conditions: readonly Sql[]) => RawBuilder<Row>,
): Statement {
  const { session, table, store } = task
  const { scope, query } = values
  const { q, words } = query
  const buildWith = (searched: readonly Sql[]) =>
    build(table, [
      ...exists(task, scope),
      ...meets(table, query),
      ...isRelated(table, query),
      ...searched,
      ...afterEnd(table, values),
    ])
  // A user's condition may differ each time.
  if (store.search !== undefined && words.length > 0)
    return compile(
      session,
      buildWith([store.search({ q, words, fields: table.resource.searchable })]),
    )
  const key = `${kind} ${keyOf(table, values)}`
  return prepare(preparing(task, query), key, () => buildWith(matches(table, query)))
}

/** Returns the condition that an item comes after the cursor, if there is one. */
function afterEnd(table: Table, { query, position, isFromRow }: StatementValues): readonly Sql[] {
  const { sort, after } = query
  if (after === undefined) return []
  return [isBeyond(table, sort, { after: position ?? after, isOpen: isFromRow !== true })]
}

/** Returns the key of a statement for a scope and a query. */
function keyOf(table: Table, { scope, query, position, isFromRow }: StatementValues): string {
  const { engine } = table
  const { words, sort, offset } = query
  const after = position ?? query.after
  let key = `${keyOfScope(scope)} `
  for (const { field, direction, type } of sort)
    key += `${direction} ${type === 'folded' ? type : ''} ${field},`
  if (after !== undefined) key += keyOfAfter(table, sort, after)
  if (isFromRow === true) key += 'from'
  if (offset > 0) key += 'offset'
  if (query.where.length > 0) key += keyOfFilters(table, query)
  if (query.related !== undefined) key += keyOfRelated(table, query) + keyOfJoins(table, query)
  for (const word of words) key += ` [${engine.lettersFor(foldCase(word))}]`
  return key
}

// So few rows are read at once, whatever they hold.
const fewRows = 8

// One more statement would slow each page that is shorter.
const shortPage = 100
const lightPages = new WeakMap<Statement, number>()

/**
 * Returns how many of the selected rows one statement may read without blocking the process for
 * long, one at least. Returns `undefined` for all of them.
 */
export function portionOf(
  task: StorageTask,
  values: StatementValues,
  statement: Statement,
): Awaitable<number | undefined> {
  const { store, table } = task
  const { limit = 0, words } = values.query
  const { slices } = store.engine
  // A condition of the user's is not asked twice.
  const isOwn = store.search !== undefined && words.length > 0
  const tellsBytes = slices !== undefined && table.described.hasOctetLength === true
  if (!tellsBytes || isOwn || limit <= fewRows) return undefined
  const now = performance.now()
  const since = lightPages.get(statement)
  if (limit < shortPage && since !== undefined && now - since < lightTime) return undefined
  return whenReady(run(task, selectBytes(task, values), values), ({ rows }) => {
    let bytes = 0
    const count = rows.findIndex((row) => {
      bytes += Number(row.bytes)
      return bytes > slices.bytes
    })
    if (count !== -1) return Math.max(1, count)
    lightPages.set(statement, now)
    return undefined
  })
}

/** A read of a whole table in slices. */
export interface Slicing extends LongRead {
  /** The row number that the engine stores. */
  readonly rowKey: Sql
  readonly runner: SliceRunner
  /** The filters that the index of the order serves. */
  readonly served: readonly Condition[]
}

/**
 * Reads in slices of a table. Returns `undefined` for a table without row numbers.
 *
 * @throws {ProblemError} `unavailable` after the timeout, or when no client waits any more.
 */
export async function inSlices<Result>(
  read: LongRead,
  perform: (slicing: Slicing) => Promise<Result>,
  served: Slicing['served'],
): Promise<Result | undefined> {
  const rowKey = await rowKeyOf(read)
  if (rowKey === undefined) return undefined
  const { task, values, slices } = read
  const runner = new SliceRunner(slices.milliseconds, mostOf(values.query))
  return withDeadline(task.store, task.operation, (deadline) =>
    perform({ ...read, task: { ...task, deadline }, rowKey, runner, served }),
  )
}

/** Returns the number of rows that slices keep, with those that a page leaves out. */
export function mostOf({ limit, offset }: Query): number | undefined {
  return limit === undefined ? undefined : offset + limit
}

const rowKeys = new WeakMap<Table, Sql | undefined>()

// Asks once for each table.
async function rowKeyOf({ task, slices }: LongRead): Promise<Sql | undefined> {
  const { table, session } = task
  if (rowKeys.has(table)) return rowKeys.get(table)
  const key = await slices.rowKey(session, table.tableName, table.described.columns)
  rowKeys.set(table, key)
  return key
}

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
  const unserved = query.where.filter((condition) => !served.includes(condition))
  const filters = [...meets(table, query, unserved), ...isRelated(table, query)]
  const matching = [...filters, ...matches(table, query)]
  // The conditions that an index serves: the scope, the filters and the cursor.
  const indexed = [
    ...exists(task, scope),
    ...meets(table, query, served),
    ...afterEnd(table, values),
  ]
  const row = sql`${table.name}.${rowKey}`
  return {
    table,
    rowKey: row,
    joins: joinsOf(table, query),
    matching,
    indexed,
    conditions: [...indexed, ...matching],
    isWithin: sql`${row} > ${afterParameter} and ${row} <= ${throughParameter}`,
    isBest: sql`${row} in (select value from json_each(${bestParameter}))`,
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

const lightSlices = new WeakMap<Statement, { readonly rows: number; readonly since: number }>()

/** Tells whether a slice has more bytes than one statement should read. Remembers for a second. */
export async function isHeavy(slicing: Slicing, weight: Statement, slice: Slice): Promise<boolean> {
  const cached = lightSlices.get(weight)
  const now = performance.now()
  if (cached !== undefined && cached.rows >= slice.rows && now - cached.since < lightTime)
    return false
  const [all] = await slicing.runner.run(() => runOnSlice(slicing, weight, slice))
  if (Number(all?.bytes) > slicing.slices.bytes) return true
  lightSlices.set(weight, { rows: slice.rows, since: now })
  return false
}

// Finds the last row of a slice: after so many rows, or so many bytes, which takes longer.
// A slice has one row at least.
function edgeOf({ task, rowKey, slices }: Slicing, isHeavy: boolean): Statement {
  const { table } = task
  return prepare(task, `slice edge ${isHeavy}`, () => {
    const rows = sql`select ${rowKey} as "=row", ${bytesOfRow(table)} as "=bytes"
      from ${table.name} not indexed where ${rowKey} > ${afterParameter}
      order by ${rowKey} limit ${rowsParameter}`
    if (!isHeavy)
      return sql`select count(*) as count, sum("=bytes") as bytes, max("=row") as row
        from (${rows})`
    const added = sql`select "=row", row_number() over (order by "=row") as "=place",
      sum("=bytes") over (order by "=row") as "=all" from (${rows})`
    return sql`select max("=row") as row from (${added})
      where "=place" = 1 or "=all" <= ${sql.lit(slices.bytes)}`
  })
}

/** Performs a function for each slice of a table. */
export async function eachSlice(
  slicing: Slicing,
  perform: (slice: Slice) => Promise<void>,
): Promise<void> {
  const { runner, slices } = slicing
  const [edge, heavyEdge] = [edgeOf(slicing, false), edgeOf(slicing, true)]
  for (let after: unknown = start; after !== end; ) {
    after = await runner.run(async () => {
      const slice = { after, rows: runner.rows }
      const [last] = await runOnSlice(slicing, edge, slice)
      const [bytes, count] = [Number(last?.bytes), Number(last?.count)]
      const isHeavy = bytes > slices.bytes && count > 1
      runner.bound(0.9 * count * (slices.bytes / Math.max(1, bytes)))
      const [cut] = isHeavy ? await runOnSlice(slicing, heavyEdge, slice) : [last]
      const through = !isHeavy && count < slice.rows ? end : cut?.row
      await perform({ ...slice, through })
      return through
    })
  }
}

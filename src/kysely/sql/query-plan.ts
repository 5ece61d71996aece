import { sql } from 'kysely'
import {
  conditionOfIds,
  noQuery,
  ownerValues,
  type Query,
  type SortField,
} from '../../contract/resource/operation.ts'
import { filterPathOf } from '../../contract/schema/filter.ts'
import { meeting } from '../../contract/values/search.ts'
import type { Condition } from '../../convention/filter-operators.ts'
import type { QueryPlan, Row, Sql } from '../engine/engine.ts'
import { few } from '../run/deadline.ts'
import { fieldFor, type LongRead, orderedFields, type StorageTask, type Table } from '../table.ts'
import { isRange } from './bound.ts'
import { comparedFold, keyOfFilters, meets } from './filter.ts'
import {
  type FirstRelation,
  firstRelationOf,
  isRelated,
  keyOfJoins,
  keyOfRelated,
  storedIds,
  visibleIn,
} from './related.ts'
import { prepare, rowsParameter, run, type Statement, type StatementValues } from './statement.ts'
import {
  exists,
  isAt,
  isBeyond,
  keyOfAfter,
  keyOfScope,
  orderBy,
  relatedColumnsIn,
  where,
} from './where.ts'

/** The plan of a statement in a scope. */
interface ScopedPlan extends QueryPlan {
  /** An index finds the scope. True for the empty scope. */
  readonly isFound: boolean
}

const plans = new WeakMap<Statement, ScopedPlan>()

/**
 * Returns a read that may take slices. Returns `undefined` if slices are of no use: the database
 * does not block the process, the scope or a filter holds no item, or a condition of the user's has
 * its own index. Each slice would query that index again.
 */
export function longRead(task: StorageTask, values: StatementValues): LongRead | undefined {
  const { search, engine } = task.store
  const { scope, query } = values
  const visible = visibleIn(task, query)
  const isSearched = search !== undefined && query.words.length > 0
  if (engine.slices === undefined || visible !== undefined || isSearched) return undefined
  if (Object.keys(scope).some((name) => ownerValues(scope, name).length === 0)) return undefined
  if (query.where.some(({ is, values }) => is === 'in' && values.length === 0)) return undefined
  return { task, values, slices: engine.slices }
}

/** Returns the plan of a statement. Asks once for each statement. */
export async function planOf(
  { task, values, slices }: LongRead,
  statement: Statement,
): Promise<ScopedPlan> {
  const cached = plans.get(statement)
  if (cached) return cached
  const { compiled, fills } = statement
  const explained = { ...compiled, sql: slices.explain(compiled.sql) }
  const { rows } = await run(
    task,
    { compiled: explained, fills },
    { ...values, slice: { rows: 1 } },
  )
  const plan = slices.planIn(rows)
  const isFound = Object.keys(values.scope).every((name) =>
    plan.terms.has(`${fieldFor(task.table, name).column}=?`),
  )
  const scoped = { ...plan, isFound }
  plans.set(statement, scoped)
  return scoped
}

/** Returns the filters that the index of a plan serves. */
export function servedBy(
  { terms }: QueryPlan,
  table: Table,
  where: readonly Condition[],
): readonly Condition[] {
  return where.filter((condition) => {
    const { field, is } = condition
    // No index serves a member of an object.
    if (filterPathOf(field).member !== undefined) return false
    const { column } = comparedFold(table, condition) ?? fieldFor(table, field)
    if (is === 'startsWith') return terms.has(`${column}>?`)
    if (is === 'in') return terms.has(`${column}=?`)
    if (is === 'gt' || is === 'gte') return terms.has(`${column}>?`)
    return (is === 'lt' || is === 'lte') && terms.has(`${column}<?`)
  })
}

// An index finds the items of a selection.
function areJoined({ terms }: QueryPlan, table: Table, { query }: StatementValues): boolean {
  const { related = [] } = query
  return related.some(({ join }) => terms.has(`${fieldFor(table, join?.field ?? '').column}=?`))
}

/** The number of items that an index finds. */
interface FoundCount {
  readonly count: number
  /** The index finds by every filter, so that these are all selected items without a search. */
  readonly isWhole: boolean
}

/** Tells whether a known plan lets one short statement select the items. */
export function isShort({ task, values }: LongRead, plain: Statement): boolean {
  const plan = plans.get(plain)
  return plan !== undefined && isServed(plan, task.table, values)
}

/** Tells whether the index of a plan finds and orders all selected items. */
export function isServed(plan: ScopedPlan, table: Table, { query }: StatementValues): boolean {
  const { words, where, related } = query
  if (!plan.isOrdered || !plan.isFound || words.length > 0) return false
  if (related !== undefined) return false
  return where.length === 0 || servedBy(plan, table, where).length === where.length
}

/**
 * Counts the items in the scope that meet the filters which an index serves. Returns `undefined`
 * above the limit, and if no index finds the items.
 *
 * @param most The limit.
 */
export async function countUpTo(read: LongRead, most: number): Promise<FoundCount | undefined> {
  const { task, values } = read
  const { where, related = [] } = values.query
  let served: readonly Condition[] = where.filter(
    (condition) =>
      condition.is === 'in' ||
      isRange(condition.is) ||
      comparedFold(task.table, condition) !== undefined,
  )
  for (;;) {
    const sought = { ...values, query: { ...noQuery, where: served, related } }
    const statement = fewOf(task, sought)
    const plan = await planOf({ ...read, values: sought }, statement)
    const servedFilters = servedBy(plan, task.table, served)
    if (servedFilters.length < served.length) {
      served = servedFilters
      continue
    }
    const isFiltered = where.length > 0 || related.length > 0
    const isHelped = served.length > 0 || areJoined(plan, task.table, values)
    if (!plan.isFound || (isFiltered && !isHelped)) return undefined
    const { rows } = await run(task, statement, { ...sought, slice: { rows: most + 1 } })
    const count = Number(rows[0]?.count)
    return count > most ? undefined : { count, isWhole: served.length === where.length }
  }
}

function fewOf(task: StorageTask, { scope, query }: StatementValues): Statement {
  const { table } = task
  const keys = keyOfFilters(table, query) + keyOfRelated(table, query)
  return prepare(task, `few ${keyOfScope(scope)}${keys}`, () => {
    const all = where([...exists(task, scope), ...meets(table, query), ...isRelated(table, query)])
    const some = sql`select 1 from ${table.name} ${all} limit ${rowsParameter}`
    return sql`select count(*) as count from (${some})`
  })
}

/** The related items of one value. */
interface RelatedGroup {
  /** Selects the items that refer to them. */
  readonly where: Query['where'][number]
  /** The value, as the columns of an item. */
  readonly columns: Row
  /** The page begins among their items. */
  readonly isStart: boolean
}

// Behind so many related items, a read of the whole table may be faster.
const mostRelated = 64

/**
 * Returns the first related items of a page that is in their order, by their values. Returns none
 * if the page may hold other items too, or if no index has the order of the related ones.
 */
export async function relatedGroups(read: LongRead): Promise<readonly RelatedGroup[]> {
  const { task, values } = read
  const [first] = values.query.sort
  if (first?.related === undefined || !isByRelated(values.query)) return []
  const relation = firstRelationOf(task.table, values.query)
  if (relation === undefined) return []
  const { field, id } = relation
  // An index finds by one of two conditions on a field.
  if (values.query.where.some((condition) => condition.field === field.name)) return []
  const statements = statementsFor(read, first, relation)
  if (!(await areSorted(read, statements))) return []
  const limited = { ...values, slice: { rows: mostRelated + 1 } }
  const { rows } = await run(task, statements.select(), limited)
  const groups: Row[][] = []
  for (const row of rows) {
    if (Number(row['=same']) === 1) groups.at(-1)?.push(row)
    else groups.push([row])
  }
  // More items may have the value of the last ones.
  if (rows.length > mostRelated) groups.pop()
  if (storedIds(id, rows) === undefined) return []
  return groups.map((group) => {
    const columns = group[0] ?? {}
    const where = conditionOfIds(field.name, storedIds(id, group) ?? [])
    return { where, columns, isStart: Number(columns['=start']) === 1 }
  })
}

// Items without a related one come last ascending, and first descending.
function isByRelated({ sort, limit, offset, words, related = [], after, isCut }: Query): boolean {
  const [first, ...rest] = sort
  const isSimple = offset === 0 && words.length === 0 && related.length === 0 && isCut !== true
  const isFirst =
    after === undefined ? first?.direction === 'asc' : after[first?.field ?? ''] != null
  return isSimple && limit !== undefined && isFirst && rest.every((field) => !field.related)
}

// An index has their order, or they are soon sorted.
async function areSorted(read: LongRead, { order, count }: RelatedStatements): Promise<boolean> {
  const { isOrdered } = await planOf(read, order())
  if (isOrdered) return true
  const { rows } = await run(read.task, count(), { ...read.values, slice: { rows: few + 1 } })
  return Number(rows[0]?.count) <= few
}

/** Statements on the related items that an order compares. */
interface RelatedStatements {
  /** Selects the first ones from the position on, and tells which ones have the same value. */
  readonly select: () => Statement
  readonly order: () => Statement
  readonly count: () => Statement
}

function statementsFor(
  { task, values }: LongRead,
  first: SortField,
  { id, items }: FirstRelation,
): RelatedStatements {
  const { table } = task
  const after = values.position ?? values.query.after
  const sort = [first]
  const prepared = (kind: string, build: Parameters<typeof prepare>[2]): Statement => {
    const position = after === undefined ? '' : keyOfAfter(table, sort, after)
    const key = `${first.direction} ${position} ${keyOfJoins(table, { sort })}`
    return prepare(task, `related ${kind} ${key}`, build)
  }
  const chosen = () => sql`${items()} ${where(presentFrom(table, first, after))}
    order by ${orderBy(table, sort)} limit ${rowsParameter}`
  return {
    select: () =>
      prepared('items', () => {
        const order = orderBy(table, sort)
        const isSame = keysOf(table, first).map(
          (key) => sql`${key} is lag(${key}) over (order by ${order})`,
        )
        const isStart = after === undefined ? sql`0` : isAt(table, sort, after)
        const columns = [sql`${sql.id(id.column)} as ${sql.id(id.alias)}`]
        return sql`select ${sql.join([...columns, ...relatedColumnsIn(table, sort)])},
          ${sql.join(isSame, sql` and `)} as "=same", ${isStart} as "=start"
          from (select * from ${chosen()}) order by ${order}`
      }),
    order: () => prepared('order', () => sql`select 1 from ${chosen()}`),
    count: () =>
      prepared('number', () => {
        const some = sql`select 1 from ${items()} limit ${rowsParameter}`
        return sql`select count(*) as count from (${some})`
      }),
  }
}

// The related items with a value, from a position on. A fold may be missing, or stale.
function presentFrom(
  table: Table,
  first: SortField,
  after: StatementValues['position'],
): readonly Sql[] {
  const isPresent = keysOf(table, first).map((key) => sql`${key} is not null`)
  const start = after === undefined ? [] : [isBeyond(table, [first], { after, isOpen: false })]
  return [sql.join(isPresent, sql` or `), ...start]
}

function keysOf(table: Table, first: SortField): readonly Sql[] {
  return orderedFields(table, [first]).map(({ field }) => table.engine.ordered(field.stored))
}

/**
 * Returns the test that an item meets the filters of a query on members and lists; `undefined` for
 * a query without one. A database can read JSON of other programs otherwise: a name that stands
 * twice, a number beyond a double.
 */
export function jsonTestOf({ where }: Query): ((item: object) => boolean) | undefined {
  const conditions = where.filter(
    ({ field, is }) => is === 'has' || filterPathOf(field).member !== undefined,
  )
  return conditions.length === 0 ? undefined : meeting(conditions)
}

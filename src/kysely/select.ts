import { type RawBuilder, sql } from 'kysely'
import type { Query, Scope } from '../model/operation.ts'
import { foldCase } from '../model/search.ts'
import { inScope, isAfter, matches, orderBy, where } from './condition.ts'
import type { Engine, Row, Session, Sql } from './engine.ts'
import type { Search } from './options.ts'
import { compile, Parameter, type Statement, statementFor } from './statement.ts'
import { fieldFor, type Table } from './table.ts'

/** The scope and query of the items to select. */
export interface Selector {
  readonly scope: Scope
  readonly query: Query
}

/** The session, table and search of a `select`. */
export interface SelectContext {
  readonly session: Session
  readonly table: Table
  /** The condition of searches, if it is not LIKE. */
  readonly search: Search | undefined
}

/** Removes words that other words contain: a text with the longer has the shorter too. */
export function withoutContainedWords(query: Query): Query {
  if (query.words.length < 2) return query
  const folded = query.words.map(foldCase)
  const words = query.words.filter((_, index) => {
    const own = folded[index] ?? ''
    return !folded.some(
      (other, at) => at !== index && other.includes(own) && (other !== own || at < index),
    )
  })
  return { ...query, words }
}

/** Returns the statement that selects items in their order, up to a limit. */
export function selectItems(selecting: SelectContext, selector: Selector): Statement {
  return statementOf('list', selecting, selector, (table, conditions) => {
    const limit = new Parameter(({ query }) => query.limit)
    const isLong = selector.query.sort.some(({ field }) => fieldFor(table, field).stored.isLong)
    const { start, hint } = isLong ? table.described.longSort : { start: sql``, hint: sql`` }
    return sql`${start} select ${hint} ${table.selection} from ${table.name} ${where(conditions)}
      order by ${orderBy(table, selector.query.sort)} limit ${limit}`
  })
}

/** Returns the statement that counts the selected items. */
export function selectCount(selecting: SelectContext, selector: Selector): Statement {
  return statementOf(
    'count',
    selecting,
    selector,
    ({ name }, conditions) => sql`select count(*) as count from ${name} ${where(conditions)}`,
  )
}

function statementOf(
  kind: string,
  { session, table, search }: SelectContext,
  selector: Selector,
  build: (table: Table, conditions: readonly Sql[]) => RawBuilder<Row>,
): Statement {
  const { query } = selector
  const compiled = () => compile(session, build(table, conditionsOf(table, search, selector)))
  // A user's condition may differ each time.
  if (search !== undefined && query.words.length > 0) return compiled()
  return statementFor(table.statements, `${kind} ${keyOf(table, selector)}`, compiled)
}

function conditionsOf(
  table: Table,
  search: Search | undefined,
  { scope, query }: Selector,
): readonly Sql[] {
  const { q, words } = query
  const found =
    search !== undefined && words.length > 0 ? [search({ q, words })] : matches(table, query)
  return [...inScope(table, scope), ...found, ...afterEnd(table, query)]
}

/** Returns the condition that an item comes after the cursor, if there is one. */
export function afterEnd(table: Table, { sort, after }: Query): readonly Sql[] {
  return after === undefined ? [] : [isAfter(table, sort, after)]
}

/** Returns the key of a selector's statement, for a search by LIKE. */
export function keyOf({ engine }: Table, { scope, query }: Selector): string {
  return `${keyOfScope(scope)} ${keyOfQuery(query, engine)}`
}

/** Returns the key of a scope in a statement. */
export function keyOfScope(scope: Scope): string {
  let key = ''
  for (const name in scope) key += `${name},`
  return key
}

function keyOfQuery({ words, sort, after }: Query, engine: Engine): string {
  let key = ''
  for (const { field, direction } of sort) {
    key += `${direction} ${field}${after?.[field] === null ? ' null' : ''},`
  }
  if (after !== undefined) key += 'after'
  for (const word of words) key += ` [${engine.lettersFor(foldCase(word))}]`
  return key
}

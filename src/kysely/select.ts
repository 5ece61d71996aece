import { type RawBuilder, sql } from 'kysely'
import type { Query } from '../contract/resource/operation.ts'
import { foldCase } from '../contract/values/search.ts'
import { isAfter, matches, orderBy, where } from './condition.ts'
import type { Family, Row, Sql } from './engine.ts'
import { keyOfFilters, meets } from './filter.ts'
import { exists, keyOfScope } from './scope.ts'
import { compile, Parameter, prepare, type Statement, type StatementValues } from './statement.ts'
import { fieldFor, type StorageTask, type Table } from './table.ts'

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

/** The number of items to leave out at the beginning. */
const offsetParameter = new Parameter(({ query }) => query.offset)

/** The number of items to return. */
export const limitParameter = new Parameter(({ query }) => query.limit)

/** Returns the statement that selects items in their order, up to a limit. */
export function selectItems(task: StorageTask, values: StatementValues): Statement {
  const { sort } = values.query
  return statementOf('list', task, values, (table, conditions) => {
    const isLong = sort.some(({ field }) => fieldFor(table, field).stored.isLong)
    const { start = sql``, hint = sql`` } = (isLong && table.described.longSort) || {}
    return sql`${start} select ${hint} ${table.selection} from ${table.name} ${where(conditions)}
      order by ${orderBy(table, sort)} limit ${limitParameter}${offsetOf(values.query)}`
  })
}

/** SQLite reads so many bytes of rows in a few milliseconds. */
export const mostBytes = 2 ** 20

/**
 * Returns the bytes of the texts of a row, 0 if SQLite cannot tell. It knows them without reading
 * the texts.
 */
export function bytesOfRow({ described }: Table): Sql {
  if (described.hasOctetLength !== true) return sql`0`
  const texts = described.columns.filter(({ family }) => unbounded.has(family))
  const all = texts.map(({ name }) => sql`coalesce(octet_length(${sql.id(name)}), 0)`)
  return all.length === 0 ? sql`0` : sql.join(all, sql` + `)
}

const unbounded: ReadonlySet<Family> = new Set(['text', 'json', 'binary', 'any'])

/** Returns the statement that selects the bytes of the same rows as {@link selectItems}. */
export function selectBytes(task: StorageTask, values: StatementValues): Statement {
  return statementOf(
    'bytes',
    task,
    values,
    (table, conditions) => sql`select ${bytesOfRow(table)} as bytes from ${table.name}
      ${where(conditions)} order by ${orderBy(table, values.query.sort)}
      limit ${limitParameter}${offsetOf(values.query)}`,
  )
}

/** Returns the part of a statement that leaves out the first items, if a query wants it. */
export function offsetOf({ offset }: Query): Sql {
  return offset === 0 ? sql`` : sql` offset ${offsetParameter}`
}

/** Returns the statement that counts the selected items. */
export function selectCount(task: StorageTask, values: StatementValues): Statement {
  return statementOf(
    'count',
    task,
    values,
    ({ name }, conditions) => sql`select count(*) as count from ${name} ${where(conditions)}`,
  )
}

function statementOf(
  kind: string,
  task: StorageTask,
  values: StatementValues,
  build: (table: Table, conditions: readonly Sql[]) => RawBuilder<Row>,
): Statement {
  const { session, table, store } = task
  const { scope, query } = values
  const { q, words } = query
  const buildWith = (found: readonly Sql[]) =>
    build(table, [
      ...exists(task, scope),
      ...meets(table, query),
      ...found,
      ...afterEnd(table, values),
    ])
  // A user's condition may differ each time.
  if (store.search !== undefined && words.length > 0)
    return compile(
      session,
      buildWith([store.search({ q, words, fields: table.resource.searchable })]),
    )
  return prepare(task, `${kind} ${keyOf(table, values)}`, () => buildWith(matches(table, query)))
}

/** Returns the condition that an item comes after the cursor, if there is one. */
export function afterEnd(table: Table, { query, position }: StatementValues): readonly Sql[] {
  const { sort, after } = query
  return after === undefined ? [] : [isAfter(table, sort, position ?? after)]
}

/** Returns the key of a statement for a scope and a query. */
export function keyOf(table: Table, { scope, query, position }: StatementValues): string {
  const { engine } = table
  const { words, sort, offset } = query
  const after = position ?? query.after
  let key = `${keyOfScope(scope)} `
  for (const { field, direction } of sort) {
    key += `${direction} ${field}${after?.[field] === null ? ' null' : ''},`
  }
  if (after !== undefined) key += 'after'
  if (offset > 0) key += 'offset'
  if (query.where.length > 0) key += keyOfFilters(table, query)
  for (const word of words) key += ` [${engine.lettersFor(foldCase(word))}]`
  return key
}

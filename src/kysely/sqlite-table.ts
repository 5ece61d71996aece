import { sql } from 'kysely'
import type { Column, Family, ForeignKey, Row, Session, Sql, TableDescription } from './engine.ts'
import { groupedBy, keysIn } from './grouped.ts'

/** The name of the function that folds case in SQLite, whose own function folds ASCII only. */
export const foldFunction = 'nounful_fold'

/**
 * Returns the condition that a text has the form of SQLite's own clock: `2021-01-01 00:00:00`. D1
 * accepts short patterns only.
 */
export function isClockText(value: Sql): Sql {
  return sql`(${value} like '____-__-__ __:__:__%'
    and replace(replace(replace(${value}, '-', ''), ':', ''), ' ', '') not glob '*[^0-9.]*')`
}

/** Describes a table of SQLite. */
export async function describeSqliteTable(
  database: Session,
  table: string,
): Promise<TableDescription | undefined> {
  const [name = '', schema = 'main'] = table.split('.').reverse()
  const { rows } = await sql<DescribedColumn>`
    select name, type, "notnull", dflt_value, pk, hidden
    from pragma_table_xinfo(${name}, ${schema})`.execute(database)
  if (rows.length === 0) return undefined
  const keys = rows.filter(({ pk }) => pk > 0).map((row) => row.name)
  const isSingleKey = keys.length === 1
  const isStrict =
    rows.some(({ type }) => /^any$/i.test(type)) && (await isStrictTable(database, name))
  const isTaught = await knowsFold(database)
  const { rows: parts } = await sql<Part>`
    select type, sql from ${sql.id(schema, 'sqlite_master')}
    where tbl_name = ${name} collate nocase and type <> 'index'`.execute(database)
  const isTable = parts.some(
    ({ type, sql }) => type === 'table' && !/^create\s+virtual/i.test(`${sql}`),
  )
  const clocks = await clocksOf(database, sql.id(schema, name), isTable ? rows : [])
  return {
    isTable,
    columns: rows.map((row) => {
      const isClock = clocks.has(row.name) || ownClock.test(`${row.dflt_value}`)
      return { ...toColumn(row, { isSingleKey, isStrict }), isClock }
    }),
    keys: new Map([
      ...(await uniqueKeys(database, name, schema)),
      ...(keys.length > 0 ? [['primary key', keys] as const] : []),
    ]),
    references: await referencesOf(database, name, schema),
    hasTriggers: parts.some(({ type }) => type === 'trigger'),
    longSort: { start: sql``, hint: sql`` },
    supports: supportedBy(parts),
    returns: { insert: true, update: true, delete: true },
    folding: isTaught ? foldFunction : undefined,
  }
}

const ownClock = /\bcurrent_timestamp\b|\bdatetime\s*\(/i

// The columns with a text of SQLite's own clock in one of the first rows.
async function clocksOf(
  database: Session,
  table: Sql,
  columns: readonly DescribedColumn[],
): Promise<ReadonlySet<string>> {
  const texts = columns.filter(({ type }) => familyOf(type.toUpperCase()) === 'text')
  if (texts.length === 0) return new Set()
  const names = texts.map(({ name }) => name)
  const found = names.map(
    (name, at) => sql`max(${isClockText(sql.id(name))}) as ${sql.id(`=${at}`)}`,
  )
  const first = sql`select ${sql.join(names.map((name) => sql.id(name)))} from ${table} limit 1000`
  const { rows } = await sql<Row>`select ${sql.join(found)} from (${first})`.execute(database)
  return new Set(names.filter((_, at) => Number(rows[0]?.[`=${at}`]) === 1))
}

interface Part {
  readonly type: string
  readonly sql: string | null
}

// A view supports the statements that have an "instead of" trigger.
function supportedBy(parts: readonly Part[]): TableDescription['supports'] {
  const isView = parts.some(({ type }) => type === 'view')
  const supports = (trigger: RegExp): boolean =>
    !isView || parts.some(({ sql }) => trigger.test(`${sql}`))
  return {
    insert: supports(/instead\s+of\s+insert/i),
    update: supports(/instead\s+of\s+update/i),
    delete: supports(/instead\s+of\s+delete/i),
  }
}

// Cloudflare's D1 does not list its functions, and has no custom ones.
async function knowsFold(database: Session): Promise<boolean> {
  try {
    const { rows } =
      await sql`select 1 from pragma_function_list where name = ${foldFunction}`.execute(database)
    return rows.length > 0
  } catch (error) {
    if (String(error).includes('not authorized')) return false
    throw error
  }
}

async function isStrictTable(database: Session, name: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pragma_table_list(${name}) where strict = 1`.execute(database)
  return rows.length > 0
}

async function uniqueKeys(
  database: Session,
  name: string,
  schema: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ key: string; column: string | null }>`
    select list.name as key, info.name as column
    from pragma_index_list(${name}, ${schema}) as list,
      pragma_index_info(list.name, ${schema}) as info
    where list."unique" and not list.partial order by list.seq, info.seqno`.execute(database)
  return keysIn(rows)
}

interface KeyColumn {
  readonly id: number
  readonly table: string
  readonly column: string
  readonly key: string
}

async function referencesOf(
  database: Session,
  name: string,
  schema: string,
): Promise<readonly ForeignKey[]> {
  // A key without a column means the key of the other table, which is `id`.
  const { rows } = await sql<KeyColumn>`
    select id, "table" as "table", "from" as column, coalesce("to", 'id') as key
    from pragma_foreign_key_list(${name}, ${schema}) order by id, seq`.execute(database)
  return [...groupedBy(rows, ({ id }) => id).values()].map((parts) => ({
    columns: parts.map(({ column }) => column),
    table: [schema, ...parts.slice(0, 1).map(({ table }) => table)],
    keys: parts.map(({ key }) => key),
  }))
}

interface DescribedColumn {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
  readonly hidden: number
}

type TableKind = Readonly<Record<'isSingleKey' | 'isStrict', boolean>>

function toColumn(column: DescribedColumn, { isSingleKey, isStrict }: TableKind): Column {
  const { name, type, notnull, dflt_value, pk, hidden } = column
  const family = familyOf(type.toUpperCase())
  const affinity = affinityOf(type.toUpperCase())
  return {
    name,
    type,
    family,
    isNullable: notnull === 0 && pk === 0,
    // SQLite counts up only this kind of key.
    isGenerated: dflt_value !== null || (isSingleKey && pk > 0 && /^integer$/i.test(type)),
    isComputed: hidden > 1,
    whenMissing: notnull && dflt_value !== null ? sql.raw(`(${dflt_value})`) : undefined,
    isWhole: false,
    // SQLite stores whole numbers as such, except in columns of doubles, and not all can be read
    // again.
    most: affinity === 'real' ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER,
    isLoose: true,
    scale: affinity === 'integer' ? 0 : undefined,
    isNumeric: affinity !== 'text' && affinity !== 'none' && !(isStrict && family === 'any'),
    isSteady: true,
    standard: dflt_value ?? undefined,
    equalsExactly: family !== 'text',
    ordersExactly: false,
    isLong: false,
  }
}

// The rules of SQLite for declared types.
const affinities: readonly (readonly [words: RegExp, affinity: string])[] = [
  [/INT/, 'integer'],
  [/CHAR|CLOB|TEXT/, 'text'],
  [/BLOB|^$/, 'none'],
  [/REAL|FLOA|DOUB/, 'real'],
]

function affinityOf(type: string): string {
  return affinities.find(([words]) => words.test(type))?.[1] ?? 'numeric'
}

// The same rules, after common type names that SQLite does not know.
const families: readonly (readonly [words: RegExp, family: Family])[] = [
  [/^$|ANY/, 'any'],
  [/BLOB/, 'binary'],
  [/BOOL/, 'boolean'],
  [/JSON/, 'json'],
  [/DATE|TIME|UUID/, 'text'],
  [/INT/, 'number'],
  [/CHAR|CLOB|TEXT/, 'text'],
]

function familyOf(type: string): Family {
  return families.find(([words]) => words.test(type))?.[1] ?? 'number'
}

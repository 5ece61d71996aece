import { sql } from 'kysely'
import {
  hasRows,
  type IndexPart,
  leadingColumns,
  namesFrom,
  readForeignKeys,
  readKeys,
} from './catalog.ts'
import { noSurroundings, type Surroundings } from './declarations.ts'
import type { Column, Row, Session, Sql, TableDescription } from './engine.ts'

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
  const primary = rows.filter(({ pk }) => pk > 0).map((row) => row.name)
  const isSingleKey = primary.length === 1
  const form = await formOf(database, { name, schema })
  const { rows: parts } = await sql<Part>`
    select type, sql from ${sql.id(schema, 'sqlite_master')}
    where tbl_name = ${name} collate nocase and type <> 'index'`.execute(database)
  const isTable = parts.some(
    ({ type, sql }) => type === 'table' && !/^create\s+virtual/i.test(`${sql}`),
  )
  // Columns compare exactly unless the table names a collation.
  const isBinary = isTable && !parts.some(({ sql }) => /\bcollate\b/i.test(`${sql}`))
  const clocks = await clocksOf(database, sql.id(schema, name), isTable ? rows : [])
  const keys = await keysOf(database, { name, schema }, 'unique')
  const partialKeys = await keysOf(database, { name, schema }, 'partial')
  return {
    isTable,
    columns: rows.map((row) => {
      const isClock = clocks.has(row.name) || ownClock.test(`${row.dflt_value}`)
      return toColumn(row, { ...form, isSingleKey, isClock, isBinary: isBinary && !isClock })
    }),
    keys: primary.length > 0 ? new Map([...keys, ['primary key', primary]]) : keys,
    partialKeys: [...partialKeys.values()],
    references: await referencesOf(database, name, schema),
    hasTriggers: parts.some(({ type }) => type === 'trigger'),
    supports: supportedBy(parts),
    returns: { insert: true, update: true, delete: true },
    ...(await functionsOf(database)),
  }
}

interface TableForm {
  readonly isStrict: boolean
  /** The columns of the primary key hold no null. Else only a single `integer` column does. */
  readonly isKeyed: boolean
}

async function formOf(
  database: Session,
  { name, schema }: Readonly<Record<'name' | 'schema', string>>,
): Promise<TableForm> {
  const { rows } = await sql<Readonly<Record<'strict' | 'wr', number>>>`
    select strict, wr from pragma_table_list(${name}) where schema = ${schema}`.execute(database)
  const isStrict = rows.some(({ strict }) => Number(strict) === 1)
  return { isStrict, isKeyed: isStrict || rows.some(({ wr }) => Number(wr) === 1) }
}

const ownClock = /\bcurrent_timestamp\b|\bdatetime\s*\(/i

// The columns with a text of SQLite's own clock in one of the first rows.
async function clocksOf(
  database: Session,
  table: Sql,
  columns: readonly DescribedColumn[],
): Promise<ReadonlySet<string>> {
  const texts = columns.filter(({ type }) => kindOf(type.toUpperCase()) === 'text')
  if (texts.length === 0) return new Set()
  const names = texts.map(({ name }) => name)
  const maxima = names.map(
    (name, at) => sql`max(${isClockText(sql.id(name))}) as ${sql.id(`=${at}`)}`,
  )
  const first = sql`select ${sql.join(names.map((name) => sql.id(name)))} from ${table} limit 1000`
  const { rows } = await sql<Row>`select ${sql.join(maxima)} from (${first})`.execute(database)
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
async function functionsOf(
  database: Session,
): Promise<Pick<TableDescription, 'folding' | 'hasOctetLength'>> {
  try {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_function_list
      where name in (${foldFunction}, 'octet_length')`.execute(database)
    const names = new Set(rows.map(({ name }) => name))
    return {
      folding: names.has(foldFunction) ? foldFunction : undefined,
      hasOctetLength: names.has('octet_length'),
    }
  } catch (error) {
    if (String(error).includes('not authorized')) return { folding: undefined }
    throw error
  }
}

const keysOf = (
  database: Session,
  { name, schema }: Readonly<Record<'name' | 'schema', string>>,
  which: 'unique' | 'partial',
) =>
  readKeys(
    database,
    sql`select list.name as key, info.name as column
      from pragma_index_list(${name}, ${schema}) as list,
        pragma_index_info(list.name, ${schema}) as info
      where list."unique" and list.partial = (${which} = 'partial')
      order by list.seq, info.seqno`,
  )

// A key without a column means the key of the other table, which is `id`.
const referencesOf = (database: Session, name: string, schema: string) =>
  readForeignKeys(
    database,
    sql`select id as name, "from" as column, ${schema} as schema, "table" as "table",
        coalesce("to", 'id') as key
      from pragma_foreign_key_list(${name}, ${schema}) order by id, seq`,
  )

interface DescribedColumn {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
  readonly hidden: number
}

interface ColumnContext extends TableForm {
  readonly isSingleKey: boolean
  readonly isClock: boolean
  /** The column compares texts exactly. */
  readonly isBinary: boolean
}

function toColumn(
  { name, type, notnull, dflt_value, pk, hidden }: DescribedColumn,
  { isSingleKey, isStrict, isKeyed, isClock, isBinary }: ColumnContext,
): Column {
  const isRowNumber = isSingleKey && pk > 0 && /^integer$/i.test(type)
  const kind = kindOf(type.toUpperCase())
  // SQLite counts up only this kind of key.
  const isGenerated = dflt_value !== null || isRowNumber
  const base = {
    name,
    type,
    // SQLite takes a null in other keys.
    isNullable: notnull === 0 && !isRowNumber && !(isKeyed && pk > 0),
    origin: hidden > 1 ? 'computed' : isGenerated ? 'generated' : 'client',
    whenMissing: notnull && dflt_value !== null ? sql.raw(`(${dflt_value})`) : undefined,
    loose: { affinity: isStrict && kind === 'any' ? 'none' : affinityOf(type), isClock },
    isSteady: true,
    standard: dflt_value ?? undefined,
    equality: kind !== 'text' || isBinary ? 'exact' : 'wide',
    order: 'other',
  } as const
  if (kind !== 'number') return { ...base, kind }
  return { ...base, kind, number: { precision: 'exact', scale: scaleIn(type) } }
}

// SQLite takes no notice of it.
function scaleIn(type: string): number | undefined {
  const [, scale] = /\(\s*\d+\s*,\s*(\d+)\s*\)/.exec(type) ?? []
  return scale === undefined ? undefined : Number(scale)
}

// The rules of SQLite for declared types.
const affinities: readonly (readonly [
  words: RegExp,
  affinity: NonNullable<Column['loose']>['affinity'],
])[] = [
  [/INT/, 'numeric'],
  [/CHAR|CLOB|TEXT|BLOB|^$/, 'none'],
  [/REAL|FLOA|DOUB/, 'real'],
]

function affinityOf(type: string) {
  return affinities.find(([words]) => words.test(type.toUpperCase()))?.[1] ?? 'numeric'
}

// The same rules, after common type names that SQLite does not know.
const kinds = [
  [/^$|ANY/, 'any'],
  [/BLOB/, 'binary'],
  [/BOOL/, 'boolean'],
  [/JSON/, 'json'],
  [/DATE|TIME|UUID/, 'text'],
  [/INT/, 'number'],
  [/CHAR|CLOB|TEXT/, 'text'],
] as const

function kindOf(type: string) {
  return kinds.find(([words]) => words.test(type))?.[1] ?? 'number'
}

interface NamedPart extends IndexPart {
  readonly partial: number
  readonly sql: string | null
}

/** Returns what statements that change a table of SQLite have to respect. */
export async function surroundSqliteTable(
  database: Session,
  table: string,
  deletion?: string,
): Promise<Surroundings> {
  const [name = '', schema = 'main'] = table.split('.').reverse()
  const lacksSchema = !(await hasRows(
    database,
    sql`select 1 from pragma_database_list where name = ${schema} collate nocase`,
  ))
  if (lacksSchema) return { ...noSurroundings, lacksSchema }
  const master = sql.id(schema, 'sqlite_master')
  const { rows } = await sql<NamedPart>`
    select list.name as "key", info.name as "column", list.partial, entry.sql,
      upper(info.coll) = 'BINARY' as "isExact"
    from pragma_index_list(${name}, ${schema}) as list
      join pragma_index_xinfo(list.name, ${schema}) as info
      left join ${master} as entry on entry.type = 'index' and entry.name = list.name
    where info."key" order by list.seq, info.seqno`.execute(database)
  const parts = rows.filter(
    ({ partial, sql }) => partial === 0 || isOfPresent(`${sql}`, deletion ?? ''),
  )
  return {
    ...noSurroundings,
    indexes: leadingColumns(parts),
    names: await namesFrom(database, sql`select name from ${master}`),
    isStrict: await hasRows(
      database,
      sql`select 1 from pragma_table_list(${name})
        where schema = ${schema} collate nocase and strict = 1`,
    ),
  }
}

// Tells whether the rows of a partial index are those that are not deleted.
function isOfPresent(statement: string, deletion: string): boolean {
  const [, condition = ''] = /\)\s*where\s+([\s\S]+)$/i.exec(statement) ?? []
  const test = bare(condition)
  const end = /\bis\s+null$|\bisnull$/i.exec(test)
  if (end === null) return false
  const column = bare(test.slice(0, end.index))
  const named = column.replace(/^(["`[])([\s\S]*)["`\]]$/, '$2').replaceAll('""', '"')
  return named.toLowerCase() === deletion.toLowerCase()
}

// Cuts off the spaces, parentheses and semicolons around a condition.
function bare(condition: string): string {
  let [start, end] = [0, condition.length]
  while (start < end && /[\s(]/.test(condition.charAt(start))) start++
  while (end > start && /[\s);]/.test(condition.charAt(end - 1))) end--
  return condition.slice(start, end)
}

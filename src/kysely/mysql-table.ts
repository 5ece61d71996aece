import { sql } from 'kysely'
import type { Column, Described, Family, Session } from './engine.ts'

/**
 * What MySQL or MariaDB says of a table.
 *
 * @throws {TypeError} When the server would cut values short without a word, or would be given text that it reads differently.
 */
export async function describe(database: Session, table: string): Promise<Described | undefined> {
  const [name, schema = null] = table.split('.').reverse()
  const place = sql`table_schema = coalesce(${schema}, database()) and table_name = ${name}`
  const { rows: columns } = await sql<DescribedColumn>`
    select column_name as name, data_type as type, column_type as full_type, is_nullable as nullable,
      column_default as default_value, extra, collation_name as collation, character_maximum_length as length,
      numeric_precision as digits
    from information_schema.columns where ${place} order by ordinal_position`.execute(database)
  const { rows: keys } = await sql<{ key_name: string; column_name: string }>`
    select index_name as key_name, column_name as column_name
    from information_schema.statistics where ${place} and non_unique = 0
    order by index_name, seq_in_index`.execute(database)
  const { rows: servers } = await sql<Server>`
    select version() as version, @@sql_mode as mode`.execute(database)
  const [server] = servers
  if (columns.length === 0 || server === undefined) return undefined
  checkMode(server.mode)
  const isMariaDb = server.version.includes('MariaDB')
  return {
    columns: columns.map(toColumn),
    keys: columnsByKey(keys),
    references: [],
    longSort: isMariaDb
      ? { start: sql`set statement ${sql.join(longSort)} for`, hint: sql`` }
      : {
          start: sql``,
          hint: sql`/*+ set_var(max_sort_length = 65535) set_var(sort_buffer_size = 4194304) */`,
        },
    returns: { insert: isMariaDb, update: false, delete: isMariaDb },
    folding: foldingOf(server.version, isMariaDb),
  }
}

interface DescribedColumn {
  readonly name: string
  readonly type: string
  readonly full_type: string
  readonly nullable: string
  readonly default_value: string | null
  readonly extra: string
  readonly collation: string | null
  readonly length: number | string | null
  readonly digits: number | string | null
}

interface Server {
  readonly version: string
  readonly mode: string
}

function checkMode(mode: string): void {
  if (!/STRICT_(?:TRANS|ALL)_TABLES/.test(mode)) {
    throw new TypeError(
      `The database's sql_mode (${mode}) cuts values short without an error: add STRICT_TRANS_TABLES.`,
    )
  }
  if (mode.includes('NO_BACKSLASH_ESCAPES')) {
    throw new TypeError(
      "The database's sql_mode has NO_BACKSLASH_ESCAPES, under which its driver does not quote text safely: take it out.",
    )
  }
}

function columnsByKey(
  keys: readonly { readonly key_name: string; readonly column_name: string }[],
): ReadonlyMap<string, readonly string[]> {
  const columns = new Map<string, string[]>()
  for (const { key_name, column_name } of keys) {
    columns.set(key_name, [...(columns.get(key_name) ?? []), column_name])
  }
  return columns
}

// The collation whose case mapping is the newest that the server has.
function foldingOf(version: string, isMariaDb: boolean): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (isMariaDb) return major > 10 || minor >= 10 ? 'utf8mb4_uca1400_ai_ci' : undefined
  return major >= 8 ? 'utf8mb4_0900_as_cs' : undefined
}

// Of what is sorted without an index, only so much is looked at, in bytes, where nobody says otherwise.
const sortedCharacters = 1024 / 4
const longSort = [sql`max_sort_length = 65535`, sql`sort_buffer_size = 4194304`]

const families: Readonly<Record<string, Family>> = {
  char: 'text',
  varchar: 'text',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  tinyint: 'number',
  smallint: 'number',
  mediumint: 'number',
  int: 'number',
  bigint: 'number',
  double: 'number',
  decimal: 'number',
  year: 'number',
  json: 'json',
  date: 'date',
  time: 'time',
  datetime: 'timestamp',
  timestamp: 'timestamp',
}

const booleans: ReadonlySet<string> = new Set(['tinyint(1)', 'bit(1)'])
const wholeTypes: ReadonlySet<string> = new Set([
  'tinyint',
  'smallint',
  'mediumint',
  'int',
  'bigint',
  'year',
])

// These compare by code point and do not take 'a ' for 'a'.
const exactCollations: ReadonlySet<string | null> = new Set([
  'utf8mb4_nopad_bin',
  'utf8mb4_0900_bin',
  'utf8mb3_nopad_bin',
  'ascii_nopad_bin',
])

function toColumn(column: DescribedColumn): Column {
  const { name, type, full_type, nullable, default_value, extra, collation, length } = column
  if (type === 'float') {
    throw new TypeError(`The column "${name}" is a FLOAT, which loses digits: make it a DOUBLE.`)
  }
  const hasDefault = default_value !== null && default_value !== 'NULL'
  const family = booleans.has(full_type) ? 'boolean' : (families[type] ?? 'other')
  const isExact = family === 'text' ? exactCollations.has(collation) : family !== 'other'
  return {
    name,
    type,
    family,
    isNullable: nullable === 'YES',
    isComputed: /\bGENERATED\b/.test(extra) && !extra.includes('DEFAULT_GENERATED'),
    whenMissing: hasDefault && nullable === 'NO' ? sql`default` : undefined,
    isWhole: wholeTypes.has(type),
    most: wholeTypes.has(type) ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE,
    isGenerated: hasDefault || extra.includes('auto_increment'),
    equalsExactly: isExact,
    ordersExactly: isExact && !(type === 'decimal' && Number(column.digits) > 15),
    isLong: family === 'text' && Number(length) > sortedCharacters,
  }
}

import { type RawBuilder, sql } from 'kysely'
import {
  byWord,
  hasRows,
  type IndexPart,
  leadingColumns,
  namesFrom,
  readForeignKeys,
  readKeys,
} from './catalog.ts'
import type { Surroundings } from './declarations.ts'
import type { Column, NumberForm, Session, Sql, TableDescription } from './engine.ts'

/**
 * Describes a table of MySQL or MariaDB.
 *
 * @throws {TypeError} When the server cuts values short silently or reads quoted text differently.
 */
export async function describeMysqlTable(
  database: Session,
  table: string,
): Promise<TableDescription | undefined> {
  const [name = '', schema = null] = table.split('.').reverse()
  const isTarget = isTable(table)
  const { rows: columns } = await sql<DescribedColumn>`
    select column_name as name, data_type as type, column_type as full_type,
      is_nullable as nullable, column_default as default_value, extra,
      collation_name as collation, character_maximum_length as length, numeric_scale as scale,
      numeric_precision as digits
    from information_schema.columns where ${isTarget} order by ordinal_position`.execute(database)
  const { rows: relations } = await sql<Relation>`
    select table_type as type, version() as version, @@sql_mode as mode,
      (select is_updatable from information_schema.views where ${isTarget}) as updatable
    from information_schema.tables where ${isTarget}`.execute(database)
  const [relation] = relations
  if (relation === undefined || columns.length === 0) return undefined
  checkMode(relation.mode)
  const isMariaDb = relation.version.includes('MariaDB')
  const isUpdatable = relation.updatable !== 'NO'
  const triggers = sql`select 1 from information_schema.triggers
    where event_object_schema = coalesce(${schema}, database()) and event_object_table = ${name}
    limit 1`
  return {
    isTable: relation.type !== 'VIEW',
    columns: columns.map(toColumn),
    keys: await keysOf(database, sql`${isTarget} and non_unique = 0`),
    partialKeys: [],
    references: await referencesOf(database, isTarget),
    hasTriggers: await hasRows(database, triggers),
    longSort: isMariaDb ? longSortOfMariaDb : longSortOfMysql,
    supports: { insert: isUpdatable, update: isUpdatable, delete: isUpdatable },
    returns: { insert: isMariaDb, update: false, delete: isMariaDb },
    folding: foldingOf(relation.version, isMariaDb),
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
  readonly scale: number | string | null
  readonly digits: number | string | null
}

interface Relation {
  readonly type: string
  readonly updatable: string | null
  readonly version: string
  readonly mode: string
}

function checkMode(mode: string): void {
  if (!/STRICT_(?:TRANS|ALL)_TABLES/.test(mode)) {
    throw new TypeError(
      `The sql_mode of the database (${mode}) cuts long values: add STRICT_TRANS_TABLES.`,
    )
  }
  if (mode.includes('NO_BACKSLASH_ESCAPES')) {
    throw new TypeError(
      'The sql_mode has NO_BACKSLASH_ESCAPES, so the driver cannot quote text safely: remove it.',
    )
  }
}

/** Returns the condition that a row of the catalogue is about a table. */
function isTable(table: string): Sql {
  const [name = '', schema = null] = table.split('.').reverse()
  return sql`table_schema = coalesce(${schema}, database()) and table_name = ${name}`
}

const keysOf = (database: Session, isSought: Sql) =>
  readKeys(
    database,
    sql`select index_name as \`key\`, column_name as \`column\`
      from information_schema.statistics where ${isSought} order by index_name, seq_in_index`,
  )

const referencesOf = (database: Session, isTarget: Sql) =>
  readForeignKeys(
    database,
    sql`select constraint_name as name, column_name as \`column\`,
        referenced_table_schema as \`schema\`, referenced_table_name as \`table\`,
        referenced_column_name as \`key\`
      from information_schema.key_column_usage
      where ${isTarget} and referenced_table_name is not null
      order by constraint_name, ordinal_position`,
  )

// The collation with the newest case mapping of the server.
function foldingOf(version: string, isMariaDb: boolean): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (isMariaDb) return major > 10 || minor >= 10 ? 'utf8mb4_uca1400_ai_ci' : undefined
  return major >= 8 ? 'utf8mb4_0900_as_cs' : undefined
}

// A sort without an index compares only so many bytes by default.
const sortedCharacters = 1024 / 4
const longSortOfMariaDb = {
  start: sql`set statement max_sort_length = 65535, sort_buffer_size = 4194304 for`,
  hint: sql``,
}
const longSortOfMysql = {
  start: sql``,
  hint: sql`/*+ set_var(max_sort_length = 65535) set_var(sort_buffer_size = 4194304) */`,
}

const kinds = byWord<'text' | 'number' | 'json' | 'date' | 'time' | 'timestamp'>({
  text: 'char varchar tinytext text mediumtext longtext',
  number: 'tinyint smallint mediumint int bigint bit float double decimal year',
  json: 'json',
  date: 'date',
  time: 'time',
  timestamp: 'datetime timestamp',
})

const booleans: ReadonlySet<string> = new Set(['tinyint(1)', 'bit(1)'])
const limits: Readonly<Record<string, number>> = {
  tinyint: 2 ** 7 - 1,
  smallint: 2 ** 15 - 1,
  mediumint: 2 ** 23 - 1,
  int: 2 ** 31 - 1,
  bigint: Number.MAX_SAFE_INTEGER,
  bit: Number.MAX_SAFE_INTEGER,
  year: 2155,
}

// These compare by code point and keep 'a ' and 'a' apart.
const exactCollations: ReadonlySet<string | null> = new Set(
  'utf8mb4_nopad_bin utf8mb4_0900_bin utf8mb3_nopad_bin ascii_nopad_bin'.split(' '),
)

function numbersOf({ type, full_type, scale, digits }: DescribedColumn): NumberForm {
  const most = limits[type]
  if (most !== undefined) {
    const isDouble = full_type.includes('unsigned') && most < Number.MAX_SAFE_INTEGER
    return { precision: 'whole', most: isDouble ? 2 * most + 1 : most }
  }
  const places = scale === null ? undefined : Number(scale)
  if (type === 'double') return { precision: 'double', scale: places }
  if (type === 'float') return { precision: 'widened', scale: places }
  const integers = Number(digits) - Number(scale)
  return { precision: 'exact', scale: places, integers, comparesNumbers: true }
}

// Other types round or rewrite values.
const steady: ReadonlySet<string> = new Set([
  ...['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'double', 'date'],
  ...Object.keys(limits),
])

// Any other text may mean the index of one.
function listedIn(type: string): readonly string[] {
  return [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) =>
    text.replace(/''|\\./g, ([, letter = '']) => escaped[letter] ?? letter),
  )
}

const escaped: Readonly<Record<string, string>> = { n: '\n', r: '\r', 0: '\0' }

function toColumn(column: DescribedColumn): Column {
  const { type, full_type, collation } = column
  const base = baseOf(column)
  const kind = booleans.has(full_type) ? 'boolean' : kinds[type]
  const loose = { ...base, equality: 'wide', order: 'other', lacks: lackedBy(collation) } as const
  const allowed = type === 'enum' || type === 'set' ? listedIn(full_type) : []
  const length = Number(column.length)
  if (kind === 'text') {
    const comparison = exactCollations.has(collation) ? exact : undefined
    const isLong = length > sortedCharacters
    return { ...loose, ...comparison, kind, length, collation, isLong }
  }
  if (kind === 'boolean' || kind === 'number')
    return { ...base, kind, number: numbersOf(column), hasNoText: type === 'bit' }
  if (kind !== undefined) return { ...base, kind }
  if (/binary$|blob$/.test(type))
    return { ...base, kind: 'binary', size: type === 'binary' ? length : undefined }
  if (type === 'enum') return { ...loose, kind: 'enum', allowed }
  if (type !== 'set') return { ...loose, kind: 'other' }
  // The text of the column does not tell an empty member from none.
  const members = allowed.filter((member) => member !== '')
  return { ...loose, kind: 'list', element: { ...loose, kind: 'enum', allowed: members } }
}

const exact = { equality: 'exact', order: 'exact' } as const

function baseOf({ name, type, full_type, nullable, default_value, extra }: DescribedColumn) {
  const hasDefault = default_value !== null && default_value !== 'NULL'
  const isComputed = /\bGENERATED\b/.test(extra) && !extra.includes('DEFAULT_GENERATED')
  const isGenerated = hasDefault || extra.includes('auto_increment')
  return {
    name,
    type,
    declared: full_type,
    isNullable: nullable === 'YES',
    origin: isComputed ? 'computed' : isGenerated ? 'generated' : 'client',
    whenMissing: hasDefault && nullable === 'NO' ? sql`default` : undefined,
    standard: hasDefault ? default_value : undefined,
    isSteady: steady.has(type) || booleans.has(full_type),
    ...exact,
  } as const
}

const lacking: ReadonlyMap<string | undefined, RegExp> = new Map([
  ['ascii', /[^\0-\x7f]/],
  ['latin1', /[^\0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/],
  ['utf8', /[\u{10000}-\u{10ffff}]/u],
  ['utf8mb3', /[\u{10000}-\u{10ffff}]/u],
])

// The characters that the character set of a collation lacks. MySQL compares no column of the set
// with these characters.
function lackedBy(collation: string | null): RegExp | undefined {
  return lacking.get(collation?.split('_')[0])
}

interface NamedPart extends IndexPart {
  readonly type: string
  /** The engine has made the index for a foreign key, and drops it once another serves that. */
  readonly isImplicit: number
}

interface IndexedColumn {
  readonly name: string
  readonly bytes: number | string | null
  readonly collation: string | null
}

// A number or a date in an index.
const plainBytes = 8

/** Returns what statements that change a table of MySQL or MariaDB have to respect. */
export async function surroundMysqlTable(database: Session, table: string): Promise<Surroundings> {
  const isTarget = isTable(table)
  const { rows: parts } = await sql<NamedPart>`
    select index_name as \`key\`, if(sub_part is null, column_name, null) as \`column\`,
      index_type as type, 1 as \`isExact\`, ${isImplicit(table)} as \`isImplicit\`
    from information_schema.statistics where ${isTarget}
    order by index_name, seq_in_index`.execute(database)
  const { rows: columns } = await sql<IndexedColumn>`
    select column_name as name, character_octet_length as bytes, collation_name as collation
    from information_schema.columns where ${isTarget}`.execute(database)
  const names = columns.map(({ name }) => name)
  const partition = usedIn(await namesFrom(database, expressionsOf(isTarget, 'partition')), names)
  const generating = await namesFrom(database, expressionsOf(isTarget, 'generation'))
  const fixed = await namesFrom(database, fixedIn(table))
  return {
    indexes: indexesIn(parts),
    names: parts.map(({ key }) => key),
    fixed: new Set([...fixed, ...partition, ...usedIn(generating, names)]),
    primary: new Set(parts.flatMap(({ key, column }) => (key === 'PRIMARY' ? (column ?? []) : []))),
    partition,
    collations: new Map(
      columns.flatMap(({ name, collation }) => (collation === null ? [] : [[name, collation]])),
    ),
    bytes: new Map(columns.map(({ name, bytes }) => [name, Number(bytes ?? plainBytes)])),
    isStrict: false,
    lacksSchema: await lacksSchema(database, table),
  }
}

// InnoDB adds the primary key to each index.
function indexesIn(parts: readonly NamedPart[]): Surroundings['indexes'] {
  const primary = parts.filter(({ key }) => key === 'PRIMARY')
  const sorted = parts.filter(
    ({ type, isImplicit }) => type === 'BTREE' && Number(isImplicit) === 0,
  )
  const keys = new Set(sorted.map(({ key }) => key))
  return [...keys].flatMap((key) => {
    const keyParts = sorted.filter((column) => column.key === key)
    return leadingColumns([...keyParts, ...primary].map((column) => ({ ...column, key })))
  })
}

function isImplicit(table: string): Sql {
  const keys = (name: string) => sql`select ${sql.id(name)} from information_schema.key_column_usage
    where ${isTable(table)} and referenced_table_name is not null`
  return sql`index_name in (${keys('constraint_name')} union ${keys('column_name')})`
}

async function lacksSchema(database: Session, table: string): Promise<boolean> {
  const [, schema] = table.split('.').reverse()
  if (schema === undefined) return false
  const statement = sql<{
    name: string
  }>`select schema_name as name from information_schema.schemata
    where schema_name = ${schema}`
  return (await namesFrom(database, statement)).length === 0
}

// A foreign key needs equal types. A column that a clock writes would lose that.
function fixedIn(table: string): RawBuilder<{ name: string }> {
  const [name = '', schema = null] = table.split('.').reverse()
  return sql`select column_name as name from information_schema.key_column_usage
      where ${isTable(table)} and referenced_table_name is not null
    union select referenced_column_name from information_schema.key_column_usage
      where referenced_table_schema = coalesce(${schema}, database())
        and referenced_table_name = ${name}
    union select column_name from information_schema.columns
      where ${isTable(table)} and extra like '%on update%'`
}

const sources = {
  partition: sql`select partition_expression as name from information_schema.partitions`,
  generation: sql`select generation_expression as name from information_schema.columns`,
} as const

function expressionsOf(isTarget: unknown, source: keyof typeof sources) {
  return sql<{ name: string | null }>`${sources[source]} where ${isTarget}`
}

function usedIn(expressions: readonly (string | null)[], names: readonly string[]) {
  return names.filter((name) =>
    expressions.some((text) => text?.toLowerCase().includes(name.toLowerCase())),
  )
}

import { type RawBuilder, sql } from 'kysely'
import { type IndexPart, leadingColumns, namesFrom } from './catalog.ts'
import type { Session, Sql, Surroundings } from './engine.ts'
import { isTable } from './mysql-table.ts'

interface Part extends IndexPart {
  readonly type: string
  /** The engine has made the index for a foreign key, and drops it once another serves that. */
  readonly isImplicit: number
}

interface DescribedColumn {
  readonly name: string
  readonly bytes: number | string | null
  readonly collation: string | null
}

// A number or a date in an index.
const plainBytes = 8

/** Returns what statements that change a table of MySQL or MariaDB have to respect. */
export async function surroundMysqlTable(database: Session, table: string): Promise<Surroundings> {
  const isTarget = isTable(table)
  const { rows: parts } = await sql<Part>`
    select index_name as \`key\`, if(sub_part is null, column_name, null) as \`column\`,
      index_type as type, 1 as \`isExact\`, ${isImplicit(table)} as \`isImplicit\`
    from information_schema.statistics where ${isTarget}
    order by index_name, seq_in_index`.execute(database)
  const { rows: columns } = await sql<DescribedColumn>`
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
function indexesIn(parts: readonly Part[]): Surroundings['indexes'] {
  const primary = parts.filter(({ key }) => key === 'PRIMARY')
  const sorted = parts.filter(
    ({ type, isImplicit }) => type === 'BTREE' && Number(isImplicit) === 0,
  )
  const keys = new Set(sorted.map(({ key }) => key))
  return [...keys].flatMap((key) => {
    const own = sorted.filter((part) => part.key === key)
    return leadingColumns([...own, ...primary].map((part) => ({ ...part, key })))
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
  const found = sql<{ name: string }>`select schema_name as name from information_schema.schemata
    where schema_name = ${schema}`
  return (await namesFrom(database, found)).length === 0
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

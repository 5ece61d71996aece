import { type RawBuilder, sql } from 'kysely'
import type { Surroundings } from './engine/declarations.ts'
import type { Column, Database, Row, TableDescription } from './engine/engine.ts'
import { mysql } from './engine/mysql.ts'
import { postgres } from './engine/postgres.ts'
import { sqlite } from './engine/sqlite.ts'

/** A table or view, as the catalogue of its database describes it. */
export interface CatalogueTable {
  /** The name for an adapter, with the schema if it is not that of the connection. */
  readonly table: string
  /** The schema, and the name without it. */
  readonly schema: string
  readonly name: string
  /** `other`: a foreign or virtual table, whose keys the database does not know. */
  readonly kind: 'table' | 'view' | 'other'
  readonly description: TableDescription
  /** The columns of the primary key. */
  readonly primary: readonly string[]
  readonly indexes: Surroundings['indexes']
  /** The columns of MariaDB that hold JSON as text. */
  readonly documents: ReadonlySet<string>
  /** A table that inherits from it may hold a value of its primary key again. */
  readonly isInherited: boolean
  /** The first values of a column of SQLite that is declared as a date or time, or as nothing. */
  readonly samples: ReadonlyMap<string, readonly unknown[]>
}

const engines = { sqlite, postgres, mysql } as const

/** The engine of a catalogue. MariaDB is one of MySQL. */
export type CatalogueEngine = keyof typeof engines

/** The tables and views of a database. */
export interface Catalogue {
  readonly engine: CatalogueEngine
  readonly tables: readonly CatalogueTable[]
  /** The tables whose name has a dot, which an adapter takes for the end of a schema. */
  readonly dotted: readonly string[]
  /** The views and virtual tables that the database cannot read, each with its reason. */
  readonly broken: readonly (readonly [table: string, reason: string])[]
}

/**
 * Reads the tables and views of a database: all schemas of PostgreSQL, else the one of the
 * connection. Reads rows of SQLite alone, whose types are hints.
 */
export async function readCatalogue(
  database: Database,
  engine: CatalogueEngine,
): Promise<Catalogue> {
  const { surround, describe } = engines[engine]
  const { rows } = await listings[engine].execute(database)
  const checks = engine === 'mysql' ? await documentsOf(database) : []
  const tables: CatalogueTable[] = []
  const dotted: string[] = []
  const broken: (readonly [string, string])[] = []
  for (const { schema, name, kind, key, isOwn } of rows) {
    const table = isOwn ? name : `${schema}.${name}`
    if (`${schema}${name}`.includes('.')) {
      dotted.push(table)
      continue
    }
    const description = await describe(database, table).catch((error: unknown) => {
      if (kind === 'table') throw error
      broken.push([table, String(Object(error).message)])
      return undefined
    })
    if (description === undefined) continue
    const { indexes } = await surround(database, table)
    const primary = description.keys.get(key ?? '') ?? []
    const samples = engine === 'sqlite' ? await samplesOf(database, table, description) : new Map()
    const documents = new Set(checks.flatMap((row) => (row.table === name ? row.column : [])))
    tables.push({
      ...{ table, schema, name, kind, description, primary, indexes, documents, samples },
      isInherited: engine === 'postgres' && key !== null && primary.length === 0,
    })
  }
  return { engine, tables, dotted, broken }
}

interface Listing {
  readonly schema: string
  readonly name: string
  readonly kind: CatalogueTable['kind']
  /** The name of the primary key. */
  readonly key: string | null
  /** A statement finds the table without its schema. SQL may give 0 or 1. */
  readonly isOwn: boolean | number
}

const listings: Readonly<Record<CatalogueEngine, RawBuilder<Listing>>> = {
  sqlite: sql`select 'main' as schema, name, 'primary key' as "key", 1 as "isOwn",
      case type when 'virtual' then 'other' else type end as kind
    from pragma_table_list
    where schema = 'main' and type in ('table', 'view', 'virtual') and name not like 'sqlite!_%'
      escape '!' order by name`,
  postgres: sql`select n.nspname as schema, c.relname as name,
      (select conname from pg_constraint where conrelid = c.oid and contype = 'p') as "key",
      pg_table_is_visible(c.oid) as "isOwn",
      case when c.relkind in ('v', 'm') then 'view'
        when c.relkind = 'f' then 'other' else 'table' end as kind
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      and n.nspname <> 'information_schema' and n.nspname not like 'pg!_%' escape '!'
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by pg_table_is_visible(c.oid) desc, n.nspname, c.relname`,
  mysql: sql`select table_schema as \`schema\`, table_name as name, 'PRIMARY' as \`key\`,
      1 as \`isOwn\`, if(table_type like '%VIEW', 'view', 'table') as kind
    from information_schema.tables
    where table_schema = database() and table_type <> 'SEQUENCE' order by table_name`,
}

interface Document {
  readonly table: string
  readonly column: string
}

// MariaDB declares JSON as a text with a check. MySQL has a type of its own.
async function documentsOf(database: Database): Promise<readonly Document[]> {
  const { rows } = await sql<Document>`
    select table_name as \`table\`, column_name as \`column\` from information_schema.columns
    where table_schema = database() and data_type = 'longtext' and exists (
      select 1 from information_schema.check_constraints c
      where c.constraint_schema = table_schema and c.constraint_name = column_name
        and c.check_clause = concat('json_valid(\`', column_name, '\`)'))`.execute(database)
  return rows
}

const sampled = 1000

async function samplesOf(
  database: Database,
  table: string,
  { columns }: TableDescription,
): Promise<CatalogueTable['samples']> {
  const names = columns.filter(isSampled).map(({ name }) => name)
  if (names.length === 0) return new Map()
  const all = sql.join(names.map((name) => sql.id(name)))
  const { rows } =
    await sql<Row>`select ${all} from ${sql.table(table)} limit ${sql.lit(sampled)}`.execute(
      database,
    )
  return new Map(names.map((name) => [name, rows.map((row) => row[name])]))
}

function isSampled({ kind, type }: Column): boolean {
  return kind === 'any' || (kind === 'text' && /DATE|TIME/i.test(type))
}

import { sql } from 'kysely'
import { hasRows, type IndexPart, leadingColumns, namesFrom } from './catalog.ts'
import type { Session, Surroundings } from './engine.ts'

interface Part extends IndexPart {
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
  if (lacksSchema) return { ...plain, lacksSchema }
  const master = sql.id(schema, 'sqlite_master')
  const { rows } = await sql<Part>`
    select list.name as "key", info.name as "column", list.partial, made.sql,
      upper(info.coll) = 'BINARY' as "isExact"
    from pragma_index_list(${name}, ${schema}) as list
      join pragma_index_xinfo(list.name, ${schema}) as info
      left join ${master} as made on made.type = 'index' and made.name = list.name
    where info."key" order by list.seq, info.seqno`.execute(database)
  const parts = rows.filter(
    ({ partial, sql }) => partial === 0 || isOfPresent(`${sql}`, deletion ?? ''),
  )
  return {
    ...plain,
    indexes: leadingColumns(parts),
    names: await namesFrom(database, sql`select name from ${master}`),
    isStrict: await hasRows(
      database,
      sql`select 1 from pragma_table_list(${name})
        where schema = ${schema} collate nocase and strict = 1`,
    ),
  }
}

/** The surroundings of a table with nothing around it. */
const plain: Surroundings = {
  indexes: [],
  names: [],
  fixed: new Set(),
  primary: new Set(),
  partition: [],
  collations: new Map(),
  bytes: new Map(),
  isStrict: false,
  lacksSchema: false,
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

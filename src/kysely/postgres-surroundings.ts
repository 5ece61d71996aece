import { type RawBuilder, sql } from 'kysely'
import { hasRows, type IndexPart, leadingColumns, namesFrom } from './catalog.ts'
import type { Session, Surroundings } from './engine.ts'
import { codePointCollations, hasChildTables, regclassName } from './postgres-table.ts'

/** Returns what statements that change a table of PostgreSQL have to respect. */
export async function surroundPostgresTable(
  database: Session,
  table: string,
  deletion?: string,
): Promise<Surroundings> {
  const target = sql`to_regclass(${regclassName(table)})`
  const names = (statement: RawBuilder<{ name: string }>) => namesFrom(database, statement)
  const [, schema] = table.split('.').reverse()
  return {
    indexes: leadingColumns(await indexPartsOf(database, target, deletion)),
    names: await names(sql`select relname as name from pg_class
      where relnamespace = (select relnamespace from pg_class where oid = ${target})`),
    fixed: new Set(await names(fixedIn(target))),
    primary: new Set(
      await names(sql`select a.attname as name from pg_attribute a
        where a.attrelid = ${target} and (a.attidentity <> '' or exists (
          select from pg_index i where i.indrelid = a.attrelid and i.indisprimary
            and a.attnum = any(i.indkey::int2[])))`),
    ),
    partition: await names(partitionOf(target)),
    collations: new Map(),
    bytes: new Map(),
    isStrict: false,
    lacksSchema:
      schema !== undefined &&
      !(await hasRows(database, sql`select from pg_namespace where nspname = ${schema}`)),
  }
}

async function indexPartsOf(
  database: Session,
  target: RawBuilder<unknown>,
  deletion = '',
): Promise<readonly IndexPart[]> {
  const collation = sql`case l.collname when 'default' then (
      select case to_jsonb(d) ->> 'datlocprovider' when 'i' then 'icu' else d.datcollate end
      from pg_database d where d.datname = current_database())
    else l.collname end`
  const { rows } = await sql<{ key: string; column: string | null; collation: string | null }>`
    select c.relname as "key", a.attname as "column", ${collation} as "collation"
    from pg_index i
      join pg_class c on c.oid = i.indexrelid
      join pg_am m on m.oid = c.relam and m.amname = 'btree'
      cross join unnest(i.indkey::int2[], i.indcollation::oid[])
        with ordinality as k(number, sorting, place)
      left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
      left join pg_collation l on l.oid = k.sorting
    where i.indrelid = ${target} and i.indisvalid and k.place <= i.indnkeyatts
      and not ${hasChildTables(sql`i.indrelid`)} and (i.indpred is null or
        pg_get_expr(i.indpred, i.indrelid) = '(' || quote_ident(${deletion}) || ' IS NULL)')
    order by c.relname, k.place`.execute(database)
  return rows.map(({ key, column, collation }) => ({
    key,
    column,
    isExact: collation === null || codePointCollations.has(collation),
  }))
}

// PostgreSQL changes no type that a view, a trigger, a policy, a check or the like uses.
function fixedIn(target: RawBuilder<unknown>): RawBuilder<{ name: string }> {
  const classes = ['pg_rewrite', 'pg_trigger', 'pg_policy', 'pg_proc', 'pg_publication_rel']
  return sql`select a.attname as name from pg_depend d
      join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where d.refclassid = 'pg_class'::regclass and d.refobjid = ${target} and d.refobjsubid > 0 and (
      d.classid in (${sql.join(classes.map((name) => sql`${sql.lit(name)}::regclass`))})
      or exists (select from pg_attrdef v
        where d.classid = 'pg_attrdef'::regclass and v.oid = d.objid and v.adnum <> d.refobjsubid)
      or exists (select from pg_constraint r where d.classid = 'pg_constraint'::regclass
        and r.oid = d.objid and r.contype in ('c', 'f', 'x'))
      or exists (select from pg_index i where d.classid = 'pg_class'::regclass
        and i.indexrelid = d.objid and (i.indexprs is not null
          or pg_get_expr(i.indpred, i.indrelid) not like '(% IS NULL)')))
    union select attname from pg_attribute where attrelid = ${target} and attinhcount > 0
    union ${partitionOf(target)}`
}

function partitionOf(target: RawBuilder<unknown>): RawBuilder<{ name: string }> {
  return sql`select a.attname as name from pg_partitioned_table p
      join pg_attribute a on a.attrelid = p.partrelid and a.attnum = any(p.partattrs::int2[])
    where p.partrelid = ${target}`
}

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
import { isArrayOfTexts } from './list-text.ts'

/** Describes a table of PostgreSQL. */
export async function describePostgresTable(
  database: Session,
  table: string,
): Promise<TableDescription | undefined> {
  const { rows } = await sql<DescribedColumn>`
    select a.attname as name, coalesce(b.typname, t.typname) as type,
      coalesce(f.typname, m.typname) as element, format_type(a.atttypid, null) as listed,
      not a.attnotnull as "isNullable",
      a.atthasdef or a.attidentity <> '' as "isGenerated",
      a.attgenerated <> '' or r.relkind = 'v' and pg_relation_is_updatable(r.oid, true) & 4 > 0
        and not pg_column_is_updatable(r.oid, a.attnum, true) as "isComputed",
      ${modifier} as modifier,
      pg_get_expr(e.adbin, e.adrelid) as standard,
      coalesce(f.typtype, m.typtype, t.typtype) = 'e' as "isEnum",
      ${labels} as labels, ${collation} as collation,
      coalesce(c.collisdeterministic, true) as "isDeterministic",
      exists (select from pg_collation where collname = ${icu})
        and pg_encoding_to_char(d.encoding) = 'UTF8' as "hasIcu",
      ${indexed}, scale(0::money::numeric) as "moneyScale"
    from pg_attribute a
      join pg_class r on r.oid = a.attrelid
      join pg_type t on t.oid = a.atttypid
      left join pg_type b on t.typtype = 'd' and b.oid = t.typbasetype
      left join pg_type m on m.typarray = coalesce(b.oid, t.oid)
      left join pg_type f on m.typtype = 'd' and f.oid = m.typbasetype
      left join pg_collation c on c.oid = a.attcollation
      left join pg_attrdef e on e.adrelid = a.attrelid and e.adnum = a.attnum
      join pg_database d on d.datname = current_database()
    where a.attrelid = to_regclass(${regclassName(table)}) and a.attnum > 0 and not a.attisdropped
    order by a.attnum`.execute(database)
  if (rows.length === 0) return undefined
  return {
    ...(await relationOf(database, table)),
    columns: rows.map(toColumn),
    ...(await uniqueKeysOf(database, table)),
    references: await referencesOf(database, table),
    returns: { insert: true, update: true, delete: true },
    folding: rows[0]?.hasIcu ? icu : undefined,
  }
}

interface Relation {
  readonly isTable: boolean
  readonly hasTriggers: boolean
  readonly events: number
}

async function relationOf(
  database: Session,
  table: string,
): Promise<Pick<TableDescription, 'isTable' | 'hasTriggers' | 'supports'>> {
  const { rows } = await sql<Relation>`
    select r.relkind = 'p' or r.relkind = 'r' and not ${hasChildTables(sql`r.oid`)} as "isTable",
      exists (select from pg_trigger where tgrelid = r.oid and not tgisinternal) as "hasTriggers",
      pg_relation_is_updatable(r.oid, true) as events
    from pg_class r where r.oid = to_regclass(${regclassName(table)})`.execute(database)
  const { isTable = false, hasTriggers = false, events = 0 } = rows[0] ?? {}
  // PostgreSQL's numbers of the kinds of statements.
  const supports = {
    insert: (events & 8) > 0,
    update: (events & 4) > 0,
    delete: (events & 16) > 0,
  }
  return { isTable, hasTriggers, supports }
}

/**
 * Returns the condition that a table has child tables. It includes their rows, and its own keys do
 * not apply to them.
 */
function hasChildTables(table: Sql): Sql {
  return sql`exists (select from pg_inherits h join pg_class p on p.oid = h.inhparent
    where p.oid = ${table} and p.relkind = 'r')`
}

const modifier = sql`case when m.typtype = 'd' then m.typtypmod
  when b.oid is null then a.atttypmod else t.typtypmod end`

const collation = sql`coalesce(case c.collname
  when 'default' then
    case to_jsonb(d) ->> 'datlocprovider' when 'i' then 'icu' else d.datcollate end
  else c.collname end, 'C')`

const labels = sql`
  (select json_agg(enumlabel)::text from pg_enum 
    where enumtypid = coalesce(f.oid, m.oid, b.oid, t.oid))`

// An index of trigrams serves exactly the expression that the search uses for the column "a".
const indexed = sql`exists (
    select from pg_index i, generate_series(1, i.indnkeyatts) k, pg_opclass o
    where i.indrelid = a.attrelid and i.indpred is null
      and o.oid = i.indclass[k - 1] and o.opcname in ('gin_trgm_ops', 'gist_trgm_ops')
      and replace(translate(pg_get_indexdef(i.indexrelid, k, true), '()', ''), '::text', '')
        = translate('upper(lower(' || quote_ident(a.attname) || ' COLLATE "und-x-icu"', '()', '')
  ) as "hasTrigrams", exists (
    select from pg_index i, generate_series(1, i.indnkeyatts) k, pg_opclass o
    where i.indrelid = a.attrelid and i.indpred is null and i.indisvalid
      and i.indkey[k - 1] = a.attnum and o.oid = i.indclass[k - 1] and o.opcname = 'array_ops'
      and o.opcmethod = (select oid from pg_am where amname = 'gin')
  ) as "hasArrayIndex"`

async function uniqueKeysOf(
  database: Session,
  table: string,
): Promise<Pick<TableDescription, 'keys' | 'partialKeys'>> {
  const partial = await keysOf(database, table, sql`i.indpred is not null`)
  return {
    keys: await keysOf(database, table, sql`i.indpred is null`),
    partialKeys: [...partial.values()],
  }
}

// The column 0 is an expression.
const keysOf = (database: Session, table: string, isSought: Sql) =>
  readKeys(
    database,
    sql`select c.relname as key, a.attname as column
      from pg_index i
        join pg_class c on c.oid = i.indexrelid
        cross join unnest(i.indkey::int2[]) with ordinality as k(number, place)
        left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
      where i.indrelid = to_regclass(${regclassName(table)}) and i.indisunique and ${isSought}
        and i.indisvalid and not ${hasChildTables(sql`i.indrelid`)} and k.place <= i.indnkeyatts
      order by c.relname, k.place`,
  )

const referencesOf = (database: Session, table: string) =>
  readForeignKeys(
    database,
    sql`select r.conname as name, a.attname as column, n.nspname as schema, c.relname as table,
        b.attname as key
      from pg_constraint r
        join pg_class c on c.oid = r.confrelid
        join pg_namespace n on n.oid = c.relnamespace
        cross join unnest(r.conkey, r.confkey) with ordinality as k(number, target, place)
        join pg_attribute a on a.attrelid = r.conrelid and a.attnum = k.number
        join pg_attribute b on b.attrelid = r.confrelid and b.attnum = k.target
      where r.conrelid = to_regclass(${regclassName(table)}) and r.contype = 'f'
      order by r.conname, k.place`,
  )

const icu = 'und-x-icu'

const numbers: Readonly<Record<string, NumberForm>> = {
  int2: { precision: 'whole', most: 2 ** 15 - 1 },
  int4: { precision: 'whole', most: 2 ** 31 - 1 },
  int8: { precision: 'whole', most: Number.MAX_SAFE_INTEGER, limit: 2n ** 63n - 1n },
  float4: { precision: 'single' },
  float8: { precision: 'double' },
}

interface DescribedColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  readonly isGenerated: boolean
  readonly isComputed: boolean
  readonly hasTrigrams: boolean
  readonly hasArrayIndex: boolean
  /** The type of the elements of an array. */
  readonly element: string | null
  /** The type as SQL writes it. */
  readonly listed: string
  readonly modifier: number
  readonly standard: string | null
  readonly isEnum: boolean
  /** The labels of an enum, as JSON. */
  readonly labels: string | null
  readonly isDeterministic: boolean
  readonly collation: string
  readonly hasIcu: boolean
  /** The digits after the point of money, by the locale of the database. */
  readonly moneyScale: number
}

const kinds = byWord<'text' | 'number' | 'boolean' | 'binary' | PlainKind>({
  text: 'text varchar',
  number: 'int2 int4 int8 float4 float8 numeric',
  boolean: 'bool',
  json: 'json jsonb',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp timestamptz',
  uuid: 'uuid',
  binary: 'bytea',
})

// Other types round or rewrite values.
const steady: ReadonlySet<string> = new Set(
  'text varchar bpchar citext int2 int4 int8 float8 bool date uuid'.split(' '),
)

// Types besides text that read any text.
const takesText: ReadonlySet<string> = new Set(['bpchar', 'citext', 'name'])

// These compare by bytes, which is by code point in UTF-8.
/** The collations that sort by code point. */
const codePointCollations: ReadonlySet<string> = new Set(['C', 'POSIX', 'ucs_basic'])

type PlainKind = 'json' | 'date' | 'time' | 'timestamp' | 'uuid'

function toColumn({ element, listed, ...row }: DescribedColumn): Column {
  if (element === null) return toPlainColumn(row)
  const column = toPlainColumn({ ...row, type: listed, isEnum: false, labels: null })
  const elements = toPlainColumn({ ...row, type: element })
  const list: Column = { ...column, kind: 'list', element: elements }
  return { ...list, hasArrayIndex: row.hasArrayIndex && isArrayOfTexts(list) }
}

function toPlainColumn(row: Omit<DescribedColumn, 'element' | 'listed'>): Column {
  const { name, type, modifier, standard, isEnum, labels, isDeterministic, collation } = row
  const { isNullable, isGenerated, isComputed, hasTrigrams } = row
  const kind = kinds[type] ?? 'other'
  const base = {
    name,
    type,
    isNullable,
    origin: isComputed ? 'computed' : isGenerated ? 'generated' : 'client',
    whenMissing: isGenerated && !isNullable ? sql`default` : undefined,
    standard: standard ?? undefined,
    isSteady: steady.has(type) || isEnum,
    equality: 'exact',
    order: 'exact',
    hasTrigrams,
  } as const
  const isBounded = (type === 'varchar' || type === 'bpchar') && modifier >= 4
  const length = isBounded ? modifier - 4 : undefined
  if (kind === 'text') {
    const equality = isDeterministic ? 'exact' : 'wide'
    const order = codePointCollations.has(collation) ? 'exact' : 'other'
    return { ...base, kind, equality, order, length, collation }
  }
  if (kind === 'number') return { ...base, kind, number: numbers[type] ?? exactNumbers(modifier) }
  if (kind !== 'other') return { ...base, kind }
  const loose = { ...base, equality: 'wide', order: 'other' } as const
  if (labels !== null) return { ...loose, kind: 'enum', allowed: JSON.parse(labels) }
  const equality = takesText.has(type) ? 'wide' : 'guarded'
  const money = { precision: 'exact', scale: row.moneyScale } as const
  return { ...loose, kind, equality, length, ...(type === 'money' && { number: money }) }
}

// The scale is the last 11 bits of the modifier, with a sign.
function exactNumbers(modifier: number): NumberForm {
  if (modifier < 4) return { precision: 'exact' }
  const scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024
  return { precision: 'exact', scale, integers: ((modifier - 4) >> 16) - scale }
}

/** Writes the name of a table for `to_regclass`. */
function regclassName(table: string): string {
  return table
    .split('.')
    .map((name) => `"${name.replaceAll('"', '""')}"`)
    .join('.')
}

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

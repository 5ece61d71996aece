import { sql } from 'kysely'
import { foldCase } from '../model/search.ts'
import { type Column, type Engine, type Family, type Fault, isHindrance } from './engine.ts'

/**
 * PostgreSQL, and what speaks its language. Texts are ordered by code point whatever the collation of the column; an
 * index serves that order where the column's collation is `"C"`.
 *
 * @see https://www.postgresql.org/docs/current/collation.html
 */
export const postgres: Engine = {
  isEmbedded: false,
  comparesRows: true,
  findsRanges: false,
  locking: sql`for update`,
  unset: sql`default`,
  async describe(database, table) {
    const { rows } = await sql<DescribedColumn>`
      select a.attname as name, coalesce(b.typname, t.typname) as type,
        not a.attnotnull as "isNullable",
        a.atthasdef or a.attidentity <> '' as "isGenerated",
        a.attgenerated <> '' as "isComputed", a.atttypmod as modifier,
        coalesce(c.collisdeterministic, true) as "isDeterministic",
        coalesce(case c.collname when 'default' then case to_jsonb(d) ->> 'datlocprovider' when 'i' then 'icu' else d.datcollate end
          else c.collname end, 'C') as collation,
        exists (select from pg_collation where collname = ${icu})
          and pg_encoding_to_char(d.encoding) = 'UTF8' as "hasIcu"
      from pg_attribute a
        join pg_type t on t.oid = a.atttypid
        left join pg_type b on t.typtype = 'd' and b.oid = t.typbasetype
        left join pg_collation c on c.oid = a.attcollation
        join pg_database d on d.datname = current_database()
      where a.attrelid = to_regclass(${quote(table)}) and a.attnum > 0 and not a.attisdropped
      order by a.attnum`.execute(database)
    if (rows.length === 0) return undefined
    return {
      columns: rows.map(toColumn),
      keys: new Map(),
      references: [],
      longSort: { start: sql``, hint: sql`` },
      returns: { insert: true, update: true, delete: true },
      folding: rows[0]?.hasIcu ? icu : undefined,
    }
  },
  begin: sql`begin`,
  readable(column) {
    const value = sql.id(column.name)
    if (column.family === 'timestamp') return timestampText(column)
    if (column.family === 'date') return sql`to_char(${value}, 'YYYY-MM-DD')`
    if (column.family === 'text' || column.family === 'boolean') return value
    // Wide numbers come as text anyway, and JSON is read here, whatever the driver would make of it.
    return column.family === 'number' ? value : sql`${value}::text`
  },
  // An offset is worked in, not dropped.
  writable: ({ type }, value) =>
    type === 'timestamp' ? sql`cast(${value} as timestamptz) at time zone 'UTC'` : value,
  ordered: (column) => (column.ordersExactly ? sql.id(column.name) : exact(column)),
  exact,
  // The defaults are the convention's: nothing is greater than anything.
  sorted: (ordered, direction) => (direction === 'asc' ? ordered : sql`${ordered} desc`),
  // The collation "C" ignores the case of ASCII only, and fast; what else there is takes the long way.
  contains(column, { pattern }, folding) {
    const text = column.family === 'text' ? sql.id(column.name) : sql`${sql.id(column.name)}::text`
    const folded =
      folding === undefined
        ? sql`upper(lower(${text}))`
        : sql`upper(lower(${text} collate "und-x-icu") collate "und-x-icu")`
    return sql`(${text} collate "C" ilike ${pattern} escape '!'
      or octet_length(${text}) <> char_length(${text}) and ${folded} collate "C" like ${pattern} escape '!')`
  },
  fold: foldCase,
  lettersFor: () => '',
  canHold: ({ type }, value) => type !== 'uuid' || uuid.test(String(value)),
  encode: (_, value) => value,
  faultOf,
}

const icu = 'und-x-icu'

// The least number of each type is left out, whose amount is one more than that of the greatest.
const limits: Readonly<Record<string, number>> = {
  int2: 2 ** 15 - 1,
  int4: 2 ** 31 - 1,
  int8: Number.MAX_SAFE_INTEGER,
}
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

interface DescribedColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  readonly isGenerated: boolean
  readonly isComputed: boolean
  readonly modifier: number
  readonly isDeterministic: boolean
  readonly collation: string
  readonly hasIcu: boolean
}

const families: Readonly<Record<string, Family>> = {
  text: 'text',
  varchar: 'text',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
  bool: 'boolean',
  json: 'json',
  jsonb: 'json',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  uuid: 'uuid',
}

// These compare strictly by bytes, which in UTF-8 is by code point.
const codePointCollations: ReadonlySet<string> = new Set(['C', 'POSIX', 'ucs_basic'])

function toColumn(column: DescribedColumn): Column {
  const family = families[column.type] ?? 'other'
  const isText = family === 'text'
  return {
    name: column.name,
    type: column.type,
    family,
    isNullable: column.isNullable,
    isGenerated: column.isGenerated,
    isComputed: column.isComputed,
    whenMissing: column.isGenerated && !column.isNullable ? sql`default` : undefined,
    isWhole: Object.hasOwn(limits, column.type),
    most: limits[column.type] ?? Number.MAX_VALUE,
    equalsExactly: isText ? column.isDeterministic : family !== 'other',
    ordersExactly: isText
      ? codePointCollations.has(column.collation)
      : family !== 'other' && !isLongDecimal(column),
    isLong: false,
  }
}

function exact(column: Column) {
  const value = sql.id(column.name)
  if (column.family === 'number') return sql`${value}::float8`
  return column.family === 'text' ? sql`${value} collate "C"` : sql`${value}::text collate "C"`
}

// Microseconds, all of them: a page goes on after the very value.
function timestampText({ name, type }: Column) {
  const value = type === 'timestamptz' ? sql`${sql.id(name)} at time zone 'UTC'` : sql.id(name)
  return sql`to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

// More digits than a double has: what is read of them is not their place in the order, so they are ordered by what is read.
function isLongDecimal({ type, modifier }: DescribedColumn): boolean {
  return type === 'numeric' && (modifier < 4 || (modifier - 4) >> 16 > 15)
}

function quote(table: string): string {
  return table
    .split('.')
    .map((name) => `"${name.replaceAll('"', '""')}"`)
    .join('.')
}

// By SQLSTATE, whose first two characters are its class.
const faults: readonly (readonly [state: RegExp, kind: Fault['kind']])[] = [
  [/^23505|^23P01/, 'unique'],
  [/^23503|^23001/, 'reference'],
  [/^23502/, 'required'],
  [/^23514|^22|^23000|^54000|^P0001/, 'value'],
  [/^40001|^40P01|^55P03/, 'again'],
  [/^57014/, 'late'],
  [/^08|^53|^57P0|^25006|^58/, 'away'],
]

function faultOf(error: object): Fault | undefined {
  const { code, column, detail, constraint, table } = Object(error)
  const kind = faults.find(([state]) => state.test(String(code)))?.[1]
  if (kind === undefined || isHindrance(kind)) return kind && { kind }
  // The text around the columns is translated, the parentheses are not.
  const [, names = ''] = /\(([^()]+)\)=\(/.exec(String(detail)) ?? []
  const columns = typeof column === 'string' ? [column] : names.split(', ')
  return {
    kind,
    columns: columns.map((name) => name.replaceAll('"', '')).filter((name) => name !== ''),
    key: typeof constraint === 'string' ? constraint : undefined,
    table: typeof table === 'string' ? table : undefined,
  }
}

import { sql } from 'kysely'
import type { Column, Engine, Sql } from './engine.ts'

type Convert<Given extends unknown[]> = (element: Column, ...values: Given) => Sql

/**
 * Returns an array of PostgreSQL as JSON, with its elements as `readable` returns them. An array of
 * arrays is a text, since no list of values could be written back as one.
 */
export function arrayText(column: Column, readable: Convert<[]>): Sql {
  const value = sql.id(column.name)
  if (column.kind !== 'list') return value
  const each = readable({ ...column.element, name: 'element' })
  const list = sql`(select json_agg(${each} order by place)
    from unnest(${value}) with ordinality as listed(element, place))`
  return sql`case when array_ndims(${value}) > 1 then to_json(${value}::text)::text
    when ${value} is not null then coalesce(${list}::text, '[]') end`
}

/** Returns an array of PostgreSQL from a JSON list of texts. The inverse of {@link arrayText}. */
export function arrayFrom(column: Column, json: Sql, writable: Convert<[Sql]>): Sql {
  if (column.kind !== 'list') return json
  const each = writable(column.element, sql.id('element'))
  const list = sql`array(select ${each}
    from json_array_elements_text(cast(${json} as json)) with ordinality as listed(element, place)
    order by place)`
  return sql`case when ${json} is not null then cast(${list} as ${sql.raw(column.type)}) end`
}

/** Returns a SET of MySQL as JSON: `a,b` → `["a","b"]`. No member has a comma. */
export function setText({ name }: Column): Sql {
  const text = sql`convert(${sql.id(name)} using utf8mb4)`
  const texts = sql`replace(json_quote(${text}), ',', '","')`
  return sql`if(${text} = '', '[]', concat('[', ${texts}, ']'))`
}

/** Tells whether a list has each value once at most, in the order of a SET's members. */
export function isInOrder(list: unknown, element: Column): boolean {
  const members: readonly unknown[] = element.kind === 'enum' ? element.allowed : []
  const places = Array.isArray(list) ? list.map((value) => members.indexOf(value)) : []
  return places.every((place, at) => place > (places[at - 1] ?? -1))
}

// In an argument of `json_each`, a column named `value` or `type` would mean that of the result.
function eachInSqlite(list: Sql): Sql {
  return sql`(select ${list} as "=list") as "=row", json_each("=row"."=list") as listed`
}

/** The lists of SQLite. Its columns hold any text. */
export const listsOfSqlite: Engine['lists'] = {
  in({ name }) {
    const value = sql.id(name)
    const isList = sql`json_valid(${value}) and json_type(${value}) = 'array'`
    return sql`case when ${isList} then ${value} else '[]' end`
  },
  hasAny: true,
  // 1 and 1.0 are one number. A boolean is a number too.
  has: (list, sought) => sql`exists (
    select 1 from ${eachInSqlite(list)}, json_each(${sought}) as sought
    where listed.value = sought.value and (listed.type = sought.type
      or listed.type in ('integer', 'real') and sought.type in ('integer', 'real')))`,
  texts: eachInSqlite,
}

const half = { high: '[dD][89abAB][0-9a-fA-F]{2}', low: '[dD][c-fC-F][0-9a-fA-F]{2}' }
const loneHalf = String.raw`\\u${half.high}(?!\\u${half.low})|(?<!\\u${half.high})\\u${half.low}`
const notInJsonb = String.raw`(?<!\\)((?:\\\\)*)(?:\\u0000|${loneHalf})`

/**
 * Returns a column of JSON of PostgreSQL as `jsonb`. `json` keeps NUL and halves of characters as
 * escapes, on which a cast fails: they become U+FFFD.
 */
export function jsonbIn({ name, type }: Column): Sql {
  const value = sql.id(name)
  if (type === 'jsonb') return value
  const replacement = sql.lit(String.raw`\1\\ufffd`)
  return sql`regexp_replace(${value}::text, ${sql.lit(notInJsonb)}, ${replacement}, 'g')::jsonb`
}

/**
 * Tells whether a column is an array of PostgreSQL that holds each text as it is. Other types
 * ignore case or spaces, and a domain has checks and a length of its own.
 */
export function isArrayOfTexts(column: Column): boolean {
  const isPlain = column.type === 'text[]' || column.type === 'character varying[]'
  return (
    isPlain &&
    column.kind === 'list' &&
    column.element.kind === 'text' &&
    column.element.equality === 'exact'
  )
}

/** The lists of PostgreSQL. A text that is no JSON would fail the statement. */
export const listsOfPostgres: Engine['lists'] = {
  in(column) {
    if (column.kind === 'list') return sql`to_jsonb(${sql.id(column.name)})`
    return column.kind === 'json' ? jsonbIn(column) : undefined
  },
  // An array of arrays has no element that is a text. An index ignores how deep an element stands.
  hasTexts(column, sought) {
    if (!isArrayOfTexts(column)) return undefined
    const value = sql.id(column.name)
    const list = sql`cast(cast(${sought} as text) as json)`
    const texts = sql`array(select json_array_elements_text(${list}))`
    const has = sql`${value} && cast(${texts} as ${sql.raw(column.type)})`
    return sql`${has} and array_ndims(${value}) = 1`
  },
  has: (list, sought) => sql`${list} @> cast(cast(${sought} as text) as jsonb)`,
  texts: (list) => sql`jsonb_array_elements_text(
    case jsonb_typeof(${list}) when 'array' then ${list} else '[]' end) as listed(value)`,
}

/** The lists of MySQL and MariaDB, which keeps JSON as text. */
export const listsOfMysql: Engine['lists'] = {
  in(column) {
    const value = column.kind === 'list' ? setText(column) : sql.id(column.name)
    return sql`if(json_valid(${value}) and json_type(${value}) = 'ARRAY', ${value}, '[]')`
  },
  has: (list, sought) => sql`json_contains(${list}, ${sought})`,
  texts: (list) => sql`json_table(${list}, '$[*]' columns (
    value longtext character set utf8mb4 path '$')) as listed`,
}

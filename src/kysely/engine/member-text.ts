import { sql } from 'kysely'
import type { DeclaringEngine, MemberType } from './declarations.ts'
import type { Sql } from './engine.ts'
import { jsonbIn } from './list-text.ts'

/*
 * Members of the object of JSON in a column. A value of another type, also one that another
 * program wrote, is none, and fails no statement.
 */

type MemberIn = DeclaringEngine['member']

const named = { row: sql.id('=member'), value: sql.id('=value') }

function rowOf(value: Sql) {
  return sql`(select ${value} as ${named.value}) as ${named.row}`
}

// No name holds a quote or a backslash.
function pathTo(name: string) {
  return sql.lit(`$."${name}"`)
}

const typesOfSqlite = {
  text: sql`('text')`,
  number: sql`('integer', 'real')`,
  boolean: sql`('true', 'false')`,
}

// A number that no double holds makes a text of its whole column.
function isEndlessInSqlite(value: Sql) {
  const digits = '[0-9]'.repeat(20)
  const isLong = sql`(${value} glob ${sql.lit(`*${digits}*`)}
    or ${value} glob '*[eE][0-9+][0-9][0-9]*')`
  return sql`(${isLong} and exists (select 1 from (select ${value} as "=text") as "=document",
    json_tree("=document"."=text") as part
    where part.type in ('integer', 'real') and abs(part.atom) > 1.7976931348623157e308))`
}

/** Finds a member in SQLite, whose columns hold any text. */
export const memberInSqlite: MemberIn = ({ name: column }, name, type) => {
  const value = sql.id(column)
  const isJson = sql`typeof(${value}) = 'text' and json_valid(${value})`
  const object = sql`case when ${isJson} and not ${isEndlessInSqlite(value)} then ${value} end`
  const memberType = sql`json_type(${object}, ${pathTo(name)})`
  return {
    row: rowOf(sql`json_extract(${object}, ${pathTo(name)})`),
    isTyped: sql`${memberType} in ${typesOfSqlite[type]}`,
    isPresent: sql`coalesce(${memberType} not in ('null', 'object', 'array'), 0)`,
    // It takes a text of digits for a number unless the column may hold both.
    ...(type === 'text' && { loose: { affinity: 'none', isClock: false } }),
  }
}

const mayBeEndless = '[0-9]{20}|[eE][+]?[0-9]{3}'
const mostOfDouble = '1.7976931348623158e308'
const endless = `$.** ? (@.type() == "number" && (@ > ${mostOfDouble} || @ < -${mostOfDouble}))`

const namesInPostgres = { text: 'string', number: 'number', boolean: 'boolean' }

// PostgreSQL fails on a number that a double holds as 0: up to half of the smallest one.
const valuesOfPostgres: Readonly<Record<MemberType, (text: Sql) => Sql>> = {
  text: (text) => text,
  number(text) {
    const number = sql`(${text})::numeric`
    const isZero = sql`abs(${number}) < 2.4703282292062328e-324`
    return sql`case when ${isZero} then 0::float8 else ${number}::float8 end`
  },
  boolean: (text) => sql`(${text})::boolean`,
}

/** Finds a member in PostgreSQL. A text that is no JSON would fail the statement. */
export const memberInPostgres: MemberIn = (column, name, type) => {
  if (column.kind !== 'json') return undefined
  const document = jsonbIn(column)
  const isEndless = sql`${sql.id(column.name)}::text ~ ${sql.lit(mayBeEndless)}
    and jsonb_path_exists(${document}, ${sql.lit(endless)})`
  const object = sql`(case when not (${isEndless}) then ${document} end)`
  const memberType = sql`jsonb_typeof(${object} -> ${sql.lit(name)})`
  const isTyped = sql`${memberType} = ${sql.lit(namesInPostgres[type])}`
  const text = sql`(${object} ->> ${sql.lit(name)})`
  return {
    row: rowOf(sql`case when ${isTyped} then ${valuesOfPostgres[type](text)} end`),
    isTyped,
    isPresent: sql`coalesce(${memberType} in ('string', 'number', 'boolean'), false)`,
  }
}

const typesOfMysql = {
  text: sql`('STRING')`,
  number: sql`('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL')`,
  boolean: sql`('BOOLEAN')`,
}

const columnsOfMysql = {
  text: sql`longtext character set utf8mb4`,
  number: sql`double`,
  boolean: sql`int`,
}

/** Finds a member in MySQL and MariaDB, which keeps JSON as text. */
export const memberInMysql: MemberIn = ({ name: column }, name, type) => {
  const value = sql.id(column)
  const object = sql`if(json_valid(${value}), ${value}, 'null')`
  const member = sql`json_extract(${object}, ${pathTo(name)})`
  const memberType = sql`json_type(${member})`
  const isTrue = sql`if(cast(${member} as char) = 'true', '1', '0')`
  const columnType = columnsOfMysql[type]
  return {
    row: sql`json_table(${type === 'boolean' ? isTrue : member}, '$' columns (
      ${named.value} ${columnType} path '$')) as ${named.row}`,
    isTyped: sql`${memberType} in ${typesOfMysql[type]}`,
    isPresent: sql`coalesce(${memberType} not in ('NULL', 'OBJECT', 'ARRAY'), 0)`,
  }
}

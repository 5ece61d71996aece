import { type RawBuilder, sql } from 'kysely'
import type { Sql } from './engine.ts'

/*
 * A column of text holds moments in any form of RFC 3339, if other programs wrote them. These
 * expressions return the key of `momentKey` for such a text.
 */

/** Returns the key of a moment in a text of SQLite. It needs no functions besides SQLite's own. */
export function momentKeyInSqlite(text: Sql): RawBuilder<unknown> {
  const day = sql`substr(${text}, 1, 10)`
  const clock = sql`substr(${text}, 12, 8)`
  const zone = sql`case when upper(substr(${text}, -1)) = 'Z' then '+00:00'
    else substr(${text}, -6) end`
  const length = sql`case when upper(substr(${text}, -1)) = 'Z' then 1 else 6 end`
  const fraction = sql`substr(${text}, 20, max(0, length(${text}) - 19 - ${length}))`
  const sign = sql`case substr(${zone}, 1, 1) when '+' then '-' else '+' end`
  const utc = sql`datetime(${day} || ' ' || ${clock}, ${sign} || substr(${zone}, 2))`
  const isMoment = sql`date(${day}) = ${day} and time(${clock}) = ${clock} and ${clock} < '24'
    and ${day} > '0001'
    and substr(${text}, 11, 1) in ('T', 't', ' ')
    and (${fraction} = '' or length(${fraction}) between 2 and 10
      and ${fraction} like '.%' and not substr(${fraction}, 2) glob '*[^0-9]*')
    and substr(${zone}, 1, 1) in ('+', '-')
    and substr(${zone}, 2) < '24' and time(substr(${zone}, 2)) = substr(${zone}, 2) || ':00'
    and ${utc} between '0001' and '9999-12-31 23:59:59'`
  const digits = sql`substr(substr(${fraction}, 2) || '000000000', 1, 9)`
  const microseconds = sql`coalesce(nullif(substr(${digits}, 4), '000000'), '')`
  return sql`case when ${isMoment}
    then replace(${utc}, ' ', 'T') || '.' || substr(${digits}, 1, 3) || 'Z' || ${microseconds}
    when substr(${text}, 1, 1) = '-' or substr(${text}, -2) = 'BC' then ' ' || ${text}
    when ${text} = 'infinity' or substr(${text}, 1, 5) glob '[0-9][0-9][0-9][0-9][0-9]'
    then '~' || ${text} else ${text} end collate binary`
}

/** Returns the key of a moment in a text of PostgreSQL. */
export function momentKeyInPostgres(text: Sql): RawBuilder<unknown> {
  const zone = sql`case when right(${text}, 1) in ('Z', 'z') then '+00:00'
    else right(${text}, 6) end`
  const local = sql`cast(substr(${text}, 1, 10) || ' ' || substr(${text}, 12, 8) as timestamp)`
  const utc = sql`(${local} - cast(${zone} as interval))`
  const digits = sql`rpad(coalesce(substring(${text} from '[.]([0-9]+)'), ''), 9, '0')`
  const microseconds = sql`coalesce(nullif(substr(${digits}, 4), '000000'), '')`
  const second = sql`to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.')`
  const key = sql`${second} || left(${digits}, 3) || 'Z' || ${microseconds}`
  return sql`(case when ${text} ~ ${sql.lit(moment)}
    then case when ${utc} >= '0001-01-01' and ${utc} < '10000-01-01' then ${key} else ${text} end
    when left(${text}, 1) = '-' or right(${text}, 2) = 'BC' then ' ' || ${text}
    when ${text} ~ '^(infinity$|[0-9]{5})' then '~' || ${text} else ${text} end) collate "C"`
}

/** Returns the key of a moment in a text of MySQL or MariaDB, to compare by bytes. */
export function momentKeyInMysql(text: Sql): RawBuilder<unknown> {
  const isUtc = sql`right(${text}, 1) in ('Z', 'z')`
  const back = sql`if(${isUtc}, '00:00:00',
    concat(if(left(right(${text}, 6), 1) = '+', '-', ''), right(${text}, 5), ':00'))`
  const local = sql`cast(concat(substr(${text}, 1, 10), ' ', substr(${text}, 12, 8)) as datetime)`
  const utc = sql`addtime(${local}, ${back})`
  const fraction = sql`substr(${text}, 21, char_length(${text}) - 20 - if(${isUtc}, 1, 6))`
  const digits = sql`rpad(${fraction}, 9, '0')`
  const microseconds = sql`coalesce(nullif(substr(${digits}, 4), '000000'), '')`
  const second = sql`date_format(${utc}, '%Y-%m-%dT%H:%i:%s.')`
  const key = sql`concat(${second}, left(${digits}, 3), 'Z', ${microseconds})`
  return sql`cast(case when ${text} rlike ${sql.lit(moment)}
    then if(${utc} >= '0001-01-01', ${key}, ${text})
    when left(${text}, 1) = '-' or right(${text}, 2) = 'BC' then concat(' ', ${text})
    when ${text} rlike '^(infinity$|[0-9]{5})' then concat('~', ${text})
    else ${text} end as binary)`
}

const two = '[0-9][0-9]'
const leap = `(${two}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29`
const days = [
  `${two}${two}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])`,
  `${two}${two}-(0[469]|11)-(0[1-9]|[12][0-9]|30)`,
  `${two}${two}-02-(0[1-9]|1[0-9]|2[0-8])`,
  leap,
]
const hour = '([01][0-9]|2[0-3])'
const zone = `([Zz]|[+-]${hour}:[0-5][0-9])`
// RFC 3339 in a regular expression of a database. No year is 0.
const clock = `${hour}:[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?`
const moment = `^(?!0000)(${days.join('|')})[Tt ]${clock}${zone}$`

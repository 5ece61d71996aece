import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../convention/filter-operators.ts'
import { momentKey } from '../../convention/format.ts'
import type { Column, Engine, Sql, TextPlace } from '../engine/engine.ts'
import { jsonListOf } from '../engine/json-list.ts'
import { Parameter, type StatementValues } from './statement.ts'

/** The condition that no item meets. */
export const neverMet = sql`1 = 0`

/** Returns the number of parameters for values. Few sizes make few statements. */
export function paddedSize(size: number): number {
  return size === 0 ? 0 : 2 ** Math.ceil(Math.log2(size))
}

/** A list of at least one value, which differ with each request. */
export interface ListedValues<Value> {
  /** The number of values. */
  readonly size: number
  readonly valuesOf: (values: StatementValues) => readonly Value[]
  /** Makes the value of a parameter. */
  readonly encode: (value: Value) => unknown
}

/** Returns the values of a list for `in (…)`, each as `make` writes it. */
export function parameterList<Value>(
  { engine }: { readonly engine: Engine },
  { size, valuesOf, encode }: ListedValues<Value>,
): (make: (value: Sql) => Sql, separator?: RawBuilder<unknown>) => Sql {
  if (engine.listed !== undefined && size > engine.maxListed) {
    const all = sql`${new Parameter((values) => jsonListOf(valuesOf(values).map(encode)))}`
    return (make) => engine.listed?.(all, make) ?? neverMet
  }
  // The values of the request, the last one repeated.
  const parameters = Array.from({ length: paddedSize(size) }, (_, at) => {
    return new Parameter((values) => {
      const all = valuesOf(values)
      const value = all[Math.min(at, all.length - 1)]
      return value === undefined ? null : encode(value)
    })
  })
  return (make, separator) =>
    sql.join(
      parameters.map((parameter) => make(sql`${parameter}`)),
      separator,
    )
}

/** Returns a pattern of LIKE for a text at a place. `!` escapes the special characters. */
export function patternOf(text: string, place: TextPlace): string {
  const escaped = text.replace(/[!%_]/g, '!$&')
  return `${place === 'start' ? '' : '%'}${escaped}${place === 'end' ? '' : '%'}`
}

/** A condition and its index in the query. */
export interface PlacedCondition {
  readonly condition: Condition
  readonly index: number
}

/** Returns the condition that a column holds a list of JSON with one of the values. */
export function hasElement(
  engine: Engine,
  column: Column,
  { condition: { values, type }, index }: PlacedCondition,
): Sql {
  const list = engine.lists.in(column)
  if (list === undefined || values.length === 0) return neverMet
  const isMoment = type === 'date-time'
  const valuesOf = ({ query }: StatementValues) => query.where[index]?.values ?? []
  const all = sql`${new Parameter((sent) => jsonListOf(valuesOf(sent)))}`
  const hasTexts = type === 'text' ? engine.lists.hasTexts?.(column, all) : undefined
  if (hasTexts !== undefined) return hasTexts
  if (engine.lists.hasAny && !isMoment) return engine.lists.has(list, all)
  const parameters = parameterList(
    { engine },
    {
      size: values.length,
      valuesOf,
      encode: (value) => (isMoment ? momentKey(`${value}`) : JSON.stringify([value])),
    },
  )
  if (!isMoment) return parameters((sought) => engine.lists.has(list, sought), sql` or `)
  const isSought = sql`${engine.momentKey(textOfList)} in (${parameters((key) => key)})`
  return sql`exists (select 1 from ${engine.lists.texts(list)} where ${isSought})`
}

const textOfList: Column = {
  kind: 'text',
  name: 'value',
  type: 'text',
  isNullable: true,
  origin: 'client',
  whenMissing: undefined,
  standard: undefined,
  isSteady: true,
  equality: 'exact',
  order: 'exact',
}

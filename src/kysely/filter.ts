import { sql } from 'kysely'
import type { Query } from '../contract/resource/operation.ts'
import { foldCase } from '../contract/values/search.ts'
import type { Condition } from '../convention/filter-operators.ts'
import { type Bound, boundOf, isRange, outerBound, type Sign } from './bound.ts'
import { encode } from './codec.ts'
import type { Sql, TextPlace } from './engine.ts'
import { filteredField, isLooseText, isPartKind, placesOfParts } from './filter-field.ts'
import {
  hasStoredForm,
  isAmong,
  isAmongNone,
  neverMet,
  type PlacedCondition,
  paddedSize,
} from './filter-list.ts'
import { Parameter } from './statement.ts'
import type { BoundField, Table } from './table.ts'

/**
 * Returns the conditions of the filters of a query.
 *
 * @param some The filters to take. Default: all.
 */
export function meets(
  table: Table,
  { where }: Query,
  some: readonly Condition[] = where,
): readonly Sql[] {
  return where.flatMap((condition, index) =>
    some.includes(condition) ? sql`(${conditionOf(table, condition, index)})` : [],
  )
}

/** Returns the part of a statement's key for its filters. It holds no value of a client. */
export function keyOfFilters(table: Table, { where }: Query): string {
  let key = ''
  for (const condition of where) {
    const { field, is, values, type } = condition
    // It checks the values.
    if (type === 'text') filteredField(table, condition)
    key += ` ${field.length} ${field} ${is} ${type}`
    if (isRange(is))
      key += formKey(boundOf(condition, filteredField(table, condition), table.engine))
    else if (isPartKind(is)) key += ` [${table.engine.lettersFor(foldCase(`${values[0]}`))}]`
    else key += ` ${paddedSize(values.length)}`
  }
  return key
}

function formKey(bound: Bound | boolean): string {
  return typeof bound === 'boolean' ? ` ${bound}` : ` ${bound.sign} ${bound.form}`
}

function conditionOf(table: Table, condition: Condition, index: number): Sql {
  const field = filteredField(table, condition)
  const { is } = condition
  const column = sql.id(field.stored.name)
  if (is === 'missing') return sql`${column} is null`
  if (is === 'present') return sql`${column} is not null`
  if (is === 'in') return isAmong(table, field, { condition, index })
  if (is === 'inOrMissing')
    return sql`${column} is null or ${isAmong(table, field, { condition, index })}`
  if (is === 'notIn') return isAmongNone(table, field, { condition, index })
  const compare = isRange(is) ? isWithin : hasPart
  return textsOnly(field, compare(table, field, { condition, index }))
}

// SQLite has numbers and bytes in columns of text. They leave as other texts than it compares.
function textsOnly(field: BoundField, condition: Sql): Sql {
  const { stored } = field
  return isLooseText(field)
    ? sql`${condition} and typeof(${sql.id(stored.name)}) = 'text'`
    : condition
}

function isWithin(table: Table, field: BoundField, { condition, index }: PlacedCondition): Sql {
  const { engine } = table
  const { stored } = field
  const bound = boundOf(condition, field, engine)
  if (typeof bound === 'boolean') return bound ? sql`${sql.id(stored.name)} is not null` : neverMet
  const fill = (use: (bound: Bound) => unknown) =>
    sql`${new Parameter(({ query }) => {
      const given = query.where[index]
      const own = given === undefined ? false : boundOf(given, field, engine)
      return typeof own === 'boolean' ? null : use(own)
    })}`
  const sign = sql.raw(bound.sign)
  const plain = fill(({ value }) => value)
  const ordered = engine.ordered(stored)
  if (bound.form === 'text') {
    const text = engine.exact(stored)
    // SQLite takes a text of digits for a number.
    const isLoose = stored.isLoose === true
    return sql`${isLoose ? sql`cast(${text} as text) collate binary` : text} ${sign} ${plain}`
  }
  if (bound.form === 'moment') return isWithinMoments(table, field, { sign: bound.sign, fill })
  if (bound.form === 'wide') {
    const outer = fill((own) => engine.encode(stored, outerBound(own, stored)))
    const isNear = sql`${ordered} ${sql.raw(bound.sign[0] ?? '')}= ${outer}`
    return numbersOnly(field, sql`${isNear} and ${engine.double(stored)} ${sign} ${plain}`)
  }
  const value = fill((own) => encode(field, own.value, engine))
  const written = stored.ordersExactly ? engine.writable(stored, value) : value
  return numbersOnly(field, sql`${ordered} ${sign} ${written}`)
}

// SQLite has texts in columns of numbers, which come after all numbers.
function numbersOnly({ stored, type }: BoundField, condition: Sql): Sql {
  const isMixed = stored.isLoose === true && type === 'number'
  return isMixed ? sql`${condition} and ${sql.id(stored.name)} < ''` : condition
}

/** The sign of a range and its parameters. */
interface MomentRange {
  readonly sign: Sign
  readonly fill: (use: (bound: Bound) => unknown) => Sql
}

// A row that another program wrote in another form must not be beyond the bound.
function isWithinMoments(
  { engine }: Table,
  { stored }: BoundField,
  { sign: given, fill }: MomentRange,
): Sql {
  const sign = sql.raw(given)
  const text = engine.ordered(stored)
  const key = fill(({ value }) => value)
  const isInOrder = sql`${text} ${sign} ${key}`
  const isRight = sql`(${hasStoredForm(text)} or ${engine.momentKey(stored)} ${sign} ${key})`
  if (!stored.isClock) return sql`${isInOrder} and ${isRight}`
  // An index serves the day, which both forms have.
  const isLeast = given.startsWith('>')
  const day = fill(({ value }) => `${value}`.slice(0, 10) + (isLeast ? '' : '~'))
  const isNear = sql`${engine.ordered({ ...stored, isClock: false })} ${sign} ${day}`
  return sql`${isNear} and ${isInOrder} and ${isRight}`
}

function hasPart(
  { engine, described }: Table,
  field: BoundField,
  { condition, index }: PlacedCondition,
) {
  if (field.type !== 'text') return neverMet
  const { folding } = described
  const place = placesOfParts[condition.is] ?? 'anywhere'
  const part = ({ where }: Query) => engine.fold(`${where[index]?.values[0] ?? ''}`, folding)
  const sought = {
    word: sql`${new Parameter(({ query }) => part(query))}`,
    pattern: sql`${new Parameter(({ query }) => patternOf(part(query), place))}`,
    letters: engine.lettersFor(foldCase(`${condition.values[0]}`)),
    place,
  }
  return engine.contains(field.stored, sought, folding)
}

/** Returns a pattern of LIKE for a text at a place. `!` escapes the special characters. */
export function patternOf(text: string, place: TextPlace): string {
  const escaped = text.replace(/[!%_]/g, '!$&')
  return `${place === 'start' ? '' : '%'}${escaped}${place === 'end' ? '' : '%'}`
}

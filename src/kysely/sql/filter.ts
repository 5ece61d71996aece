import { sql } from 'kysely'
import type { Query } from '../../contract/resource/operation.ts'
import { foldCase } from '../../contract/values/order.ts'
import type { Condition, FilterType, FilterValue } from '../../convention/filter-operators.ts'
import { isMoment, momentKey } from '../../convention/format.ts'
import { problem } from '../../convention/problem.ts'
import { type ColumnKind, numbersOf, type Sql, type TextPlace } from '../engine/engine.ts'
import { type BoundField, encode, isFindable, isTextOfOther, withoutClock } from '../fields.ts'
import { fieldFor, type Table } from '../table.ts'
import {
  type Bound,
  boundOf,
  givesBack,
  isRange,
  outerBound,
  type Sign,
  signs,
  toMicroseconds,
} from './bound.ts'
import { boundMemberOf, memberMeets } from './members.ts'
import {
  hasElement,
  neverMet,
  type PlacedCondition,
  paddedSize,
  parameterList,
  patternOf,
} from './parameters.ts'
import { Parameter, type StatementValues } from './statement.ts'

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
    const isFolded = comparedFold(table, condition) !== undefined
    key += ` ${field.length} ${field} ${is} ${type}${isFolded ? ' folded' : ''}`
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
  const member = boundMemberOf(table, condition)
  const meetsOn = (some: Condition) => compared(table, field, { condition: some, index })
  if (member === undefined) return meetsOn(condition)
  const sign = isRange(condition.is) ? signs[condition.is] : undefined
  const keys = () =>
    listOf(table, { condition, index }, (value) => momentKey(`${value}`))((key) => key)
  return memberMeets(table, member, { condition, index, sign, keys, meetsOn })
}

function compared(table: Table, field: BoundField, { condition, index }: PlacedCondition): Sql {
  const { is } = condition
  const column = sql.id(field.stored.name)
  if (is === 'missing') return sql`${column} is null`
  if (is === 'present') return sql`${column} is not null`
  if (is === 'in') return isAmong(table, field, { condition, index })
  if (is === 'inOrMissing')
    return sql`${column} is null or ${isAmong(table, field, { condition, index })}`
  if (is === 'notIn') return isAmongNone(table, field, { condition, index })
  if (is === 'has') return hasElement(table.engine, field.stored, { condition, index })
  const fold = comparedFold(table, condition)
  const placed = { condition, index }
  if (fold !== undefined) {
    // A value that is no text has no fold.
    if (!isRange(is)) return beginsWith(table, fold, placed)
    return textsOnly(field, isWithinFold(table, fold, placed))
  }
  const compare = isRange(is) ? isWithin : hasPart
  return textsOnly(field, compare(table, field, placed))
}

/** Returns the fold that answers a condition: a folded range, and the start of a text. */
export function comparedFold(
  { folds }: Pick<Table, 'folds'>,
  { field, is, folded, values: [value] }: Condition,
): BoundField | undefined {
  if (folds.size === 0) return undefined
  const isStart = is === 'startsWith' && !endless.test(`${value}`)
  return folded || isStart ? folds.get(field) : undefined
}

// The texts of a fold are ordered by the text, so an index on the fold finds the range.
function isWithinFold(table: Table, fold: BoundField, placed: PlacedCondition): Sql {
  const { is } = placed.condition
  const sign = sql.raw(is === 'gt' || is === 'gte' ? '>' : '<')
  const value = foldParameter(table, fold, { index: placed.index, toText: foldCase })
  const ordered = table.engine.ordered(fold.stored)
  const isBeyond = isWithin(table, fieldFor(table, placed.condition.field), placed)
  return sql`${ordered} ${sign}= ${value} and (${ordered} ${sign} ${value} or ${isBeyond})`
}

function beginsWith(table: Table, fold: BoundField, { index }: PlacedCondition): Sql {
  const ordered = table.engine.ordered(fold.stored)
  const start = foldParameter(table, fold, { index, toText: foldCase })
  const end = foldParameter(table, fold, { index, toText: (text) => endOfStart(foldCase(text)) })
  return sql`${ordered} >= ${start} and ${ordered} < ${end}`
}

interface FoldedText {
  readonly index: number
  readonly toText: (text: string) => string | undefined
}

function foldParameter({ engine }: Table, { stored }: BoundField, { index, toText }: FoldedText) {
  const value = sql`${new Parameter(({ query }) => toText(`${query.where[index]?.values[0]}`))}`
  return stored.order === 'exact' ? engine.writable(stored, value) : value
}

/** Returns the least text after all that begin with a text; `undefined` for none. */
function endOfStart(start: string): string | undefined {
  const points = Array.from(start, (letter) => letter.codePointAt(0) ?? 0)
  const at = points.findLastIndex((point) => point < lastPoint)
  if (at < 0) return undefined
  const next = (points[at] ?? 0) + 1
  // A text of Unicode has no surrogates.
  const point = next === firstSurrogate ? lastSurrogate + 1 : next
  return String.fromCodePoint(...points.slice(0, at), point)
}

// No text comes after all that begin so.
const endless = /^\u{10ffff}*$/u

const lastPoint = 0x10_ff_ff
const [firstSurrogate, lastSurrogate] = [0xd8_00, 0xdf_ff]

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
      const current = query.where[index]
      const currentBound = current === undefined ? false : boundOf(current, field, engine)
      return typeof currentBound === 'boolean' ? null : use(currentBound)
    })}`
  const sign = sql.raw(bound.sign)
  const plain = fill(({ value }) => value)
  const ordered = engine.ordered(stored)
  if (bound.form === 'text') {
    const text = engine.exact(stored)
    // SQLite takes a text of digits for a number.
    return sql`${stored.loose ? sql`cast(${text} as text) collate binary` : text} ${sign} ${plain}`
  }
  if (bound.form === 'moment') return isWithinMoments(table, field, { sign: bound.sign, fill })
  if (bound.form === 'wide') {
    const outer = fill((range) => engine.encode(stored, outerBound(range, stored)))
    const isNear = sql`${ordered} ${sql.raw(bound.sign[0] ?? '')}= ${outer}`
    return numbersOnly(field, sql`${isNear} and ${engine.double(stored)} ${sign} ${plain}`)
  }
  const value = fill((range) => encode(field, range.value, engine))
  const written = stored.order === 'exact' ? engine.writable(stored, value) : value
  return numbersOnly(field, sql`${ordered} ${sign} ${written}`)
}

// SQLite has texts in columns of numbers, which come after all numbers.
function numbersOnly({ stored, type }: BoundField, condition: Sql): Sql {
  const isMixed = stored.loose !== undefined && type === 'number'
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
  { sign: comparison, fill }: MomentRange,
): Sql {
  const sign = sql.raw(comparison)
  const text = engine.ordered(stored)
  const key = fill(({ value }) => value)
  const isInOrder = sql`${text} ${sign} ${key}`
  const isRight = sql`(${hasStoredForm(text)} or ${engine.momentKey(stored)} ${sign} ${key})`
  if (!stored.loose?.isClock) return sql`${isInOrder} and ${isRight}`
  // An index serves the day, which both forms have.
  const isLeast = comparison.startsWith('>')
  const day = fill(({ value }) => `${value}`.slice(0, 10) + (isLeast ? '' : '~'))
  const isNear = sql`${engine.ordered(withoutClock(stored))} ${sign} ${day}`
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
  const foldedText = ({ where }: Query) => engine.fold(`${where[index]?.values[0] ?? ''}`, folding)
  const sought = {
    word: sql`${new Parameter(({ query }) => foldedText(query))}`,
    pattern: sql`${new Parameter(({ query }) => patternOf(foldedText(query), place))}`,
    letters: engine.lettersFor(foldCase(`${condition.values[0]}`)),
    place,
  }
  return engine.contains(field.stored, sought, folding)
}

type Encode = (value: FilterValue) => unknown

function listOf(table: Table, { condition, index }: PlacedCondition, encode: Encode) {
  const valuesOf = ({ query }: StatementValues) => query.where[index]?.values ?? []
  return parameterList(table, { size: condition.values.length, valuesOf, encode })
}

/** Returns the condition that a field has one of the values. */
function isAmong(table: Table, field: BoundField, placed: PlacedCondition): Sql {
  const { engine } = table
  const { stored } = field
  if (placed.condition.values.length === 0) return neverMet
  const isText = isMomentText(field, placed.condition)
  const list = listOf(table, placed, (value) =>
    soughtValue(table, field, isText ? momentKey(`${value}`) : value),
  )
  // An index serves the first condition, and the second one compares exactly.
  const column = sql.id(stored.name)
  const isSame = sql`${column} in (${list((value) => engine.writable(stored, value))})`
  const isExactOnly = stored.equality === 'guarded' || stored.loose?.isClock === true
  if (stored.equality === 'exact' && stored.kind !== 'time' && !isExactOnly) return isSame
  const isExact = sql`${engine.exact(stored)} in (${list((value) => value)})`
  return isExactOnly ? isExact : sql`${isSame} and ${isExact}`
}

// A value that the column cannot hold becomes `null`, which equals nothing.
function soughtValue({ engine }: Table, field: BoundField, value: FilterValue): unknown {
  const { stored } = field
  if (stored.kind === 'digits') return engine.digits(stored, `${value}`) ?? null
  if (stored.kind === 'timestamp') {
    const moment = toMicroseconds(`${value}`)
    return moment === undefined ? null : encode(field, moment, engine)
  }
  const form = numbersOf(stored)
  const isCompared = form?.precision === 'exact' && form.comparesNumbers === true
  if (isCompared && isPlainNumber(value)) return value
  const isHeld = isFindable(field, value, engine) && givesBack(stored, value)
  return isHeld ? encode(field, value, engine) : null
}

// MySQL compares a number with an exponent with 64 bits.
function isPlainNumber(value: FilterValue): boolean {
  return typeof value === 'number' && !`${value}`.includes('e')
}

function isMomentText({ stored }: BoundField, { type }: Condition): boolean {
  return type === 'date-time' && stored.kind !== 'timestamp'
}

/** Returns the condition that a field has none of the values, or is missing. */
function isAmongNone(table: Table, field: BoundField, placed: PlacedCondition): Sql {
  const { engine } = table
  const { stored } = field
  // No engine takes an empty list.
  if (placed.condition.values.length === 0) return sql`1 = 1`
  const isOne = isAmong(table, field, placed)
  // A missing value, and a `null` for a value that no column holds, make the comparison unknown.
  if (!isMomentText(field, placed.condition)) {
    const isNone = sql`(${isOne}) is not true`
    return isLooseText(field) ? sql`${isNone} and ${isNoOther(field, placed)}` : isNone
  }
  const keys = listOf(table, placed, (value) => momentKey(`${value}`))
  const key = sql`${engine.momentKey(stored)} in (${keys((value) => value)})`
  return sql`(${isOne} or not (${hasStoredForm(engine.ordered(stored))}) and ${key}) is not true`
}

// A number or bytes in a column of text may leave as one of the texts.
function isNoOther({ stored }: BoundField, { index }: PlacedCondition): Sql {
  const isClear = new Parameter(({ query }) =>
    Number(query.where[index]?.values.every((value) => !isTextOfOther(`${value}`))),
  )
  return sql`(typeof(${sql.id(stored.name)}) in ('text', 'null') or ${isClear} = 1)`
}

/** Returns the condition that a text may be a moment in the form that the adapter stores. */
function hasStoredForm(text: Sql): Sql {
  return sql`substr(${text}, 11, 1) = 'T' and substr(${text}, 24) = 'Z'`
}

/** The place of the text that a condition looks for. */
const placesOfParts: { readonly [Is in Condition['is']]?: TextPlace } = {
  contains: 'anywhere',
  startsWith: 'start',
  endsWith: 'end',
}

/** Tells whether a condition looks for a part of a text. */
function isPartKind(is: Condition['is']): boolean {
  return placesOfParts[is] !== undefined
}

const texts: readonly ColumnKind[] = ['text', 'any']
const others: readonly ColumnKind[] = ['uuid', 'enum', 'other']

/** The kinds of columns whose text fields each type of filter compares with. */
const kindsOfFilter: Readonly<Record<FilterType, readonly ColumnKind[]>> = {
  text: [...texts, ...others, 'digits', 'date', 'time', 'binary'],
  number: [],
  integer: [],
  boolean: [],
  date: [...texts, 'date'],
  time: [...texts, 'time'],
  uuid: [...texts, ...others],
  'date-time': [...texts, 'timestamp'],
}

const equalities: ReadonlySet<Condition['is']> = new Set(['in', 'notIn', 'inOrMissing'])

/** Tells whether the filters of a field compare texts, but its column compares moments. */
export function isMomentAsText({ type, stored, isDate }: BoundField): boolean {
  return type === 'text' && stored.kind === 'timestamp' && !isDate
}

/** Tells whether a field is text, and its column holds numbers and bytes too. */
function isLooseText({ type, stored }: BoundField): boolean {
  return type === 'text' && stored.loose !== undefined && stored.kind !== 'digits'
}

/**
 * Returns the field of a filter.
 *
 * @throws {TypeError} When the column of the field does not compare as the filter does.
 * @throws {ProblemError} `bad_parameter` when a text filter compares with moments, and a value is
 *   none.
 */
export function filteredField(
  table: Table,
  { field: name, type, is, values }: Pick<Condition, 'field' | 'type' | 'is' | 'values'>,
): BoundField {
  const member = boundMemberOf(table, { field: name, type })
  if (member !== undefined) return member.field
  const field = fieldFor(table, name)
  const { kind } = field.stored
  if (name === 'id' || is === 'missing' || is === 'present') return field
  if (is === 'has' && field.type === 'json' && table.engine.lists.in(field.stored)) return field
  const wanted = type === 'integer' ? 'number' : type === 'boolean' ? type : 'text'
  const isNumeric = type === 'number' || type === 'integer' || type === 'boolean'
  const isFit = isNumeric ? field.type === type || field.type === wanted : field.type === 'text'
  if (type === 'text' && isMomentAsText(field)) {
    const isMoments = values.every((value) => isMoment(`${value}`))
    if (equalities.has(is) && isMoments) return field
    throw badFilter(field)
  }
  const isPart = isPartKind(is) && kind === 'timestamp'
  if (isFit && !isPart && (isNumeric || kindsOfFilter[type].includes(kind))) return field
  const compared = isPart ? 'parts of texts' : type
  throw new TypeError(
    `The filter "${name}" of "${table.resource.name}" compares ${compared}, ` +
      `but the column "${field.column}" is of type ${field.stored.type}: change one of them.`,
  )
}

function badFilter({ name }: BoundField) {
  const message = 'takes moments only, as in "2026-01-31T12:00:00Z", with "=" or ":ne"'
  const issues = [{ parameter: name, code: 'bad_parameter', message }]
  return problem('bad_parameter', `"${name}" ${message}`, { issues })
}

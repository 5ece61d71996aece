import type { Condition, FilterValue } from '../../convention/filter-operators.ts'
import { isDay, isUuid, momentKey } from '../../convention/format.ts'
import { type Column, type Engine, numbersOf } from '../engine/engine.ts'
import { type BoundField, toShort } from '../fields.ts'

/** A comparison of a range. */
export type Sign = '>' | '>=' | '<' | '<='

/** A range as its column compares it. */
export interface Bound {
  readonly sign: Sign
  readonly value: FilterValue
  /**
   * `plain`: as the column sorts. `text`: as text by code point. `wide`: as a double, since the
   * column holds more digits. `moment`: as a moment in a column of text.
   */
  readonly form: 'plain' | 'text' | 'wide' | 'moment'
}

/** The sign of each comparison with a bound. */
export const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** A comparison with a bound. */
export type RangeKind = keyof typeof signs

/** Tells whether a comparison has a bound. */
export function isRange(is: Condition['is']): is is RangeKind {
  return Object.hasOwn(signs, is)
}

// A statement's key and its parameters need the bound of each request.
const bounds = new WeakMap<Condition, readonly [field: BoundField, bound: Bound | boolean]>()

/**
 * Returns the bound of a range. A value between two values of the column becomes the lesser one, so
 * that the database need not round it. Returns whether all present values are in the range if no
 * value of the column lies on the other side.
 */
export function boundOf(condition: Condition, field: BoundField, engine: Engine): Bound | boolean {
  const [bounded, cached = false] = bounds.get(condition) ?? []
  if (bounded === field) return cached
  const bound = findBound(condition, field, engine)
  bounds.set(condition, [field, bound])
  return bound
}

function findBound(
  { is, values: [value = ''], type }: Condition,
  { stored, type: fieldType }: BoundField,
  engine: Engine,
): Bound | boolean {
  const sign = isRange(is) ? signs[is] : '>'
  if (fieldType === 'number') {
    return typeof value === 'number' && numberBound(sign, value, stored)
  }
  if (typeof value !== 'string') return false
  if (type === 'date-time') {
    const key = momentKey(value)
    if (stored.kind !== 'timestamp') return { sign, value: key, form: 'moment' }
    const isBetween = isFiner(key)
    return { sign: isBetween ? afterLesser(sign) : sign, value: inMicroseconds(key), form: 'plain' }
  }
  if (stored.kind === 'digits')
    return { sign, value: engine.digits(stored, value) ?? value, form: 'text' }
  return { sign, value, form: isPlain(stored, value, engine) ? 'plain' : 'text' }
}

/**
 * Returns a moment in UTC, as a column of microseconds holds it. PostgreSQL takes no offset above
 * 15 hours. Returns `undefined` for a moment between two microseconds.
 */
export function toMicroseconds(moment: string): string | undefined {
  const key = momentKey(moment)
  return isFiner(key) ? undefined : inMicroseconds(key)
}

// A key has the digits after the millisecond at its end.
function isFiner(key: string): boolean {
  return /Z.{3}(?!000)/.test(key)
}

// `2020-01-01T00:00:00.123Z456789` → `2020-01-01T00:00:00.123456Z`
function inMicroseconds(key: string): string {
  return `${key.slice(0, 23)}${key.slice(24, 27).padEnd(3, '0')}Z`
}

// The value is greater than the one that replaces it: `>= 1.5` is `> 1`, and `< 1.5` is `<= 1`.
function afterLesser(sign: Sign): Sign {
  return sign.startsWith('>') ? '>' : '<='
}

function afterGreater(sign: Sign): Sign {
  return sign.startsWith('>') ? '>=' : '<'
}

// Tells whether the column compares with a text as the text of its values does.
function isPlain(stored: Column, text: string, engine: Engine): boolean {
  const { kind, loose } = stored
  if (kind === 'time' || loose?.isClock) return false
  if (kind === 'uuid') return isUuid(text) && text === text.toLowerCase()
  if (kind === 'date') return isDay(text)
  // SQLite takes a text of digits for a number.
  if (loose !== undefined && loose.affinity !== 'none') return engine.canHold(stored, text)
  return !('lacks' in stored && stored.lacks?.test(text))
}

function numberBound(sign: Sign, value: number, stored: Column): Bound | boolean {
  const form = numbersOf(stored) ?? { precision: 'exact' }
  if (holdsSingles(stored)) return singleBound(sign, value)
  if (form.precision === 'double') return { sign, value, form: 'plain' }
  const isSafe = Math.abs(value) <= Number.MAX_SAFE_INTEGER
  if (form.precision !== 'whole')
    return { sign, value, form: isSafe && stored.loose ? 'plain' : 'wide' }
  const { most } = form
  const isHeld = value <= most && value >= -most - 1
  if (!isSafe && most === Number.MAX_SAFE_INTEGER) return { sign, value, form: 'wide' }
  if (!isHeld) return isInside(sign, value)
  const lesser = Math.floor(value)
  return { sign: lesser < value ? afterLesser(sign) : sign, value: lesser, form: 'plain' }
}

// Tells whether all numbers of a column meet a bound beyond them.
function isInside(sign: Sign, value: number): boolean {
  return sign.startsWith('>') === value < 0
}

function holdsSingles(column: Column): boolean {
  const precision = numbersOf(column)?.precision
  return precision === 'single' || precision === 'widened'
}

const greatestSingle = 3.4028234663852886e38

// A field has the shortest digits of a number of 32 bits, which another double may have too.
function singleBound(sign: Sign, value: number): Bound {
  const rounded = Math.fround(value)
  const single = Number.isFinite(rounded) ? rounded : Math.sign(value) * greatestSingle
  const read = Number(toShort(single))
  if (read === value) return { sign, value: single, form: 'plain' }
  const moved = read < value ? afterLesser(sign) : afterGreater(sign)
  return { sign: moved, value: single, form: 'plain' }
}

/** Tells whether a column of numbers gives a number back unchanged. */
export function givesBack(stored: Column, value: FilterValue): boolean {
  if (typeof value !== 'number' || !holdsSingles(stored)) return true
  const single = Math.fround(value)
  return Number.isFinite(single) && toShort(single) === value
}

const greatest = 2n ** 63n - 1n

/**
 * Returns a number that bounds the column on the same side as the doubles do: the double before or
 * after it. As text for whole numbers, with all digits.
 */
export function outerBound({ sign, value }: Bound, column: Column): number | string {
  const isLeast = sign.startsWith('>')
  const outer = neighbour(Number(value), isLeast)
  const form = numbersOf(column)
  if (form?.precision !== 'whole') return outer
  const { limit = greatest } = form
  if (!Number.isFinite(outer)) return `${isLeast ? -limit - 1n : limit}`
  const integer = BigInt(isLeast ? Math.floor(outer) : Math.ceil(outer))
  if (form.limit === undefined) return `${integer}`
  return `${integer > limit ? limit : integer < -limit - 1n ? -limit - 1n : integer}`
}

// The next double in a direction.
function neighbour(value: number, isLess: boolean): number {
  if (value === 0) return isLess ? -Number.MIN_VALUE : Number.MIN_VALUE
  const bits = new BigInt64Array(new Float64Array([value]).buffer)
  const step = value > 0 === isLess ? -1n : 1n
  const moved = new Float64Array(BigInt64Array.of((bits[0] ?? 0n) + step).buffer)
  const next = moved[0] ?? value
  return Number.isFinite(next) ? next : Math.sign(value) * Number.MAX_VALUE
}

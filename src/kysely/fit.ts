import type { Scalar } from '../contract/resource/operation.ts'
import { isWide } from '../convention/decimal.ts'
import { isClock, isDay, isMoment } from '../convention/format.ts'
import { bytesIn } from './codec.ts'
import type { Column, Engine, Family, PresentScalar } from './engine.ts'
import type { FieldType } from './field.ts'
import type { BoundField, StoredValue } from './table.ts'

/**
 * Tells whether a column can hold a value and return it unchanged. A database may change a value
 * silently (round a number, drop an offset) or reject even a search for it.
 */
export function fits(
  { type, stored, element }: StoredValue,
  value: unknown,
  engine: Engine,
): boolean {
  if (value === null || value === undefined) return true
  if (element !== undefined) {
    const isList = Array.isArray(value) && value.every((one) => fits(element, one, engine))
    return isList && engine.canHold(stored, value)
  }
  // SQLite stores it as a number, not as JSON.
  const isNumber = typeof value === 'number' && stored.isNumeric === true
  if (type === 'json')
    return !isNumber || !Number.isInteger(value) || Math.abs(value) <= stored.most
  if (isOdd(type, value)) return engine.mayGive(stored, value)
  if (typeof value !== types[type]) return false
  if (typeof value === 'number' && !isWithinLimits(stored, value)) return false
  if (stored.family === 'binary' && !isBytes(stored, `${value}`)) return false
  return hasForm(stored, value, engine) && engine.canHold(stored, value)
}

// A MySQL column of fixed length pads shorter bytes.
function isBytes({ type, length }: Column, base64: string): boolean {
  const bytes = bytesIn(base64)
  return bytes !== undefined && (type !== 'binary' || bytes === length)
}

function hasForm(stored: Column, value: unknown, engine: Engine): boolean {
  const isForm = forms[stored.family]
  if (typeof value !== 'string' || isForm === undefined) return true
  return isForm(value) || engine.hasOwnForm(stored, value)
}

function isWithinLimits({ isWhole, isNumeric, most }: Column, value: number): boolean {
  if (isWhole && !Number.isInteger(value)) return false
  // The least number is one further from 0 than the greatest.
  if (isWhole && value === -most - 1) return Number.isSafeInteger(value)
  // SQLite has no whole numbers of that size.
  return Math.abs(value) <= most || (isNumeric === true && Math.abs(value) >= 2 ** 64)
}

function isCanonical(stored: Column, text: string, engine: Engine): boolean {
  if (stored.family === 'digits') return engine.digits(stored, text) === text
  return stored.family !== 'uuid' || text === text.toLowerCase()
}

/** Tells whether a column may hold a value in exactly this spelling. */
export function isFindable(field: BoundField, value: unknown, engine: Engine): boolean {
  return isCanonical(field.stored, `${value}`, engine) && fits(field, value, engine)
}

/**
 * Tells whether a column may have returned a value of a position. The database would reject another
 * value or interpret it: `now`, `infinity`. It accepts more than {@link fits}, since other programs
 * write to the table too.
 */
export function mayStand({ type, stored }: BoundField, value: Scalar, engine: Engine): boolean {
  // A list and an object of JSON have no place of their own in an order.
  if (value === null) return stored.isNullable || type === 'json'
  if (type === 'json') return engine.mayGive(stored, value)
  const isOther = stored.isLoose ? mayLeaveAs(type, value) : isOdd(type, value)
  const isTyped = typeof value === types[type] || isOther
  return isTyped && hasForm(stored, value, engine) && engine.mayGive(stored, value)
}

// A column of SQLite holds texts and bytes in place of numbers. A text field has texts only.
function mayLeaveAs(type: FieldType, value: Scalar): boolean {
  return typeof value === 'string' || (type === 'boolean' && typeof value === 'number')
}

// A number that JSON cannot hold, as text, or a number besides 0 and 1 instead of a boolean.
function isOdd(type: FieldType, value: unknown): value is PresentScalar {
  if (type === 'boolean') return typeof value === 'number' && value !== 0 && value !== 1
  return type === 'number' && typeof value === 'string' && isWide(value)
}

const types: Readonly<Record<Exclude<FieldType, 'json'>, string>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
}

// RFC 3339 §5.6. Each database accepts other forms of its own.
const forms: { readonly [Of in Family]?: (text: string) => boolean } = {
  date: isDay,
  time: isClock,
  timestamp: (text) => isMoment(text) && !isBeyondMicroseconds(text),
}

/** Tells whether a moment has digits that no timestamp holds. A database would cut or round it. */
export function isBeyondMicroseconds(moment: string): boolean {
  return /\.\d{6}0*[1-9]/.test(moment)
}

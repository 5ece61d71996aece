import { isClock, isDay, isMoment, isWide } from '../model/format.ts'
import type { Scalar } from '../model/operation.ts'
import { bytesIn } from './bytes.ts'
import type { Column, Engine, Family, PresentScalar } from './engine.ts'
import type { FieldType } from './field.ts'
import type { BoundField } from './table.ts'

/**
 * Tells whether a column can hold a value and give it back as it was. A database may take another for it (round a number, drop
 * an offset), or refuse even to look for it, so it is not asked.
 */
export function fits({ type, stored }: BoundField, value: unknown, engine: Engine): boolean {
  if (value === null || value === undefined) return true
  // Which is stored as a number, not as JSON.
  const isNumber = typeof value === 'number' && stored.isNumeric === true
  if (type === 'json')
    return !isNumber || !Number.isInteger(value) || Math.abs(value) <= stored.most
  if (isOdd(type, value)) return engine.mayGive(stored, value)
  if (typeof value !== types[type]) return false
  if (typeof value === 'number' && !isWithinLimits(stored, value)) return false
  if (stored.family === 'binary' && !isBytes(stored, `${value}`)) return false
  return hasForm(stored, value, engine) && engine.canHold(stored, value)
}

// A column of MySQL for a number of bytes adds those that lack.
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
  // The amount of the least number is one more than that of the greatest.
  if (isWhole && value === -most - 1) return Number.isSafeInteger(value)
  // SQLite has no whole numbers of that size.
  return Math.abs(value) <= most || (isNumeric === true && Math.abs(value) >= 2 ** 64)
}

/** Tells whether a column may hold a value in these very letters: what is looked for in others is not there. */
export function isFindable(field: BoundField, value: unknown, engine: Engine): boolean {
  const isCanonical = field.stored.family !== 'uuid' || value === String(value).toLowerCase()
  return isCanonical && fits(field, value, engine)
}

/**
 * Tells whether a column may have given a value of a position. The database would refuse another, or read it in its own way: `now`,
 * `infinity`. It takes more than {@link fits}, since others write to the table too.
 */
export function mayStand({ type, stored }: BoundField, value: Scalar, engine: Engine): boolean {
  if (value === null) return stored.isNullable
  if (type === 'json') return true
  const isTyped = stored.isLoose || isOdd(type, value) || typeof value === types[type]
  return isTyped && hasForm(stored, value, engine) && engine.mayGive(stored, value)
}

// A number that JSON does not hold, which the adapter gives as text, and one in the place of a boolean that is neither 0 nor 1.
function isOdd(type: FieldType, value: unknown): value is PresentScalar {
  if (type === 'boolean') return typeof value === 'number' && value !== 0 && value !== 1
  return type === 'number' && typeof value === 'string' && isWide(value)
}

const types: Readonly<Record<Exclude<FieldType, 'json'>, string>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
}

// RFC 3339, §5.6. Databases know more ways to write a time, and each its own.
const forms: { readonly [Of in Family]?: (text: string) => boolean } = {
  date: isDay,
  time: isClock,
  timestamp: isMoment,
}

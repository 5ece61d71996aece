import { isClock, isDay, isMoment, isWide } from '../model/format.ts'
import type { Scalar } from '../model/operation.ts'
import type { Column, Engine, Family } from './engine.ts'
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
  if (typeof value !== types[type]) return false
  if (typeof value === 'number' && !isWithinLimits(stored, value)) return false
  const isForm = stored.family === 'time' ? isClock : forms[stored.family]
  if (typeof value === 'string' && isForm !== undefined && !isForm(value)) return false
  return engine.canHold(stored, value)
}

function isWithinLimits({ isWhole, most }: Column, value: number): boolean {
  return (!isWhole || Number.isInteger(value)) && Math.abs(value) <= most
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
  const isNumber = type === 'number' && typeof value === 'string' && isWide(value)
  const isForm = (typeof value === 'string' && forms[stored.family]) || (() => true)
  const isTyped = isNumber || (typeof value === types[type] && isForm(`${value}`))
  return isTyped && engine.mayGive(stored, value)
}

const types: Readonly<Record<Exclude<FieldType, 'json'>, string>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
}

// RFC 3339, §5.6. Databases know more ways to write a time, and each its own.
const forms: { readonly [Of in Family]?: (text: string) => boolean } = {
  date: isDay,
  timestamp: isMoment,
}

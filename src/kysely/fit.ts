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
  const isForm = forms[stored.family]
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

const types: Readonly<Record<Exclude<FieldType, 'json'>, string>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
}

const day = /^\d{4}-\d\d-\d\d$/
const firstMoment = Date.parse('0001-01-01T00:00:00Z')
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')
const clock = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/
const moment = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?)(?:[Zz]|[+-](\d\d:\d\d))$/

// RFC 3339, §5.6. Databases know more ways to write a time, and each its own.
const forms: { readonly [Of in Family]?: (text: string) => boolean } = {
  date: isDay,
  time: (text) => clock.test(text),
  timestamp(text) {
    const [, date = '', time = '', offset = '00:00'] = moment.exec(text) ?? []
    if (!isDay(date) || !clock.test(time.slice(0, 8)) || !clock.test(offset)) return false
    // In UTC, which may be another year, of more or less digits than there are.
    const utc = new Date(text.replace(' ', 'T')).getTime()
    return utc >= firstMoment && utc <= lastMoment
  },
}

// There is no 30th of February, and no year 0 but in some databases.
function isDay(text: string): boolean {
  if (!day.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

import { isDay, isMoment } from '../model/format.ts'
import type { Family } from './engine.ts'

const syntax = /^([1-9]\d{4,6}|\d{4}(?=.* BC$))(-\d\d-\d\d)(T[\d:.]+Z)?( BC)?$/
const greatestYear: { readonly [Of in Family]?: number } = { date: 5_874_897, timestamp: 294_276 }

/**
 * Tells whether a text is a date or timestamp of PostgreSQL that RFC 3339 cannot write. These are
 * `infinity`, `-infinity`, years beyond 9999, and years before 1 as `0044-03-15 BC`.
 */
export function isBeyondYears(family: Family, text: string): boolean {
  if (text === 'infinity' || text === '-infinity') return true
  const [, digits, rest = '', clock = '', era] = syntax.exec(text) ?? []
  if (digits === undefined || (family === 'date') !== (clock === '')) return false
  const year = era === undefined ? Number(digits) : 1 - Number(digits)
  // The first day is in 4714 BC.
  if (year > Number(greatestYear[family]) || year > 0 !== (era === undefined)) return false
  if (year < -4713 || (year === -4713 && rest < '-11-24')) return false
  // The calendar repeats after 400 years.
  const same = `${2000 + (((year % 400) + 400) % 400)}${rest}`
  return clock === '' ? isDay(same) : isMoment(`${same}${clock}`)
}

import { dateOf, isMoment } from './format.ts'

// In UTC: most stored moments. A calendar would take ten times as long.
const commonSyntax =
  /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?!00|29)[0-2]\dT(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.(\d{1,9}))?Z$/

/**
 * Returns a text that orders moments by code point, to the nanosecond, whatever offset and fraction
 * they have: `2020-01-01T01:00:00+01:00` and `2020-01-01T00:00:00.0Z` give
 * `2020-01-01T00:00:00.000Z`. Digits after the millisecond follow the `Z`. A time that only a
 * database holds (`infinity`, years before 1 and after 9999) comes first or last. Any other text is
 * its own key.
 */
export function momentKey(text: string): string {
  const common = commonSyntax.exec(text)
  if (common) return keyOf(text.slice(0, 19), common[1])
  if (!isMoment(text)) return oddMomentKey(text)
  return keyOf(dateOf(text).toISOString().slice(0, 19), /\.(\d+)/.exec(text)?.[1])
}

// The text before a longer text with the same beginning: the millisecond comes before its parts.
function keyOf(seconds: string, fraction = ''): string {
  const nanoseconds = fraction.slice(3)
  const key = `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  return /[1-9]/.test(nanoseconds) ? key + nanoseconds.padEnd(6, '0') : key
}

// A space is before all digits, and `~` after them.
function oddMomentKey(text: string): string {
  if (text.startsWith('-') || text.endsWith('BC')) return ` ${text}`
  return /^(?:infinity$|\d{5})/.test(text) ? `~${text}` : text
}

/** Tells whether two texts are one moment, in any form. */
export function isSameMoment(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && momentKey(a) === momentKey(b)
}

const formSyntax = /^\d.{9}T.{12}Z$/

/**
 * Returns the one form in which adapters store a date or moment as text, so that code points and
 * moments agree: UTC, with 3 digits after the second, as `Date.prototype.toISOString` writes it. A
 * text that is no moment stays as it is. Returns `undefined` for a moment that has no such form:
 * with other digits after the millisecond, or outside the years 1 to 9999.
 */
export function storedDate(text: string): string | undefined {
  const key = momentKey(text)
  if (key === text) return /\.\d{10}/.test(text) ? undefined : text
  return formSyntax.test(key) ? key : undefined
}

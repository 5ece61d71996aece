const day = /^\d{4}-\d\d-\d\d$/
const clock =
  /^(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/
const clockSyntax = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/
// No database reads a longer fraction.
const momentSyntax =
  /^.{10}[t ](?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i
// `infinity`, years beyond 9999 and before 1, days and months 00; times of 24 hours and more, and
// of less than none.
const oddDays: readonly RegExp[] = [
  /^-?infinity$/,
  /^(?:0000-\d\d-\d\d|\d{4}-00-\d\d|\d{4}-\d\d-00|[1-9]\d{4,6}-\d\d-\d\d)(?:T[\d:.]+Z)?(?: BC)?$/,
  /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)? BC$/,
]
const oddClock = /^-?\d{2,3}:[0-5]\d:[0-5]\d(?:\.\d+)?$/
const uuidSyntax = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Tells whether a text is a day of the calendar in the form of RFC 3339, from the year 1. */
export function isDay(text: string): boolean {
  if (!day.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Tells whether a text is a time of day, without an offset, to the microsecond. */
export function isClock(text: string): boolean {
  return clockSyntax.test(text)
}

/**
 * Returns the date of a moment. With a space in place of the `T`, an engine reads the year 1 as
 * 2001.
 */
export function dateOf(moment: string): Date {
  return new Date(moment.toUpperCase().replace(' ', 'T'))
}

/**
 * Tells whether a text is a moment of RFC 3339 §5.6, with an offset, in the years 1 to 9999 in UTC.
 */
export function isMoment(text: string): boolean {
  if (!momentSyntax.test(text) || !isDay(text.slice(0, 10))) return false
  const year = dateOf(text).getUTCFullYear()
  return year > 0 && year < 10_000
}

function isOddDay(text: string): boolean {
  return oddDays.some((syntax) => syntax.test(text))
}

/** Tells whether a text is a UUID, in letters of either case. */
export function isUuid(text: string): boolean {
  return uuidSyntax.test(text)
}

/**
 * Tells whether a text can have a `format` of JSON Schema. Times as databases write them pass too:
 * without seconds or an offset, with a space, `infinity`. An unknown format lets every text pass.
 */
export function isOfFormat(format: unknown, text: string): boolean {
  switch (format) {
    case 'date':
      return isDay(text) || isOddDay(text)
    case 'time':
      return clock.test(text) || oddClock.test(text)
    case 'date-time':
      return (
        isOddDay(text) ||
        (isDay(text.slice(0, 10)) && /[Tt ]/.test(text.charAt(10)) && clock.test(text.slice(11)))
      )
    case 'uuid':
      return isUuid(text)
    default:
      return true
  }
}

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

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
const wholeSyntax = /^-?\d+$/
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
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
  const year = dateOf(text).getUTCFullYear()
  return year > 0 && year < 10_000 && momentSyntax.test(text) && isDay(text.slice(0, 10))
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

/**
 * Tells whether a text is a number that a database holds, but JSON does not: of many digits, or
 * infinite.
 */
export function isWide(text: string): boolean {
  if (!decimal.test(text)) return /^(?:NaN|-?Infinity)$/.test(text)
  return toExact(text) === text || Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER
}

/**
 * Returns the number in a text: `1.50` → `1.5`; the text itself for another text, or where a double
 * would lose digits.
 */
export function toExact(text: string): number | string {
  const number = Number(text)
  const isHeld = text.length < 16 || digitsOf(text) === digitsOf(String(number))
  return isHeld && decimal.test(text) ? number : text
}

/** Tells whether a text is a whole number, without a fraction and an exponent. */
export function isWhole(text: string): boolean {
  return wholeSyntax.test(text)
}

/**
 * Tells whether a double holds a whole number exactly, which is not beyond its range. The digits in
 * which JavaScript writes a double pass as well: it writes 2^55 as `36028797018963970`.
 */
export function isHeldExactly(integer: string): boolean {
  if (integer.length < 16) return true
  const number = Number(integer)
  return integer === String(number) || BigInt(integer) === BigInt(number)
}

/** Returns the digits of a number without outer zeros: `-0.150E7` → `15`. */
export function digitsOf(number: string): string {
  const digits = number.replace(/e.*|\D/gi, '').replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

const day = /^\d{4}-\d\d-\d\d$/
const clock =
  /^(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/
const clockSyntax = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/
// No database reads a fraction of any length.
const momentSyntax =
  /^.{10}[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const uuidSyntax = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Tells whether a text is a day that there is, as RFC 3339 writes it. There is no 30th of February, and no year 0 but in some databases. */
export function isDay(text: string): boolean {
  if (!day.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Tells whether a text is a time of day, without an offset, to the microsecond. */
export function isClock(text: string): boolean {
  return clockSyntax.test(text)
}

/** Tells whether a text is a moment as RFC 3339 §5.6 writes it, with an offset, between the years 1 and 9999 in UTC. */
export function isMoment(text: string): boolean {
  const year = new Date(text).getUTCFullYear()
  return year > 0 && year < 10_000 && momentSyntax.test(text) && isDay(text.slice(0, 10))
}

/** Tells whether a text is a UUID, in letters of either case. */
export function isUuid(text: string): boolean {
  return uuidSyntax.test(text)
}

/**
 * Tells whether a text may be of a `format` of JSON Schema. Databases write times without seconds or an offset, or with a space, so
 * these pass. A format that is not known lets every text pass.
 */
export function isOfFormat(format: unknown, text: string): boolean {
  switch (format) {
    case 'date':
      return isDay(text)
    case 'time':
      return clock.test(text)
    case 'date-time':
      return isDay(text.slice(0, 10)) && /[Tt ]/.test(text.charAt(10)) && clock.test(text.slice(11))
    case 'uuid':
      return isUuid(text)
    default:
      return true
  }
}

/** Tells whether a text is a number that JSON does not hold, and that databases have all the same: one of many digits, or none that ends. */
export function isWide(text: string): boolean {
  return /^(?:-?[1-9]\d{15,39}|NaN|-?Infinity)$/.test(text)
}

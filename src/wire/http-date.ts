// The forms of RFC 9110, of RFC 850 and of C's `asctime`.
const dateSyntaxes = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [0-2]\d:[0-5]\d:[0-5]\d GMT$/,
  /^[A-Z][a-z]{2,5}day, \d\d-[A-Z][a-z]{2}-\d\d [0-2]\d:[0-5]\d:[0-5]\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [0-2]\d:[0-5]\d:[0-5]\d \d{4}(?: GMT)?$/,
]

/**
 * Reads a date of HTTP in any of its three forms, as seconds since 1970; `undefined` for any other
 * text. The inverse of {@link formatHttpDate}.
 *
 * @see RFC 9110 §5.6.7
 */
export function parseHttpDate(text: string): number | undefined {
  // `Date` reads more than dates of HTTP, and reads the form of C's `asctime` in local time.
  if (!dateSyntaxes.some((syntax) => syntax.test(text))) return undefined
  const seconds = Date.parse(text.replace(/( GMT)?$/, ' GMT')) / 1000
  return Number.isNaN(seconds) ? undefined : seconds
}

/** Writes seconds since 1970 as a date of HTTP: `Mon, 01 Nov 2027 00:00:00 GMT`. */
export function formatHttpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString()
}

const clock = String.raw`[0-2]\d:[0-5]\d:[0-5]\d`
const month = '[A-Z][a-z]{2}'
const syntaxes = [
  `[A-Z][a-z]{2}, \\d\\d ${month} \\d{4} ${clock} GMT`,
  `[A-Z][a-z]+day, \\d\\d-${month}-\\d\\d ${clock} GMT`,
  `[A-Z][a-z]{2} ${month} [ \\d]\\d ${clock} \\d{4}(?: GMT)?`,
]
const dateSyntax = /* @__PURE__ */ new RegExp(`^(?:${/* @__PURE__ */ syntaxes.join('|')})$`)

/**
 * Reads a date of HTTP in any of its three forms, as seconds since 1970; `undefined` for any other
 * text. The inverse of {@link formatHttpDate}.
 *
 * @see RFC 9110 §5.6.7
 */
export function parseHttpDate(text: string): number | undefined {
  // `Date` reads more than dates of HTTP, and reads the form of C's `asctime` in local time.
  if (!dateSyntax.test(text)) return undefined
  const seconds = Date.parse(text.replace(/( GMT)?$/, ' GMT')) / 1000
  return Number.isNaN(seconds) ? undefined : seconds
}

/** Writes seconds since 1970 as a date of HTTP: `Mon, 01 Nov 2027 00:00:00 GMT`. */
export function formatHttpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString()
}

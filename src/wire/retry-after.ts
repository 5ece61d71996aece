import type { HttpResponse } from '../model/http.ts'

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3), seconds or a date, as seconds; `undefined` for any other
 * text. Counts from the response's own `Date`, since two clocks can differ.
 */
export function parseRetryAfter(headers: HttpResponse['headers']): number | undefined {
  const { date, 'retry-after': text = '' } = headers
  if (/^\d+$/.test(text)) return Number(text)
  // `Date` reads more than dates of HTTP, and reads the form of C's `asctime` in local time.
  const isDate = /^[A-Z].* \d\d:\d\d:/.test(text)
  const until = Date.parse(isDate ? text.replace(/( GMT)?$/, ' GMT') : '')
  const seconds = Math.ceil((until - (Date.parse(`${date}`) || Date.now())) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Writes `Retry-After` in whole seconds; `undefined` for any other value. */
export function formatRetryAfter(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number') return undefined
  const whole = Math.ceil(seconds)
  return Number.isSafeInteger(whole) && whole >= 0 ? `${whole}` : undefined
}

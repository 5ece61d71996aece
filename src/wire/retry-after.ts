import type { HttpResponse } from '../model/http.ts'

/**
 * Reads `Retry-After` of an answer: the seconds from then on, whether it names them or a date; `undefined` when there is none that
 * can be read. The inverse of {@link formatRetryAfter}. A date is held against the answer's own `Date`, lest two clocks differ.
 *
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfter(headers: HttpResponse['headers']): number | undefined {
  const { date, 'retry-after': text = '' } = headers
  if (/^\d+$/.test(text)) return Number(text)
  // `Date` would read much that is no date of HTTP, and one in the form of C's `asctime`, which names no zone, by the local clock.
  const isDate = /^[A-Z].* \d\d:\d\d:/.test(text)
  const until = Date.parse(isDate ? text.replace(/( GMT)?$/, ' GMT') : '')
  const seconds = Math.ceil((until - (Date.parse(`${date}`) || Date.now())) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Writes `Retry-After` in whole seconds; `undefined` for what is no such time. The inverse of {@link parseRetryAfter}. */
export function formatRetryAfter(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number') return undefined
  const whole = Math.ceil(seconds)
  return Number.isSafeInteger(whole) && whole >= 0 ? `${whole}` : undefined
}

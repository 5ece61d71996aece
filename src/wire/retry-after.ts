import type { HttpResponse } from '../contract/resource/http.ts'
import { parseHttpDate } from './http-date.ts'

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3), seconds or a date, as seconds; `undefined` for any other
 * text. Counts from the response's own `Date`, since two clocks can differ.
 */
export function parseRetryAfter(headers: HttpResponse['headers']): number | undefined {
  const { date, 'retry-after': text = '' } = headers
  if (/^\d+$/.test(text)) return Number(text)
  const until = parseHttpDate(text)
  if (until === undefined) return undefined
  return Math.max(0, Math.ceil(until - (Date.parse(`${date}`) || Date.now()) / 1000))
}

/** Writes `Retry-After` in whole seconds; `undefined` for any other value. */
export function formatRetryAfter(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number') return undefined
  const delay = Math.ceil(seconds)
  return Number.isSafeInteger(delay) && delay >= 0 ? `${delay}` : undefined
}

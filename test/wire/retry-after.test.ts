import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { formatRetryAfter, parseRetryAfter } from '../../src/wire/retry-after.ts'

describe('Retry-After holds seconds or a date, as in RFC 9110', () => {
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT'
  const reads: readonly (readonly [string, number | undefined])[] = [
    ['0', 0],
    ['120', 120],
    ['Thu, 01 Jan 2026 00:00:07 GMT', 7],
    ['Thursday, 01-Jan-26 00:01:00 GMT', 60],
    ['Thu Jan  1 00:00:05 2026 GMT', 5],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['Thu Jan  1 00:00:05 2026', 5],
    ['Soon', undefined],
    ['Soon 1', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['2026-01-01', undefined],
    ['thu, 01 Jan 2026 00:00:07 GMT', undefined],
  ]
  for (const [text, seconds] of reads) {
    test(`reads ${text || 'nothing'}`, () => {
      expect(parseRetryAfter({ 'retry-after': text, date })).toBe(seconds)
    })
  }

  test('reads dates alike wherever it runs', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata')
    for (const [text, seconds] of reads) {
      expect(parseRetryAfter({ 'retry-after': text, date })).toBe(seconds)
    }
    vi.unstubAllEnvs()
  })

  test('reads what is not there', () => expect(parseRetryAfter({})).toBeUndefined())

  test('goes by the own clock without a date', () => {
    const soon = new Date(Date.now() + 60_000).toUTCString()
    for (const headers of [{}, { date: 'soon' }]) {
      expect(parseRetryAfter({ 'retry-after': soon, ...headers })).toBeGreaterThan(55)
    }
  })

  const writes: readonly (readonly [unknown, string | undefined])[] = [
    [0.2, '1'],
    [-1, undefined],
    [undefined, undefined],
    ['5', undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ]
  for (const [seconds, text] of writes) {
    test(`writes ${typeof seconds} ${seconds}`, () => expect(formatRetryAfter(seconds)).toBe(text))
  }

  test('what was written is read', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (seconds) => {
        const text = formatRetryAfter(seconds) ?? ''
        expect(parseRetryAfter({ 'retry-after': text })).toBe(seconds)
      }),
    )
  })
})

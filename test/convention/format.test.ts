import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isClock,
  isMoment,
  isOfFormat,
  isSameMoment,
  momentKey,
  storedDate,
} from '../../src/convention/format.ts'

/** Texts that may be of a format, and texts that may not. */
const formats: readonly (readonly [
  format: string,
  fits: readonly string[],
  others: readonly string[],
])[] = [
  ['date', ['0001-01-01', '2024-02-29', '9999-12-31', 'infinity', '-infinity', '0044-03-15 BC', '10000-01-01', '5874897-12-31', '0000-00-00', '0000-01-01', '2026-00-01', '2026-01-00'], ['', 'now', '2026', '2026-1-1', '2026-02-30', '2026-02-29', '2026-13-01', '2026-02-32', '0026-01-01-01', '-2026-01-01', '10000-1-1', '09999-01-01', '2026-01-01 AD', 'Infinity', '+infinity', '20260101', '2026-01-01T00:00:00Z', ' 2026-01-01']],
  [
    'date-time',
    ['2026-01-01T00:00:00Z', '2026-01-01t00:00:00z', '2026-01-01 00:00:00', '2026-01-01T00:00', '2026-01-01T23:59:60Z', '2026-01-01T00:00:00.123456789+02:00', '2026-01-01T00:00:00-23:59', 'infinity', '0044-03-15T00:00:00.000000Z BC', '10000-01-01T00:00:00Z', '0000-00-00T00:00:00Z'],
    ['', 'now', '2026-01-01', '2026-01-01T', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z', '2026-01-01T00:00:00+24:00', '2026-01-01_00:00:00', '2026-01-01T00:00:00ZZ', '2026-01-01T1:00:00Z'],
  ],
  ['time', ['00:00', '23:59:59', '10:00:00.123456', '10:00:00Z', '10:00:00-05:00', '24:00:00', '-01:00:00.5', '838:59:59'], ['', 'now', '10', '1000:00:00', '24:00', '10:0', '10:00 PM', '2026-01-01T10:00:00Z', '10:00:00.']],
  ['uuid', ['0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'], ['', 'now', '0190b6a31f5a7c3e8a360c5d2b9b6a11', '{0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11}', '0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a1', 'g190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11']],
  ['email', ['a@b', 'anything'], []],
] // biome-ignore format: rows

describe.each(formats)('of the format %s', (format, fits, others) => {
  test.each(fits.map((text) => [text]))('%j may be', (text) => {
    expect(isOfFormat(format, text)).toBe(true)
  })
  test.each(others.map((text) => [text]))('%j may not be', (text) => {
    expect(isOfFormat(format, text)).toBe(false)
  })
})

test('no format lets every text pass', () => expect(isOfFormat(undefined, 'x')).toBe(true))

describe('what a database is given', () => {
  const moments = [
    '2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z',
    '2026-01-01 10:00:00+02:00', '2026-01-01t00:00:00.123456789z',
  ]
  const none = [
    'now', '', '2026-01-01', '2026-01-01T00:00:00', '2026-01-01T00:00Z', '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z', '2026-01-01T00:00:60Z', '2026-01-01T00:00:00.1234567890Z',
    '9999-12-31T23:59:59-00:01', '0001-01-01T00:00:00+00:01', '2026-01-01T00:00:00+15:60',
    '0000-12-31T00:00:00Z',
  ]
  test.each(moments)('is the moment %s', (text) => expect(isMoment(text)).toBe(true))
  test.each(none)('is no moment like "%s"', (text) => expect(isMoment(text)).toBe(false))
  test.each(['10:00', '00:00:00', '23:59:59.999999'])('is the time %s', (text) =>
    expect(isClock(text)).toBe(true))
  test.each(['', '10', '24:00:00', '10:00:00Z', '10:00:00.1234567', 'now'])(
    'is no time like "%s"',
    (text) => expect(isClock(text)).toBe(false),
  )
}) // biome-ignore format: rows

const dates = fc.date({
  min: new Date('1000-01-01'),
  max: new Date('9999-12-30'),
  noInvalidDate: true,
})

test('a key is that of the same moment in another form', () => {
  fc.assert(
    fc.property(dates, fc.stringMatching(/^\d{0,6}$/), (date, digits) => {
      const text = date.toISOString().replace('Z', digits)
      // An offset of zero goes through the calendar.
      expect(momentKey(`${text}Z`)).toBe(momentKey(`${text}+00:00`))
      expect(momentKey(`${text}Z`)).toBe(momentKey(`${text}z`))
    }),
  )
})

test('a key orders as moments do', () => {
  fc.assert(
    fc.property(dates, dates, (one, other) => {
      const order = momentKey(one.toISOString()) < momentKey(other.toISOString())
      expect(order).toBe(one < other)
    }),
  )
})

const moments = fc
  .tuple(dates, fc.stringMatching(/^\d{0,6}$/), fc.constantFrom('Z', 'z', '+00:00', '-00:00'))
  .map(([date, digits, zone]) => date.toISOString().replace('Z', digits + zone))

test('the stored form is the key of its moment, and of itself', () => {
  fc.assert(
    fc.property(moments, (text) => {
      const stored = storedDate(text)
      expect(stored === undefined).toBe(/[1-9]/.test(text.slice(23, 29).replace(/\D.*/, '')))
      if (stored === undefined) return
      expect(stored).toBe(new Date(text.toUpperCase()).toISOString())
      expect([storedDate(stored), momentKey(text)]).toEqual([stored, stored])
      expect(isSameMoment(text, stored)).toBe(true)
    }),
  )
})

test.each([
  ['2026-01-01T00:00:00+02:00', '2025-12-31T22:00:00.000Z'],
  ['2026-01-01 00:00:00.5z', '2026-01-01T00:00:00.500Z'],
  ['2026-01-29T00:00:00.123000000Z', '2026-01-29T00:00:00.123Z'],
  ['2026-01-01', '2026-01-01'],
  ['2026-02-30T00:00:00Z', '2026-02-30T00:00:00Z'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:60Z'],
  ['soon', 'soon'],
  ['', ''],
  ['2026-01-01T00:00:00.1234Z', undefined],
  ['2026-01-01T00:00:00.1230000001Z', undefined],
  ['10000-01-01T00:00:00Z', undefined],
  ['0044-03-15 BC', undefined],
  ['-0044-03-15', undefined],
  ['infinity', undefined],
])('%j is stored as %j', (text, stored) => {
  expect(storedDate(text)).toBe(stored)
})

test.each([
  [1, 1],
  ['2026-01-01T00:00:00Z', 1],
  [1, '2026-01-01T00:00:00Z'],
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.0001Z'],
])('%j and %j are not one moment', (one, other) => {
  expect(isSameMoment(one, other)).toBe(false)
})

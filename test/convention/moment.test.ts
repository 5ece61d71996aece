import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameMoment, momentKey, storedDate } from '../../src/convention/moment.ts'

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

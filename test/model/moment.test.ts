import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentKey } from '../../src/model/moment.ts'

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

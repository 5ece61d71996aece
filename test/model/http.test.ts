import { expect, test } from 'vitest'
import { headerOf } from '../../src/model/http.ts'

const rows = [
  [{ prefer: 'wait=1' }, 'wait=1'],
  [{ prefer: ['wait=1', 'max-affected=2'] }, 'wait=1, max-affected=2'],
  [{ prefer: [] }, ''],
  [{ prefer: undefined }, undefined],
  [{}, undefined],
  [undefined, undefined],
] as const

for (const [headers, value] of rows) {
  test(`the header of ${JSON.stringify(headers)} is ${value}`, () => {
    expect(headerOf(headers, 'prefer')).toBe(value)
  })
}

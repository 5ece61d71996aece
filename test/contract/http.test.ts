import { expect, test } from 'vitest'
import { headerOf } from '../../src/contract/resource/http.ts'

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
    expect(headerOf({ headers }, 'prefer')).toBe(value)
  })
}

test('a field is asked for by itself where a request can', () => {
  const request = {
    get headers(): never {
      throw new Error('All of them were asked for.')
    },
    field: (name: string) => (name === 'prefer' ? 'wait=1' : undefined),
  }
  expect(headerOf(request, 'prefer')).toBe('wait=1')
  expect(headerOf(request, 'accept')).toBeUndefined()
})

import fc from 'fast-check'
import { isProblem } from 'nounful'
import { expect, test } from 'vitest'
import { confineItem, confineItems } from '../../src/contract/declare/narrow.ts'
import type { OwnerValue } from '../../src/contract/resource/operation.ts'
import { isInScope } from '../../src/convention/value.ts'

const field = fc.constantFrom('a', 'b', '__proto__', 'constructor')
const single = fc.constantFrom('x', 'y', '1', 1, 0)
const owner: fc.Arbitrary<OwnerValue | undefined> = fc.oneof(
  fc.constant(undefined),
  single,
  fc.array(single, { maxLength: 3 }),
)
const value = fc.oneof(single, fc.constantFrom(undefined, null, true))

function recordOf<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Value>> {
  return fc.array(fc.tuple(field, values), { maxLength: 3 }).map(Object.fromEntries)
}

test('a confined item is in the scope, with the fields that it had', () => {
  fc.assert(
    fc.property(recordOf(value), recordOf(owner), (item, scope) => {
      const before = structuredClone(item)
      try {
        const confined = confineItem(item, scope)
        expect(isInScope(confined, scope)).toBe(true)
        expect(isInScope(item, scope)).toBe(confined === item)
        const kept = Object.entries(item).filter(([, given]) => given !== undefined)
        expect(isInScope(confined, Object.fromEntries(kept))).toBe(true)
      } catch (error) {
        if (!isProblem(error)) throw error
        expect(isInScope(item, scope)).toBe(false)
      }
      expect(item).toEqual(before)
    }),
    { numRuns: 2000 },
  )
})

test('a bulk names the issues of all items', () => {
  const items = [{ a: 'x' }, { a: 'y' }, {}, { a: null }]
  const message = 'is outside of what you can access'
  const issueOf = (index: number) => ({ pointer: `/${index}/a`, code: 'scope_mismatch', message })
  expect(() => confineItems(items, { a: 'x' })).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      members: expect.objectContaining({ issues: [issueOf(1), issueOf(3)] }),
    }),
  )
  expect(confineItems([{}, { a: 'x' }], { a: 'x' })).toEqual([{ a: 'x' }, { a: 'x' }])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OwnerValue, Scope } from '../../src/contract/resource/operation.ts'
import { checkScope, meet } from '../../src/contract/values/caller.ts'
import { isInScope } from '../../src/convention/value.ts'
import { refusalOf } from './thrown.ts'

describe('two scopes meet', () => {
  const none: readonly string[] = []
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [one: Scope, other: Scope, met: Scope])[] = [
    [{}, {},                                        {}],
    [{ a: 'x' }, {},                                { a: 'x' }],
    [{ a: 'x' }, { b: 1 },                          { a: 'x', b: 1 }],
    [{ a: 'x' }, { a: 'x' },                        { a: 'x' }],
    [{ a: 'x' }, { a: 'y' },                        { a: none }],
    [{ a: 1 }, { a: '1' },                          { a: none }],
    [{ a: ['x', 'y'] }, { a: 'x' },                 { a: 'x' }],
    [{ a: ['x', 'y'] }, { a: 'z' },                 { a: none }],
    [{ a: ['x', 'y', 'z'] }, { a: ['y', 'z', 'w'] }, { a: ['y', 'z'] }],
    [{ a: ['x'] }, { a: ['y'] },                    { a: none }],
    [{ a: none }, { a: 'x' },                       { a: none }],
    [{ a: undefined }, { a: 'x' },                  { a: none }],
    [{ a: undefined }, { a: undefined },            { a: undefined }],
    [{ a: 0 }, { a: [0, 1] },                       { a: 0 }],
  ]
  for (const [one, other, met] of rows) {
    test(`${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      expect(meet(one, other)).toEqual(met)
      expect(meet(other, one)).toEqual(met)
    })
  }
})

const field = fc.constantFrom('a', 'b', '__proto__', 'constructor')
const single = fc.constantFrom('x', 'y', '', '1', 1, 0, -0, Number.NaN)
const owner: fc.Arbitrary<OwnerValue | undefined> = fc.oneof(
  fc.constant(undefined),
  single,
  fc.array(single, { maxLength: 4 }),
)
const value = fc.oneof(single, fc.constantFrom(undefined, null, true))

function recordOf<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Value>> {
  return fc.array(fc.tuple(field, values), { maxLength: 5 }).map(Object.fromEntries)
}

test('an item is in the meeting if and only if it is in both', () => {
  fc.assert(
    fc.property(recordOf(value), recordOf(owner), recordOf(owner), (item, one, other) => {
      expect(isInScope(item, meet(one, other))).toBe(isInScope(item, one) && isInScope(item, other))
    }),
    { numRuns: 2000 },
  )
})

test('scopes meet in any order, and leave each other as they are', () => {
  fc.assert(
    fc.property(fc.tuple(recordOf(owner), recordOf(owner), recordOf(owner)), (scopes) => {
      const before = structuredClone(scopes)
      const [one, other, third] = scopes
      const items = fc.sample(recordOf(value), 5)
      for (const item of items) {
        const met = isInScope(item, meet(meet(one, other), third))
        expect(isInScope(item, meet(third, meet(other, one)))).toBe(met)
      }
      expect(scopes).toEqual(before)
    }),
  )
})

describe('a scope of a program is refused', () => {
  const rows: readonly (readonly [name: string, scope: unknown])[] = [
    ['with undefined', { a: 'x', b: undefined }],
    ['with null', { b: null }],
    ['with an empty text', { b: '' }],
    ['with NaN', { b: Number.NaN }],
    ['with a boolean', { b: true }],
    ['with an empty text in a list', { b: ['x', ''] }],
    ['with undefined in a list', { b: [undefined] }],
  ]
  for (const [name, scope] of rows) {
    test(name, () => {
      expect(refusalOf(() => checkScope(scope as Scope))).toBe(
        'The scope of narrow() has no value for "b": ' +
          'give a text, a number, or a list of them. An empty list holds no item.',
      )
    })
  }

  for (const scope of [undefined, null, false, 'a', ['a']]) {
    test(`as ${JSON.stringify(scope)}`, () => {
      expect(refusalOf(() => checkScope(scope as never))).toBe(
        "narrow() takes a scope: write narrow(adapter, { tenant_id: 'a' }), " +
          'or a function that returns one.',
      )
    })
  }

  test('only then', () => {
    for (const scope of [{}, { a: 'x' }, { a: 0 }, { a: [] }, { a: ['x', 1] }]) {
      expect(checkScope(scope)).toBe(scope)
    }
  })
})

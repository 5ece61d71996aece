import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patched, patchOf } from '../../../../src/explorer/browser/forms/json.ts'

// biome-ignore format: a row stays a line
const rows: readonly (readonly [before: unknown, patch: unknown, after: unknown])[] = [
  ['a', undefined, 'a'],
  [undefined, undefined, undefined],
  ['a', 'b', 'b'],
  [undefined, '', ''],
  ['a', null, undefined],
  [[1, 2], [2], [2]],
  [{ a: 1 }, [], []],
  [{ a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
  [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
  [{ a: { b: 1, c: 2 } }, { a: { c: null, d: 3 } }, { a: { b: 1, d: 3 } }],
  [{ a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
  [undefined, { toString: 'x' }, { toString: 'x' }],
]

describe('a patch', () => {
  test.each(rows)('from %j is %j to %j', (before, patch, after) => {
    expect(patchOf(before, after)).toEqual(patch)
    if (patch !== undefined) expect(patched(before, patch)).toEqual(after)
  })

  // biome-ignore format: a row stays a line
  const onlyThere: readonly (readonly [before: unknown, after: unknown, patch: unknown])[] = [
    ['a', null, null],
    [undefined, null, null],
    [null, null, undefined],
    [null, undefined, null],
    [{ a: { b: 1 } }, { a: { b: null } }, { a: { b: null } }],
    // The order of members is no difference.
    [{ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, undefined],
  ]
  test.each(onlyThere)('from %j to %j is %j', (before, after, patch) => {
    expect(patchOf(before, after)).toEqual(patch)
  })

  test('leads from any value to any other without null', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string({ maxLength: 3 }),
        fc.integer(),
        fc.boolean(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value')),
      ),
    }))
    fc.assert(
      fc.property(value, value, (before, after) => {
        const [one, other]: readonly unknown[] = JSON.parse(JSON.stringify([before, after]))
        const patch = patchOf(one, other)
        expect(patch === undefined ? one : patched(one, patch)).toEqual(other)
      }),
    )
  })
})

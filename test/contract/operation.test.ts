import { describe, expect, test } from 'vitest'
import { byId, noQuery } from '../../src/contract/resource/operation.ts'
import { fieldOf, isInScope, isSame } from '../../src/convention/value.ts'

describe('a field is only what is the item’s own', () => {
  const parsed: object = JSON.parse('{ "__proto__": 1, "name": null }')
  const rows = [
    [{ name: 'Ann' }, 'name', 'Ann'],
    [{ name: undefined }, 'name', undefined],
    [{}, 'name', undefined],
    [{}, 'constructor', undefined],
    [{}, '__proto__', undefined],
    [{}, 'toString', undefined],
    [parsed, '__proto__', 1],
    [parsed, 'name', null],
    [Object.create({ name: 'Ann' }), 'name', undefined],
    [Object.create(null), 'name', undefined],
  ] as const
  for (const [item, field, value] of rows) {
    test(`${field} of ${JSON.stringify(item)} is ${value}`, () => {
      expect(fieldOf(item, field)).toBe(value)
    })
  }
})

describe('a scope is equality of fields', () => {
  const ann = { id: '1', company_id: '7', customer_id: 42 }
  const rows = [
    [{}, true],
    [{ company_id: '7' }, true],
    [{ company_id: '7', customer_id: 42 }, true],
    [{ company_id: '8' }, false],
    [{ company_id: 7 }, false],
    [{ company_id: '7', customer_id: '42' }, false],
    [{ constructor: '7' }, false],
  ] as const
  for (const [scope, isInside] of rows) {
    test(`${JSON.stringify(scope)} holds it: ${isInside}`, () => {
      expect(isInScope(ann, scope)).toBe(isInside)
    })
  }
})

test('a scope has no fields of a tampered prototype', () => {
  const scope = Object.assign(Object.create({ polluted: 1 }), { company_id: '7' })
  expect(isInScope({ company_id: '7' }, scope)).toBe(true)
})

describe('values are the same in any order of fields', () => {
  const rows = [
    [1, 1, true],
    ['1', 1, false],
    [null, null, true],
    [null, {}, false],
    [{}, null, false],
    [{}, [], false],
    ['', {}, false],
    [{}, '', false],
    [{}, 0, false],
    [true, {}, false],
    [undefined, null, false],
    [{ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1, c: 2 }, false],
    [[1, 2], [2, 1], false],
    [[1, 2], [1, 2], true],
  ] as const
  for (const [one, other, same] of rows) {
    test(`${JSON.stringify(one)} and ${JSON.stringify(other)}: ${same}`, () => {
      expect(isSame(one, other)).toBe(same)
    })
  }
})

test('nothing asked is everything by id', () => {
  expect(noQuery).toEqual({ q: '', words: [], where: [], sort: byId, offset: 0 })
  expect(byId).toEqual([{ field: 'id', direction: 'asc' }])
})

test('the shared query is frozen', () => {
  expect([noQuery, noQuery.words, noQuery.where, byId, byId[0]].every(Object.isFrozen)).toBe(true)
})

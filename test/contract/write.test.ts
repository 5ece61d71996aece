import { defineResource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../../src/contract/resource/operation.ts'
import {
  checkComplete,
  checkNewId,
  checkRevision,
  inOrder,
  missingFieldsIn,
  revisionAfter,
} from '../../src/contract/values/write.ts'
import { codeOf } from './thrown.ts'

const Line = z.object({ price: z.number(), note: z.string().optional() })
const Order = z.object({
  id: z.string(),
  name: z.string().nullable(),
  lines: z.array(Line).optional(),
  address: z.object({ city: z.string(), tags: z.array(z.string()).optional() }).optional(),
  any: z.unknown().optional(),
})
const orders = defineResource('orders', { schema: Order })
const whole = { id: '1', name: null }

// biome-ignore format: a row stays a line
const rows: readonly (readonly [item: object, lacking: readonly string[]])[] = [
  [whole,                                                       []],
  [{ id: '1' },                                                 ['name']],
  [{ id: '1', name: undefined },                                ['name']],
  [Object.create(whole),                                        ['id', 'name']],
  [{ ...whole, lines: [] },                                     []],
  [{ ...whole, lines: [{ price: 1 }, { note: 'a' }] },          ['lines.1.price']],
  [{ ...whole, lines: null, address: 'a' },                     []],
  [{ ...whole, address: {} },                                   ['address.city']],
  [{ ...whole, address: { city: 'a', tags: ['b'] } },           []],
  [{ ...whole, address: [{}] },                                 []],
  [{ ...whole, lines: { price: undefined } },                   []],
  [{ ...whole, any: { price: undefined } },                     []],
]

describe('fields that a schema requires', () => {
  test.each(rows)('%j lacks %j', (item, lacking) => {
    expect(missingFieldsIn(item, orders)).toEqual(lacking)
  })

  // biome-ignore format: a row stays a line
  const replaced: [item: object, stored: object, lacking: string[]][] = [
    [{ id: '1' },                           { id: '1' },                          []],
    [{ id: '1' },                           whole,                                ['name']],
    [{ ...whole, address: {} },             { ...whole, address: {} },            []],
    [{ ...whole, address: { tags: [] } },   { ...whole, address: {} },            ['address.city']],
    [{ id: '1', lines: [{}] },              { id: '1', lines: [{}] },             []],
    [{ id: '1', lines: [{}, {}] },          { id: '1', lines: [{}] },             ['lines.0.price', 'lines.1.price']],
  ]
  test.each(replaced)('%j over %j lacks %j', (item, stored, lacking) => {
    expect(missingFieldsIn(item, orders, stored)).toEqual(lacking)
  })

  test('are unknown where the schema does not tell', () => {
    const { version, vendor, validate } = Order['~standard']
    const schema = { '~standard': { version, vendor, validate } }
    expect(missingFieldsIn({}, defineResource('orders', { schema }))).toEqual([])
  })
})

test('an item that lacks a field, or is out of its scope, is refused in words', () => {
  const check = (item: object, scope: Operation['scope']) => () =>
    checkComplete(item, { resource: orders, scope })
  expect(check(whole, {})).not.toThrow()
  expect(check({ id: '1' }, {})).toThrow(
    'The new item of "orders" has no name, which "schema" requires: ' +
      'require it in "create" and "update", or set it in the adapter.',
  )
  expect(check(whole, { shop_id: '7' })).toThrow(
    'The new item of "orders" is outside the scope {"shop_id":"7"}',
  )
})

test('an id that no path can name is refused in words', () => {
  expect(() => checkNewId({ id: 'a' }, orders)).not.toThrow()
  for (const id of ['first', '', 1, undefined]) {
    expect(() => checkNewId({ id }, orders)).toThrow(`has an id of type ${typeof id} that no path`)
  }
})

test('faults come in one order, each once', () => {
  const told = [
    { place: 1, field: 'a' },
    { place: 0, field: 'b' },
    { place: 0, field: 'a' },
    { place: 0, field: 'b' },
    { place: 0, field: 'c' },
  ]
  expect(inOrder(told).map(({ place, field }) => `${place} ${field}`)).toEqual([
    '0 a',
    '0 b',
    '0 c',
    '1 a',
  ])
})

const Versioned = z.object({ id: z.string(), revision: z.union([z.number(), z.string()]) })
const create = z.object({})
const versioned = defineResource('items', { schema: Versioned, create, revision: 'revision' })
const plain = defineResource('items', { schema: Versioned, create })

describe('versionAfter', () => {
  const one = { id: 'a', revision: 1 }
  test('counts numbers up', () => {
    expect(revisionAfter(undefined, versioned)).toEqual({ revision: 1 })
    expect(revisionAfter(one, versioned)).toEqual({ revision: 2 })
  })

  test('leaves other versions to whoever makes them', () => {
    expect(revisionAfter({ ...one, revision: 'x' } as { id: string }, versioned)).toEqual({})
    expect(revisionAfter(one, plain)).toEqual({})
    expect(revisionAfter(undefined, plain)).toEqual({})
  })
})

describe('checkVersion', () => {
  const stored = { id: 'a', revision: 'x' }
  test('lets a version pass that is still stored, or none', () => {
    expect(() => checkRevision(stored, 'x', versioned)).not.toThrow()
    expect(() => checkRevision(stored, undefined, versioned)).not.toThrow()
    expect(() => checkRevision(stored, 'y', plain)).not.toThrow()
  })

  test('refuses another', () => {
    expect(codeOf(() => checkRevision(stored, 'y', versioned))).toBe('precondition_failed')
  })
})

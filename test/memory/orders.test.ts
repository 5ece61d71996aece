import { describe, expect, test } from 'vitest'
import { createOrders } from '../../src/memory/orders.ts'

// Orders over no items, and the number of sorts.
function counted() {
  let sorted = 0
  const orders = createOrders<{ readonly id: number }>(() => {
    sorted++
    return []
  })
  const walk = (field: string): unknown => orders.walk([{ field, direction: 'asc' }], undefined)
  return { walk, sorted: () => sorted }
}

test('the 32 orders used last are kept', () => {
  const { walk, sorted } = counted()
  for (let index = 0; index < 32; index++) walk(`field${index}`)
  walk('field0')
  expect(sorted()).toBe(32)
  walk('another')
  walk('field0')
  expect(sorted()).toBe(33)
  walk('field1')
  expect(sorted()).toBe(34)
})

describe('an order and its reverse', () => {
  test('share one list', () => {
    const { walk, sorted } = counted()
    const orders = createOrders<{ readonly id: number }>(() => [{ id: 1 }, { id: 2 }])
    walk('id')
    walk('id')
    expect(sorted()).toBe(1)
    expect([...(orders.walk([{ field: 'id', direction: 'desc' }], undefined) as [])]).toEqual([
      { id: 2 },
      { id: 1 },
    ])
  })
})

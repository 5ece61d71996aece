import { describe, expect, test } from 'vitest'
import { createOrders } from '../../src/memory/order.ts'

// Orders over no boxes, and how often they were asked for all of them.
function counted() {
  let sorted = 0
  const orders = createOrders<{ readonly id: number }>(() => {
    sorted++
    return []
  })
  const walk = (field: string): unknown => orders.walk([{ field, direction: 'asc' }], undefined)
  return { walk, sorted: () => sorted }
}

test('32 orders are kept, those asked for last', () => {
  const { walk, sorted } = counted()
  for (let place = 0; place < 32; place++) walk(`field${place}`)
  walk('field0')
  expect(sorted()).toBe(32)
  walk('another')
  walk('field0')
  expect(sorted()).toBe(33)
  walk('field1')
  expect(sorted()).toBe(34)
})

describe('an order and its reverse', () => {
  test('are one', () => {
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

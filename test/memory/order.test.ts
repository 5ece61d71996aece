import { describe, expect, test } from 'vitest'
import { createOrders } from '../../src/memory/order.ts'
import { createStore } from '../../src/memory/store.ts'
import { byId } from '../../src/model/operation.ts'

interface Box {
  readonly id: number
}

// Orders over some boxes, and how often they were asked for all of them.
function counted(boxes: readonly Box[]) {
  let sorted = 0
  const orders = createOrders<Box>(() => {
    sorted++
    return boxes
  })
  const walk = (field: string): readonly Box[] => [
    ...orders.walk([{ field, direction: 'asc' }], undefined),
  ]
  return { orders, walk, sorted: () => sorted }
}

describe('orders are kept', () => {
  test('until they are forgotten', () => {
    const { orders, walk, sorted } = counted([{ id: 2 }, { id: 1 }])
    expect(walk('id')).toEqual([{ id: 1 }, { id: 2 }])
    walk('id')
    expect(sorted()).toBe(1)
    orders.forget()
    expect(walk('id')).toEqual([{ id: 1 }, { id: 2 }])
    expect(sorted()).toBe(2)
  })

  test('32 of them, those asked for last', () => {
    const { walk, sorted } = counted([])
    for (let place = 0; place < 32; place++) walk(`field${place}`)
    walk('field0')
    expect(sorted()).toBe(32)
    walk('another')
    walk('field0')
    expect(sorted()).toBe(33)
    walk('field1')
    expect(sorted()).toBe(34)
  })
})

describe('a store in order', () => {
  const boxes = Array.from({ length: 1000 }, (_, place) => ({ id: place }))
  const ids = (store: ReturnType<typeof createStore<Box>>): number[] =>
    store
      .list({
        resource: { searchable: [] } as never,
        scope: {},
        query: { q: '', words: [], sort: byId, limit: undefined, after: undefined },
      })
      .map(({ id }) => id)

  for (const many of [1, 256, 257, 1000]) {
    test(`stays so when ${many} come and go`, () => {
      const store = createStore<Box>([])
      const all = boxes.map(({ id }) => id)
      store.put(boxes.slice(many).toReversed())
      expect(ids(store)).toEqual(all.slice(many))
      store.put(boxes.slice(0, many).toReversed())
      expect(ids(store)).toEqual(all)
      store.remove(boxes.slice(0, many))
      expect(ids(store)).toEqual(all.slice(many))
    })
  }
})

import type { Position, SortField } from '../model/operation.ts'
import { compareBy, reverse, sorted } from '../model/order.ts'
import type { Item } from '../model/resource.ts'
import { createSorted, type Sorted } from './sorted.ts'

/** The same items in several orders, each made when it is first asked for and kept while they come and go. */
export interface Orders<Stored extends Item> {
  add(item: Stored): void
  remove(item: Stored): void
  /** Keeps no order any more; each is made again when it is next asked for. */
  forget(): void
  /** The items in an order, from just after a position. */
  walk(sort: readonly SortField[], after: Position | undefined): Iterable<Stored>
}

// Clients choose the orders, so their number is bounded; the one asked for longest ago goes first.
const maxOrders = 32

/** Makes orders over items that change; `all` gives them in any order. */
export function createOrders<Stored extends Item>(all: () => Iterable<Stored>): Orders<Stored> {
  const orders = new Map<string, Sorted<Stored>>()
  function orderFor(sort: readonly SortField[]): Sorted<Stored> {
    const key = JSON.stringify(sort.map(({ field, direction }) => [field, direction]))
    const order = orders.get(key) ?? createSorted(sorted(all(), sort), compareBy(sort))
    orders.delete(key)
    orders.set(key, order)
    const [oldest] = orders.keys()
    if (oldest !== undefined && orders.size > maxOrders) orders.delete(oldest)
    return order
  }
  return {
    add(item) {
      for (const order of orders.values()) order.add(item)
    },
    remove(item) {
      for (const order of orders.values()) order.remove(item)
    },
    forget: () => orders.clear(),
    // An order serves its reverse too.
    walk: (sort, after) =>
      sort[0]?.direction === 'desc'
        ? orderFor(reverse(sort)).before(after)
        : orderFor(sort).after(after),
  }
}

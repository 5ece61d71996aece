import { type Awaitable, whenReady } from '../model/awaitable.ts'
import type { Position, SortField } from '../model/operation.ts'
import { compareBy, reverse } from '../model/order.ts'
import type { Item } from '../model/resource.ts'
import { sortInTurns } from './sort.ts'
import { createSorted, type Sorted } from './sorted.ts'
import { inTurns, itemsATurn, type Work } from './turns.ts'

/** The same items in several orders, each made when it is first asked for and kept while they come and go. */
export interface Orders<Stored extends Item> {
  add(item: Stored): void
  remove(item: Stored): void
  /** The items in an order, from just after a position. The order of many items is made in turns. */
  walk(sort: readonly SortField[], after: Position | undefined): Awaitable<Iterable<Stored>>
}

// Clients choose the orders, so their number is bounded; the one asked for longest ago goes first.
const maxOrders = 32

/** An order that is being made, and the writes since it was begun. */
interface Making<Stored extends Item> {
  readonly finish: () => Awaitable<void>
  readonly writes: ((order: Sorted<Stored>) => void)[]
}

/** Makes orders over items that change; `all` gives them in any order. */
export function createOrders<Stored extends Item>(all: () => Iterable<Stored>): Orders<Stored> {
  const orders = new Map<string, Sorted<Stored>>()
  let making: Making<Stored> | undefined
  function orderFor(sort: readonly SortField[]): Awaitable<Sorted<Stored>> {
    const key = JSON.stringify(sort.map(({ field, direction }) => [field, direction]))
    const order = orders.get(key)
    if (order) {
      keep(orders, key, order)
      return order
    }
    // One at a time, since each takes memory for all items twice.
    making ??= begin(all, sort, (made) => {
      keep(orders, key, made)
      making = undefined
    })
    return whenReady(making.finish(), () => orderFor(sort))
  }
  return {
    add(item) {
      for (const order of orders.values()) order.add(item)
      making?.writes.push((order) => order.add(item))
    },
    remove(item) {
      for (const order of orders.values()) order.remove(item)
      making?.writes.push((order) => order.remove(item))
    },
    // An order serves its reverse too.
    walk: (sort, after) =>
      sort[0]?.direction === 'desc'
        ? whenReady(orderFor(reverse(sort)), (order) => order.before(after))
        : whenReady(orderFor(sort), (order) => order.after(after)),
  }
}

function keep<Order>(orders: Map<string, Order>, key: string, order: Order): void {
  orders.delete(key)
  orders.set(key, order)
  const [oldest] = orders.keys()
  if (oldest !== undefined && orders.size > maxOrders) orders.delete(oldest)
}

function begin<Stored extends Item>(
  all: () => Iterable<Stored>,
  sort: readonly SortField[],
  done: (order: Sorted<Stored>) => void,
): Making<Stored> {
  const writes: Making<Stored>['writes'] = []
  function* make(): Work<void> {
    const order = createSorted(yield* sortInTurns([...all()], sort), compareBy(sort))
    while (writes.length > 0) {
      for (const write of writes.splice(0, itemsATurn)) write(order)
      if (writes.length > 0) yield
    }
    done(order)
  }
  return { finish: inTurns(make()), writes }
}

import { type Awaitable, whenReady } from '../model/awaitable.ts'
import type { Position, SortField } from '../model/operation.ts'
import { compareBy, reverse } from '../model/order.ts'
import type { Item } from '../model/resource.ts'
import { sortInTurns } from './sort.ts'
import { createSortedList, type SortedList } from './sorted-list.ts'
import { inTurns, itemsATurn, type Steps } from './turns.ts'

/** The same items in several orders. Each order is created on first use and follows every write. */
export interface Orders<Stored extends Item> {
  add(item: Stored): void
  remove(item: Stored): void
  /** Returns the items in an order, from just after a position. Sorts many items in turns. */
  walk(sort: readonly SortField[], after: Position | undefined): Awaitable<Iterable<Stored>>
}

// Clients choose the orders, so their number is bounded. The least recently used order goes first.
const maxOrders = 32

/** An unfinished order, and the writes since its creation began. */
interface UnfinishedOrder<Stored extends Item> {
  readonly finish: () => Awaitable<void>
  readonly writes: ((order: SortedList<Stored>) => void)[]
}

/** Creates the orders of items that change. `all` returns the items in any order. */
export function createOrders<Stored extends Item>(all: () => Iterable<Stored>): Orders<Stored> {
  const orders = new Map<string, SortedList<Stored>>()
  let unfinished: UnfinishedOrder<Stored> | undefined
  function orderFor(sort: readonly SortField[]): Awaitable<SortedList<Stored>> {
    const key = JSON.stringify(sort.map(({ field, direction }) => [field, direction]))
    const order = orders.get(key)
    if (order) {
      keep(orders, key, order)
      return order
    }
    // One order at a time, since each needs memory for all items twice.
    unfinished ??= begin(all, sort, (made) => {
      keep(orders, key, made)
      unfinished = undefined
    })
    return whenReady(unfinished.finish(), () => orderFor(sort))
  }
  return {
    add(item) {
      for (const order of orders.values()) order.add(item)
      unfinished?.writes.push((order) => order.add(item))
    },
    remove(item) {
      for (const order of orders.values()) order.remove(item)
      unfinished?.writes.push((order) => order.remove(item))
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
  done: (order: SortedList<Stored>) => void,
): UnfinishedOrder<Stored> {
  const writes: UnfinishedOrder<Stored>['writes'] = []
  function* make(): Steps<void> {
    const order = createSortedList(yield* sortInTurns([...all()], sort), compareBy(sort))
    while (writes.length > 0) {
      for (const write of writes.splice(0, itemsATurn)) write(order)
      if (writes.length > 0) yield
    }
    done(order)
  }
  return { finish: inTurns(make()), writes }
}

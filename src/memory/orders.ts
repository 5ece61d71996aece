import type { Position, SortField } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { compareBy, reverse, sorted } from '../contract/values/order.ts'
import { type Awaitable, inTurn, isPending, whenReady } from '../convention/awaitable.ts'
import { type Compare, createSortedList, type SortedList } from './sorted-list.ts'
import { inTurns, itemsATurn, type Steps } from './turns.ts'

/** The same items in several orders. Each order is created on first use and follows every write. */
export interface Orders<Stored extends Item> {
  add(item: Stored): void
  remove(item: Stored): void
  /** Puts an item in the place of the old one with its id. */
  replace(old: Stored, item: Stored): void
  /** Keeps no more than so many orders: those that were used last. */
  keep(most: number): void
  /** Returns the items in an order, from just after a position. Sorts many items in turns. */
  walk(sort: readonly SortField[], after: Position | undefined): Awaitable<Iterable<Stored>>
}

// Clients choose the orders, so their number is bounded. The least recently used order goes first.

/** The orders that a group of items keeps. */
export const maxOrders = 32

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
    const key = JSON.stringify(sort.map(({ field, direction, type }) => [field, direction, type]))
    const order = orders.get(key)
    if (order) {
      keep(orders, key, order)
      return order
    }
    // One order at a time, since each needs memory for all items twice.
    unfinished ??= begin(all, sort, (newOrder) => {
      keep(orders, key, newOrder)
      unfinished = undefined
    })
    return whenReady(unfinished.finish(), () => orderFor(sort))
  }
  function write(change: (order: SortedList<Stored>) => void): void {
    for (const order of orders.values()) change(order)
    unfinished?.writes.push(change)
  }
  return {
    add: (item) => write((order) => order.add(item)),
    remove: (item) => write((order) => order.remove(item)),
    replace: (old, item) => write((order) => order.replace(old, item)),
    keep(most) {
      const oldest = [...orders.keys()].slice(0, Math.max(0, orders.size - most))
      for (const key of oldest) orders.delete(key)
    },
    // An order serves its reverse too.
    walk: (sort, after) =>
      sort[0]?.direction === 'desc'
        ? whenReady(orderFor(reverse(sort)), (order) => order.before(after))
        : whenReady(orderFor(sort), (order) => order.after(after)),
  }
}

/** Merges the orders of several groups, which share no item. */
export function mergedOrders<Stored extends Item>(
  all: () => readonly Pick<Orders<Stored>, 'walk'>[],
): Pick<Orders<Stored>, 'walk'> {
  return {
    walk(sort, after) {
      const walkAll = () => all().map((orders) => orders.walk(sort, after))
      const walks = walkAll()
      // The first walks create the orders. The second ones begin at one moment.
      const ready = walks.some(isPending) ? Promise.all(walks).then(walkAll) : walks
      return whenReady(ready, (begun) =>
        whenReady(
          inTurn(begun, (items) => items),
          (lists) => mergeAll(lists, compareBy(sort)),
        ),
      )
    },
  }
}

function mergeAll<Stored extends object>(
  lists: readonly Iterable<Stored>[],
  compare: Compare,
): Iterable<Stored> {
  const [first = [], ...further] = lists
  if (further.length === 0) return first
  const middle = lists.length >>> 1
  return mergeTwo(
    mergeAll(lists.slice(0, middle), compare),
    mergeAll(lists.slice(middle), compare),
    compare,
  )
}

function* mergeTwo<Stored extends object>(
  base: Iterable<Stored>,
  insertions: Iterable<Stored>,
  compare: Compare,
): Iterable<Stored> {
  const iterator = insertions[Symbol.iterator]()
  try {
    let next = iterator.next()
    for (const item of base) {
      for (; !next.done && compare(next.value, item) < 0; next = iterator.next()) yield next.value
      yield item
    }
    for (; !next.done; next = iterator.next()) yield next.value
  } finally {
    // Ends the walk.
    iterator.return?.()
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

// Sorts items as `sorted` does, in turns: sorts parts of them, then merges the parts.
function* sortInTurns<Stored extends object>(
  items: readonly Stored[],
  sort: readonly SortField[],
): Steps<readonly Stored[]> {
  const compare = compareBy(sort)
  let runs: (readonly Stored[])[] = []
  for (let start = 0; start < items.length; start += itemsATurn) {
    if (start > 0) yield
    runs.push(sorted(items.slice(start, start + itemsATurn), sort))
  }
  while (runs.length > 1) {
    const merged: (readonly Stored[])[] = []
    for (let run = 0; run < runs.length; run += 2) {
      merged.push(yield* merge(runs[run] ?? [], runs[run + 1] ?? [], compare))
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<Stored extends object>(
  base: readonly Stored[],
  insertions: readonly Stored[],
  compare: Compare,
): Steps<readonly Stored[]> {
  const merged: Stored[] = []
  let index = 0
  for (const item of base) {
    for (
      let next = insertions[index];
      next && compare(next, item) < 0;
      next = insertions[++index]
    ) {
      merged.push(next)
      if (merged.length % itemsATurn === 0) yield
    }
    merged.push(item)
    if (merged.length % itemsATurn === 0) yield
  }
  return merged.concat(insertions.slice(index))
}

import type { Position, SortField } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { compareBy, reverse, sorted } from '../contract/values/order.ts'
import {
  type Awaitable,
  inTurn,
  isPending,
  runTurns,
  type Turns,
  whenReady,
} from '../convention/awaitable.ts'

/** The number of items in one turn, some milliseconds, before the process serves other requests. */
export const itemsATurn = 4096

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
  function* make(): Turns<void> {
    const order = createSortedList(yield* sortInTurns([...all()], sort), compareBy(sort))
    while (writes.length > 0) {
      for (const write of writes.splice(0, itemsATurn)) write(order)
      if (writes.length > 0) yield
    }
    done(order)
  }
  return { finish: runTurns(make()), writes }
}

/** Sorts items as `sorted` does, in turns: sorts parts of them, then merges the parts. */
export function* sortInTurns<Stored extends object>(
  items: readonly Stored[],
  sort: readonly SortField[],
): Turns<readonly Stored[]> {
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
): Turns<readonly Stored[]> {
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

/** A list that stays sorted while values are added and removed. */
interface SortedList<Value> {
  add(value: Value): void
  remove(value: Value): void
  /** Puts a value in the place of another, or where it belongs. */
  replace(old: Value, value: Value): void
  /**
   * Returns the values after a position, or all of them. The position need not be in the list.
   * Later writes do not change the result.
   */
  after(position: object | undefined): Iterable<Value>
  /** Returns the values before a position, or all of them, in reverse order. */
  before(position: object | undefined): Iterable<Value>
}

/** Compares two values, or a value and a position. */
type Compare = (a: object, b: object) => number

// Moving a few hundred values costs less than finding the block they are in.
const maxBlock = 512

type Blocks<Value> = Value[][]

interface List<Value> {
  readonly blocks: Blocks<Value>
  readonly compare: Compare
  /** The number of unfinished walks. During a walk, writes change copies of the blocks. */
  walks: number
}

/**
 * Creates a list of distinct, sorted values in blocks: an addition to a hundred thousand values
 * moves some hundred of them.
 */
export function createSortedList<Value extends object>(
  values: readonly Value[],
  compare: Compare,
): SortedList<Value> {
  const list: List<Value> = { blocks: split(values), compare, walks: 0 }
  return {
    add: (value) => add(list, value),
    remove: (value) => remove(list, value),
    replace: (old, value) => replace(list, old, value),
    after: (position) => walk(list, position),
    before: (position) => walkBack(list, position),
  }
}

function split<Value>(values: readonly Value[]): Blocks<Value> {
  const blocks: Blocks<Value> = []
  for (let start = 0; start < values.length; start += maxBlock / 2) {
    blocks.push(values.slice(start, start + maxBlock / 2))
  }
  return blocks
}

function add<Value extends object>(list: List<Value>, value: Value): void {
  const { blocks, compare } = list
  const { block, index } = find(blocks, value, compare)
  if (blocks.length === 0) {
    blocks.push([value])
    return
  }
  const isLast = block === blocks.length
  const target = isLast ? block - 1 : block
  const values = writableBlock(list, target)
  values.splice(isLast ? values.length : index, 0, value)
  if (values.length > maxBlock) blocks.splice(target + 1, 0, values.splice(maxBlock / 2))
}

function remove<Value extends object>(list: List<Value>, value: Value): void {
  const { blocks, compare } = list
  const { block, index } = find(blocks, value, compare)
  const stored = blocks[block]?.[index]
  if (!stored || compare(stored, value) !== 0) return
  const values = writableBlock(list, block)
  values.splice(index, 1)
  if (values.length === 0) blocks.splice(block, 1)
}

function replace<Value extends object>(list: List<Value>, old: Value, value: Value): void {
  const { blocks, compare } = list
  if (compare(old, value) !== 0) {
    remove(list, old)
    add(list, value)
    return
  }
  const { block, index } = find(blocks, old, compare)
  if (blocks[block]?.[index] !== undefined) writableBlock(list, block)[index] = value
}

// The block itself, or its copy during a walk.
function writableBlock<Value>({ blocks, walks }: List<Value>, block: number): Value[] {
  const values = blocks[block] ?? []
  if (walks === 0) return values
  const copy = values.slice()
  blocks[block] = copy
  return copy
}

function* walk<Value extends object>(
  list: List<Value>,
  start: object | undefined,
): Iterable<Value> {
  const { blocks, compare } = list
  const from = start === undefined ? { block: 0, index: 0 } : find(blocks, start, compare)
  const all = blocks.slice(from.block)
  list.walks++
  try {
    for (const [block, values] of all.entries()) {
      for (const value of block === 0 ? values.slice(from.index) : values) {
        if (start === undefined || compare(value, start) !== 0) yield value
      }
    }
  } finally {
    list.walks--
  }
}

function* walkBack<Value extends object>(
  list: List<Value>,
  end: object | undefined,
): Iterable<Value> {
  const { blocks, compare } = list
  const from = end === undefined ? { block: blocks.length, index: 0 } : find(blocks, end, compare)
  const all = blocks.slice(0, from.block)
  const first = blocks[from.block]?.slice(0, from.index) ?? []
  list.walks++
  try {
    yield* first.reverse()
    for (let block = all.length - 1; block >= 0; block--) yield* all[block]?.toReversed() ?? []
  } finally {
    list.walks--
  }
}

// The block for a value, and the index of the first value in it that is not before the value.
function find<Value extends object>(
  blocks: Blocks<Value>,
  value: object,
  compare: Compare,
): { readonly block: number; readonly index: number } {
  const isBefore = (candidate: Value | undefined): boolean =>
    !candidate || compare(candidate, value) < 0
  const block = firstOf(blocks, (values) => !isBefore(values.at(-1)))
  return { block, index: firstOf(blocks[block] ?? [], (candidate) => !isBefore(candidate)) }
}

// Binary search for the first index at which `holds` is true. It is true for all later ones too.
function firstOf<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(values[middle] as Value)) high = middle
    else low = middle + 1
  }
  return low
}

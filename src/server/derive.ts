import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Operation } from '../contract/resource/operation.ts'
import { bypassOf } from '../contract/resource/siblings.ts'
import { datesOf } from '../contract/values/dates.ts'
import { reverse, sorted, Tally, type ValueGroup } from '../contract/values/order.ts'
import { type Awaitable, nextTurn, whenReady } from '../convention/awaitable.ts'
import { maxGroups } from '../convention/limits.ts'
import type { OperationKind } from '../convention/operations.ts'
import { type ChunkedList, isStream, itemsIn, take } from '../convention/stream.ts'
import { fieldOf } from '../convention/value.ts'
import { breach, checkCount, checkItems, checkStream } from './checks/outcome.ts'
import { collectionOf } from './operations.ts'

/**
 * Derives the result of an operation from the adapter's `list`. `first` is a list of one, `last`
 * the first of the exact reverse order, `count` the length of the whole list.
 */
export function derive(
  operation: Operation,
  adapter: UncheckedAdapter,
  context: unknown,
): Awaitable<unknown> {
  const list = listBehind(operation)
  return whenReady(adapter.list?.(list, context), (result) =>
    isStream(result)
      ? answerFromStream(checkStream(result, list), operation.kind)
      : answerFrom(checkItems(result, list), operation.kind),
  )
}

function listBehind(operation: Operation): Operation {
  const { kind, query } = operation
  if (kind === 'count') return collectionOf(operation, 'list')
  const sort = kind === 'last' ? reverse(query.sort) : query.sort
  return collectionOf(operation, 'list', { ...query, sort, limit: 1 })
}

function answerFrom(items: readonly object[], kind: OperationKind): unknown {
  return kind === 'count' ? items.length : items[0]
}

async function answerFromStream(list: ChunkedList<object>, kind: OperationKind): Promise<unknown> {
  return kind === 'count' ? lengthOf(list) : answerFrom(await take(list.chunks(), 1), kind)
}

// The items that the core counts before it lets other requests go on: some milliseconds.
const turn = 10_000

async function lengthOf(list: ChunkedList<object>): Promise<number> {
  let length = 0
  let nextStop = turn
  for await (const chunk of list.chunks()) {
    if (length >= nextStop) {
      nextStop = length + turn
      await nextTurn()
    }
    length += itemsIn(chunk).length
  }
  return length
}

/** Counts the items of an operation's scope and query, by the adapter's `count` or its `list`. */
export function countOf(
  operation: Operation,
  adapter: UncheckedAdapter,
  context: unknown,
): Awaitable<number> {
  const countOperation = operation.kind === 'count' ? operation : collectionOf(operation, 'count')
  const { count } = adapter
  const result =
    typeof count === 'function'
      ? count.call(adapter, countOperation, context)
      : derive(countOperation, adapter, context)
  return whenReady(result, (number) => checkCount(number, countOperation))
}

/** The groups in order. */
interface OrderedGroups {
  readonly groups: readonly ValueGroup[]
  /** There are more of them, or there may be. */
  readonly isCut: boolean
}

/** An operation with the adapter that carries it out. */
interface Grouping {
  readonly operation: Operation
  readonly adapter: UncheckedAdapter
  readonly context: unknown
}

/**
 * Counts the items of an operation's scope and query by their values in some fields: by the
 * adapter's `countBy`, or over its `list`. The largest group comes first, then the least values,
 * missing ones last.
 */
export function countsBy(by: readonly string[], grouping: Grouping): Awaitable<OrderedGroups> {
  const { operation, adapter, context } = grouping
  return whenReady(bypassOf(adapter, 'countBy')?.call(adapter, operation, context), (result) => {
    const tally = new Tally(by, datesOf(operation.resource))
    if (result === undefined) return whenReady(addListed(tally, grouping), () => ordered(tally))
    if (!Array.isArray(result)) throw breach(operation, 'no array of groups from "countBy"')
    for (const group of result) {
      const count = fieldOf(Object(group), 'count')
      if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) {
        throw breach(operation, 'a group without the number of its items: return "count" from 1')
      }
      tally.add(group, count)
    }
    return ordered(tally, result.length > maxGroups)
  })
}

function ordered({ groups, sort }: Tally, isCut = groups.length > maxGroups) {
  const order = [{ field: 'count', direction: 'desc' } as const, ...sort]
  return { groups: sorted(groups, order).slice(0, maxGroups), isCut }
}

function addListed(tally: Tally, { operation, adapter, context }: Grouping): Awaitable<void> {
  const list = collectionOf(operation, 'list', { ...operation.query, by: undefined })
  return whenReady(adapter.list?.(list, context), (result) => {
    if (isStream(result)) return addChunks(tally, checkStream(result, list).chunks())
    for (const item of checkItems(result, list)) tally.add(item, 1)
  })
}

async function addChunks(
  tally: Tally,
  chunks: AsyncIterable<object | readonly object[]>,
): Promise<void> {
  let added = 0
  for await (const chunk of chunks) {
    for (const item of itemsIn(chunk)) {
      tally.add(item, 1)
      added++
      if (added % turn === 0) await nextTurn()
    }
  }
}

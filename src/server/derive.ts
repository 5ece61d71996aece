import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Operation } from '../contract/resource/operation.ts'
import { reverse } from '../contract/values/order.ts'
import { type Awaitable, nextTurn, whenReady } from '../convention/awaitable.ts'
import type { OperationKind } from '../convention/operations.ts'
import { type ChunkedList, isStream, itemsIn, take } from '../convention/stream.ts'
import { checkCount, checkItems, checkStream } from './checks/outcome.ts'
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

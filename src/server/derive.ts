import { type Awaitable, nextTurn, whenReady } from '../model/awaitable.ts'
import type { Binding } from '../model/binding.ts'
import type { OperationKind } from '../model/convention.ts'
import { reverse } from '../model/order.ts'
import { isStream, itemsIn, type Parts, take } from '../model/stream.ts'
import { checkItems, checkStream } from './check.ts'
import type { RequestedOperation } from './operation.ts'

/**
 * Calls the adapter for an operation, or derives the answer from its `list`: `first` is a list of one,
 * `last` the first of the exact reverse order, `count` the length of the whole.
 */
export function callAdapter(
  operation: RequestedOperation,
  { adapter }: Pick<Binding, 'adapter'>,
  context: unknown,
): Awaitable<unknown> {
  const method = adapter[operation.kind]
  if (typeof method === 'function') return method.call(adapter, operation, context)
  const list = listBehind(operation)
  return whenReady(adapter.list?.(list, context), (given) =>
    isStream(given)
      ? answerFromStream(checkStream(given, list), operation.kind)
      : answerFrom(checkItems(given, list), operation.kind),
  )
}

function listBehind(operation: RequestedOperation): RequestedOperation {
  const { kind, query } = operation
  if (kind === 'count') return operation.reask({ kind: 'list', id: undefined, query: undefined })
  const sort = kind === 'last' ? reverse(query.sort) : query.sort
  return operation.reask({ kind: 'list', id: undefined, query: { ...query, sort, limit: 1 } })
}

function answerFrom(items: readonly object[], kind: OperationKind): unknown {
  return kind === 'count' ? items.length : items[0]
}

async function answerFromStream(list: Parts<object>, kind: OperationKind): Promise<unknown> {
  return kind === 'count' ? lengthOf(list) : answerFrom(await take(list.parts(), 1), kind)
}

// Items that are counted between two turns of others: some milliseconds.
const turn = 10_000

async function lengthOf(list: Parts<object>): Promise<number> {
  let length = 0
  let nextStop = turn
  for await (const part of list.parts()) {
    if (length >= nextStop) {
      nextStop = length + turn
      await nextTurn()
    }
    length += itemsIn(part).length
  }
  return length
}

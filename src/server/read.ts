import { type Awaitable, whenReady, whenReadyFor } from '../model/awaitable.ts'
import type { Operation, Outcome } from '../model/operation.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import { isStream, take } from '../model/stream.ts'
import { endPage } from '../wire/next.ts'
import { mostOf } from '../wire/page.ts'
import { checkCount, checkItem, checkItems, checkStream, findItem } from './check.ts'
import { callAdapter } from './derive.ts'
import type { Errand } from './errand.ts'
import { notFound } from './stored.ts'

/** Lists a collection, or a page of it: one item more is asked for, to know whether there is a next page. */
export function list(errand: Errand): Awaitable<Outcome> {
  const { operation, binding, context } = errand
  const { query } = operation
  const { limit } = query
  if (limit === undefined) {
    return whenReady(callAdapter(operation, binding, context), (given) => ({
      gives: 'items',
      items: isStream(given) ? checkStream(given, operation) : checkItems(given, operation),
    }))
  }
  const more = operation.reask({
    kind: 'list',
    id: undefined,
    query: { ...query, limit: limit + 1 },
  })
  return whenReady(callAdapter(more, binding, context), (given) =>
    isStream(given)
      ? take(given, limit + 1).then((items) => toPage(items, limit, errand))
      : toPage(given, limit, errand),
  )
}

function toPage(given: unknown, limit: number, { operation, call, exchange }: Errand): Outcome {
  const all = checkItems(given, operation)
  if (all.length <= limit) return { gives: 'items', items: all }
  const asked = { query: operation.query, target: call.target, most: mostOf(exchange) }
  const { items, next } = endPage(all.slice(0, limit), asked)
  return { gives: 'items', items, next }
}

/** Reads one item. */
export function read({ operation, binding, context }: Errand): Awaitable<Outcome | ProblemError> {
  if (operation.id === undefined) return notFound([])
  return whenReadyFor(callAdapter(operation, binding, context), operation, toRead)
}

function toRead(given: unknown, operation: Operation): Outcome | ProblemError {
  const item = findItem(given, operation)
  return item === undefined ? notFound([]) : { gives: 'item', item }
}

/** Reads the first or the last item. */
export function readEnd({ operation, binding, context }: Errand): Awaitable<Outcome> {
  return whenReadyFor(callAdapter(operation, binding, context), operation, toEnd)
}

function toEnd(given: unknown, operation: Operation): Outcome {
  if (given !== null && given !== undefined)
    return { gives: 'item', item: checkItem(given, operation) }
  throw problem(
    'empty_collection',
    `There is no ${operation.kind} item: none is there, or none matches`,
  )
}

/** Counts a collection. */
export function count({ operation, binding, context }: Errand): Awaitable<Outcome> {
  return whenReadyFor(callAdapter(operation, binding, context), operation, toCount)
}

function toCount(given: unknown, operation: Operation): Outcome {
  return { gives: 'count', count: checkCount(given, operation) }
}

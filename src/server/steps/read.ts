import { type Awaitable, whenReady, whenReadyFor } from '../../model/awaitable.ts'
import type { Outcome } from '../../model/operation.ts'
import { type ProblemError, problem } from '../../model/problem.ts'
import { isStream, take } from '../../model/stream.ts'
import { endPage } from '../../wire/next.ts'
import { mostOf } from '../../wire/page.ts'
import { checkItem, checkItems, checkStream } from '../checks/outcome.ts'
import { collectionOf } from '../operation.ts'
import type { Task } from '../task.ts'
import { countOf, derive } from './derive.ts'

/**
 * Lists a collection, or a page of it. For a page the core wants one item more, which tells whether
 * another page follows.
 */
export function list(task: Task): Awaitable<Task> {
  const { plan, operation, context } = task
  const { query } = operation
  const { limit } = query
  const asked =
    limit === undefined
      ? operation
      : collectionOf(operation, 'list', { ...query, limit: limit + 1 })
  const given = plan.adapter.list?.(asked, context)
  return whenReadyFor(given, task, limit === undefined ? toList : toPage)
}

function toList(given: unknown, task: Task): Task {
  const { operation } = task
  const items = isStream(given) ? checkStream(given, operation) : checkItems(given, operation)
  return { ...task, outcome: { gives: 'items', items } }
}

function toPage(given: unknown, task: Task): Awaitable<Task> {
  const { operation, target, lifetime } = task
  const { query } = operation
  const limit = Number(query.limit)
  if (isStream(given)) return take(given, limit + 1).then((items) => toPage(items, task))
  const all = checkItems(given, operation)
  const outcome: Outcome =
    all.length <= limit
      ? { gives: 'items', items: all }
      : {
          gives: 'items',
          ...endPage(all.slice(0, limit), { query, target, most: mostOf(lifetime) }),
        }
  return { ...task, outcome }
}

/** Reads the first or the last item. Returns `empty_collection`. */
export function readEnd(task: Task): Awaitable<Task | ProblemError> {
  const { plan, operation, context } = task
  const { adapter } = plan
  const method = adapter[operation.kind]
  const given =
    typeof method === 'function'
      ? method.call(adapter, operation, context)
      : derive(operation, adapter, context)
  return whenReadyFor(given, task, toEnd)
}

function toEnd(given: unknown, task: Task): Task | ProblemError {
  const { operation } = task
  if (given === null || given === undefined) {
    return problem('empty_collection', `The ${operation.kind} item does not exist: no item matches`)
  }
  return { ...task, outcome: { gives: 'item', item: checkItem(given, operation) } }
}

/** Counts a collection. */
export function count(task: Task): Awaitable<Task> {
  const { plan, operation, context } = task
  return whenReady(countOf(operation, plan.adapter, context), (number) => ({
    ...task,
    outcome: { gives: 'count', count: number },
  }))
}

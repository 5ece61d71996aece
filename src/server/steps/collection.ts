import { type Awaitable, isPending, nextTurn, settle, whenReady } from '../../model/awaitable.ts'
import type { UncheckedAdapter } from '../../model/binding.ts'
import type { OperationKind } from '../../model/convention.ts'
import type { Outcome } from '../../model/operation.ts'
import { reverse } from '../../model/order.ts'
import { type ProblemError, problem } from '../../model/problem.ts'
import type { Item } from '../../model/resource.ts'
import { isStream, itemsIn, Parts, take } from '../../model/stream.ts'
import { isBounded } from '../../model/target.ts'
import { endPage } from '../../wire/next.ts'
import { mostOf } from '../../wire/page.ts'
import { checkCount, checkFilters, checkItem, checkItems, checkStream } from '../checks/outcome.ts'
import { checkCollectionConditions } from '../checks/stored.ts'
import { collectionOf, type RequestedOperation } from '../operations.ts'
import type { Task } from '../task.ts'

/**
 * Lists a collection, or a page of it. For a page the core wants one item more, which tells whether
 * another page follows. It counts all matching items beside the page, where a client wants that.
 */
export function list(task: Task): Awaitable<Task> {
  const { conditions, plan } = task
  const { total = conditions.isCounted === true } = plan.resource
  const page = listItems(task)
  if (!total) return page
  const failed = (error: unknown): never => {
    settle(
      () => page,
      closeList,
      () => undefined,
    )
    throw error
  }
  if (!isPending(page)) {
    const counted = (number: number): Task => withTotal(page, number)
    return settle(() => totalOf(task), counted, failed)
  }
  const counting = Promise.resolve(task).then(totalOf)
  return Promise.all([page, counting]).then(([listed, number]) => withTotal(listed, number), failed)
}

function closeList({ outcome }: Task): void {
  if (outcome?.gives === 'items' && outcome.items instanceof Parts) outcome.items.close()
}

function totalOf({ operation, plan, context }: Task): Awaitable<number> {
  const { query } = operation
  const whole = { ...query, limit: undefined, offset: 0, after: undefined, fields: undefined }
  return countOf(collectionOf(operation, 'count', whole), plan.adapter, context)
}

function withTotal(task: Task, total: number): Task {
  // A list gives items.
  const outcome = task.outcome as Extract<Outcome, { readonly gives: 'items' }>
  return { ...task, outcome: { ...outcome, total } }
}

function listItems(task: Task): Awaitable<Task> {
  const { plan, operation, context } = task
  const { query } = operation
  const { limit, offset } = query
  if (limit === undefined) {
    return whenReady(plan.adapter.list?.(operation, context), (given) => ({
      ...task,
      outcome: {
        gives: 'items',
        items: isStream(given) ? checkStream(given, operation) : checkItems(given, operation),
      },
    }))
  }
  // The core leaves out the first items itself: an adapter could ignore an offset unnoticed.
  const most = offset + limit + 1
  const asked = collectionOf(operation, 'list', { ...query, limit: most, offset: 0 })
  return whenReady(plan.adapter.list?.(asked, context), (given) =>
    Array.isArray(given) || !isStream(given)
      ? toPage(given, limit, task)
      : take(given, most).then((items) => toPage(items, limit, task)),
  )
}

function toPage(given: unknown, limit: number, task: Task): Task {
  const { operation, target, lifetime } = task
  const { offset } = operation.query
  const found = checkItems(given, operation)
  const all = offset === 0 ? found : found.slice(offset)
  if (all.length <= limit) return { ...task, outcome: { gives: 'items', items: all } }
  const { query } = operation
  const page = endPage(all.slice(0, limit), { query, target, most: mostOf(lifetime) })
  return { ...task, outcome: { gives: 'items', ...page } }
}

/** Reads the first or the last item. Returns `empty_collection`. */
export function readEnd(task: Task): Awaitable<Task | ProblemError> {
  const { plan, operation, context } = task
  const { adapter } = plan
  const method = adapter[plan.kind === 'last' ? 'last' : 'first']
  const given =
    typeof method === 'function'
      ? method.call(adapter, operation, context)
      : derive(operation, adapter, context)
  return whenReady(given, (item) =>
    item === null || item === undefined
      ? problem('empty_collection', `The ${plan.kind} item does not exist: no item matches`)
      : { ...task, outcome: { gives: 'item', item: checkEnd(item, operation) } },
  )
}

function checkEnd(value: unknown, operation: RequestedOperation): Item {
  const item = checkItem(value, operation)
  checkFilters([item], operation)
  return item
}

/** Counts a collection. */
export function count(task: Task): Awaitable<Task> {
  const { plan, operation, context } = task
  return whenReady(countOf(operation, plan.adapter, context), (number) => ({
    ...task,
    outcome: { gives: 'count', count: number },
  }))
}

/** Deletes every item of the scope, or none where the client allows fewer. */
export function deleteAll(task: Task): Awaitable<Task> {
  const { operation, plan, target, conditions, context } = task
  const { maxAffected } = conditions
  checkCollectionConditions(conditions)
  if (maxAffected === undefined && isBounded(target.collection)) {
    throw problem(
      'too_many_affected',
      'This deletes the whole collection: send "prefer: max-affected=N" with the most items',
    )
  }
  return whenReady(refuseTooMany(task), () => {
    operation.maxAffected = maxAffected
    return whenReady(plan.adapter.deleteAll?.(operation, context), (deleted) => ({
      ...task,
      outcome: { gives: 'deleted', deleted: checkCount(deleted, operation) },
    }))
  })
}

// The core counts first, so the bound holds with every adapter. An adapter that knows the bound
// closes the gap between count and delete.
function refuseTooMany(task: Task): Awaitable<void> {
  const { maxAffected } = task.conditions
  if (maxAffected === undefined) return
  const { plan, operation, context } = task
  const { count, list } = plan.adapter
  if (typeof count !== 'function' && typeof list !== 'function') {
    throw problem('too_many_affected', 'The adapter cannot count the items to delete')
  }
  return whenReady(countOf(operation, plan.adapter, context), (number) => {
    if (number <= maxAffected) return
    throw problem('too_many_affected', `This would delete more than ${maxAffected} items`)
  })
}

// Derives the result of an operation from the adapter's `list`. `first` is a list of one, `last`
// the first of the exact reverse order, `count` the length of the whole list.
function derive(
  operation: RequestedOperation,
  adapter: UncheckedAdapter,
  context: unknown,
): Awaitable<unknown> {
  const list = listBehind(operation)
  return whenReady(adapter.list?.(list, context), (given) =>
    isStream(given)
      ? answerFromStream(checkStream(given, list), operation.kind)
      : answerFrom(checkItems(given, list), operation.kind),
  )
}

function listBehind(operation: RequestedOperation): RequestedOperation {
  const { kind, query } = operation
  if (kind === 'count') return collectionOf(operation, 'list')
  const sort = kind === 'last' ? reverse(query.sort) : query.sort
  return collectionOf(operation, 'list', { ...query, sort, limit: 1 })
}

function answerFrom(items: readonly object[], kind: OperationKind): unknown {
  return kind === 'count' ? items.length : items[0]
}

async function answerFromStream(list: Parts<object>, kind: OperationKind): Promise<unknown> {
  return kind === 'count' ? lengthOf(list) : answerFrom(await take(list.parts(), 1), kind)
}

// The items that the core counts before it lets other requests go on: some milliseconds.
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

// Counts the items of an operation's scope and query, by the adapter's `count` or its `list`.
function countOf(
  operation: RequestedOperation,
  adapter: UncheckedAdapter,
  context: unknown,
): Awaitable<number> {
  const asked = operation.kind === 'count' ? operation : collectionOf(operation, 'count')
  const { count } = adapter
  const given =
    typeof count === 'function'
      ? count.call(adapter, asked, context)
      : derive(asked, adapter, context)
  return whenReady(given, (number) => checkCount(number, asked))
}

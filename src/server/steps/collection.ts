import type { Operation, Outcome, Query } from '../../contract/resource/operation.ts'
import { type Item, ownerFieldsOf } from '../../contract/resource/resource.ts'
import { everything } from '../../contract/values/caller.ts'
import { positionOf } from '../../contract/values/order.ts'
import { type Awaitable, isPending, settle, whenReady } from '../../convention/awaitable.ts'
import { type ProblemError, problem, tooManyAffected } from '../../convention/problem.ts'
import { ChunkedList, isStream, take } from '../../convention/stream.ts'
import { endPage, type PagedQuery } from '../../wire/next.ts'
import { mostOf, roomOf } from '../../wire/page.ts'
import {
  breach,
  checkCount,
  checkFilters,
  checkItem,
  checkItems,
  checkStream,
} from '../checks/outcome.ts'
import { checkCollectionConditions } from '../checks/stored.ts'
import { countOf, derive } from '../derive.ts'
import { collectionOf, complete } from '../operations.ts'
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
  if (outcome?.gives === 'items' && outcome.items instanceof ChunkedList) outcome.items.close()
}

function totalOf({ operation, plan, context }: Task): Awaitable<number> {
  const { query } = operation
  const fullQuery = { ...query, limit: undefined, offset: 0, after: undefined, fields: undefined }
  return countOf(collectionOf(operation, 'count', fullQuery), plan.adapter, context)
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
    return whenReady(plan.adapter.list?.(operation, context), (result) => ({
      ...task,
      outcome: {
        gives: 'items',
        items: isStream(result) ? checkStream(result, operation) : checkItems(result, operation),
      },
    }))
  }
  const page =
    offset === 0 || plan.isSkipping
      ? listSlice(task, { limit: limit + 1, offset, after: query.after })
      : listAfterSkip(task, { limit, skip: offset, items: [], after: undefined })
  return whenReady(page, (items) => toPage(items, limit, task))
}

interface Slice extends Pick<Query, 'offset' | 'after'> {
  readonly limit: number
}

function listSlice({ plan, operation, context }: Task, slice: Slice): Awaitable<readonly Item[]> {
  const listOperation = collectionOf(operation, 'list', { ...operation.query, ...slice })
  return whenReady(plan.adapter.list?.(listOperation, context), (result) =>
    isStream(result)
      ? take(result, slice.limit).then((items) => checkItems(items, operation))
      : checkItems(result, operation),
  )
}

/** A page behind the items that its client leaves out. */
interface SkipState extends Pick<Query, 'after'> {
  readonly limit: number
  /** The number of items that are still to leave out. */
  readonly skip: number
  readonly items: readonly Item[]
}

// So few items are read at a time, whatever the limit.
const minSlice = 100

// An adapter could ignore an offset unnoticed. So the core leaves out the first items itself, slice
// by slice: it never holds many more than the page has.
function listAfterSkip(
  task: Task,
  { limit, skip, items, after }: SkipState,
): Awaitable<readonly Item[]> {
  const wanted = skip + limit + 1 - items.length
  const size = Math.min(wanted, Math.max(limit + 1, minSlice))
  return whenReady(listSlice(task, { limit: size, offset: 0, after }), (slice) => {
    const all = [...items, ...slice.slice(skip)]
    const last = slice.at(-1)
    if (last === undefined || slice.length < size || all.length > limit) return all
    if (after?.id === last.id)
      throw breach(task.operation, 'the same page again: return only items after "query.after"')
    const position = positionOf(last, task.operation.query.sort)
    const remaining = Math.max(0, skip - slice.length)
    return listAfterSkip(task, { limit, skip: remaining, items: all, after: position })
  })
}

function toPage(all: readonly Item[], limit: number, task: Task): Task {
  const { plan, operation, target, caller, lifetime, sentQuery } = task
  if (all.length <= limit) return { ...task, outcome: { gives: 'items', items: all } }
  const query = sentQuery ?? operation.query
  const isOpen = typeof plan.adapter.holdsValue === 'function'
  const bounds = { most: mostOf(lifetime), room: roomOf(lifetime) }
  const pagedQuery: PagedQuery = { query, target, caller, ...bounds, isOpen }
  const page = endPage(all.slice(0, limit), pagedQuery)
  return { ...task, outcome: { gives: 'items', ...page } }
}

/** Reads the first or the last item. Returns `empty_collection`. */
export function readEnd(task: Task): Awaitable<Task | ProblemError> {
  const { plan, operation, context } = task
  const { adapter } = plan
  const method = adapter[plan.kind === 'last' ? 'last' : 'first']
  const result =
    typeof method === 'function'
      ? method.call(adapter, operation, context)
      : derive(operation, adapter, context)
  return whenReady(result, (item) =>
    item === null || item === undefined
      ? problem('empty_collection', `There is no ${plan.kind} item: no item matches.`)
      : { ...task, outcome: { gives: 'item', item: checkEnd(item, operation) } },
  )
}

function checkEnd(value: unknown, operation: Operation): Item {
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
  const { operation, plan, conditions, context } = task
  const { maxAffected } = conditions
  checkCollectionConditions(conditions)
  if (maxAffected === undefined && needsBound(task)) {
    throw problem(
      'too_many_affected',
      'This deletes the whole collection: send "prefer: max-affected=N" with the most items.',
    )
  }
  return whenReady(refuseTooMany(task), () => {
    complete(operation, 'maxAffected', maxAffected)
    return whenReady(plan.adapter.deleteAll?.(operation, context), (deleted) => ({
      ...task,
      outcome: { gives: 'deleted', deleted: checkCount(deleted, operation) },
    }))
  })
}

// A caller of every owner names the owner in the path, or a bound.
function needsBound({ target: { collection }, caller }: Task): boolean {
  const isOpen = (field: string): boolean => !collection.owners.includes(field)
  const isEverything = caller === everything && ownerFieldsOf(collection.resource).some(isOpen)
  return isEverything || collection.resource.bounded
}

// The core counts first, so the bound holds with every adapter. An adapter that knows the bound
// closes the gap between count and delete.
function refuseTooMany(task: Task): Awaitable<void> {
  const { maxAffected } = task.conditions
  if (maxAffected === undefined) return
  const { plan, operation, context } = task
  const { count, list } = plan.adapter
  if (typeof count !== 'function' && typeof list !== 'function') {
    throw problem(
      'too_many_affected',
      'The number of items to delete is unknown: send no "max-affected".',
    )
  }
  return whenReady(countOf(operation, plan.adapter, context), (number) => {
    if (number <= maxAffected) return
    throw tooManyAffected(maxAffected)
  })
}

import type { Outcome, Query } from '../../contract/resource/operation.ts'
import type { Item } from '../../contract/resource/resource.ts'
import { positionOf } from '../../contract/values/order.ts'
import { type Awaitable, isPending, settle, whenReady } from '../../convention/awaitable.ts'
import { ChunkedList, isStream } from '../../convention/stream.ts'
import { endPage, type PagedQuery } from '../../wire/next.ts'
import { linkBoundsOf } from '../../wire/request.ts'
import { breach, checkItems, checkSlice, checkStream } from '../checks/outcome.ts'
import { countOf } from '../derive.ts'
import { collectionOf } from '../operations.ts'
import type { Task, TaskChanges } from '../task.ts'

/** The change of a list: its page. */
type Page = Pick<Task, 'outcome'>

/**
 * Lists a collection, or a page of it. For a page the core wants one item more, which tells whether
 * another page follows. It counts all matching items beside the page, where a client wants that.
 */
export function list(task: Task): Awaitable<TaskChanges> {
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
    const counted = (number: number): Page => withTotal(page, number)
    return settle(() => totalOf(task), counted, failed)
  }
  const counting = Promise.resolve(task).then(totalOf)
  return Promise.all([page, counting]).then(([listed, number]) => withTotal(listed, number), failed)
}

function closeList({ outcome }: Partial<Page>): void {
  if (outcome?.gives === 'items' && outcome.items instanceof ChunkedList) outcome.items.close()
}

function totalOf({ operation, plan, context }: Task): Awaitable<number> {
  const { query } = operation
  const fullQuery = { ...query, limit: undefined, offset: 0, after: undefined, fields: undefined }
  return countOf(collectionOf(operation, 'count', fullQuery), plan.adapter, context)
}

function withTotal(page: Page, total: number): Page {
  // A list gives items.
  const outcome = page.outcome as Extract<Outcome, { readonly gives: 'items' }>
  return { outcome: { ...outcome, total } }
}

function listItems(task: Task): Awaitable<Page> {
  const { plan, operation, context } = task
  const { query } = operation
  const { limit, offset } = query
  if (limit === undefined) {
    return whenReady(plan.adapter.list?.(operation, context), (result) => ({
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
    checkSlice(result, operation, slice.limit),
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

function toPage(all: readonly Item[], limit: number, task: Task): Page {
  const { plan, operation, target, caller, lifetime, sentQuery } = task
  if (all.length <= limit) return { outcome: { gives: 'items', items: all } }
  const query = sentQuery ?? operation.query
  const pagedQuery: PagedQuery = {
    query,
    target,
    caller,
    ...linkBoundsOf(lifetime),
    isJudgedByAdapter: typeof plan.adapter.holdsValue === 'function',
  }
  const page = endPage(all.slice(0, limit), pagedQuery)
  return { outcome: { gives: 'items', ...page } }
}

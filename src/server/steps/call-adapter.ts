import { type Awaitable, whenReadyFor } from '../../model/awaitable.ts'
import type { ProblemError } from '../../model/problem.ts'
import { checkCount, checkItems, checkNewItem, findItem } from '../checks/outcome.ts'
import { notFound } from '../checks/stored.ts'
import type { Task } from '../task.ts'

/** Calls the adapter's method, and checks its result by the row of the convention. */
export function callAdapter(task: Task): Awaitable<Task | ProblemError> {
  const { plan, operation, drafts, context } = task
  if (plan.row.target === 'item' && operation.id === undefined) return notFound([])
  if (plan.row.takes === 'item') operation.item = drafts[0]?.item
  return whenReadyFor(plan.adapter[plan.kind]?.(operation, context), task, toOutcome)
}

function toOutcome(given: unknown, task: Task): Task | ProblemError {
  const { plan, operation } = task
  const { gives, absent } = plan.row
  switch (gives) {
    case 'item': {
      const item = absent ? findItem(given, operation) : checkNewItem(given, operation)
      return item ? { ...task, outcome: { gives, item } } : notFound([])
    }
    case 'items':
      return { ...task, outcome: { gives, items: checkItems(given, operation) } }
    case 'count':
      return { ...task, outcome: { gives, count: checkCount(given, operation) } }
    case 'deleted':
      return { ...task, outcome: { gives, deleted: checkCount(given, operation) } }
  }
}

import { type Awaitable, whenReady } from '../../model/awaitable.ts'
import { isBounded } from '../../model/bounded.ts'
import { problem } from '../../model/problem.ts'
import { checkCollectionConditions } from '../checks/condition.ts'
import { checkCount } from '../checks/outcome.ts'
import type { Task } from '../task.ts'
import { countOf } from './derive.ts'

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

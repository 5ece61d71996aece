import type { Operation } from '../../contract/resource/operation.ts'
import { type Item, ownerFieldsOf } from '../../contract/resource/resource.ts'
import { everything } from '../../contract/values/caller.ts'
import { type Awaitable, settle, whenReady } from '../../convention/awaitable.ts'
import { isProblem, type ProblemError, problem, tooManyAffected } from '../../convention/problem.ts'
import { deletionJudge } from '../checks/item-rules.ts'
import { breach, checkCount, checkFilters, checkItem } from '../checks/outcome.ts'
import { checkCollectionConditions } from '../checks/stored.ts'
import { countOf, countsBy, derive } from '../derive.ts'
import { removeMany } from '../remove.ts'
import type { Task, TaskChanges } from '../task.ts'

/** Reads the first or the last item. Returns `empty_collection`. */
export function readEnd(task: Task): Awaitable<TaskChanges | ProblemError> {
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
      : { outcome: { gives: 'item', item: checkEnd(item, operation) } },
  )
}

function checkEnd(value: unknown, operation: Operation): Item {
  const item = checkItem(value, operation)
  checkFilters([item], operation)
  return item
}

/** Counts a collection. */
export function count(task: Task): Awaitable<TaskChanges> {
  const { plan, operation, context } = task
  if (operation.query.by !== undefined) return countGroups(task, operation.query.by)
  return whenReady(countOf(operation, plan.adapter, context), (number) => ({
    outcome: { gives: 'count', count: number },
  }))
}

// The core counts all items apart only where the groups do not tell their number.
function countGroups(
  { plan: { adapter }, operation, context }: Task,
  by: readonly string[],
): Awaitable<TaskChanges> {
  return whenReady(countsBy(by, { operation, adapter, context }), ({ groups, isCut }) => {
    const outcomeOf = (count: number): TaskChanges => ({
      outcome: { gives: 'count', count, groups, ...(isCut && { more: true }) },
    })
    if (!isCut) return outcomeOf(groups.reduce((sum, { count }) => sum + count, 0))
    return whenReady(countOf(operation, adapter, context), outcomeOf)
  })
}

/** Deletes every item of the scope, or none where the client allows fewer. */
export function deleteAll(task: Task): Awaitable<TaskChanges> {
  const { operation, plan, conditions, context } = task
  const { maxAffected } = conditions
  checkCollectionConditions(conditions)
  if (maxAffected === undefined && needsBound(task)) {
    throw problem(
      'too_many_affected',
      'This deletes the whole collection: send "prefer: max-affected=N" with the most items.',
    )
  }
  if (plan.isRuled) return deleteRuledItems(task)
  return whenReady(refuseTooMany(task), () => {
    return whenReady(plan.adapter.deleteAll?.(operation, context), (deleted) => ({
      outcome: { gives: 'deleted', deleted: checkCount(deleted, operation) },
    }))
  })
}

/**
 * Deletes the items that a query selects, at most as many as the client allows. A dry run counts
 * them.
 */
export function deleteMany(task: Task): Awaitable<TaskChanges> {
  const { operation, plan, conditions, context } = task
  const { maxAffected } = conditions
  checkCollectionConditions(conditions)
  if (maxAffected === undefined) {
    throw problem(
      'too_many_affected',
      'This deletes all items that match: send "prefer: max-affected=N" with the most items.',
    )
  }
  if (plan.isRuled) return deleteRuledItems(task)
  const outcomeOf = (value: unknown): TaskChanges => {
    const deleted = checkCount(value, operation)
    if (deleted > maxAffected) throw breach(operation, `${deleted} items: at most ${maxAffected}`)
    return { outcome: { gives: 'deleted', deleted } }
  }
  if (operation.isDryRun) return whenReady(refuseTooMany(task), outcomeOf)
  const remove = (): unknown => plan.adapter.deleteMany?.(operation, context)
  return settle(remove, outcomeOf, (error) => {
    if (!isProblem(error) || error.code !== 'conflict') throw error
    // A database may meet an item that is still referenced before it counts.
    return whenReady(refuseTooMany(task), () => {
      throw error
    })
  })
}

// A view judges the items as its base has them.
function deleteRuledItems({ plan, operation, context }: Task): Awaitable<TaskChanges> {
  const { adapter, resource, itemRules } = plan
  const judge = deletionJudge(itemRules, operation, context)
  const removed: unknown =
    resource.view === undefined
      ? removeMany({ adapter, operation, context, judge })
      : adapter.removeMany?.(operation, context, judge)
  return whenReady(removed, (value) => ({
    outcome: { gives: 'deleted', deleted: checkCount(value, operation) },
  }))
}

// A caller of every owner names the owner in the path, or a bound.
function needsBound({ target: { collection }, caller }: Task): boolean {
  const isOpen = (field: string): boolean => !collection.owners.includes(field)
  const isEverything = caller === everything && ownerFieldsOf(collection.resource).some(isOpen)
  return isEverything || collection.resource.bounded
}

// The core counts first, so the bound holds with every adapter. An adapter that knows the bound
// closes the gap between count and delete.
function refuseTooMany(task: Task): Awaitable<number | undefined> {
  const { maxAffected } = task.conditions
  if (maxAffected === undefined) return undefined
  const { plan, operation, context } = task
  const { count, list } = plan.adapter
  if (typeof count !== 'function' && typeof list !== 'function') {
    throw problem(
      'too_many_affected',
      'The number of items to delete is unknown: send no "max-affected".',
    )
  }
  return whenReady(countOf(operation, plan.adapter, context), (number) => {
    if (number <= maxAffected) return number
    throw tooManyAffected(maxAffected)
  })
}

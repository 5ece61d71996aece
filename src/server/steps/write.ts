import { type Awaitable, whenReady } from '../../model/awaitable.ts'
import { isBounded } from '../../model/bounded.ts'
import type { Outcome } from '../../model/operation.ts'
import { type ProblemError, problem } from '../../model/problem.ts'
import { checkCollectionConditions, checkConditions } from '../checks/condition.ts'
import { breach, checkCount, checkItem, findItem } from '../checks/outcome.ts'
import { namedRevision, notFound } from '../checks/stored.ts'
import type { RequestedOperation } from '../operation.ts'
import type { Task } from '../task.ts'
import { prepare, readStored } from './find-stored.ts'
import { countOf } from './read.ts'

/** Deletes one item. Returns `not_found`; throws `precondition_failed`. */
export function deleteOne(task: Task): Awaitable<Task | ProblemError> {
  const { operation, plan, conditions, context } = task
  return whenReady(readStored(task, operation.id), (stored) => {
    if (stored === undefined) return notFound([])
    checkConditions(conditions, stored, operation.resource)
    operation.ifRevision = namedRevision(task, stored)
    return whenReady(plan.adapter.delete?.(operation, context), (deleted) => found(deleted, task))
  })
}

/** Replaces the items of the body: all of them or none. */
export function updateMany(task: Task): Awaitable<Task | ProblemError> {
  const { operation, plan, conditions, context } = task
  return whenReady(prepare(task), (replacements) => {
    checkCollectionConditions(conditions)
    if (replacements.length === 0) return { ...task, outcome: { gives: 'items', items: [] } }
    operation.items = replacements.map(({ item }) => checkItem(item, operation))
    return whenReady(plan.adapter.updateMany?.(operation, context), (updated) => ({
      ...task,
      outcome: manyOutcome(updated, task),
    }))
  })
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

/** Makes the outcome of the item that an adapter updated or deleted; `not_found` without one. */
export function found(given: unknown, task: Task): Task | ProblemError {
  const item = findItem(given, task.operation)
  return item === undefined ? notFound([]) : { ...task, outcome: { gives: 'item', item } }
}

function manyOutcome(given: unknown, { operation, drafts }: Task): Outcome {
  if (!Array.isArray(given) || given.length !== drafts.length) {
    throw breach(
      operation,
      `not one item for each of ${drafts.length}: return an array as long as "items", in its order`,
    )
  }
  const unknown = drafts.filter((_, index) => given[index] === null || given[index] === undefined)
  if (unknown.length > 0) throw notFound(unknown)
  return {
    gives: 'items',
    items: drafts.map(({ id }, index) => sameItem(given[index], id, operation)),
  }
}

function sameItem(given: unknown, id: unknown, operation: RequestedOperation): object {
  const item = checkItem(given, operation)
  if (item.id === id) return item
  throw breach(operation, 'items in another order than the client sent')
}

// The core counts first, so the bound holds with every adapter. An adapter that knows the bound
// closes the gap between count and delete.
function refuseTooMany(task: Task): Awaitable<void> {
  const { maxAffected } = task.conditions
  if (maxAffected === undefined) return
  const { count, list } = task.plan.adapter
  if (typeof count !== 'function' && typeof list !== 'function') {
    throw problem('too_many_affected', 'The adapter cannot count the items to delete')
  }
  return whenReady(countOf(task), (number) => {
    if (number <= maxAffected) return
    throw problem('too_many_affected', `This would delete more than ${maxAffected} items`)
  })
}

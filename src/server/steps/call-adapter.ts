import type { Operation } from '../../contract/resource/operation.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import type { OperationKind } from '../../convention/operations.ts'
import type { ProblemError } from '../../convention/problem.ts'
import { deletionJudge } from '../checks/item-rules.ts'
import { namesRevision } from '../checks/lost.ts'
import { checkCount, checkItems, checkNewItem, findItem } from '../checks/outcome.ts'
import {
  judgeConflicts,
  judgeReplacements,
  notFound,
  revisionOf,
  withFilled,
  withStored,
} from '../checks/stored.ts'
import { complete } from '../operations.ts'
import { removeOne } from '../remove.ts'
import { readNeeded } from '../rewrite.ts'
import type { Task, TaskChanges } from '../task.ts'

type Method = (operation: Operation, context: unknown) => unknown

/** Calls the adapter's method, and checks its result by the row of the convention. */
export function callAdapter(task: Task): Awaitable<TaskChanges | ProblemError> {
  const { plan, operation, drafts, context } = task
  if (plan.row.target === 'item' && operation.id === undefined) return notFound([], task.target)
  if (plan.row.takes === 'item') complete(operation, 'item', drafts[0]?.item)
  // A kind without a method of its own has a step of its own.
  const methods: { readonly [Kind in OperationKind]?: Method } = plan.adapter
  const result = methods[plan.kind]?.(operation, context)
  // Most results are an item or a list, and this is quicker than a call.
  const isPlain = typeof result === 'object' && result !== null && !('then' in result)
  if (isPlain) return toOutcome(result, task)
  return whenReady(result, (value) => toOutcome(value, task))
}

function toOutcome(value: unknown, task: Task): TaskChanges | ProblemError {
  const { plan, operation } = task
  const { gives, absent } = plan.row
  switch (gives) {
    case 'item': {
      const item = absent ? findItem(value, operation) : checkNewItem(value, operation)
      return item ? { outcome: { gives, item } } : notFound([], task.target)
    }
    case 'items':
      return { outcome: { gives, items: checkItems(value, operation) } }
    case 'count':
      return { outcome: { gives, count: checkCount(value, operation) } }
    case 'deleted':
      return { outcome: { gives, deleted: checkCount(value, operation) } }
  }
}

/**
 * Carries out a kind that changes one stored item under conditions: `update`, `delete`, and any
 * kind that has conditions and no step of its own.
 *
 * Returns `not_found`; throws `precondition_failed`, `validation_failed`, `id_mismatch`.
 */
export function changeOne(task: Task): Awaitable<TaskChanges | ProblemError> {
  const { plan, operation, drafts, target } = task
  const { resource } = plan
  return whenReady(readNeeded(task, operation.id), (stored) => {
    if (stored === undefined) return notFound([], target)
    judgeReplacements([stored], task)
    judgeConflicts([stored], task)
    const newDrafts = drafts.map((draft) => withStored(draft, stored, resource))
    if (operation.isDryRun) {
      const item = withFilled(Object(newDrafts[0]?.item), stored, resource)
      complete(operation, 'item', item)
      return { outcome: { gives: 'item', item } }
    }
    const revision = revisionOf(stored, resource)
    const isExpected = revision !== undefined && namesRevision(task)
    complete(operation, 'ifRevision', isExpected ? revision : undefined)
    return callAdapter({ ...task, drafts: newDrafts })
  })
}

/**
 * Carries out `delete` of a resource with a rule for deletions. The rule judges the item as it is
 * at the moment of the deletion.
 *
 * Returns `not_found`; throws `forbidden`, then `precondition_failed`, and `unavailable` after
 * eight lost tries.
 */
export function deleteRuled(task: Task): Awaitable<TaskChanges | ProblemError> {
  const { plan, operation, context, target } = task
  if (operation.id === undefined) return notFound([], target)
  const judgeByRules = deletionJudge(plan.itemRules, operation, context)
  const removed = removeOne({
    ...{ adapter: plan.adapter, operation, context },
    judge: (stored) => {
      judgeByRules(stored)
      judgeConflicts(stored, task)
    },
  })
  return whenReady(removed, (item) =>
    item === undefined ? notFound([], target) : { outcome: { gives: 'item', item } },
  )
}

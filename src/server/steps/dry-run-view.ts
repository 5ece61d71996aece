import type { Item } from '../../contract/resource/resource.ts'
import { type Awaitable, settle, whenReady } from '../../convention/awaitable.ts'
import { refusedBy } from '../checks/item-rules.ts'
import type { FlowStep } from '../flow.ts'
import { complete, operationOf } from '../operations.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Lets the resource of a view judge what a dry run would store, and tell it. The adapter of a view
 * only reads then.
 *
 * @throws {ProblemError} `validation_failed`, in the words of the view.
 * @see docs/requests.md, C3.14
 */
export function dryRunView(task: Task): Awaitable<TaskChanges> {
  const { plan, operation, outcome, context } = task
  if (!operation.isDryRun) return undefined
  const isMany = outcome.gives === 'items'
  const kind = plan.kind === 'create' ? 'create' : isMany ? 'updateMany' : 'update'
  const viewOperation = operationOf(kind, operation, operation)
  if (outcome.gives === 'item') complete(viewOperation, 'item', outcome.item)
  // The outcome of a write holds no stream.
  if (isMany) complete(viewOperation, 'items', outcome.items as readonly Item[])
  const judged = plan.adapter[isMany && kind === 'create' ? 'createMany' : kind]?.(
    viewOperation,
    context,
  )
  return whenReady(judged, (result) => withResult(task, result))
}

// The adapter makes nothing of an item that it cannot read.
function withResult(task: Task, result: unknown): TaskChanges {
  if (task.outcome.gives === 'item')
    return result === undefined ? undefined : { outcome: { gives: 'item', item: Object(result) } }
  const items: readonly object[] = Object(result)
  return items.length < task.drafts.length ? undefined : { outcome: { gives: 'items', items } }
}

/**
 * Lets the resource of a view judge a dry run before a conflict refuses it, as its adapter does
 * before a write.
 */
export function conflictingLast(step: FlowStep<Task>): FlowStep<Task> {
  return (task) => {
    if (!task.operation.isDryRun) return step(task)
    return settle(
      () => step(task),
      (changes) => changes,
      (error) => judgeRefused(task, error),
    )
  }
}

function judgeRefused(task: Task, error: unknown): Awaitable<never> {
  const items = refusedBy(error)
  if (items === undefined) throw error
  const outcome: Task['outcome'] = task.plan.body?.isMany
    ? { gives: 'items', items }
    : { gives: 'item', item: items[0] as Item }
  return whenReady(dryRunView({ ...task, outcome }), () => {
    throw error
  })
}

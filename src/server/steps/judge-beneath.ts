import type { Item } from '../../contract/resource/resource.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import { operationOf } from '../operations.ts'
import type { Task } from '../task.ts'

/**
 * Lets the resource of a view judge what a dry run would store, and tell it. The adapter of a view
 * only reads then.
 *
 * @throws {ProblemError} `validation_failed`, in the words of the view.
 * @see docs/requests.md, C3.14
 */
export function judgeBeneath(task: Task): Awaitable<Task> {
  const { plan, operation, outcome, context } = task
  if (!operation.isDryRun) return task
  const isMany = outcome.gives === 'items'
  const kind = plan.kind === 'create' ? 'create' : isMany ? 'updateMany' : 'update'
  const asked = operationOf({ ...operation, kind })
  if (outcome.gives === 'item') asked.item = outcome.item
  // The outcome of a write holds no stream.
  if (isMany) asked.items = outcome.items as readonly Item[]
  const judged = plan.adapter[isMany && kind === 'create' ? 'createMany' : kind]?.(asked, context)
  return whenReady(judged, (made) => withMade(task, made))
}

// The adapter makes nothing of an item that it cannot read.
function withMade(task: Task, made: unknown): Task {
  if (task.outcome.gives === 'item')
    return made === undefined ? task : { ...task, outcome: { gives: 'item', item: Object(made) } }
  const items: readonly object[] = Object(made)
  return items.length < task.drafts.length ? task : { ...task, outcome: { gives: 'items', items } }
}

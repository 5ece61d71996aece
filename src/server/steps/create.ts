import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import { breach, checkNewItem } from '../checks/outcome.ts'
import { complete } from '../operations.ts'
import type { Task } from '../task.ts'

/** Creates the item of the body, or all items of an array, or none. */
export function create(task: Task): Awaitable<Task> {
  const { plan, operation, drafts, context } = task
  const [draft] = drafts
  // The body itself is the item: its place is no index.
  if (draft?.at.length === 0) {
    const { item } = draft
    complete(operation, 'item', item)
    if (operation.isDryRun) return { ...task, outcome: { gives: 'item', item } }
    return whenReady(plan.adapter.create?.(operation, context), (result) => ({
      ...task,
      outcome: { gives: 'item', item: checkNewItem(result, operation) },
    }))
  }
  const items = drafts.map(({ item }) => item)
  complete(operation, 'items', items)
  if (operation.isDryRun || items.length === 0)
    return { ...task, outcome: { gives: 'items', items } }
  return whenReady(plan.adapter.createMany?.(operation, context), (results) => {
    if (!Array.isArray(results) || results.length !== items.length) {
      const form = 'return an array as long as "items", in its order'
      throw breach(operation, `not one item for each of ${items.length}: ${form}`)
    }
    return {
      ...task,
      outcome: { gives: 'items', items: results.map((item) => checkNewItem(item, operation)) },
    }
  })
}

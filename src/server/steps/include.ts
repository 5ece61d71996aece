import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import { fieldOf } from '../../convention/value.ts'
import { itemsOfOutcome } from '../middleware.ts'
import { readReferenced } from '../read-referenced.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Reads the items that the outcome references, where the client wants them: each as an operation of
 * its own, through the middleware. A reference to an item that the client may not read gives
 * `null`.
 *
 * The core does so inside the middleware, in the transaction that one may have opened. It does so
 * again outside, for the ids of an outcome that a middleware made or changed.
 *
 * @see docs/requests.md, C4.8
 */
export function include(task: Task): Awaitable<TaskChanges> {
  const { plan, operation, outcome } = task
  const names = operation.query.include
  if (names === undefined) return undefined
  const references = plan.references.filter(({ as }) => names.includes(as))
  return whenReady(itemsOfOutcome(outcome), (items) => {
    const lookups = references.map((reference) => {
      const earlierItems = task.included.find((entry) => entry.reference === reference)?.items
      const isNew = (id: unknown): boolean =>
        (id ?? undefined) !== undefined && !earlierItems?.has(id)
      const ids = items.map((item) => fieldOf(item, reference.field)).filter(isNew)
      return { reference, ids, earlierItems: earlierItems ?? noItems }
    })
    const bufferedOutcome = outcome.gives === 'items' ? { ...outcome, items } : outcome
    return whenReady(readReferenced(lookups, task), (itemsByTarget) => {
      const included = lookups.map(({ reference, ids, earlierItems }) => {
        const newItems = ids.map(
          (id) => [id, itemsByTarget.get(reference.target)?.get(id)] as const,
        )
        return { reference, items: new Map([...earlierItems, ...newItems]) }
      })
      return { outcome: bufferedOutcome, included }
    })
  })
}

const noItems: ReadonlyMap<unknown, object> = new Map()

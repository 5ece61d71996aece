import { fieldsKeptBy } from '../../contract/resource/keep.ts'
import type { Item, Resource } from '../../contract/resource/resource.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import { pickFields } from '../../convention/value.ts'
import type { Draft } from '../checks/body.ts'
import { mergeDrafts } from '../checks/patch.ts'
import { judgeReplacements } from '../checks/stored.ts'
import { readDrafted } from '../rewrite.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Gives bodies that the core merges with stored items the valid values of their references, which
 * it then looks for. It reads the stored items for that.
 */
export function draftReferences(task: Task): Awaitable<TaskChanges> {
  const { plan, drafts, lifetime } = task
  if (!plan.isMerging) return undefined
  const isReplacement = plan.body?.isPatch !== true
  const namesReference = ({ body }: Draft): boolean =>
    plan.references.some(({ field }) => isReplacement || Object.hasOwn(body, field))
  if (typeof plan.adapter.read !== 'function' || !drafts.some(namesReference)) return undefined
  return whenReady(readDrafted(task), (stored) => {
    // A later step finds that an item is absent.
    if (stored.some((item) => item === undefined)) return undefined
    judgeReplacements(stored, task)
    const maxIssues = lifetime.registry.limits.issues
    return whenReady(mergeDrafts(stored, task, maxIssues), (items) => ({
      drafts: drafts.map((draft, index) => {
        const item = items[index] as Item
        return {
          ...draft,
          item: isReplacement
            ? withoutStoredFields(item, draft, plan.resource)
            : pickFields(item, Object.keys(draft.body)),
        }
      }),
    }))
  })
}

// The client names no reference that it leaves as it is.
function withoutStoredFields(item: Item, { body }: Draft, resource: Resource): object {
  const sentFields = { ...item }
  for (const field of fieldsKeptBy(body, resource)) Reflect.deleteProperty(sentFields, field)
  return sentFields
}

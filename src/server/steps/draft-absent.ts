import { takesField } from '../../contract/values/patch.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import { invalid, readDraft } from '../checks/body.ts'
import { formFor, judgeNoId } from '../checks/form.ts'
import { judgeIdOfPath } from '../checks/stored.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Validates the body of a PUT as that of a new item with the id of the path.
 *
 * @throws {ProblemError} `validation_failed`, then `id_mismatch`.
 */
export function draftAbsent(task: Task): Awaitable<TaskChanges> {
  const { drafts, plan, lifetime, target } = task
  const { body, id } = drafts[0] as Task['drafts'][number]
  // A client may send back what it read: the server drops included items.
  const dropped = ['id', ...target.collection.includes]
  const fields = Object.fromEntries(
    Object.entries(body).filter(([name]) => !dropped.includes(name)),
  )
  const takesId = takesField(plan.bodyRules.schema, 'id')
  const most = lifetime.registry.limits.issues
  const form = formFor(task, { id, at: [], most, judgeId: judgeNoId })
  return whenReady(readDraft(takesId ? { ...fields, id } : fields, form), (read) => {
    if (read.issues.length > 0) throw invalid(read.issues)
    const [draft] = read.drafts as readonly [Task['drafts'][number]]
    judgeIdOfPath([{ ...draft, body, id }])
    return { drafts: [{ ...draft, id: undefined, item: { ...draft.item, id } }] }
  })
}

import type { Scalar } from '../../contract/resource/operation.ts'
import { takenFieldsOf } from '../../contract/schema/required.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import { unrepresentable } from '../../convention/value.ts'
import { formatPointer } from '../../wire/pointer.ts'
import { type BodyDrafts, type Form, invalid, readDraft } from '../checks/body.ts'
import { formFor, judgeNoId } from '../checks/form.ts'
import { judgeIdOfPath } from '../checks/stored.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Validates the body of a PUT as that of a new item with the id of the path.
 *
 * @throws {ProblemError} `validation_failed`, then `id_mismatch`. At last, `validation_failed` for
 *   an id that the storage would spell otherwise.
 */
export function draftAbsent(task: Task): Awaitable<TaskChanges> {
  const { drafts, plan, lifetime, target, context } = task
  const { body, id } = drafts[0] as Task['drafts'][number]
  // A client may send back what it read: the server drops included items.
  const dropped = ['id', ...target.collection.includes]
  const fields = Object.fromEntries(
    Object.entries(body).filter(([name]) => !dropped.includes(name)),
  )
  const takesId = takenFieldsOf(plan.bodyRules.schema)?.includes('id')
  const withId = { ...fields, id }
  const most = lifetime.registry.limits.issues
  const form = formFor(task, { id, at: [], most, judgeId: judgeNoId })
  const drafted =
    takesId === undefined
      ? draftBySchema(fields, withId, form)
      : readDraft(takesId ? withId : fields, form)
  return whenReady(drafted, (read) => {
    if (read.issues.length > 0) throw invalid(read.issues)
    const [draft] = read.drafts as readonly [Task['drafts'][number]]
    judgeIdOfPath([{ ...draft, body, id }])
    const { adapter, resource } = plan
    const isHeld = adapter.holdsValue?.('id', id as Scalar, { resource, context })
    return whenReady(isHeld, (answer) => {
      // The item would have another id than the path, and the next PUT would not find it.
      if (answer === false) throw invalid([respelled])
      return { drafts: [{ ...draft, id: undefined, item: { ...draft.item, id } }] }
    })
  })
}

// A schema that does not tell its fields shows by what it accepts whether `id` is one of them.
async function draftBySchema(fields: object, withId: object, form: Form): Promise<BodyDrafts> {
  const whole = await readDraft(withId, form)
  if (whole.issues.length === 0) return whole
  const plain = await readDraft(fields, form)
  const isMissed = plain.issues.some(({ pointer }) => pointer === idPointer)
  if (plain.issues.length > 0) return isMissed ? whole : plain
  // One that takes an `id` refuses this one by a rule of its own.
  const { issues } = await readDraft({ ...fields, id: undefined }, form)
  return issues.length === 0 ? whole : plain
}

const idPointer = formatPointer(['id'])

const respelled = { pointer: idPointer, code: 'unrepresentable', message: unrepresentable } as const

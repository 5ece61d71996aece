import type { Collection } from '../../contract/resource/api.ts'
import { nameItem } from '../../contract/values/words.ts'
import { type Awaitable, settle, whenReady } from '../../convention/awaitable.ts'
import { type Issue, isProblem, ProblemError, problem } from '../../convention/problem.ts'
import { fieldOf, isSame } from '../../convention/value.ts'
import { issueAt } from '../../wire/issues.ts'
import { notFound } from '../checks/stored.ts'
import type { FlowStep } from '../flow.ts'
import { operationOf } from '../operations.ts'
import { readReferenced } from '../read-referenced.ts'
import { readDrafted } from '../rewrite.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Makes sure that the client can read each item that a body references. An item that does not exist
 * and one that the client may not read have the same issue.
 *
 * Returns `not_found` for an update of an absent item, then `validation_failed` with the issue
 * `reference_not_found` for each value. A value that is as stored is no fault: the item that it
 * names may have gone since, and a client that changes another field did not choose it.
 *
 * @see docs/requests.md, C9.3
 */
export function findReferences(task: Task): Awaitable<TaskChanges | ProblemError> {
  const { plan, drafts, replayed } = task
  if (replayed !== undefined) return undefined
  const lookups = plan.references.map((reference) => ({
    reference,
    ids: drafts.map(({ item }) => fieldOf(item, reference.field)).filter(isPresent),
  }))
  return whenReady(readReferenced(lookups, task), (itemsByTarget) => {
    const broken = drafts.flatMap((draft, index) =>
      plan.references.flatMap(({ field, target }) => {
        const id = fieldOf(draft.item, field)
        return isPresent(id) && !itemsByTarget.get(target)?.has(id)
          ? { index, field, id, issue: issueAt(draft.at, field, unknownItem(target, id)) }
          : []
      }),
    )
    return broken.length === 0 ? undefined : judgeBroken(task, broken)
  })
}

/** A field of a draft that references no item which the client can read. */
interface BrokenReference {
  /** The index of the draft. */
  readonly index: number
  readonly field: string
  readonly id: unknown
  readonly issue: Issue
}

// The same for an item that the client may not read.
function unknownItem(target: Collection, id: unknown): Pick<Issue, 'code' | 'message'> {
  return { code: 'reference_not_found', message: `no ${nameItem(target, id)}` }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

// An item to update that does not exist comes before the faults of its body. The core reads stored
// items only here, so that a write whose references all exist costs nothing more.
function judgeBroken(
  task: Task,
  broken: readonly BrokenReference[],
): Awaitable<TaskChanges | ProblemError> {
  const { plan, drafts } = task
  if (plan.row.absent === undefined || typeof plan.adapter.read !== 'function')
    return validationFailed(broken)
  return whenReady(readDrafted(task), (stored) => {
    const absent = drafts.filter((_, index) => stored[index] === undefined)
    if (absent.length > 0) return notFound(absent, task.target)
    const changed = broken.filter(
      ({ index, field, id }) => !isSame(fieldOf(Object(stored[index]), field), id),
    )
    return changed.length === 0 ? undefined : validationFailed(changed)
  })
}

function validationFailed(broken: readonly BrokenReference[]): ProblemError {
  return problem('validation_failed', undefined, { issues: broken.map(({ issue }) => issue) })
}

/**
 * Makes the step of {@link findReferences} for a resource with a rule, which comes before the
 * references. Only after a fault of a reference it tries the write, as a dry run: then a rule that
 * refuses it is the answer.
 *
 * @see docs/requests.md, C5.3
 */
export function findReferencesAfterRule(write: (task: Task) => Awaitable<unknown>): FlowStep<Task> {
  return (task) =>
    whenReady(findReferences(task), (result) => {
      if (!(result instanceof ProblemError) || result.code !== 'validation_failed') return result
      const { operation } = task
      const trial = operationOf(operation.kind, operation, { ...operation, isDryRun: true })
      return settle<unknown, TaskChanges | ProblemError>(
        () => write({ ...task, operation: trial }),
        () => result,
        (error) => (isProblem(error) && error.code === 'forbidden' ? error : result),
      )
    })
}

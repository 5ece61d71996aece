import { type Awaitable, settle, whenReady } from '../../model/awaitable.ts'
import { isKeeping } from '../../model/keeping.ts'
import { isProblem, type ProblemError, problem } from '../../model/problem.ts'
import { checkConditions } from '../checks/condition.ts'
import { namedRevision, type Replacement, storedRevision } from '../checks/stored.ts'
import type { Task } from '../task.ts'
import { prepare } from './find-stored.ts'
import { found } from './write.ts'

/** The most tries of a write whose item changes meanwhile. */
const maxTries = 8

/** A write that the adapter refused, since the item had another revision by then. */
interface Lost {
  readonly error: unknown
  /** The revision that the core read. */
  readonly revision: unknown
  /** The lost tries so far. */
  readonly tries: number
}

/**
 * Replaces one item. Returns `not_found`; throws `precondition_failed`, `validation_failed`,
 * `id_mismatch`, and `unavailable` after eight lost tries.
 */
export function update(task: Task): Awaitable<Task | ProblemError> {
  return isKeeping(task.plan.adapter.update) ? updateOnce(task) : updateGuarded(task)
}

function updateOnce(task: Task): Awaitable<Task | ProblemError> {
  return whenReady(prepare(task), ([replacement]) => {
    checkConditions(task.conditions, replacement?.stored, task.plan.resource)
    return write(replacement, task, namedRevision(task, replacement?.stored))
  })
}

// The item holds read-only fields as the core read them. A change of them meanwhile must stay, so
// the core reads and tries again.
function updateGuarded(task: Task, lost?: Lost): Awaitable<Task | ProblemError> {
  const { plan, conditions } = task
  return whenReady(prepare(task), ([replacement]) => {
    checkConditions(conditions, replacement?.stored, plan.resource)
    const revision = storedRevision(plan.resource, replacement?.stored)
    return settle(
      () => write(replacement, task, revision),
      (updated) => updated,
      (error) => updateGuarded(task, lostAgain({ error, revision }, lost)),
    )
  })
}

function write(
  replacement: Replacement | undefined,
  task: Task,
  ifRevision: unknown,
): Awaitable<Task | ProblemError> {
  const { operation, plan, context } = task
  operation.item = replacement?.item
  operation.ifRevision = ifRevision
  return whenReady(plan.adapter.update?.(operation, context), (updated) => found(updated, task))
}

// Throws the write's own error, unless another revision was the reason.
function lostAgain({ error, revision }: Omit<Lost, 'tries'>, before?: Lost): Lost {
  const isRace = isProblem(error) && error.code === 'precondition_failed'
  // The same revision as before: the adapter has another reason.
  if (!isRace || revision === undefined || revision === before?.revision) throw error
  const tries = (before?.tries ?? 0) + 1
  if (tries < maxTries) return { error, revision, tries }
  throw problem('unavailable', undefined, { retryAfter: 1, cause: error })
}

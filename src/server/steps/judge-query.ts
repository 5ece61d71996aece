import type { Scalar, SortField } from '../../contract/resource/operation.ts'
import { relatedIn } from '../../contract/values/related.ts'
import { type Awaitable, inTurn, whenReady } from '../../convention/awaitable.ts'
import { invalidCursor, ProblemError } from '../../convention/problem.ts'
import { refuseAnyBody } from '../../wire/body.ts'
import { doubtsIn } from '../../wire/cursor.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Judges a request whose operation takes no body: its parameters, its cursor, then the body that it
 * must not have. `understand` has read the parameters already, but authorization comes before their
 * problem.
 *
 * Returns the problem of the parameters, `invalid_cursor`.
 *
 * @throws {ProblemError} `body_not_allowed`.
 */
export function judgeQuery(task: Task): Awaitable<TaskChanges | ProblemError> {
  const { fault, operation, lifetime } = task
  if (fault !== undefined) return fault
  const { request } = lifetime
  if (operation.query.after === undefined && request.body === undefined) return undefined
  return whenReady(judgeCursor(task), (result) =>
    result instanceof ProblemError ? result : whenReady(refuseAnyBody(request), () => undefined),
  )
}

// Asks the storage about values of a cursor that the schema refuses: an item can have such a value,
// and a page can end there.
function judgeCursor(task: Task): Awaitable<TaskChanges | ProblemError> {
  const { operation, target } = task
  const doubts = doubtsIn(operation.query, target.collection)
  if (doubts.length === 0) return undefined
  const answers = inTurn(doubts, ([sortField, value]) => holds(sortField, value, task))
  return whenReady(answers, (all) => (all.every((isHeld) => isHeld) ? undefined : invalidCursor()))
}

// The storage of the related items knows the values of their fields.
function holds(
  { field, related }: SortField,
  value: Scalar,
  { plan, target, context, lifetime: { registry } }: Task,
): Awaitable<boolean | undefined> {
  const { resource, adapter } = plan
  const relation = relatedIn(field, target.collection.related)
  if (related === undefined || relation === undefined)
    return adapter.holdsValue?.(field, value, { resource, context })
  const { place } = relation.reference.target
  const asking = { resource: relation.resource, context }
  return registry.bindings[place]?.adapter.holdsValue?.(related.name, value, asking)
}

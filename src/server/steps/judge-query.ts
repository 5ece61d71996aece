import { type Awaitable, inTurn, whenReady } from '../../convention/awaitable.ts'
import { invalidCursor, type ProblemError } from '../../convention/problem.ts'
import { doubtsIn } from '../../wire/cursor.ts'
import type { Task } from '../task.ts'

/**
 * Returns the problem of the parameters and the conditions. `understand` has read them already, but
 * authorization comes before their problem.
 */
export function judgeQuery(task: Task): Task | ProblemError {
  return task.fault ?? task
}

/**
 * Asks the storage about values of a cursor that the schema refuses: an item can have such a value,
 * and a page can end there.
 *
 * Returns `invalid_cursor` for a value that no item has.
 */
export function judgeCursor(task: Task): Awaitable<Task | ProblemError> {
  const { plan, operation, context } = task
  const { resource, adapter } = plan
  const doubts = doubtsIn(operation.query, resource)
  if (doubts.length === 0) return task
  const asking = { resource, context }
  const answers = inTurn(doubts, ([field, value]) => adapter.holdsValue?.(field, value, asking))
  return whenReady(answers, (all) => (all.every((isHeld) => isHeld) ? task : invalidCursor()))
}

import { type Awaitable, isPending } from '../../model/awaitable.ts'
import { type ProblemError, problem } from '../../model/problem.ts'
import { findItem } from '../checks/outcome.ts'
import { readOfAncestor } from '../operation.ts'
import type { Task } from '../task.ts'

/**
 * Makes sure that every parent in the path exists, the outermost first. The core reads each inside
 * the scope of the one before, so a parent whose own parent is gone does not exist either.
 *
 * Returns `parent_not_found`.
 */
export function findParents(task: Task): Awaitable<Task | ProblemError> {
  return look(task, 0)
}

function look(task: Task, first: number): Awaitable<Task | ProblemError> {
  const { plan, target, operation, context } = task
  for (let depth = first; depth < plan.parents.length; depth++) {
    const read = readOfAncestor(target, depth, operation.signal)
    const given = read.id === undefined ? null : plan.parents[depth]?.read?.(read, context)
    if (isPending(given)) {
      return Promise.resolve(given).then((item) =>
        findItem(item, read) === undefined ? parentNotFound() : look(task, depth + 1),
      )
    }
    if (findItem(given, read) === undefined) return parentNotFound()
  }
  return task
}

function parentNotFound(): ProblemError {
  return problem('parent_not_found', 'A parent in the path does not exist')
}

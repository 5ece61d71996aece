import type { Target } from '../../contract/resource/api.ts'
import { noParents, noScope } from '../../contract/resource/operation.ts'
import { nameItem } from '../../contract/values/words.ts'
import { type Awaitable, isPending } from '../../convention/awaitable.ts'
import { type ProblemError, problem } from '../../convention/problem.ts'
import { findItem } from '../checks/outcome.ts'
import { isForeign, readingOf } from '../operations.ts'
import type { Plan } from '../plan.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Makes sure that every parent in the path exists, from a depth on, the outermost first. The core
 * reads each inside the scope of the one before, so a parent whose own parent is gone does not
 * exist either.
 *
 * Returns `parent_not_found`.
 */
export function findParents(task: Task, from = 0): Awaitable<TaskChanges | ProblemError> {
  const { plan, target, operation, parentIds, context, caller } = task
  const { signal } = operation
  // Only the scope of a caller can contradict the path.
  const isConfined = caller !== noScope
  if (isConfined && isForeign(operation.scope, target)) return parentNotFound(target, from)
  for (let depth = from; depth < plan.parents.length; depth++) {
    const { collection, adapter } = plan.parents[depth] as Plan['parents'][number]
    const parents = depth === 0 ? noParents : operation.parents.slice(0, depth)
    const read = readingOf(collection, { id: parentIds[depth], parents, signal, caller })
    const isNowhere = read.id === undefined || (isConfined && isForeign(read.scope, { collection }))
    const result = isNowhere ? null : adapter?.read?.(read, context)
    if (isPending(result)) {
      return Promise.resolve(result).then((item) =>
        findItem(item, read) === undefined
          ? parentNotFound(target, depth)
          : findParents(task, depth + 1),
      )
    }
    if (findItem(result, read) === undefined) return parentNotFound(target, depth)
  }
  return undefined
}

function parentNotFound({ collection, parents }: Target, depth: number): ProblemError {
  const ancestor = collection.ancestors[depth] as typeof collection
  return problem('parent_not_found', `No ${nameItem(ancestor, parents[depth])}.`)
}

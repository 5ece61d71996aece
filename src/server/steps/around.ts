import type { Middleware } from '../../contract/resource/registry.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import { orThrow, type ProblemError } from '../../convention/problem.ts'
import type { FlowStep } from '../flow.ts'
import { through } from '../middleware.ts'
import type { Task } from '../task.ts'

/**
 * Runs the middleware around the rest of the way; the first is the outermost. A middleware may call
 * `next` again after a failure: the core reads the body once.
 */
export function around(
  middleware: readonly Middleware[],
  read: Task['way'],
  work: Task['way'],
): FlowStep<Task> {
  return (task) => {
    let drafted: Task | undefined
    // Each try begins with the task as the body left it.
    const perform = (): Awaitable<Task | ProblemError> =>
      drafted === undefined
        ? whenReady(read(task), (result) => {
            drafted = orThrow(result)
            return work({ ...drafted })
          })
        : work({ ...drafted })
    let last = task
    const carryOut = () =>
      whenReady(perform(), (result) => {
        const performed = orThrow(result)
        last = performed
        return performed.outcome
      })
    const carried = through(middleware, task, carryOut)
    return whenReady(carried, (outcome) => {
      const { included, replayed } = last
      return { outcome, included, replayed }
    })
  }
}

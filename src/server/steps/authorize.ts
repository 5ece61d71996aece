import { type Awaitable, type Flowing, whenReady } from '../../model/awaitable.ts'
import { withOwnMembers } from '../../model/http.ts'
import { orThrow, type ProblemError, problem } from '../../model/problem.ts'
import type { Middleware } from '../../model/registry.ts'
import { through } from '../middleware.ts'
import type { Task } from '../task.ts'

/**
 * Makes the context of a request. Parameters and body come later: their problems must tell nothing
 * to a client without the right.
 *
 * @throws {ProblemError} `unauthenticated` for `undefined`, `forbidden` for `false`.
 */
export function makeContext(task: Task): Awaitable<Task> {
  const { registry, request } = task.lifetime
  const { context } = registry
  const made = context?.(withOwnMembers(request))
  return whenReady(made, (context) => ({ ...task, context: checkContext(context) }))
}

/**
 * Runs the middleware around the rest of the way; the first is the outermost. A middleware may call
 * `next` again after a failure: the core reads the body once.
 */
export function around(
  middleware: readonly Middleware[],
  read: Flowing<Task>,
  work: Flowing<Task>,
): Flowing<Task> {
  return (task) => {
    let drafted: Task | undefined
    const perform = (): Awaitable<Task | ProblemError> =>
      drafted === undefined
        ? whenReady(read(task), (given) => {
            drafted = orThrow(given)
            return work(drafted)
          })
        : work(drafted)
    let last = task
    const carryOut = () =>
      whenReady(perform(), (given) => {
        const performed = orThrow(given)
        last = performed
        return performed.outcome
      })
    const carried = through(middleware, task, carryOut)
    return whenReady(carried, (outcome) => {
      const { included, replayed } = last
      return { ...task, outcome, included, replayed }
    })
  }
}

// A context that returns `undefined` must not let everyone in.
function checkContext(made: unknown): unknown {
  if (made === undefined) throw problem('unauthenticated')
  if (made === false) throw problem('forbidden')
  return made
}

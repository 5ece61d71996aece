import { type Awaitable, type Flowing, isPending, whenReady } from '../../model/awaitable.ts'
import { type Caller, readCaller, scopeOfCaller } from '../../model/caller.ts'
import { withOwnMembers } from '../../model/http.ts'
import { orThrow, type ProblemError, problem } from '../../model/problem.ts'
import type { Middleware } from '../../model/registry.ts'
import { faultOfCursor, throwingQuery } from '../../wire/page.ts'
import { through } from '../middleware.ts'
import { bothOf } from '../operations.ts'
import type { Task } from '../task.ts'

/**
 * Makes the context and the scope of a request. Parameters and body come later: their problems must
 * tell nothing to a client without the right.
 *
 * @throws {ProblemError} `unauthenticated` for `undefined`, `forbidden` for `false`.
 * @throws {TypeError} For a scope without an owner field of the api.
 * @see docs/requests.md, C9.1
 */
export function authorize(task: Task): Awaitable<Task> {
  const { registry, request } = task.lifetime
  if (registry.context === undefined) return findScope(task, undefined)
  const made = registry.context(withOwnMembers(request))
  return whenReady(made, (given) => findScope(task, checkContext(given)))
}

function findScope(task: Task, context: unknown): Awaitable<Task> {
  const { scope, api } = task.lifetime.registry
  if (scope === undefined) return { ...task, context }
  const given = scope(context as never)
  if (!isPending(given)) {
    return confine(task, context, readCaller(checkContext(given), api.ownerFields))
  }
  return Promise.resolve(given).then((made) =>
    confine(task, context, readCaller(checkContext(made), api.ownerFields)),
  )
}

// A cursor belongs to the caller who got it.
function confine(task: Task, context: unknown, caller: Caller): Task {
  const { operation, target, cursor } = task
  operation.scope = bothOf(operation.scope, scopeOfCaller(caller, operation.resource))
  if (cursor === undefined || task.fault !== undefined) return { ...task, context, caller }
  const fault = faultOfCursor(cursor, operation.query, { target, caller })
  if (fault === undefined) return { ...task, context, caller }
  const refused = { ...operation, query: throwingQuery(fault) }
  task.lifetime.operation = refused
  return { ...task, context, caller, fault, operation: refused }
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

import {
  nothingRevealed,
  type Revealed,
  readRevealed,
  visibleCollection,
} from '../../contract/declare/reveal.ts'
import { withOwnMembers } from '../../contract/resource/http.ts'
import { noScope } from '../../contract/resource/operation.ts'
import { readCaller, scopeOfCaller } from '../../contract/values/caller.ts'
import { type Awaitable, isPending, whenReady } from '../../convention/awaitable.ts'
import { problem } from '../../convention/problem.ts'
import { faultOfCursor, queryRulesFor, throwingQuery } from '../../wire/meaning.ts'
import { readCall } from '../../wire/request.ts'
import { bothOf, complete } from '../operations.ts'
import { planOfCaller } from '../plan.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Makes the context and the scope of a request, and finds the fields that its caller sees.
 * Parameters and body come later: their problems must tell nothing to a client without the right.
 *
 * @throws {ProblemError} `unauthenticated` for `undefined`, `forbidden` for `false`.
 * @throws {TypeError} For a scope without an owner field of the api, and a wrong `.reveal()`.
 * @see docs/requests.md, C9.1, C9.4
 */
export function authorize(task: Task): Awaitable<TaskChanges> {
  const { registry, request } = task.lifetime
  if (registry.context === undefined) return findScope(task, undefined)
  const context = registry.context(withOwnMembers(request))
  return whenReady(context, (value) => findScope(task, checkContext(value)))
}

function findScope(task: Task, context: unknown): Awaitable<TaskChanges> {
  const { lifetime, plan } = task
  const { scope } = lifetime.registry
  if (scope === undefined) {
    if (!plan.isRevealing) return { context }
    return whenReady(reveal(task, context), (visible) => ({ context, ...visible }))
  }
  const scopeResult = scope(context as never)
  return isPending(scopeResult)
    ? Promise.resolve(scopeResult).then((value) => withCaller(task, context, value))
    : withCaller(task, context, scopeResult)
}

function withCaller(task: Task, context: unknown, scopeResult: unknown): Awaitable<TaskChanges> {
  const { operation, lifetime, plan } = task
  const caller = readCaller(checkContext(scopeResult), lifetime.registry.api)
  const callerScope = scopeOfCaller(caller, operation.resource)
  if (callerScope !== noScope) complete(operation, 'scope', bothOf(operation.scope, callerScope))
  if (!plan.isRevealing) return { context, caller, ...checkCursor(task, caller) }
  return whenReady(reveal(task, context), (visible) => ({
    ...{ context, caller, ...visible },
    ...checkCursor({ ...task, ...visible }, caller),
  }))
}

// A cursor belongs to the caller who got it.
function checkCursor(
  { operation, target, cursor, fault: earlier }: Task,
  caller: Task['caller'],
): TaskChanges {
  if (cursor === undefined || earlier !== undefined) return undefined
  const fault = faultOfCursor(cursor, operation.query, { target, caller })
  if (fault === undefined) return undefined
  complete(operation, 'query', throwingQuery(fault))
  return { fault }
}

// A context that returns `undefined` must not let everyone in.
function checkContext(value: unknown): unknown {
  if (value === undefined) throw problem('unauthenticated')
  if (value === false) throw problem('forbidden')
  return value
}

/**
 * Finds the restricted fields that the caller sees, and reads the parameters anew without the
 * others: for this request they do not exist.
 *
 * @throws {TypeError} For a wrong result of `.reveal()`.
 * @see docs/requests.md, C9.4
 */
function reveal(task: Task, context: unknown): Awaitable<TaskChanges> {
  const { lifetime } = task
  const { reveal: make, api } = lifetime.registry
  if (make === undefined) return withFields(task, nothingRevealed)
  return whenReady(make(context as never), (result) => withFields(task, readRevealed(result, api)))
}

function withFields(task: Task, revealed: Revealed): TaskChanges {
  const { lifetime, plan, operation, search } = task
  const collection = visibleCollection(task.target.collection, revealed)
  if (collection === task.target.collection) return { revealed }
  const target = { ...task.target, collection }
  const rules = queryRulesFor(plan.kind, collection)
  const call = readCall(lifetime, rules, { target, search })
  const { query, conditions, fault, parameters } = call
  complete(operation, 'resource', collection.resource)
  complete(operation, 'query', query)
  complete(operation, 'isDryRun', parameters.dry_run === true)
  const cursor = parameters.after
  const seen = planOfCaller(plan, collection)
  return { plan: seen, target, conditions, cursor, fault, revealed }
}

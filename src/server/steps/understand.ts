import { nothingRevealed } from '../../contract/declare/reveal.ts'
import type { Binding } from '../../contract/resource/adapter.ts'
import type { Collection, Target } from '../../contract/resource/api.ts'
import { idFor } from '../../contract/resource/id.ts'
import { noParents, noScope, type Outcome } from '../../contract/resource/operation.ts'
import type { Registry } from '../../contract/resource/registry.ts'
import {
  isRestricted,
  needsReveal,
  ownerFieldsOf,
  type Resource,
} from '../../contract/resource/resource.ts'
import { isKeeping, isSkipping } from '../../contract/resource/siblings.ts'
import { nameItem } from '../../contract/values/words.ts'
import { type Awaitable, inTurn, isPending, whenReady } from '../../convention/awaitable.ts'
import { bodyOf } from '../../convention/kinds.ts'
import { type OperationKind, operations } from '../../convention/operations.ts'
import { invalidCursor, ProblemError, problem } from '../../convention/problem.ts'
import { refuseAnyBody } from '../../wire/body.ts'
import { doubtsIn } from '../../wire/cursor.ts'
import { findCall } from '../../wire/request.ts'
import { isForeign } from '../checks/form.ts'
import { findItem } from '../checks/outcome.ts'
import type { Lifetime } from '../lifetime/lifetime.ts'
import { operationOf, parentsOf, readingOf, scopeOfPath } from '../operations.ts'
import type { Plan, Task } from '../task.ts'

/** Composes the steps of a plan. */
export type Compose = (plan: Omit<Plan, 'way'>, registry: Registry) => Plan['way']

const empty: readonly never[] = Object.freeze([])
// Before the step that calls the adapter.
const none: Outcome = Object.freeze({ gives: 'count', count: 0 })

// Before the steps.
const untouched = {
  sentQuery: undefined,
  drafts: empty,
  keyed: undefined,
  replayed: undefined,
  outcome: none,
  included: empty,
}

/**
 * Reads what a request names and which operation it wants: path, version, resource, method.
 *
 * @throws {ProblemError} `uri_too_long`, `bad_path`, `bad_percent_encoding`. Returns
 *   `unknown_version`, `unknown_resource`, `method_not_allowed`.
 */
export function understand(lifetime: Lifetime, compose: Compose): Task | ProblemError {
  const { request, registry, signal } = lifetime
  const call = findCall(request, registry)
  if (call instanceof ProblemError) return call
  const { kind, target, query, conditions, fault } = call
  const { collection, id } = target
  const { resource, version, path, ancestors, deprecation } = collection
  const parentIds = target.parents.map((text, depth) =>
    idFor((ancestors[depth] as Collection).resource, text),
  )
  const parents = parentsOf(collection, parentIds, target.parents)
  return {
    plan: planFor(kind, collection, { registry, compose }),
    lifetime,
    target,
    parentIds,
    operation: operationOf({
      kind,
      resource,
      version,
      path,
      scope: scopeOfPath(collection, parents),
      parents,
      id: id === undefined ? undefined : idFor(resource, id),
      query,
      isDryRun: call.parameters.dry_run === true,
      isDeprecated: deprecation !== undefined,
      signal,
    }),
    conditions,
    cursor: call.parameters.after,
    fault,
    context: undefined,
    caller: noScope,
    revealed: nothingRevealed,
    ...untouched,
  }
}

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

/**
 * Makes sure that a request whose operation takes no body has none.
 *
 * @throws {ProblemError} `body_not_allowed`.
 */
export function refuseBody(task: Task): Awaitable<Task> {
  const { request } = task.lifetime
  return request.body === undefined ? task : whenReady(refuseAnyBody(request), () => task)
}

/**
 * Makes sure that every parent in the path exists, from a depth on, the outermost first. The core
 * reads each inside the scope of the one before, so a parent whose own parent is gone does not
 * exist either.
 *
 * Returns `parent_not_found`.
 */
export function findParents(task: Task, from = 0): Awaitable<Task | ProblemError> {
  const { plan, target, operation, parentIds, context, caller } = task
  const { ancestors } = target.collection
  if (isForeign(operation.scope, target)) return parentNotFound(target, from)
  for (let depth = from; depth < ancestors.length; depth++) {
    const ancestor = ancestors[depth] as Collection
    const parents = depth === 0 ? noParents : operation.parents.slice(0, depth)
    const { signal } = operation
    const read = readingOf(ancestor, { id: parentIds[depth], parents, signal, caller })
    const isNowhere = read.id === undefined || isForeign(read.scope, { collection: ancestor })
    const result = isNowhere ? null : plan.parents[depth]?.read?.(read, context)
    if (isPending(result)) {
      return Promise.resolve(result).then((item) =>
        findItem(item, read) === undefined
          ? parentNotFound(target, depth)
          : findParents(task, depth + 1),
      )
    }
    if (findItem(result, read) === undefined) return parentNotFound(target, depth)
  }
  return task
}

function parentNotFound({ collection, parents }: Target, depth: number): ProblemError {
  const ancestor = collection.ancestors[depth] as Collection
  return problem('parent_not_found', `No ${nameItem(ancestor, parents[depth])}.`)
}

// By registry, then by the index of the collection.
const plans = new WeakMap<Registry, Map<OperationKind, Plan>[]>()

interface Planning {
  readonly registry: Registry
  readonly compose: Compose
}

function planFor(kind: OperationKind, collection: Collection, planning: Planning): Plan {
  const plan = plans.get(planning.registry)?.[collection.place]?.get(kind)
  return plan ?? makePlan(kind, collection, planning)
}

// The path holds a reference to a parent already.
function referencesToFollow(
  { references, parameters, ancestors }: Collection,
  { takes, parameters: parameterNames }: Plan['row'],
): Plan['references'] {
  if (takes === 'nothing') {
    const names: readonly string[] = parameterNames
    return names.includes('include') ? references.filter(({ isIncludable }) => isIncludable) : []
  }
  return references.filter(
    ({ field, target }) => ancestors[parameters.indexOf(field)]?.resource !== target.resource,
  )
}

// No step stands between path and parameters.
function isOpen(registry: Registry, resource: Resource): boolean {
  const { context, scope, middleware } = registry
  const isAnybodys = context === undefined && scope === undefined
  return isAnybodys && middleware.length === 0 && !needsReveal(resource, registry)
}

function namesRestricted({ target }: Plan['references'][number]): boolean {
  return isRestricted(target.resource)
}

function makePlan(
  kind: OperationKind,
  collection: Collection,
  { registry, compose }: Planning,
): Plan {
  const { place, resource, ancestors } = collection
  // A target with methods has a binding.
  const { adapter } = registry.bindings[place] as Binding
  const row = operations[kind]
  const isReplaced = row.takes !== 'nothing' && resource.readOnly.length > 0
  const references = referencesToFollow(collection, row)
  const facts = {
    kind,
    row,
    body: bodyOf(kind),
    isOpen: isOpen(registry, resource),
    dependsOnStored: ancestors.length > 0 || ownerFieldsOf(resource).length > 0 || isReplaced,
    isGuarded: isReplaced && !(kind === 'update' && isKeeping(adapter.update)),
    isSkipping: isSkipping(adapter.list),
    references,
    isRevealing: isRestricted(resource) || references.some(namesRestricted),
    ignored: row.takes === 'nothing' ? empty : [...resource.readOnly, ...collection.includes],
    messages: registry.api.messages,
    resource,
    adapter,
    parents: ancestors.map((ancestor) => registry.bindings[ancestor.place]?.adapter),
  }
  const plan = { ...facts, way: compose(facts, registry) }
  const all = plans.get(registry) ?? []
  all[place] = (all[place] ?? new Map()).set(kind, plan)
  plans.set(registry, all)
  return plan
}

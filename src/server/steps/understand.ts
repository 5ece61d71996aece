import { nothingRevealed } from '../../contract/declare/reveal.ts'
import { idFor } from '../../contract/resource/id.ts'
import { noParents, noQuery, noScope, type Outcome } from '../../contract/resource/operation.ts'
import type { TargetKind } from '../../convention/operations.ts'
import { ProblemError } from '../../convention/problem.ts'
import { noConditions } from '../../wire/conditions.ts'
import {
  findRequestTarget,
  methodNotAllowed,
  methodsFor,
  type RequestTarget,
} from '../../wire/path.ts'
import { type ParsedCall, readCall } from '../../wire/request.ts'
import type { Lifetime } from '../lifetime/lifetime.ts'
import { operationOf, type PathId, scopeOfPath } from '../operations.ts'
import { type Plan, planFor } from '../plan.ts'
import type { Task } from '../task.ts'

type Registry = Lifetime['registry']
type Target = Task['target']

/** Composes the steps of a plan, of all its requests or of the bare ones. */
export type Compose = (plan: Plan, registry: Registry, request: 'any' | 'bare') => Task['way']

const empty: readonly never[] = Object.freeze([])
/** The call of a request without a query and without a header of a condition. */
const bareCall: Omit<ParsedCall, 'kind' | 'target'> = Object.freeze({
  parameters: Object.freeze({}),
  query: noQuery,
  conditions: noConditions,
  fault: undefined,
})
// Before the step that calls the adapter.
const noOutcome: Outcome = Object.freeze({ gives: 'count', count: 0 })

/**
 * Reads what a request names and which operation it wants: path, version, resource, method.
 *
 * @throws {ProblemError} `uri_too_long`, `bad_path`, `bad_percent_encoding`. Returns
 *   `unknown_version`, `unknown_resource`, `method_not_allowed`.
 */
export function understand(lifetime: Lifetime, compose: Compose): Task | ProblemError {
  const match = findRequestTarget(lifetime.request, lifetime.registry)
  if (match instanceof ProblemError) return match
  const { target, search } = match
  const plannedWay = wayFor(match, lifetime, compose)
  if (plannedWay instanceof ProblemError) return plannedWay
  const isBare = plannedWay.plan.isBare && search === '' && lifetime.request.body === undefined
  const call = isBare ? bareCall : readCall(lifetime, plannedWay.plan.rules, match)
  const { query, conditions, fault, parameters } = call
  const { plan, way } = query.related ? relatingWayOf(plannedWay, lifetime, compose) : plannedWay
  const { ids: parentIds, parents, scope } = plan.parents.length === 0 ? top : ancestryOf(target)
  const { id: text, collection } = target
  const id = text === undefined ? undefined : idFor(collection.resource, text)
  const isDryRun = parameters.dry_run === true
  const isDeprecated = collection.deprecation !== undefined
  const { maxAffected } = conditions
  const { signal } = lifetime
  const facts = { scope, parents, id, query, isDryRun, isDeprecated, maxAffected, signal }
  return {
    plan,
    way: isBare ? plannedWay.bareWay : way,
    lifetime,
    target,
    search,
    parentIds,
    operation: operationOf(plan.kind, collection, facts),
    conditions,
    sentQuery: undefined,
    cursor: parameters.after,
    fault,
    context: undefined,
    caller: noScope,
    revealed: nothingRevealed,
    drafts: empty,
    keyed: undefined,
    replayed: undefined,
    outcome: noOutcome,
    included: empty,
  }
}

/** The parents in a path, outermost first, and the scope that they make. */
interface Ancestry extends Pick<Task['operation'], 'parents' | 'scope'> {
  readonly ids: readonly PathId[]
}

const top: Ancestry = { ids: empty, parents: noParents, scope: noScope }

function ancestryOf({ collection, parents: texts }: Target): Ancestry {
  const ids: PathId[] = []
  const parents = collection.ancestors.map(({ resource }, depth) => {
    const text = texts[depth] as string
    const id = idFor(resource, text)
    ids.push(id)
    // An id that no item can have is found out when the core looks for the parent.
    return { resource, id: id ?? text }
  })
  return { ids, parents, scope: scopeOfPath(collection, parents) }
}

interface PlannedWay extends Pick<Task, 'plan' | 'way'> {
  /** The way of a request without a query and a body. Equals `way` unless the plan is bare. */
  readonly bareWay: Task['way']
}

/** The ways of a collection, by the kind of target, then by method. */
type Ways = Map<TargetKind, Map<string, PlannedWay>>

// By registry, then by the index of the collection.
const waysOfRegistry = new WeakMap<Registry, Ways[]>()

// By the way without the look-up of related items, for requests that pay nothing for it.
const relatingWays = new WeakMap<PlannedWay, PlannedWay>()

function relatingWayOf(
  plannedWay: PlannedWay,
  { registry }: Lifetime,
  compose: Compose,
): PlannedWay {
  const cached = relatingWays.get(plannedWay)
  if (cached !== undefined) return cached
  const plan = { ...plannedWay.plan, isRelating: true }
  const way = compose(plan, registry, 'any')
  const relatingWay = { plan, way, bareWay: way }
  relatingWays.set(plannedWay, relatingWay)
  return relatingWay
}

// Returns `method_not_allowed`.
function wayFor(
  { target, methodKey }: RequestTarget,
  { request, registry }: Lifetime,
  compose: Compose,
): PlannedWay | ProblemError {
  const { kind: targetKind, collection } = target
  const ways = waysOfRegistry.get(registry)?.[collection.place]
  const plannedWay = ways?.get(targetKind)?.get(methodKey)
  if (plannedWay !== undefined) return plannedWay
  const { kinds, allow } = methodsFor(target, registry)
  const kind = kinds.get(methodKey)
  if (kind === undefined) return methodNotAllowed(request, allow)
  const plan = planFor(kind, collection, registry)
  const way = compose(plan, registry, 'any')
  const bareWay = plan.isBare ? compose(plan, registry, 'bare') : way
  const newWay = { plan, way, bareWay }
  const all = waysOfRegistry.get(registry) ?? []
  const waysByTarget: Ways = all[collection.place] ?? new Map()
  const waysByMethod = waysByTarget.get(targetKind) ?? new Map<string, PlannedWay>()
  all[collection.place] = waysByTarget.set(targetKind, waysByMethod.set(methodKey, newWay))
  waysOfRegistry.set(registry, all)
  return newWay
}

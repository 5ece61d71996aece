import { nothingRevealed } from '../../contract/declare/reveal.ts'
import type { Collection } from '../../contract/resource/api.ts'
import { idFor } from '../../contract/resource/id.ts'
import { noScope, type Outcome } from '../../contract/resource/operation.ts'
import type { Registry } from '../../contract/resource/registry.ts'
import type { OperationKind } from '../../convention/operations.ts'
import { ProblemError } from '../../convention/problem.ts'
import { findCall } from '../../wire/request.ts'
import type { Lifetime } from '../lifetime/lifetime.ts'
import { operationOf, parentsOf, scopeOfPath } from '../operations.ts'
import { type Plan, planFor } from '../plan.ts'
import type { Task } from '../task.ts'

/** Composes the steps of a plan. */
export type Compose = (plan: Plan, registry: Registry) => Task['way']

const empty: readonly never[] = Object.freeze([])
// Before the step that calls the adapter.
const noOutcome: Outcome = Object.freeze({ gives: 'count', count: 0 })

// Before the steps.
const initialMembers = {
  sentQuery: undefined,
  drafts: empty,
  keyed: undefined,
  replayed: undefined,
  outcome: noOutcome,
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
  const { plan, way } = wayFor(kind, collection, { registry, compose })
  return {
    plan,
    way,
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
    ...initialMembers,
  }
}

type PlannedWay = Pick<Task, 'plan' | 'way'>

// By registry, then by the index of the collection.
const ways = new WeakMap<Registry, Map<OperationKind, PlannedWay>[]>()

interface Planning {
  readonly registry: Registry
  readonly compose: Compose
}

function wayFor(kind: OperationKind, collection: Collection, planning: Planning): PlannedWay {
  const way = ways.get(planning.registry)?.[collection.place]?.get(kind)
  return way ?? makeWay(kind, collection, planning)
}

function makeWay(
  kind: OperationKind,
  collection: Collection,
  { registry, compose }: Planning,
): PlannedWay {
  const { place } = collection
  const plan = planFor(kind, collection, registry)
  const plannedWay = { plan, way: compose(plan, registry) }
  const all = ways.get(registry) ?? []
  all[place] = (all[place] ?? new Map()).set(kind, plannedWay)
  ways.set(registry, all)
  return plannedWay
}

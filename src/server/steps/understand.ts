import type { Flowing } from '../../model/awaitable.ts'
import type { Binding } from '../../model/binding.ts'
import type { OperationKind } from '../../model/convention.ts'
import { operations } from '../../model/convention.ts'
import { noQuery, type Outcome } from '../../model/operation.ts'
import { ProblemError } from '../../model/problem.ts'
import type { Registry } from '../../model/registry.ts'
import type { Target } from '../../model/target.ts'
import { noConditions } from '../../wire/conditions.ts'
import { findAddressed, findKind, readCall } from '../../wire/request.ts'
import type { Draft } from '../checks/draft.ts'
import type { Lifetime } from '../lifetime/lifetime.ts'
import { operationOf } from '../operation.ts'
import type { Plan, Task } from '../task.ts'

/** Composes the steps of a plan. */
export type Compose = (plan: Omit<Plan, 'way'>, registry: Registry) => Flowing<Task>

const noDrafts: readonly Draft[] = Object.freeze([])
// Before the step that calls the adapter.
const none: Outcome = Object.freeze({ gives: 'count', count: 0 })

/**
 * Reads what a request names and which operation it wants: path, version, resource, method.
 *
 * @throws {ProblemError} `uri_too_long`, `bad_path`, `bad_percent_encoding`. Returns
 *   `unknown_version`, `unknown_resource`, `method_not_allowed`.
 */
export function understand(lifetime: Lifetime, compose: Compose): Task | ProblemError {
  const { request, registry, signal } = lifetime
  const found = findAddressed(request, registry)
  if (found instanceof ProblemError) return found
  const { target, search } = found
  const kind = findKind(request.method, target, registry)
  if (kind instanceof ProblemError) return kind
  const plan = planFor(kind, target, { registry, compose })
  const { query, conditions, fault } =
    search === '' && plan.isPlain ? plain : readCall(found, kind, { request, registry })
  return {
    plan,
    lifetime,
    target,
    operation: operationOf({ kind, target, query, signal }),
    conditions,
    fault,
    context: undefined,
    drafts: noDrafts,
    outcome: none,
  }
}

// The meaning of a request that has no parameters and can have no conditions.
const plain = { query: noQuery, conditions: noConditions, fault: undefined } as const

type Plans = Map<OperationKind, Plan>

// By registry, then by the index of the collection.
const known = new WeakMap<Registry, Plans[]>()

interface Planning {
  readonly registry: Registry
  readonly compose: Compose
}

function planFor(kind: OperationKind, { collection }: Target, planning: Planning): Plan {
  const all = known.get(planning.registry) ?? []
  const plans: Plans = all[collection.place] ?? new Map()
  const plan = plans.get(kind)
  return plan ?? makePlan(kind, collection, { ...planning, all, plans })
}

function makePlan(
  kind: OperationKind,
  { place, resource, ancestors }: Target['collection'],
  { registry, compose, all, plans }: Planning & { readonly all: Plans[]; readonly plans: Plans },
): Plan {
  // A target with methods has a binding.
  const { adapter } = registry.bindings[place] as Binding
  const row = operations[kind]
  const isPaged = row.target === 'collection' && resource.defaultLimit !== undefined
  const facts = {
    kind,
    row,
    isOpen: registry.context === undefined && registry.middleware.length === 0,
    isPlain: !isPaged && row.conditions.length === 0,
    resource,
    adapter,
    parents: ancestors.map((ancestor) => registry.bindings[ancestor.place]?.adapter),
  }
  const plan = { ...facts, way: compose(facts, registry) }
  all[place] = plans.set(kind, plan)
  known.set(registry, all)
  return plan
}

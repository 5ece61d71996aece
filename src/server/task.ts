import type { Collection, MountedReference } from '../model/api.ts'
import type { flow } from '../model/awaitable.ts'
import type { UncheckedAdapter } from '../model/binding.ts'
import type { OperationKind, operations } from '../model/convention.ts'
import {
  noParents,
  noQuery,
  noScope,
  type Operation,
  type Outcome,
  type PathParent,
  type Query,
  type Scope,
} from '../model/operation.ts'
import type { ProblemError } from '../model/problem.ts'
import type { Resource } from '../model/resource.ts'
import type { Target } from '../model/target.ts'
import type { Conditions } from '../wire/conditions.ts'
import type { Draft } from './checks/body.ts'
import type { Lifetime } from './lifetime/lifetime.ts'

/** Everything about a kind of operation at a path that is known before any request. */
export interface Plan {
  readonly kind: OperationKind
  /** The row of the convention. */
  readonly row: (typeof operations)[OperationKind]
  readonly resource: Resource
  readonly adapter: UncheckedAdapter
  /** The adapters that read the parents, outermost first. */
  readonly parents: readonly (UncheckedAdapter | undefined)[]
  /** The references that a write has to check, or that a read can include. */
  readonly references: readonly MountedReference[]
  /** The fields of a body that the core judges later, or drops. */
  readonly ignored: readonly string[]
  /** The registry has no context and no middleware: no step stands between path and parameters. */
  readonly isOpen: boolean
  /** The core reads the stored item before it changes it, whatever the request. */
  readonly dependsOnStored: boolean
  /**
   * The adapter's `update` does not guard the read-only fields. The core tries again after a change
   * of them meanwhile.
   */
  readonly isGuarded: boolean
  /** The steps of a request, in order; a step with nothing to do is left out. */
  readonly way: ReturnType<typeof flow<Task>>
}

/** A request with everything that is known of it so far. A step takes one and returns the next. */
export interface Task {
  readonly plan: Plan
  readonly lifetime: Lifetime
  readonly target: Target
  /** The parents' ids, outermost first. */
  readonly parentIds: readonly PathId[]
  readonly operation: RequestedOperation
  readonly conditions: Conditions
  /** The problem of parameters or headers. Authorization comes before it. */
  readonly fault: ProblemError | undefined
  /** As the registry made it for this request. */
  readonly context: unknown
  /** The body, validated: one draft an item. */
  readonly drafts: readonly Draft[]
  /** The checked result of the adapter or of a middleware; a placeholder until then. */
  readonly outcome: Outcome
  /** The items that references name, for `include`. */
  readonly included: readonly Included[]
}

/** The items of one reference, as they leave. */
export interface Included {
  readonly reference: MountedReference
  readonly items: ReadonlyMap<unknown, object>
}

/**
 * An operation of a request. The core fills in the last members when it calls the adapter.
 * A middleware finds them in its operation once `next` has answered.
 */
export type RequestedOperation = Omit<Operation, Late> & {
  -readonly [Name in Late]: Operation[Name]
}

type Late = 'item' | 'items' | 'maxAffected' | 'ifRevision'

/** An id of a path; `undefined` for a text that no item can have as its id. */
export type PathId = string | number | undefined

/**
 * Makes an operation. It has all members in one order, whatever its kind. Every member is own, so
 * that a spread copies it.
 */
export function operationOf(facts: Omit<Operation, Late>): RequestedOperation {
  const { kind, resource, version, path, scope, parents, id, query, signal } = facts
  return {
    kind,
    resource,
    version,
    path,
    scope,
    parents,
    id,
    query,
    item: undefined,
    items: undefined,
    maxAffected: undefined,
    ifRevision: undefined,
    signal,
  }
}

/** Makes the operation that reads an item in the scope of another operation. */
export function readOf(operation: Operation, id: string | number): RequestedOperation {
  const { resource, version, path, scope, parents, query, signal } = operation
  return operationOf({ kind: 'read', resource, version, path, scope, parents, id, query, signal })
}

/** Makes the operation that reads an item below its parents. */
export function readingOf(
  collection: Collection,
  { id, parents, signal }: Pick<Operation, 'id' | 'parents' | 'signal'>,
): RequestedOperation {
  const { resource, version, path } = collection
  const scope = scopeOf(collection, parents)
  const query = noQuery
  return operationOf({ kind: 'read', resource, version, path, scope, parents, id, query, signal })
}

/** Makes the operation of another kind on the collection of an operation. */
export function collectionOf(
  operation: Operation,
  kind: OperationKind,
  query: Query = operation.query,
): RequestedOperation {
  const { resource, version, path, scope, parents, signal } = operation
  const id = undefined
  return operationOf({ kind, resource, version, path, scope, parents, id, query, signal })
}

/** Makes the parents of a collection from their ids, and their texts in the path. */
export function parentsOf(
  { ancestors }: Collection,
  ids: readonly PathId[],
  texts: readonly string[],
): readonly PathParent[] {
  if (ancestors.length === 0) return noParents
  return ancestors.map(({ resource }, depth) => {
    // An id that no item can have is found out when the core looks for the parent.
    return { resource, id: ids[depth] ?? (texts[depth] as string) }
  })
}

/** Makes the scope of a collection from its parents: the ids that are fields of its items. */
export function scopeOf({ parameters, owners }: Collection, parents: readonly PathParent[]): Scope {
  if (parameters.length === 0) return noScope
  const scope: Record<string, PathId> = {}
  for (let depth = 0; depth < parameters.length; depth++) {
    const name = parameters[depth] as string
    if (owners === parameters || owners.includes(name))
      scope[name] = (parents[depth] as PathParent).id
  }
  return scope
}

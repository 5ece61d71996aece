import type { Collection } from '../model/api.ts'
import type { OperationKind } from '../model/convention.ts'
import { idFor } from '../model/id.ts'
import { noQuery, noScope, type Operation, type Query, type Scope } from '../model/operation.ts'
import type { Target } from '../model/target.ts'
import { noParents } from '../wire/path.ts'

/**
 * An operation of a request. The core fills in the last members when it calls the adapter.
 * A middleware finds them in its operation once `next` has answered.
 */
export type RequestedOperation = Omit<Operation, Late> & {
  -readonly [Name in Late]: Operation[Name]
}

type Late = 'item' | 'items' | 'maxAffected' | 'ifRevision'
type Bare = Omit<RequestedOperation, Late>

interface Requested {
  readonly kind: OperationKind
  readonly target: Target
  readonly query: Query
  readonly signal: AbortSignal
}

/** Makes the operation of a kind on a target. Every member is own, so that a spread copies it. */
export function operationOf({ kind, target, query, signal }: Requested): RequestedOperation {
  const { collection, parents, id } = target
  const { resource, version, path } = collection
  return bare({
    kind,
    resource,
    version,
    path,
    scope: parents.length === 0 ? noScope : scopeOf(collection, parents),
    id: id === undefined ? undefined : idFor(resource, id),
    query,
    signal,
  })
}

// Every operation has all members in one order, whatever its kind.
function bare(facts: Bare): RequestedOperation {
  const { kind, resource, version, path, scope, id, query, signal } = facts
  return {
    kind,
    resource,
    version,
    path,
    scope,
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
  const { resource, version, path, scope, query, signal } = operation
  return bare({
    kind: 'read',
    resource,
    version,
    path,
    scope,
    id: idFor(resource, String(id)),
    query,
    signal,
  })
}

/** Makes the operation of another kind on the collection of an operation. */
export function collectionOf(
  operation: Operation,
  kind: OperationKind,
  query: Query = operation.query,
): RequestedOperation {
  const { resource, version, path, scope, signal } = operation
  return bare({ kind, resource, version, path, scope, id: undefined, query, signal })
}

/** Makes the read of an ancestor, at a depth counted from the outermost, 0. */
export function readOfAncestor(
  { collection, parents }: Target,
  depth: number,
  signal: AbortSignal,
): RequestedOperation {
  return operationOf({
    kind: 'read',
    target: {
      kind: 'item',
      // A path has an id for each ancestor.
      collection: collection.ancestors[depth] as Collection,
      parents: depth === 0 ? noParents : parents.slice(0, depth),
      id: parents[depth] as string,
    },
    query: noQuery,
    signal,
  })
}

/** Tells whether the path holds a text that no id of its resource can be. */
export function namesNoItem({ collection, parents, id }: Target, operation: Operation): boolean {
  if (id !== undefined && operation.id === undefined) return true
  return collection.ancestors.some(
    ({ resource }, depth) => idFor(resource, parents[depth] as string) === undefined,
  )
}

function scopeOf({ ancestors, parameters }: Collection, parents: readonly string[]): Scope {
  const scope: Record<string, string | number> = {}
  for (let depth = 0; depth < parents.length; depth++) {
    const { resource } = ancestors[depth] as Collection
    const id = parents[depth] as string
    // An id that no item can have is found out when the core looks for the parent.
    scope[parameters[depth] as string] = idFor(resource, id) ?? id
  }
  return scope
}

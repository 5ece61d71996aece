import type { StoredForm } from '../contract/resource/adapter.ts'
import type { Collection, Target } from '../contract/resource/api.ts'
import {
  noParents,
  noQuery,
  noScope,
  type Operation,
  type PathParent,
  type Query,
  type Scope,
} from '../contract/resource/operation.ts'
import { type Caller, meet, scopeOfCaller } from '../contract/values/caller.ts'
import type { Condition } from '../convention/filter-operators.ts'
import type { OperationKind } from '../convention/operations.ts'

/** The members that the core learns from the body and from stored items. */
type Content = 'item' | 'items' | 'ids' | 'ifRevision'

/** The members that depend on the caller. */
type CallerMembers = 'resource' | 'scope' | 'query' | 'isDryRun'

/** The members of an operation that its collection has too. */
type CollectionMembers = 'resource' | 'version' | 'path'

/** The other members of an operation that are known from the request. */
type OperationFacts = Omit<Operation, Content | CollectionMembers | OptionalFact | 'kind'> &
  Partial<Pick<Operation, OptionalFact>>

/** The members that few requests have. */
type OptionalFact = 'isDryRun' | 'maxAffected'

/**
 * Gives an operation a member that the core has learned since it made the operation. No other
 * function writes to one. The operation stays the same object: a middleware finds the item in it
 * once `next` has answered, and `onError` after a failure.
 */
export function complete<Name extends Content | CallerMembers>(
  operation: { -readonly [Member in Name]: Operation[Member] },
  name: Name,
  value: Operation[Name],
): void {
  operation[name] = value
}

/** An id of a path; `undefined` for a text that no item can have as its id. */
export type PathId = string | number | undefined

/**
 * Makes an operation. It has all members in one order, whatever its kind. Every member is own, so
 * that a spread copies it.
 */
export function operationOf(
  kind: OperationKind,
  { resource, version, path }: Pick<Operation, CollectionMembers>,
  facts: OperationFacts,
): Operation {
  const { scope, parents, id, query, isDryRun = false, isDeprecated, maxAffected, signal } = facts
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
    ids: undefined,
    isDryRun,
    isDeprecated,
    maxAffected,
    ifRevision: undefined,
    signal,
  }
}

/** Makes the operation that reads an item in the scope of another operation. */
export function readOf(operation: Operation, id: string | number): Operation {
  const { scope, parents, query, isDeprecated, signal } = operation
  return operationOf('read', operation, { scope, parents, id, query, isDeprecated, signal })
}

/** Makes the operation that reads an item below its parents, in the scope of a caller. */
export function readingOf(
  collection: Collection,
  { id, parents, signal, caller }: Pick<Operation, 'id' | 'parents' | 'signal'> & Calling,
): Operation {
  const scope = scopeOf(collection, { parents, caller })
  const isDeprecated = collection.deprecation !== undefined
  const facts = { scope, parents, id, query: noQuery, isDeprecated, signal }
  return operationOf('read', collection, facts)
}

/** Makes an operation on the items of a collection in the scope of a caller, under any parents. */
export function operationAcross(
  collection: Collection,
  { kind, caller, ...facts }: Pick<Operation, 'kind' | 'id' | 'query' | 'signal'> & Calling,
): Operation {
  const scope = scopeOfCaller(caller, collection.resource)
  const isDeprecated = collection.deprecation !== undefined
  return operationOf(kind, collection, { scope, parents: noParents, isDeprecated, ...facts })
}

/** Makes the operation of another kind on the collection of an operation. */
export function collectionOf(
  operation: Operation,
  kind: OperationKind,
  query: Query = operation.query,
): Operation {
  const { scope, parents, isDeprecated, signal } = operation
  const facts = { scope, parents, id: undefined, query, isDeprecated, signal }
  return operationOf(kind, operation, facts)
}

/** Writes the values of an operation's filters as the storage returns them. */
export function operationInForm(operation: Operation, form: StoredForm): Operation {
  const { kind, query } = operation
  const where = query.where.map((condition) => conditionInForm(condition, form))
  return operationOf(kind, operation, { ...operation, query: { ...query, where } })
}

const parts: ReadonlySet<Condition['is']> = new Set(['contains', 'startsWith', 'endsWith'])

function conditionInForm(condition: Condition, form: StoredForm): Condition {
  const { field, is, values } = condition
  if (parts.has(is)) return condition
  return { ...condition, values: values.map((value) => form(field, value) as typeof value) }
}

/** The caller of a request. */
export interface Calling {
  readonly caller: Caller
}

/**
 * Makes the scope of a collection: the parents' ids that are fields of its items, and the fields of
 * its caller. An empty list stands for a path and a caller that contradict each other.
 */
export function scopeOf(
  collection: Collection,
  { parents, caller }: Pick<Operation, 'parents'> & Calling,
): Scope {
  const pathScope = scopeOfPath(collection, parents)
  // Without `.scope()` no item has an owner.
  if (caller === noScope) return pathScope
  return bothOf(pathScope, scopeOfCaller(caller, collection.resource))
}

/** Tells whether a path leads to the items of another owner than the caller's. */
export function isForeign(scope: Scope, { collection }: Pick<Target, 'collection'>): boolean {
  return collection.owners.some((field) => typeof scope[field] === 'object')
}

/** Confines the scope of a path to that of a caller. */
export function bothOf(pathScope: Scope, callerScope: Scope): Scope {
  if (callerScope === noScope) return pathScope
  return pathScope === noScope ? callerScope : meet(pathScope, callerScope)
}

/** Makes the scope of a path from its parents: the ids that are fields of the items. */
export function scopeOfPath(
  { parameters, owners }: Collection,
  parents: readonly PathParent[],
): Scope {
  if (parameters.length === 0) return noScope
  const scope: Record<string, PathId> = {}
  for (let depth = 0; depth < parameters.length; depth++) {
    const name = parameters[depth] as string
    if (owners === parameters || owners.includes(name))
      scope[name] = (parents[depth] as PathParent).id
  }
  return scope
}

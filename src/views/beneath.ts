import type { Collection } from '../contract/resource/api.ts'
import {
  noQuery,
  noScope,
  type Operation,
  type PathParent,
  type Query,
  type Scope,
} from '../contract/resource/operation.ts'
import type { Conversion, Resource } from '../contract/resource/resource.ts'
import { variantAs } from '../contract/resource/variant.ts'
import type { Condition } from '../convention/condition.ts'
import { setField } from '../convention/value.ts'
import { operationOf, type RequestedOperation } from '../server/operations.ts'

const hubs = new WeakMap<Resource, Resource>()
let last: { readonly resource: Resource; readonly made: Resource } | undefined

// The hub as an operation of a view sees it: `q` looks into the fields that the view shows.
function hubFor(resource: Resource, { hub, sourcesOf }: Conversion): Resource {
  if (last?.resource === resource) return last.made
  const known = hubs.get(resource)
  if (known) {
    last = { resource, made: known }
    return known
  }
  const searchable = resource.searchable.flatMap(sourcesOf)
  const made = variantAs(hub, { searchable: Object.freeze([...new Set(searchable)]) })
  hubs.set(resource, made)
  return made
}

/** Returns the operation of the hub for an operation of a view, without its items. */
export function beneath(operation: Operation, view: Conversion): RequestedOperation {
  const { kind, resource, version, path, parents, id, query, isDryRun, signal } = operation
  const asked = operationOf({
    kind,
    resource: hubFor(resource, view),
    version,
    path,
    scope: scopeBeneath(operation.scope, view),
    parents: parents.length === 0 ? parents : parents.map(parentBeneath),
    id,
    query: queryBeneath(query, view),
    isDryRun,
    isDeprecated: operation.isDeprecated,
    signal,
  })
  asked.maxAffected = operation.maxAffected
  asked.ids = operation.ids
  return asked
}

function parentBeneath(parent: PathParent): PathParent {
  return { ...parent, resource: parent.resource.hub }
}

/** Returns the name in the hub of a plain field: an owner field, a field of an order. */
export function nameOf(field: string, view: Conversion): string {
  return view.plainOf(field) ?? field
}

function scopeBeneath(scope: Scope, view: Conversion): Scope {
  if (scope === noScope) return scope
  const names = Object.keys(scope)
  if (names.every((name) => nameOf(name, view) === name)) return scope
  return renamed(scope, view) as Scope
}

function renamed(fields: object, view: Conversion): object {
  const made: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) setField(made, nameOf(name, view), value)
  return made
}

function queryBeneath(query: Query, view: Conversion): Query {
  // An id has the same name in every version.
  if (query === noQuery) return query
  const { sort, where, after, fields } = query
  return {
    ...query,
    sort: sort.map((one) => ({ ...one, field: nameOf(one.field, view) })),
    where: where.flatMap((condition) => conditionsBeneath(condition, view)),
    after: after && (renamed(after, view) as Query['after']),
    fields: fields && [...new Set(fields.flatMap(view.sourcesOf))],
    include: undefined,
  }
}

// A table may give values of another type.
function conditionsBeneath(condition: Condition, view: Conversion): readonly Condition[] {
  const conditions = view.conditionsOf(condition)
  if (view.plainOf(condition.field) !== undefined) return conditions
  const { filterable } = view.hub
  return conditions.map((one) => {
    const type = filterable.find(({ name }) => name === one.field)?.type
    // A condition on an id has the type of its values.
    return { ...one, ...(type !== undefined && type !== 'id' && { type }) }
  })
}

/** Returns the collections of a view as its hub sees them. */
export function mountsBeneath(
  mounts: readonly Collection[],
  view: Conversion,
): readonly Collection[] {
  return mounts.map((mount) => ({
    ...mount,
    resource: view.hub,
    parameters: mount.parameters.map((name) => nameOf(name, view)),
    owners: mount.owners.map((name) => nameOf(name, view)),
  }))
}

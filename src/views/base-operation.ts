import type { Collection } from '../contract/resource/api.ts'
import {
  noQuery,
  noScope,
  type Operation,
  type PathParent,
  type Query,
  type RelatedConditions,
  type Scope,
  type SortField,
  typeOfId,
} from '../contract/resource/operation.ts'
import type { Conversion, Resource } from '../contract/resource/resource.ts'
import { variantAs } from '../contract/resource/variant.ts'
import { addRelatedValues, relatedValuesOf } from '../contract/values/order.ts'
import { joinsIn } from '../contract/values/related.ts'
import { type Awaitable, isPending, settle } from '../convention/awaitable.ts'
import type { Condition } from '../convention/filter-operators.ts'
import { type Chunk, isStream, itemsIn } from '../convention/stream.ts'
import { setField } from '../convention/value.ts'
import { complete, operationOf } from '../server/operations.ts'
import { toViewError } from './problems.ts'

const variants = new WeakMap<Resource, Resource>()
// Quicker than the map, for requests to the same view.
let latest: { readonly resource: Resource; readonly variant: Resource } | undefined

// The base for the operations of a view: `q` searches in the source fields of the view's fields.
function baseResourceFor(
  resource: Resource,
  { base: baseResource, sourcesOf }: Conversion,
): Resource {
  if (latest?.resource === resource) return latest.variant
  const cached = variants.get(resource)
  if (cached) {
    latest = { resource, variant: cached }
    return cached
  }
  const searchable = resource.searchable.flatMap(sourcesOf)
  const variant = variantAs(baseResource, { searchable: Object.freeze([...new Set(searchable)]) })
  variants.set(resource, variant)
  return variant
}

/** Returns the operation of the base for an operation of a view, without its items. */
export function baseOperationOf(operation: Operation, view: Conversion): Operation {
  const { kind, version, path, parents, id, isDryRun, isDeprecated, signal } = operation
  const resource = baseResourceFor(operation.resource, view)
  const facts = {
    scope: baseScopeOf(operation.scope, view),
    parents: parents.length === 0 ? parents : parents.map(baseParentOf),
    id,
    query: baseQueryOf(operation.query, view),
    isDryRun,
    isDeprecated,
    maxAffected: operation.maxAffected,
    signal,
  }
  const baseOperation = operationOf(kind, { resource, version, path }, facts)
  complete(baseOperation, 'ids', operation.ids)
  return baseOperation
}

function baseParentOf(parent: PathParent): PathParent {
  return { ...parent, resource: parent.resource.base }
}

/** Returns the name in the base of a plain field: an owner field, a field of an order. */
export function baseNameOf(field: string, view: Conversion): string {
  return view.plainOf(field) ?? field
}

function baseScopeOf(scope: Scope, view: Conversion): Scope {
  if (scope === noScope) return scope
  const names = Object.keys(scope)
  if (names.every((name) => baseNameOf(name, view) === name)) return scope
  return withBaseNames(scope, view) as Scope
}

function withBaseNames(fields: object, view: Conversion): object {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields))
    setField(result, baseNameOf(name, view), value)
  return result
}

function baseQueryOf(query: Query, view: Conversion): Query {
  // An id has the same name in every version.
  if (query === noQuery) return query
  const { sort, where, related, after, fields, by } = query
  return {
    ...query,
    sort: sort.map((sortField) => baseSortOf(sortField, view)),
    where: where.flatMap((condition) => baseConditionsOf(condition, view)),
    related: related?.map((conditions) => baseRelatedOf(conditions, view)),
    after: after && (withBaseNames(after, view) as Query['after']),
    fields: fields && [...new Set(fields.flatMap(view.sourcesOf))],
    include: undefined,
    by: by?.map((field) => baseNameOf(field, view)),
  }
}

// A field of a related item keeps its name: the selection knows that of the base.
function baseSortOf(sortField: SortField, view: Conversion): SortField {
  const { field, related } = sortField
  if (related === undefined) return { ...sortField, field: baseNameOf(field, view) }
  const join = related.join && { ...related.join, field: baseNameOf(related.join.field, view) }
  return { ...sortField, related: { ...related, join } }
}

/** Tells whether the fields of all joins of a query have the values of the base. */
export function areJoinsPlain({ query }: Operation, view: Conversion): boolean {
  return joinsIn(query).every((join) => join && view.plainOf(join.field) !== undefined)
}

function baseRelatedOf({ join, ...conditions }: RelatedConditions, view: Conversion) {
  return { ...conditions, join: join && { ...join, field: baseNameOf(join.field, view) } }
}

// A table may give values of another type.
function baseConditionsOf(condition: Condition, view: Conversion): readonly Condition[] {
  const conditions = view.conditionsOf(condition)
  if (view.plainOf(condition.field) !== undefined) return conditions
  const { filterable } = view.base
  return conditions.map((baseCondition) => {
    const { field, values } = baseCondition
    const type = filterable.find(({ name }) => name === field)?.type ?? condition.type
    return { ...baseCondition, type: type === 'id' ? typeOfId(values[0]) : type }
  })
}

/** Returns the collections of a view as collections of its base. */
export function baseMountsOf(
  mounts: readonly Collection[],
  view: Conversion,
): readonly Collection[] {
  return mounts.map((mount) => ({
    ...mount,
    resource: view.base,
    parameters: mount.parameters.map((name) => baseNameOf(name, view)),
    owners: mount.owners.map((name) => baseNameOf(name, view)),
  }))
}

/**
 * Calls the adapter of a base for an operation of a view.
 *
 * @throws The error of the adapter; a problem names fields of the view.
 */
export function callBase(
  view: Conversion,
  operation: Operation,
  call: (baseOperation: Operation) => unknown,
): Awaitable<unknown> {
  return settle<unknown, unknown>(
    () => call(baseOperationOf(operation, view)),
    (result) => result,
    (error) => {
      const isMany = operation.items !== undefined || operation.ids !== undefined
      throw isViewError(error) ? error : toViewError(view, error, isMany)
    },
  )
}

/**
 * Makes the method of a view from one of its base that takes no item. It works as {@link callBase},
 * but makes no closure for a request: bench/handle/views.ts has 1.19 for a read instead of 1.21.
 *
 * @param convert Makes the result of the view.
 */
export function methodOver(
  view: Conversion,
  method: (baseOperation: Operation, context: unknown) => unknown,
  convert: (result: unknown, view: Conversion) => unknown,
): (operation: Operation, context: unknown) => Awaitable<unknown> {
  return (operation, context) => {
    try {
      const baseOperation = baseOperationOf(operation, view)
      // A deletion has one. The tag is the same in every version.
      complete(baseOperation, 'ifRevision', operation.ifRevision)
      const result = method(baseOperation, context)
      return isPending(result) ? later(result) : convert(result, view)
    } catch (error) {
      throw toViewError(view, error, false)
    }
  }
  async function later(pending: PromiseLike<unknown>): Promise<unknown> {
    try {
      return convert(await pending, view)
    } catch (error) {
      throw toViewError(view, error, false)
    }
  }
}

const viewErrors = new WeakSet<object>()

function isViewError(error: unknown): boolean {
  return viewErrors.has(Object(error))
}

/** Marks the errors of a function, so that {@link callBase} throws them as they are. */
export function withViewErrors<Result>(run: () => Awaitable<Result>): Awaitable<Result> {
  return settle<Result, Result>(
    run,
    (result) => result,
    (error) => {
      viewErrors.add(Object(error))
      throw error
    },
  )
}

/** Returns the item of a view. The core refuses a result that is no item. */
export function viewItemOf(item: unknown, view: Conversion): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  const values = relatedValuesOf(item)
  const viewItem = view.get(item)
  return values === undefined ? viewItem : addRelatedValues(viewItem, values)
}

/** Returns the items of a view, as an array or a stream, like those of the base. */
export function viewListOf(list: unknown, view: Conversion): unknown {
  if (Array.isArray(list)) return list.map((item) => viewItemOf(item, view))
  return isStream(list) ? viewChunksOf(list, view) : list
}

async function* viewChunksOf(
  stream: AsyncIterable<unknown>,
  view: Conversion,
): AsyncGenerator<readonly unknown[], void> {
  for await (const chunk of stream) {
    yield itemsIn(chunk as Chunk<unknown>).map((item) => viewItemOf(item, view))
  }
}

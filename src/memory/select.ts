import { isInScope, type Query, type Scope } from '../model/operation.ts'
import { compareBy, sorted } from '../model/order.ts'
import type { Resource } from '../model/resource.ts'
import { matching } from '../model/search.ts'

/** The part of an operation that selects items. */
export interface Selection {
  readonly resource: Pick<Resource, 'searchable'>
  readonly scope: Scope
  readonly query: Query
}

/**
 * Returns the items that an operation selects by its scope, search, cursor and limit, in its order.
 * The whole `list` of an adapter over a few items:
 * `list: (operation) => select(rows.values(), operation)`.
 */
export function select<Selected extends object>(
  items: Iterable<Selected>,
  { resource, scope, query }: Selection,
): Selected[] {
  const compare = compareBy(query.sort)
  const { after, limit } = query
  const matches = matching(query.words, resource.searchable)
  const selected: Selected[] = []
  for (const item of items) {
    const isAfter = after === undefined || compare(item, after) > 0
    if (isAfter && isInScope(item, scope) && matches(item)) selected.push(item)
  }
  const ordered = sorted(selected, query.sort)
  return limit === undefined ? ordered : ordered.slice(0, limit)
}

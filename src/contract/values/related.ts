import type { Collection, RelatedResource } from '../resource/api.ts'
import type { Query, RelatedConditions } from '../resource/operation.ts'
import { type Filter, filterNameOf, filtersOf } from '../schema/filter.ts'

/** A resource at a path, and the resources that it references. */
type Related = Pick<Collection, 'resource'> & Partial<Pick<Collection, 'related'>>

const none: readonly never[] = Object.freeze([])
const cache = new WeakMap<readonly RelatedResource[], ReadonlyMap<string, Filter>>()

/**
 * Returns the filters of a collection, by parameter: those of its resource, then those of the items
 * that it references, as `company.name:contains`. Their order is canonical.
 */
export function filtersIn({ resource, related = none }: Related): ReadonlyMap<string, Filter> {
  if (related.length === 0) return filtersOf(resource)
  const cached = cache.get(related)
  if (cached) return cached
  const filters = new Map(filtersOf(resource))
  for (const { reference, resource: target } of related) {
    for (const { field, operator } of filtersOf(target).values()) {
      // The field of the reference holds the id.
      if (field.name === 'id') continue
      const name = `${reference.as}.${field.name}`
      filters.set(filterNameOf(name, operator), { field: { ...field, name }, operator })
    }
  }
  cache.set(related, filters)
  return filters
}

const sortNames = new WeakMap<readonly RelatedResource[], readonly string[]>()

/** Returns the fields of referenced items that an order can name: `company.name`. */
export function sortableOf(related: readonly RelatedResource[] = none): readonly string[] {
  if (related.length === 0) return none
  const cached = sortNames.get(related)
  if (cached) return cached
  const names = related.flatMap(({ reference: { as }, resource: { sortable } }) =>
    // The field of the reference holds the id.
    sortable.filter((field) => field !== 'id').map((field) => `${as}.${field}`),
  )
  sortNames.set(related, names)
  return names
}

/** Returns the related resource that a parameter names: `company.name` → that of `company`. */
export function relatedIn(
  name: string,
  related: readonly RelatedResource[] = none,
): RelatedResource | undefined {
  if (related.length === 0) return undefined
  const dot = name.indexOf('.')
  return related.find(({ reference: { as } }) => as.length === dot && name.startsWith(as))
}

/** Returns the joins that the filters and the order of a query need, one for each of them. */
export function joinsIn({
  related = none,
  sort,
}: Pick<Query, 'related' | 'sort'>): readonly RelatedConditions['join'][] {
  const sorted = sort.flatMap((sortField) => sortField.related ?? [])
  return [...related, ...sorted].map(({ join }) => join)
}

import { filterPathOf } from '../schema/filter.ts'
import type { Resource } from './resource.ts'

/** The members of a resource that its variants share. */
type Shared = Pick<Resource, 'filterable' | 'schema'>

const declared = new WeakMap<Shared, Resource>()

const none: readonly string[] = Object.freeze([])

/**
 * Makes a resource as the callers see it for whom some restricted fields do not exist. The variant
 * has the same schemas, and its `restricted` are the fields that stay hidden.
 */
export function variantWithout(resource: Resource, hidden: readonly string[]): Resource {
  const isSeen = (field: string): boolean => !hidden.includes(field)
  const { sortable, folded, searchable, filterable, countable, references } = resource
  const variant = Object.freeze({
    ...resource,
    sortable: frozenFilter(sortable, isSeen),
    folded: frozenFilter(folded, isSeen),
    searchable: frozenFilter(searchable, isSeen),
    filterable: frozenFilter(filterable, ({ name }) => isSeen(filterPathOf(name).field)),
    countable: frozenFilter(countable, isSeen),
    references: frozenFilter(references, ({ field }) => isSeen(field)),
    restricted: Object.freeze([...hidden]),
  })
  declared.set(variant, resource)
  return variant
}

/** Makes a resource with other lists, which shares the columns and dates of the declared one. */
export function variantAs(resource: Resource, lists: Pick<Resource, 'searchable'>): Resource {
  const variant = Object.freeze({ ...resource, ...lists, restricted: none })
  declared.set(variant, resource)
  return variant
}

// An adapter may remember the list itself.
function frozenFilter<Element>(
  list: readonly Element[],
  predicate: (element: Element) => boolean,
): readonly Element[] {
  return list.every(predicate) ? list : Object.freeze(list.filter(predicate))
}

/** Returns the resource as declared, whose columns and dates are those of all its variants. */
export function declaredOf(resource: Shared): Shared {
  return declared.get(resource) ?? resource
}

/** Returns the fields that do not exist for a caller; none for a resource as declared. */
export function hiddenIn(resource: Resource): readonly string[] {
  return declared.has(resource) ? resource.restricted : none
}

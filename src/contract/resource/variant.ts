import type { Resource } from './resource.ts'

/** The part of a resource that its variants share with it. */
type Part = Pick<Resource, 'filterable' | 'schema'>

const declared = new WeakMap<Part, Resource>()

const none: readonly string[] = Object.freeze([])

/**
 * Makes a resource as the callers see it for whom some restricted fields do not exist. The variant
 * has the same schemas, and its `restricted` are the fields that stay hidden.
 */
export function variantWithout(resource: Resource, hidden: readonly string[]): Resource {
  const isSeen = (field: string): boolean => !hidden.includes(field)
  const { sortable, searchable, filterable, references } = resource
  const variant = Object.freeze({
    ...resource,
    sortable: kept(sortable, isSeen),
    searchable: kept(searchable, isSeen),
    filterable: kept(filterable, ({ name }) => isSeen(name)),
    references: kept(references, ({ field }) => isSeen(field)),
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
function kept<Element>(
  list: readonly Element[],
  isKept: (element: Element) => boolean,
): readonly Element[] {
  return list.every(isKept) ? list : Object.freeze(list.filter(isKept))
}

/** Returns the resource as declared, whose columns and dates are those of all its variants. */
export function declaredOf(resource: Part): Part {
  return declared.get(resource) ?? resource
}

/** Returns the fields that do not exist for a caller; none for a resource as declared. */
export function hiddenIn(resource: Resource): readonly string[] {
  return declared.has(resource) ? resource.restricted : none
}

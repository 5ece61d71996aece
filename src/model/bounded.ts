import type { Collection } from './api.ts'

/**
 * Tells whether `deleteAll` of a collection needs a bound: a `bounded` resource without a parent.
 */
export function isBounded({ resource, ancestors }: Collection): boolean {
  return resource.bounded && ancestors.length === 0
}

import type { Collection } from './api.ts'

/** Tells whether `deleteAll` needs a bound at a collection: its resource is `bounded`, and no parent narrows it. */
export function isBounded({ resource, ancestors }: Collection): boolean {
  return resource.bounded && ancestors.length === 0
}

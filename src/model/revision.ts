import { fieldOf } from './operation.ts'
import { problem } from './problem.ts'
import type { Item, Resource } from './resource.ts'

/**
 * Returns the next revision of a stored item, as a field to write; no field unless revisions are
 * numbers.
 */
export function revisionAfter(stored: Item | undefined, { revision: field }: Resource): object {
  if (field === undefined) return {}
  const revision = stored === undefined ? 0 : fieldOf(stored, field)
  return typeof revision === 'number' ? { [field]: revision + 1 } : {}
}

/**
 * Checks that a stored item still has the expected revision; `undefined` expects any.
 *
 * @throws {ProblemError} `precondition_failed`.
 */
export function checkRevision(stored: Item, expected: unknown, { revision }: Resource): void {
  if (revision === undefined || expected === undefined) return
  if (fieldOf(stored, revision) === expected) return
  throw problem('precondition_failed', 'The item has changed meanwhile')
}

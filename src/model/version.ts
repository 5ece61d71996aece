import { fieldOf } from './operation.ts'
import { problem } from './problem.ts'
import type { Item, Resource } from './resource.ts'

/** The version that follows the one of a stored item, as a field to write; nothing where versions are no numbers, or there are none. */
export function versionAfter(stored: Item | undefined, { version: field }: Resource): object {
  if (field === undefined) return {}
  const version = stored === undefined ? 0 : fieldOf(stored, field)
  return typeof version === 'number' ? { [field]: version + 1 } : {}
}

/**
 * Makes sure that a stored item still has the version that a write depends on; `undefined` for none.
 *
 * @throws {ProblemError} `precondition_failed`.
 */
export function checkVersion(stored: Item, expected: unknown, { version }: Resource): void {
  if (version === undefined || expected === undefined) return
  if (fieldOf(stored, version) === expected) return
  throw problem('precondition_failed', 'The item has changed meanwhile')
}

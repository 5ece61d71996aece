import { fieldOf } from '../../model/operation.ts'
import { type ProblemError, problem } from '../../model/problem.ts'
import type { Resource } from '../../model/resource.ts'
import type { Conditions } from '../../wire/conditions.ts'
import { type ETags, tagOf } from '../../wire/etag.ts'
import type { Stored } from './stored.ts'

/**
 * Compares `If-Match` and `If-None-Match` with the stored item.
 *
 * @throws {ProblemError} `precondition_failed`. An item without a revision matches no entity tag.
 * @see RFC 9110 §13.1
 */
export function checkConditions(
  { ifMatch, ifNoneMatch }: Conditions,
  stored: Stored | undefined,
  { revision }: Resource,
): void {
  const tag =
    revision === undefined || typeof stored !== 'object'
      ? undefined
      : tagOf(fieldOf(stored, revision))
  if (ifMatch !== undefined && !matches(ifMatch, tag))
    throw preconditionFailed('The item is not the one of "if-match"')
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, tag))
    throw preconditionFailed('The item is one of "if-none-match"')
}

/**
 * Compares the same headers with a whole collection: it always exists, and has no entity tag.
 *
 * @throws {ProblemError} `precondition_failed`.
 */
export function checkCollectionConditions({ ifMatch, ifNoneMatch }: Conditions): void {
  if (ifMatch !== undefined && ifMatch !== '*')
    throw preconditionFailed('A collection has no entity tag to match')
  if (ifNoneMatch === '*') throw preconditionFailed('A collection is always there')
}

function preconditionFailed(detail: string): ProblemError {
  return problem('precondition_failed', detail)
}

function matches(tags: ETags, tag: string | undefined): boolean {
  return tags === '*' || (tag !== undefined && tags.includes(tag))
}

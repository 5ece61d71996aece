import type { Target } from '../../contract/resource/api.ts'
import type { Item, Resource } from '../../contract/resource/resource.ts'
import { isSameDate } from '../../contract/values/dates.ts'
import { nameItem } from '../../contract/values/words.ts'
import { type Issue, type ProblemError, problem } from '../../convention/problem.ts'
import { fieldOf, isSame, pickFields } from '../../convention/value.ts'
import type { Conditions } from '../../wire/conditions.ts'
import { type ETags, formatETags, tagOf } from '../../wire/etag.ts'
import { issueAt } from '../../wire/issues.ts'
import type { Plan } from '../plan.ts'
import type { Draft } from './body.ts'
import { judgeMoves } from './states.ts'

/** A stored item; `unread` where the write does not depend on it. */
export type Stored = Item | 'unread'

/** The parts of a task that change stored items. */
export interface Replacing {
  readonly plan: Pick<Plan, 'row' | 'body' | 'resource' | 'states'>
  readonly target: Target
  readonly drafts: readonly Draft[]
  readonly conditions: Conditions
}

type StoredOfDrafts = readonly (Stored | undefined)[]

/** Gives a draft the read-only fields as they are stored. */
export function withStored(draft: Draft, stored: Stored, { readOnly }: Resource): Draft {
  if (stored === 'unread' || readOnly.length === 0) return draft
  return { ...draft, item: { ...draft.item, ...pickFields(stored, readOnly) } }
}

/** Gives the item of a dry run the fields that the storage fills, as they are stored. */
export function withFilled(item: Item, stored: Stored | undefined, { filled }: Resource): Item {
  return typeof stored === 'object' ? { ...pickFields(stored, filled), ...item } : item
}

/**
 * Compares all drafts of a body with the stored items, in the same order: the part of the body.
 *
 * @throws {ProblemError} `not_found`, then `validation_failed` for changed read-only fields. Each
 *   names every draft at fault.
 * @see docs/requests.md, C5.3
 */
export function judgeReplacements(stored: StoredOfDrafts, task: Replacing): void {
  const { drafts, target, plan } = task
  const absent = drafts.filter((_, index) => stored[index] === undefined)
  if (absent.length > 0) throw notFound(absent, target)
  // The revision is read-only too. An old one in the body is a condition that does not hold.
  const { readOnly, revision } = plan.resource
  const fields = readOnly.filter((field) => field !== revision)
  if (fields.length === 0) return
  refuse('validation_failed', changesIn(fields, stored, { ...task, reason: readOnlyField }))
}

/**
 * Compares the conditions of a request with the stored items, after {@link judgeReplacements} and
 * all other checks of the body.
 *
 * @param items The items to store, whose states have to be allowed. Default: none.
 * @throws {ProblemError} `id_mismatch`, then `precondition_failed` for an old revision in the body,
 *   then for one in the header; then `conflict` for a state.
 */
export function judgeConflicts(
  stored: StoredOfDrafts,
  task: Replacing,
  items?: readonly object[],
): void {
  const { drafts, conditions, plan } = task
  const { row, resource, states } = plan
  const { revision } = resource
  const isOne = row.target === 'item'
  if (isOne && drafts.some(hasOtherId)) judgeIdOfPath(drafts)
  if (revision !== undefined) {
    const issues = changesIn([revision], stored, { ...task, reason: oldRevision })
    refuse('precondition_failed', issues)
  }
  if (conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined) {
    if (isOne) checkConditions(conditions, revisionOf(stored[0], resource))
    else checkCollectionConditions(conditions)
  }
  if (items !== undefined && states !== undefined) judgeMoves(states, stored, { items, drafts })
}

/**
 * Compares the ids of bodies with that of their path.
 *
 * @throws {ProblemError} `id_mismatch`.
 */
export function judgeIdOfPath(drafts: readonly Draft[]): void {
  const mismatches = drafts.filter(hasOtherId)
  if (mismatches.length === 0) return
  const issues = mismatches.map(({ at, id }) => issueAt(at, 'id', mismatchOf(id)))
  throw problem('id_mismatch', undefined, { issues })
}

/** Returns the revision of an item that the core read. */
export function revisionOf(stored: Stored | undefined, { revision }: Resource): unknown {
  return typeof stored === 'object' && revision !== undefined
    ? fieldOf(stored, revision)
    : undefined
}

function changesIn(
  fields: readonly string[],
  stored: StoredOfDrafts,
  { drafts, plan: { body, resource }, reason }: Replacing & { readonly reason: Reason },
): readonly Issue[] {
  const isPatch = body?.isPatch === true
  return drafts.flatMap((draft, index) =>
    fields
      .filter((field) => isChanged(draft, stored[index], { field, resource, isPatch }))
      .map((field) => issueAt(draft.at, field, reason)),
  )
}

type Reason = Pick<Issue, 'code' | 'message'>

const readOnlyField: Reason = {
  code: 'read_only',
  message: 'is set by the server: leave it out, or send it unchanged',
}

function mismatchOf(id: Draft['id']): Reason {
  const message = `must be ${JSON.stringify(id)}, as in the path, or left out`
  return { code: 'id_mismatch', message }
}

const oldRevision: Reason = {
  code: 'precondition_failed',
  message: 'is an old revision: the item has changed since you read it',
}

function refuse(code: 'validation_failed' | 'precondition_failed', issues: readonly Issue[]): void {
  if (issues.length > 0) throw problem(code, undefined, { issues })
}

/** A field of a resource. */
interface FieldOfResource {
  readonly field: string
  readonly resource: Resource
  /** The body is a merge patch. */
  readonly isPatch: boolean
}

function isChanged(
  { body }: Draft,
  stored: Stored | undefined,
  { field, resource, isPatch }: FieldOfResource,
): boolean {
  if (typeof stored !== 'object' || !Object.hasOwn(body, field)) return false
  const sent = fieldOf(body, field)
  const storedValue = fieldOf(stored, field)
  // A merge patch has `null` for a missing field.
  if (isSame(sent, storedValue) || (sent === null && storedValue === undefined && isPatch))
    return false
  return !isSameDate(field, [sent, storedValue], resource)
}

/** Tells whether a body holds another id than its path. */
export function hasOtherId({ body, id }: Draft): boolean {
  return Object.hasOwn(body, 'id') && fieldOf(body, 'id') !== id
}

/** Makes the problem of drafts without a stored item; of the item in the path for no draft. */
export function notFound(
  absent: readonly Draft[],
  { collection, id }: Pick<Target, 'collection' | 'id'>,
): ProblemError {
  if (!absent.some(({ at }) => at.length > 0))
    return problem('not_found', `No ${nameItem(collection, id)}.`)
  const issues = absent.map(({ at, body }) => {
    const message = `no ${nameItem(collection, fieldOf(body, 'id'))}`
    return issueAt(at, 'id', { code: 'not_found', message })
  })
  return problem('not_found', undefined, { issues })
}

/**
 * Compares `If-Match` and `If-None-Match` with the stored revision.
 *
 * @throws {ProblemError} `precondition_failed`. An item without a revision matches no entity tag.
 * @see RFC 9110 §13.1
 */
function checkConditions({ ifMatch, ifNoneMatch }: Conditions, revision: unknown): void {
  if (ifMatch !== undefined && !matches(ifMatch, revision)) throw hasChanged(revision)
  if (ifNoneMatch === '*') throw preconditionFailed('"if-none-match: *" fails: the item exists.')
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, revision))
    throw preconditionFailed('"if-none-match" fails: it names the ETag that the item has.')
}

/**
 * Compares the same headers with a whole collection: it always exists, and has no entity tag.
 *
 * @throws {ProblemError} `precondition_failed`.
 */
export function checkCollectionConditions({ ifMatch, ifNoneMatch }: Conditions): void {
  if (ifMatch !== undefined && ifMatch !== '*')
    throw preconditionFailed('"if-match" fails: a collection has no ETag.')
  if (ifNoneMatch === '*')
    throw preconditionFailed('"if-none-match: *" fails: the collection exists.')
}

function hasChanged(revision: unknown): ProblemError {
  const tag = tagOf(revision)
  return tag === undefined
    ? preconditionFailed('"if-match" fails: the item has no ETag.')
    : preconditionFailed(
        `The item has changed since you read it. Its ETag is now ${formatETags([tag])}: ` +
          'read it again, and repeat the request.',
      )
}

function preconditionFailed(detail: string): ProblemError {
  return problem('precondition_failed', detail)
}

function matches(tags: ETags, revision: unknown): boolean {
  const tag = tagOf(revision)
  return tags === '*' || (tag !== undefined && tags.includes(tag))
}

import { type Awaitable, inTurn, whenReady } from '../model/awaitable.ts'
import { fieldOf, isSame } from '../model/operation.ts'
import { type Issue, type ProblemError, problem } from '../model/problem.ts'
import type { Item, Resource } from '../model/resource.ts'
import { formatPointer } from '../wire/pointer.ts'
import { findItem } from './check.ts'
import type { Draft, Errand } from './errand.ts'

/** An item as it is stored; `unread` when nothing depends on what is. */
export type Stored = Item | 'unread'

/** An item to be written over one that is stored. */
export interface Replacement {
  /** Whole, with the read-only fields that are stored. */
  readonly item: object
  readonly draft: Draft
  readonly stored: Stored
}

/**
 * Reads the item a write is about, where something depends on what is stored: read-only fields, conditions, the scope.
 *
 * @param id `undefined` when what was sent is no id.
 * @returns `undefined` when there is no such item.
 */
export function readStored(
  errand: Errand,
  id: string | number | undefined,
): Awaitable<Stored | undefined> {
  if (id === undefined) return undefined
  return dependsOnStored(errand) ? lookUp(errand, id) : 'unread'
}

function lookUp(
  { operation, binding, context }: Errand,
  id: string | number | undefined,
): Awaitable<Stored | undefined> {
  if (id === undefined) return undefined
  if (typeof binding.adapter.read !== 'function') return 'unread'
  const read = operation.reask({ kind: 'read', id: String(id), query: undefined })
  return whenReady(binding.adapter.read(read, context), (item) => findItem(item, read))
}

/**
 * Puts every draft together with what it replaces.
 *
 * @throws {ProblemError} `not_found`, then `validation_failed` for read-only fields that were changed, then `id_mismatch`,
 *   then `precondition_failed` for a revision that is stored no more; each names every draft at fault.
 */
export function prepare(errand: Errand): Awaitable<readonly Replacement[]> {
  const { operation, drafts } = errand
  const { resource } = operation
  // Where one is known not to be there, the others are looked for too, so that all are told at once.
  const find = drafts.some(({ id }) => id === undefined) ? lookUp : readStored
  return whenReady(
    inTurn(drafts, (draft) =>
      whenReady(find(errand, draft.id), (stored) => toReplacement(draft, stored, resource)),
    ),
    (found) => {
      const unknown = drafts.filter((_, place) => found[place] === undefined)
      if (unknown.length > 0) throw notFound(unknown)
      const replacements = found.filter((replacement) => replacement !== undefined)
      refuse('validation_failed', changedReadOnly(replacements, resource))
      if (operation.kind === 'update') refuse('id_mismatch', otherIds(drafts))
      refuse('precondition_failed', outdated(replacements, resource))
      return replacements
    },
  )
}

/** The revision of an item that was read; `undefined` where it has none. */
export function storedRevision({ revision }: Resource, stored: Stored | undefined): unknown {
  return revision === undefined || stored === undefined || stored === 'unread'
    ? undefined
    : fieldOf(stored, revision)
}

/** The revision a write depends on: that of the stored item, when the request names one. */
export function expectedRevision(
  { operation: { resource }, call, drafts }: Errand,
  stored: Stored | undefined,
): unknown {
  const { revision } = resource
  const isNamed =
    call.conditions.ifMatch !== undefined ||
    (revision !== undefined && drafts.some(({ body }) => Object.hasOwn(body, revision)))
  return isNamed ? storedRevision(resource, stored) : undefined
}

/** The problem of items that are not there. */
export function notFound(unknown: readonly Draft[]): ProblemError {
  const issues = unknown.flatMap(({ at }) =>
    issueAt(at, 'id', { code: 'not_found', message: 'is the id of no item' }),
  )
  const isBulk = unknown.some(({ at }) => at.length > 0)
  return problem('not_found', 'There is no such item', isBulk ? { issues } : {})
}

function toReplacement(
  draft: Draft,
  stored: Stored | undefined,
  { readOnly }: Resource,
): Replacement | undefined {
  if (stored === undefined) return undefined
  const kept = stored === 'unread' ? [] : readOnly.filter((field) => Object.hasOwn(stored, field))
  const fields = Object.fromEntries(kept.map((field) => [field, fieldOf(Object(stored), field)]))
  return { item: { ...draft.item, ...fields }, draft, stored }
}

function refuse(
  code: 'validation_failed' | 'id_mismatch' | 'precondition_failed',
  issues: Issue[],
): void {
  if (issues.length > 0) throw problem(code, undefined, { issues })
}

// The revision field is read-only too, but sending an old one is a condition that does not hold, not a fault of the body.
function changedReadOnly(
  replacements: readonly Replacement[],
  { readOnly, revision }: Resource,
): Issue[] {
  const fault = {
    code: 'read_only',
    message: 'is set by the server only: leave it out, or send it unchanged',
  }
  const fields = readOnly.filter((field) => field !== revision)
  return replacements.flatMap((replacement) =>
    fields.flatMap((field) =>
      isChanged(replacement, field) ? issueAt(replacement.draft.at, field, fault) : [],
    ),
  )
}

function outdated(replacements: readonly Replacement[], { revision }: Resource): Issue[] {
  if (revision === undefined) return []
  const fault = { code: 'precondition_failed', message: 'is not the revision that is stored' }
  return replacements
    .filter((replacement) => isChanged(replacement, revision))
    .flatMap(({ draft }) => issueAt(draft.at, revision, fault))
}

function otherIds(drafts: readonly Draft[]): Issue[] {
  const fault = { code: 'id_mismatch', message: 'is not the id in the path' }
  return drafts
    .filter(({ body, id }) => Object.hasOwn(body, 'id') && fieldOf(body, 'id') !== id)
    .flatMap(({ at }) => issueAt(at, 'id', fault))
}

function issueAt(
  at: readonly PropertyKey[],
  field: string,
  fault: { readonly code: string; readonly message: string },
): Issue[] {
  return [{ pointer: formatPointer([...at, field]), ...fault }]
}

function isChanged({ draft: { body }, stored }: Replacement, field: string): boolean {
  if (stored === 'unread' || !Object.hasOwn(body, field)) return false
  return !isSame(fieldOf(body, field), fieldOf(stored, field))
}

function dependsOnStored({ operation, call, drafts }: Errand): boolean {
  const { ifMatch, ifNoneMatch } = call.conditions
  const isConditional = ifMatch !== undefined || ifNoneMatch !== undefined
  const isReplaced = drafts.length > 0 && operation.resource.readOnly.length > 0
  const isMistaken = operation.kind === 'update' && otherIds(drafts).length > 0
  return call.target.parents.length > 0 || isConditional || isReplaced || isMistaken
}

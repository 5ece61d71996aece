import { fieldOf, isSame, type Operation } from '../../model/operation.ts'
import { type Issue, type ProblemError, problem } from '../../model/problem.ts'
import type { Item, Resource } from '../../model/resource.ts'
import type { Conditions } from '../../wire/conditions.ts'
import { type Draft, issueAt, issuesOfOtherIds } from './draft.ts'

/** A stored item; `unread` where the write does not depend on it. */
export type Stored = Item | 'unread'

/** A draft together with the item that it replaces. */
export interface Replacement {
  /** The whole item, with the read-only fields as they are stored. */
  readonly item: object
  readonly draft: Draft
  readonly stored: Stored
}

/** Combines a draft with the stored item; `undefined` without one. */
export function replacementOf(
  draft: Draft,
  stored: Stored | undefined,
  { readOnly }: Resource,
): Replacement | undefined {
  if (stored === undefined) return undefined
  if (stored === 'unread' || readOnly.length === 0) return { item: draft.item, draft, stored }
  const kept = readOnly.filter((field) => Object.hasOwn(stored, field))
  const fields = Object.fromEntries(kept.map((field) => [field, fieldOf(stored, field)]))
  return { item: { ...draft.item, ...fields }, draft, stored }
}

/**
 * Compares all drafts of a body with the stored items.
 *
 * @throws {ProblemError} `not_found`, then `validation_failed` for changed read-only fields, then
 *   `id_mismatch`, then `precondition_failed` for an old revision. Each names every draft at fault.
 */
export function judgeReplacements(
  found: readonly (Replacement | undefined)[],
  drafts: readonly Draft[],
  { kind, resource }: Operation,
): readonly Replacement[] {
  const replacements = found.filter((replacement) => replacement !== undefined)
  if (replacements.length < found.length) {
    throw notFound(drafts.filter((_, index) => found[index] === undefined))
  }
  if (resource.readOnly.length > 0)
    refuse('validation_failed', changedReadOnly(replacements, resource))
  if (kind === 'update') refuse('id_mismatch', issuesOfOtherIds(drafts))
  refuse('precondition_failed', outdated(replacements, resource))
  return replacements
}

/** Returns the revision of an item that the core read; `undefined` without one. */
export function storedRevision({ revision }: Resource, stored: Stored | undefined): unknown {
  return revision === undefined || stored === undefined || stored === 'unread'
    ? undefined
    : fieldOf(stored, revision)
}

/** Returns the stored revision where the request names a revision, in a header or in its body. */
export function namedRevision(
  {
    operation: { resource },
    conditions,
    drafts,
  }: {
    readonly operation: Operation
    readonly conditions: Conditions
    readonly drafts: readonly Draft[]
  },
  stored: Stored | undefined,
): unknown {
  const { revision } = resource
  const isNamed =
    conditions.ifMatch !== undefined ||
    (revision !== undefined && drafts.some(({ body }) => Object.hasOwn(body, revision)))
  return isNamed ? storedRevision(resource, stored) : undefined
}

/** Makes the problem of drafts without a stored item; of the item in the path for no draft. */
export function notFound(unknown: readonly Draft[]): ProblemError {
  if (!unknown.some(({ at }) => at.length > 0)) return problem('not_found', noSuchItem)
  const issue = { code: 'not_found', message: 'is the id of no item' }
  const issues = unknown.map(({ at }) => issueAt(at, 'id', issue))
  return problem('not_found', noSuchItem, { issues })
}

const noSuchItem = 'No such item'

function refuse(
  code: 'validation_failed' | 'id_mismatch' | 'precondition_failed',
  issues: readonly Issue[],
): void {
  if (issues.length > 0) throw problem(code, undefined, { issues })
}

// The revision is read-only too. An old one in the body is a condition that does not hold.
function changedReadOnly(
  replacements: readonly Replacement[],
  { readOnly, revision }: Resource,
): readonly Issue[] {
  const issue = {
    code: 'read_only',
    message: 'is set by the server only: leave it out, or send it unchanged',
  }
  const fields = readOnly.filter((field) => field !== revision)
  return changesOf(fields, replacements, issue)
}

function outdated(replacements: readonly Replacement[], { revision }: Resource): readonly Issue[] {
  if (revision === undefined) return []
  const issue = { code: 'precondition_failed', message: 'is not the stored revision' }
  return changesOf([revision], replacements, issue)
}

function changesOf(
  fields: readonly string[],
  replacements: readonly Replacement[],
  issue: Pick<Issue, 'code' | 'message'>,
): readonly Issue[] {
  return replacements.flatMap((replacement) =>
    fields
      .filter((field) => isChanged(replacement, field))
      .map((field) => issueAt(replacement.draft.at, field, issue)),
  )
}

function isChanged({ draft: { body }, stored }: Replacement, field: string): boolean {
  if (stored === 'unread' || !Object.hasOwn(body, field)) return false
  return !isSame(fieldOf(body, field), fieldOf(stored, field))
}

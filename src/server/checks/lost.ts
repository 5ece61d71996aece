import type { Resource } from '../../contract/resource/resource.ts'
import { maxTries } from '../../convention/limits.ts'
import { isProblem, outOfTries } from '../../convention/problem.ts'
import type { Conditions } from '../../wire/conditions.ts'
import type { Draft } from './body.ts'

/** A write that the adapter refused, since an item had another revision by then. */
export interface LostWrite {
  readonly error: unknown
  /** The revisions that the core read. */
  readonly revisions: readonly unknown[]
  /** The lost tries so far. */
  readonly tries: number
}

/** Counts a lost try. Throws the write's own error, unless another revision was the reason. */
export function countLostWrite(
  { error, revisions }: Omit<LostWrite, 'tries'>,
  before?: LostWrite,
): LostWrite {
  const isRace = isProblem(error) && error.code === 'precondition_failed'
  const isKnown = revisions.some((revision) => revision !== undefined)
  // The same revisions as before: the adapter has another reason.
  const isSame = before?.revisions.every((revision, place) => revision === revisions[place])
  if (!isRace || !isKnown || isSame) throw error
  const tries = (before?.tries ?? 0) + 1
  if (tries < maxTries) return { error, revisions, tries }
  throw outOfTries(error)
}

/** The parts of a task that can name a revision. */
interface Conditional {
  readonly conditions: Conditions
  readonly drafts: readonly Draft[]
  readonly plan: { readonly resource: Resource }
}

/** Tells whether the client named the revision of an item, in a header or in the body. */
export function namesRevision({ conditions, drafts, plan: { resource } }: Conditional): boolean {
  const { revision } = resource
  if (Array.isArray(conditions.ifMatch)) return true
  return revision !== undefined && drafts.some(({ body }) => Object.hasOwn(body, revision))
}

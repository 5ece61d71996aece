import type { Subject } from './subject.ts'

/** A rule of the convention, and how it is tried on a collection. */
export interface Rule {
  readonly id: string
  /** The rule, as a sentence. */
  readonly words: string
  readonly needs: readonly Need[]
  /** Rejects with a `Breach` when the rule is broken, with an `Unfit` when it says nothing here. */
  readonly run: (subject: Subject) => Promise<void> | void
}

/** What a rule needs of a collection to be tried. */
type Need = keyof typeof lacks

const lacks = {
  items: ({ fault }: Subject) => fault,
  some: ({ items }: Subject) => (items.length > 0 ? undefined : 'The collection is empty.'),
  several: ({ items }: Subject) =>
    items.length > 1 ? undefined : 'The collection has less than two items.',
  sort: ({ sortable }: Subject) =>
    sortable.length > 0 ? undefined : 'Nothing tells of a field to sort by.',
  search: ({ searchable }: Subject) =>
    searchable === undefined || searchable.length > 0 ? undefined : 'It takes no "q".',
  version: ({ place }: Subject) =>
    place.version === undefined ? 'The path names no version.' : undefined,
  parent: ({ parent }: Subject) => (parent ? undefined : 'The collection is owned by nothing.'),
  // Without the list the check cannot tell its own items from others.
  write: ({ workshop, fault }: Subject) =>
    workshop ? undefined : (fault ?? 'It would write: allow it with --write.'),
  own: ({ workshop }: Subject) =>
    workshop?.isOwn
      ? undefined
      : 'A server that breaks it could lose items of others: it is tried with --empty, and below a parent made for it where OPTIONS tells the operations.',
} as const satisfies Record<string, (subject: Subject) => string | undefined>

/** Why a rule cannot be tried on a collection; `undefined` when it can. */
export function reasonAgainst({ needs }: Rule, subject: Subject): string | undefined {
  for (const need of needs) {
    const reason = lacks[need](subject)
    if (reason !== undefined) return reason
  }
  return undefined
}

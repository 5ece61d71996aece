import type { CheckedCollection } from './collection.ts'
import { expectProblem, type ProblemCodes } from './expect.ts'

/** A rule of the convention, and how to check it on a collection. */
export interface Rule {
  readonly id: string
  /** The rule, as a sentence. */
  readonly text: string
  readonly needs: readonly Need[]
  /** Rejects with `RuleViolation` or, when the rule does not apply, with `NotApplicable`. */
  readonly run: (collection: CheckedCollection) => Promise<void> | void
}

type Need = keyof typeof needs

/** A rule in a table. Its key is the id. Its needs come after those of the table. */
export interface RuleRow extends Omit<Rule, 'id' | 'needs'> {
  readonly needs?: readonly Need[]
}

/** Returns the rules of a table, in its order. */
export function defineRules(
  common: readonly Need[],
  rows: Readonly<Record<string, RuleRow>>,
): readonly Rule[] {
  return Object.entries(rows).map(([id, { needs = [], ...row }]) => ({
    ...row,
    id,
    needs: [...common, ...needs],
  }))
}

/** The reason why a rule about parents does not apply. */
export const noParent = 'The collection has no parent.'

// Each returns the reason why a collection does not meet the need.
const needs = {
  items: ({ listProblem }) => listProblem,
  some: ({ items }) => (items.length > 0 ? undefined : 'The collection is empty.'),
  several: ({ items }) => (items.length > 1 ? undefined : 'The collection has fewer than 2 items.'),
  sort: ({ sortable }) =>
    sortable.length > 0 ? undefined : 'The check found no field to sort by.',
  search: ({ searchable }) => (searchable?.length === 0 ? 'It takes no "q".' : undefined),
  version: ({ pathParts }) =>
    pathParts.version === undefined ? 'The path names no version.' : undefined,
  parent: ({ parent }) => (parent ? undefined : noParent),
  // Without the list the check cannot tell its own items from items of other clients.
  write: ({ writable, listProblem }) =>
    writable ? undefined : (listProblem ?? 'It would write: allow it with --write.'),
  own: ({ writable }) =>
    writable?.isOwn
      ? undefined
      : 'A server that breaks it could delete items of other clients. Allow it with --empty. ' +
        'If OPTIONS lists the operations, the check also tries it below a parent of its own.',
} as const satisfies Record<string, (collection: CheckedCollection) => string | undefined>

/** Returns why a rule does not apply to a collection; `undefined` when it applies. */
export function reasonToSkip(rule: Rule, collection: CheckedCollection): string | undefined {
  for (const need of rule.needs) {
    const reason = needs[need](collection)
    if (reason !== undefined) return reason
  }
  return undefined
}

interface ProblemRule extends Omit<RuleRow, 'run'> {
  /** Returns the paths to GET, with their queries. */
  readonly paths: (collection: CheckedCollection) => readonly string[]
  readonly codes: ProblemCodes
}

/** Creates a rule: GET of each path gives a problem with one of the codes. */
export function problemRule({ paths, codes, ...rule }: ProblemRule): RuleRow {
  return {
    ...rule,
    async run(collection) {
      for (const path of paths(collection))
        expectProblem(await collection.send('GET', path), ...codes)
    },
  }
}

import type { IsolationFinding } from './session.ts'

/** A rule of isolation. */
export interface IsolationRule {
  /** A fact of at most eight words. */
  readonly name: string
  /** The requirement in words. */
  readonly rule: string
  /** The findings that break the rule. */
  readonly kinds: readonly IsolationFinding['kind'][]
}

/** The rules of isolation. */
export const isolationRules: readonly IsolationRule[] = [
  {
    name: 'callers see their own items',
    rule: 'Each caller reads and lists the items it created. A caller of everything sees them all.',
    kinds: ['unseen'],
  },
  {
    name: 'responses tell nothing of other callers',
    rule: 'A response is the same, byte for byte, with and without the items of another caller.',
    kinds: ['differs'],
  },
  {
    name: 'writes change nothing of other callers',
    rule: 'A write creates, changes and deletes no item of another caller.',
    kinds: ['changes'],
  },
  {
    name: 'cursors belong to their caller',
    rule: 'A list refuses the cursor of another caller.',
    kinds: ['cursor'],
  },
  {
    name: 'conflicts tell of no taken value',
    rule: 'No 409 depends on an item of another caller: unique values include the owner.',
    kinds: ['taken'],
  },
  {
    name: 'hidden fields stay hidden',
    rule: 'No response to a caller without the right depends on a restricted field.',
    kinds: ['hidden'],
  },
  {
    name: 'ids do not count up',
    rule: 'A new id does not tell how many items other callers create.',
    kinds: ['counted'],
  },
]

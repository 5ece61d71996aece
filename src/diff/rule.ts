import type { Verdict } from '../schemas/change.ts'

/** The subject of a rule: requests, responses, both, or neither. */
type RuleDirection = 'request' | 'answer' | 'both' | 'none'

/** A rule of the gate: one kind of change of a contract. */
export interface RuleRow {
  /** `request-max-length-lowered`. */
  readonly id: string
  readonly direction: RuleDirection
  /** The usual verdict. A change can have another one, and then says why. */
  readonly verdict: Verdict
  /** Says what the change does to clients. */
  readonly because: string
  /** The way out, by name. */
  readonly see: WayName
  /** The rule of the reverse change, or the reason why there is none. */
  readonly mirror: string | { readonly none: string }
}

/** The rules of one subject. */
export interface RuleGroup {
  readonly title: string
  readonly rows: readonly RuleRow[]
}

interface Way {
  /** Says what to do instead. */
  readonly text: string
  /** A page of the documentation of this package. */
  readonly page: string
}

/** The ways out of a change. */
export const ways = {
  view: {
    text:
      'leave this version as it is, make the change in a new version, and serve this one as a ' +
      'view',
    page: 'docs/versions.md',
  },
  keep: {
    text: 'name the field in "keep", so that a PUT without it keeps the stored value',
    page: 'docs/versions.md#add-a-field-to-a-version',
  },
  forms: {
    text: 'let the view and its source resource take the same values, or change the link',
    page: 'docs/versions.md#the-forms',
  },
  rule: {
    text:
      'leave the rule out, for it judges the items in every version, through views too; or tell ' +
      'your clients first, and accept the change',
    page: 'docs/versions.md#accept-a-break',
  },
  lifecycle: {
    text: 'announce the end in "lifecycle", and end the version after its sunset',
    page: 'docs/versions.md#the-gate',
  },
  options: {
    text: 'keep the option as it was in this version',
    page: 'docs/versions.md#the-gate',
  },
  document: {
    text: 'keep what the old document says, and offer the change at a new path or version',
    page: 'docs/openapi.md',
  },
  service: {
    text: 'keep the option of the registry as it was',
    page: 'docs/versions.md#the-gate',
  },
  limits: {
    text: 'read what the gate cannot see, and test it',
    page: 'docs/versions.md#what-the-gate-cannot-see',
  },
} as const satisfies Readonly<Record<string, Way>>

/** The name of a way out. */
export type WayName = keyof typeof ways

type Claim = readonly [id: string, verdict: Verdict, because: string]

/** A rule that is its own mirror or has none, or a rule with that of the reverse change. */
type Row =
  | Claim
  | readonly [...Claim, mirror: { readonly none: string }]
  | readonly [...Claim, ...Claim]

/** Makes the rows of rules with one direction and one way out. */
export function rowsOf(
  side: Pick<RuleRow, 'direction' | 'see'>,
  rows: readonly Row[],
): readonly RuleRow[] {
  return rows.flatMap((row): readonly RuleRow[] => {
    const [id, verdict, because, mirror = id] = row
    const rule = { id, verdict, because, mirror, ...side }
    if (row.length !== 6) return [rule]
    const [, , , reverse, reverseVerdict, reverseReason] = row
    const reverseRule = { id: reverse, verdict: reverseVerdict, because: reverseReason }
    return [rule, { ...reverseRule, mirror: id, ...side }]
  })
}

import { createHash } from 'node:crypto'
import { canonicalText } from '../sets/canonical.ts'
import type { ContractChange } from './change.ts'
import { type WayName, ways } from './rule.ts'
import { ruleOf } from './rules.ts'
import type { Acceptance } from './snapshot.ts'

/** A change as users see it. Its members are public: `--json` prints them. */
export interface Finding extends ContractChange {
  /** Tells this change from all others: `a3f8c21b9d04`. */
  readonly fingerprint: string
  /** `null` for a change that nobody accepted. */
  readonly accepted: Acceptance | null
  /** Says what to do instead; `null` for an unknown rule. */
  readonly way: string | null
  /** The page of the documentation with the way out; `null` for an unknown rule. */
  readonly see: string | null
}

/** Returns a text for the rule, the place and both values of a change. */
export function fingerprintOf({ rule, at, from, to }: ContractChange): string {
  return digestOf(canonicalText([rule, at, from, to]))
}

/** Returns 12 hexadecimal digits of the SHA-256 of a text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/**
 * Gives changes their fingerprints, and what a log says of them.
 *
 * @param out The way out of each change, by name. Default: that of its rule.
 */
export function findingsOf(
  changes: readonly ContractChange[],
  log: readonly Acceptance[],
  out?: WayName,
): readonly Finding[] {
  const accepted = new Map(log.map((entry) => [entry.change, entry]))
  return changes.map((change) => {
    const fingerprint = fingerprintOf(change)
    const name = out ?? ruleOf(change.rule)?.see
    const way = name === undefined ? null : ways[name].text
    const see = name === undefined ? null : `nounful/${ways[name].page}`
    return { ...change, fingerprint, accepted: accepted.get(fingerprint) ?? null, way, see }
  })
}

/** The changes of each verdict, and how many of all are accepted. */
interface Tally {
  readonly breaking: number
  readonly depends: number
  readonly fine: number
  readonly accepted: number
}

/** Counts findings. An accepted one counts as such alone. */
export function countFindings(findings: readonly Finding[]): Tally {
  const count = (isOne: (finding: Finding) => boolean): number => findings.filter(isOne).length
  const open = (verdict: ContractChange['verdict']): number =>
    count((finding) => !isAccepted(finding) && finding.verdict === verdict)
  return {
    breaking: open('breaking'),
    depends: open('depends'),
    fine: count(({ verdict }) => verdict === 'fine'),
    accepted: count(isAccepted),
  }
}

/** Tells whether somebody accepted a finding that needs it. */
export function isAccepted({ accepted, verdict }: Finding): boolean {
  return accepted !== null && verdict !== 'fine'
}

/**
 * Returns the acceptances of a log that an older log has not. The log only grows, and the same
 * change may come twice: so an old acceptance serves no new change.
 */
export function newAcceptances(
  log: readonly Acceptance[],
  older: readonly Acceptance[],
): readonly Acceptance[] {
  const countByChange = new Map<string, number>()
  for (const { change } of older) countByChange.set(change, (countByChange.get(change) ?? 0) + 1)
  return log.filter(({ change }) => {
    const count = countByChange.get(change) ?? 0
    countByChange.set(change, count - 1)
    return count <= 0
  })
}

/** The findings of a comparison. */
export interface GateReport {
  /** The sides, as the user named them. */
  readonly old: string
  readonly new: string
  readonly tally: Tally
  readonly findings: readonly Finding[]
}

/** Writes a tally: `1 breaking, 0 depend, 2 fine`. */
export function formatTally({ breaking, depends, fine, accepted }: Tally): string {
  const more = accepted === 0 ? '' : `, ${accepted} accepted`
  return `${breaking} breaking, ${depends} depend, ${fine} fine${more}`
}

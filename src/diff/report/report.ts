import type { Finding, Tally } from '../fingerprint.ts'

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

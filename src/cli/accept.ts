import { UsageError } from '../check/usage-error.ts'
import type { ContractChange } from '../evolution/change.ts'
import { fingerprintOf } from '../evolution/fingerprint.ts'
import type { Acceptance } from '../evolution/snapshot.ts'
import { today } from './gate-options.ts'

/** The options that accept changes. */
export interface AcceptFlags {
  readonly accept: readonly string[]
  /** One for each of `accept`. */
  readonly reason: readonly string[]
  /** Default: today. */
  readonly on?: string
}

/** Checks that each change to accept has a reason. */
export function checkReasons({ accept, reason }: AcceptFlags): void {
  if (accept.length !== reason.length)
    throw new UsageError(
      `Each --accept needs a --reason of its own: ${accept.length} and ${reason.length} are given.`,
    )
  const empty = reason.find((text) => text.trim() === '')
  if (empty !== undefined) throw new UsageError('--reason is empty: say why the break is fine.')
}

/**
 * Returns the entries for the log of accepted changes.
 *
 * @throws {UsageError} For a fingerprint that no change has, and for a change that is fine.
 */
export function acceptancesOf(
  changes: readonly ContractChange[],
  { accept, reason, on = today() }: AcceptFlags,
): readonly Acceptance[] {
  return accept.map((fingerprint, index) => {
    const change = changes.find(
      (one) => one.verdict !== 'fine' && fingerprintOf(one) === fingerprint,
    )
    if (change === undefined)
      throw new UsageError(
        `No change has the fingerprint "${fingerprint}" that would need to be accepted.`,
      )
    const { rule, at, from, to } = change
    return { change: fingerprint, rule, at, from, to, reason: reason[index] ?? '', on }
  })
}

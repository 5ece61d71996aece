import type { Awaitable } from '../../convention/awaitable.ts'
import type { ContractChange } from '../../diff/change.ts'
import { findingsOf, type GateReport, newAcceptances } from '../../diff/fingerprint.ts'
import type { Acceptance } from '../../diff/snapshot.ts'
import { UsageError } from '../../trial/check/usage-error.ts'
import { acceptedOfDocument, type DocumentLogFlags } from './accepted.ts'
import { changesBetween, type Side } from './compare.ts'
import { parseGitSide } from './git.ts'
import { compareOptionsOf, type GateFlags } from './options.ts'
import { type FormatFlags, type NamedSides, reportOf } from './report.ts'
import { acceptancesAt, readSide } from './sides.ts'

/** The options of `nounful diff`. */
export interface DiffFlags extends GateFlags, DocumentLogFlags, FormatFlags {
  readonly strict?: boolean
}

/** Compares two contracts, or two OpenAPI documents. */
export async function diffSides(sides: NamedSides, flags: DiffFlags): Promise<GateReport> {
  const options = compareOptionsOf(flags)
  const old = await readSide(sides.old, sides.nounful)
  const after = await readSide(sides.new, sides.nounful)
  const changes = await changesBetween(old, after, options)
  const log = await acceptedFor(old, after, { ...flags, changes })
  // A document may be of a server that has no views.
  const out = after.kind === 'document' ? 'document' : undefined
  return reportOf(sides, findingsOf(changes, log, out))
}

/** Tells whether a report fails the gate. */
export function isRefused(
  { tally }: GateReport,
  { strict = false }: Pick<DiffFlags, 'strict'>,
): boolean {
  return tally.breaking > 0 || (strict && tally.depends > 0)
}

// The working copy of the old file has what this change accepts. Its entries that the old side has
// too are about earlier changes.
function acceptedFor(
  old: Side,
  after: Side,
  flags: DiffFlags & { readonly changes: readonly ContractChange[] },
): Awaitable<readonly Acceptance[]> {
  if (old.kind === 'document') return acceptedOfDocument(old.name, flags.changes, flags)
  if (flags.accept.length > 0)
    throw new UsageError(
      'A snapshot lists what is accepted of its contract: use --accept of nounful snapshot.',
    )
  const older = old.snapshot.accepted
  const file = flags.accepted ?? parseGitSide(old.name)?.path
  if (file !== undefined) return newAcceptances(acceptancesAt(file), older)
  return after.kind === 'contract' ? newAcceptances(after.snapshot.accepted, older) : []
}

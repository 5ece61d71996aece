import { findingsOf, newAcceptances } from '../../diff/fingerprint.ts'
import type { Snapshot } from '../../diff/snapshot.ts'
import { formatSnapshot } from '../../diff/snapshot-text.ts'
import { UsageError } from '../../trial/check/usage-error.ts'
import { type CommandIo, writeOutput } from '../io.ts'
import { type AcceptFlags, acceptancesOf, checkReasons } from './accepted.ts'
import { type ContractSide, contractChanges } from './compare.ts'
import { compareOptionsOf, type GateFlags } from './options.ts'
import { formatGate, reportOf } from './report.ts'
import { readModule, readSide, readSnapshotAt } from './sides.ts'

/** The options of `nounful snapshot`. */
export interface SnapshotFlags extends GateFlags, AcceptFlags {
  readonly out?: string
  readonly check?: boolean
  /** A snapshot to compare with in place of the file. */
  readonly against?: string
}

/** Takes the snapshot of a module: prints it, checks a file, or writes a file through the gate. */
export async function takeSnapshot(
  module: string,
  flags: SnapshotFlags,
  io: CommandIo,
): Promise<void> {
  const { out, check = false, accept, against } = flags
  checkFlags(flags)
  const after = await readModule(module, io.version)
  if (out === undefined) return io.print(formatSnapshot(after.snapshot).trimEnd())
  if (check) return checkFile(out, after.snapshot, io)
  const file = readSnapshotAt(out)
  const old = against === undefined ? file : await snapshotFrom(against, io.version)
  if (old === undefined && accept.length > 0)
    throw new UsageError(`${out} does not exist, so there is nothing to accept.`)
  const log = file?.accepted ?? old?.accepted ?? []
  if (old === undefined) return write(out, { ...after.snapshot, accepted: log }, io)
  const side: ContractSide = {
    kind: 'contract',
    name: against ?? out,
    snapshot: old,
    api: undefined,
  }
  const changes = await contractChanges(side, after, compareOptionsOf(flags))
  const accepted = acceptancesOf(changes, flags, newAcceptances(log, old.accepted))
  const acceptances = [...log, ...accepted]
  const names = { old: side.name, new: module }
  const report = reportOf(names, findingsOf(changes, newAcceptances(acceptances, old.accepted)))
  if (report.findings.length > 0) io.warn(formatGate(report))
  if (report.tally.breaking === 0)
    return write(out, { ...after.snapshot, accepted: acceptances }, io)
  io.warn(
    `${out} is not written. Take the breaking changes back, or accept each: ` +
      "--accept a3f8c21b9d04 --reason 'no client sends it'.",
  )
  io.setExitCode(1)
}

function checkFlags(flags: SnapshotFlags): void {
  const { out, check, accept, against } = flags
  const needsFile = check || accept.length > 0 || against !== undefined
  if (out === undefined && needsFile)
    throw new UsageError('--check, --accept and --against need a file: add --out contract.json.')
  if (check && accept.length > 0)
    throw new UsageError('--check writes nothing, so it accepts nothing: leave out --accept.')
  checkReasons(flags)
}

async function snapshotFrom(against: string, nounful: string): Promise<Snapshot> {
  const side = await readSide(against, nounful)
  if (side.kind === 'contract') return side.snapshot
  throw new UsageError(`${against} is an OpenAPI document: name a snapshot.`)
}

function stampOf({ accepted, nounful }: Snapshot): Pick<Snapshot, 'accepted' | 'nounful'> {
  return { accepted, nounful }
}

function write(out: string, snapshot: Snapshot, { warn }: CommandIo): void {
  writeOutput(out, formatSnapshot(snapshot))
  warn(`Written to ${out}.`)
}

// A checkout on Windows may have other line ends.
function checkFile(out: string, snapshot: Snapshot, { print, warn, setExitCode }: CommandIo): void {
  const file = readSnapshotAt(out)
  // A formatter may lay the file out, and a newer nounful say the same.
  if (file && formatSnapshot(file) === formatSnapshot({ ...snapshot, ...stampOf(file) })) {
    print(`${out} is up to date.`)
    return
  }
  const fault = file === undefined ? 'does not exist' : 'is not what the module says'
  warn(`${out} ${fault}. Run: npx nounful snapshot MODULE --out ${out}`)
  setExitCode(1)
}

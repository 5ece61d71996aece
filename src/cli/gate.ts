import type { Command } from 'commander'
import type { DiffFlags } from './diff.ts'
import { append, type CommandIo, jsonOption, moduleArgument } from './io.ts'
import type { SnapshotFlags } from './snapshot.ts'

const sideArgument = 'a snapshot, an OpenAPI document, a module, or git:REF:contract.json'
const reasonOption = 'why the change is acceptable, one for each --accept'
const graceOption = 'the fewest days from an announcement to the sunset'
const onOption = 'the date of today, as in 2026-11-01'

/** Adds the commands of the gate. Other commands do not load it. */
export function addGate(
  commands: Readonly<Record<'snapshot' | 'diff' | 'changes', Command>>,
  io: CommandIo,
): void {
  addSnapshot(commands.snapshot, io)
  addDiff(commands.diff, io)
  addChanges(commands.changes, io)
}

function addSnapshot(command: Command, io: CommandIo): void {
  command
    .argument('<module>', moduleArgument)
    .option('--out <file>', 'write to a file, unless an unaccepted change breaks clients')
    .option('--check', 'with --out: only tell whether the file is what the module says')
    .option('--accept <fingerprint>', 'with --out: accept this change; repeatable', append, [])
    .option('--reason <text>', reasonOption, append, [])
    .option('--against <side>', 'with --out: compare with this snapshot, not with the file')
    .option('--grace <days>', graceOption, '180')
    .option('--on <date>', onOption)
    .action(async (module: string, flags: SnapshotFlags) => {
      const { takeSnapshot } = await import('./snapshot.ts')
      await takeSnapshot(module, flags, io)
    })
}

function addDiff(command: Command, { print, setExitCode, version }: CommandIo): void {
  command
    .argument('<old>', sideArgument)
    .argument('<new>', sideArgument)
    .option('--strict', 'fail for what depends, too')
    .option('--format <form>', 'text, json, github (annotations) or markdown', 'text')
    .option('--json', jsonOption)
    .option('--accepted <file>', 'the snapshot, or the log, that lists the accepted changes')
    .option('--accept <fingerprint>', 'of documents, with --accepted: accept it', append, [])
    .option('--reason <text>', reasonOption, append, [])
    .option('--grace <days>', graceOption, '180')
    .option('--on <date>', onOption)
    .action(async (old: string, after: string, flags: DiffFlags) => {
      const { diffSides, formatOf, formatReportAs, isRefused } = await import('./diff.ts')
      const format = formatOf(flags)
      const report = await diffSides({ old, new: after, nounful: version }, flags)
      print(formatReportAs(report, format))
      if (isRefused(report, flags)) setExitCode(1)
    })
}

function addChanges(command: Command, io: CommandIo): void {
  command
    .argument('<module>', moduleArgument)
    .argument('<from>', 'the version that clients leave: v1')
    .argument('<to>', 'the version that they go to: v2')
    .option('--out <file>', 'write to a file instead of the standard output')
    .action(async (module: string, from: string, to: string, flags: { readonly out?: string }) => {
      const { writeGuide } = await import('./changes.ts')
      await writeGuide({ module, from, to }, flags, io)
    })
}

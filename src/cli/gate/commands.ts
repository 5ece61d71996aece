import type { Command } from 'commander'
import { UsageError } from '../../trial/check/usage-error.ts'
import { moduleOr, snapshotOr } from '../find.ts'
import { append, type CommandIo, isModuleName, jsonOption, moduleArgument } from '../io.ts'
import type { GuideFlags } from './changes.ts'
import type { DiffFlags } from './diff.ts'
import type { NamedSides } from './report.ts'
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
    .argument('[module]', moduleArgument)
    .option('--out <file>', 'write to a file, unless an unaccepted change breaks clients')
    .option('--check', 'with --out: only tell whether the file is what the module says')
    .option('--accept <fingerprint>', 'with --out: accept this change; repeatable', append, [])
    .option('--reason <text>', reasonOption, append, [])
    .option('--against <side>', 'with --out: compare with this snapshot, not with the file')
    .option('--grace <days>', graceOption, '180')
    .option('--on <date>', onOption)
    .action(async (module: string | undefined, flags: SnapshotFlags) => {
      const { takeSnapshot } = await import('./snapshot.ts')
      await takeSnapshot(moduleOr(module), flags, io)
    })
}

function addDiff(command: Command, { print, setExitCode, version }: CommandIo): void {
  command
    .argument('[old]', `${sideArgument}. Default: contract.json`)
    .argument('[new]', `${sideArgument}. Default: the module, as for "routes"`)
    .option('--strict', 'fail for what depends, too')
    .option('--format <form>', 'text, json, github (annotations) or markdown', 'text')
    .option('--json', jsonOption)
    .option('--accepted <file>', 'the snapshot, or the log, that lists the accepted changes')
    .option('--accept <fingerprint>', 'of documents, with --accepted: accept it', append, [])
    .option('--reason <text>', reasonOption, append, [])
    .option('--grace <days>', graceOption, '180')
    .option('--on <date>', onOption)
    .action(async (old: string | undefined, after: string | undefined, flags: DiffFlags) => {
      const { diffSides, isRefused } = await import('./diff.ts')
      const { formatOf, formatReportAs } = await import('./report.ts')
      const format = formatOf(flags)
      const report = await diffSides({ ...sidesOf(old, after), nounful: version }, flags)
      print(formatReportAs(report, format))
      if (isRefused(report, flags)) setExitCode(1)
    })
}

function addChanges(command: Command, io: CommandIo): void {
  command
    .usage('[options] [module] <from> <to>')
    .argument('<names...>', 'the module; the version that clients leave; the one they go to: v1 v2')
    .option('--out <file>', 'write to a file instead of the standard output')
    .action(async (names: readonly string[], flags: { readonly out?: string }) => {
      const { writeGuide } = await import('./changes.ts')
      await writeGuide(guidedBy(names), flags, io)
    })
}

// The module may be left out.
function guidedBy(names: readonly string[]): GuideFlags {
  const [from, to] = names.slice(-2)
  if (from === undefined || to === undefined || names.length > 3)
    throw new UsageError('Name two versions, as in "npx nounful changes registry.ts v1 v2".')
  return { module: moduleOr(names.length === 3 ? names[0] : undefined), from, to }
}

// One side alone is the new one if it is a module.
function sidesOf(
  old: string | undefined,
  after: string | undefined,
): Pick<NamedSides, 'old' | 'new'> {
  const isModule = old !== undefined && after === undefined && isModuleName(old)
  return isModule
    ? { old: snapshotOr(undefined), new: old }
    : { old: snapshotOr(old), new: moduleOr(after) }
}

import type { Awaitable } from '../convention/awaitable.ts'
import { escapeLines } from '../convention/escape.ts'
import type { ContractChange } from '../diff/change.ts'
import type { CompareOptions } from '../diff/compare/context.ts'
import { withoutProbe } from '../diff/compare/found.ts'
import { compareSnapshots } from '../diff/compare/snapshots.ts'
import { confirmChanges } from '../diff/confirm.ts'
import { countFindings, type Finding, findingsOf, newAcceptances } from '../diff/fingerprint.ts'
import { compareDocuments } from '../diff/openapi/document-changes.ts'
import { enteredFindings } from '../diff/report/entries.ts'
import { formatGithub } from '../diff/report/github.ts'
import { formatMarkdown } from '../diff/report/markdown.ts'
import type { GateReport } from '../diff/report/report.ts'
import type { Acceptance } from '../diff/snapshot.ts'
import { formatData } from '../trial/check/print.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { acceptedOfDocument, type DocumentLogFlags } from './document-log.ts'
import { formatGate } from './format-gate.ts'
import { compareOptionsOf, type GateFlags } from './gate-options.ts'
import { parseGitSide } from './git.ts'
import {
  acceptancesAt,
  type ContractSide,
  type DocumentSide,
  readSide,
  type Side,
} from './sides.ts'

/** The forms of a report. */
const gateFormats = ['text', 'json', 'github', 'markdown'] as const

/** The form of a report. */
export type GateFormat = (typeof gateFormats)[number]

/** The options of `nounful diff`. */
export interface DiffFlags extends GateFlags, DocumentLogFlags {
  readonly json?: boolean
  readonly format: string
  readonly strict?: boolean
}

/** The sides of a comparison as the user names them, and the version of this package. */
export interface NamedSides {
  readonly old: string
  readonly new: string
  readonly nounful: string
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

/** Makes the report of some findings. */
export function reportOf(
  { old, new: after }: Pick<NamedSides, 'old' | 'new'>,
  findings: readonly Finding[],
): GateReport {
  return { old, new: after, tally: countFindings(findings), findings }
}

/** Tells whether a report fails the gate. */
export function isRefused(
  { tally }: GateReport,
  { strict = false }: Pick<DiffFlags, 'strict'>,
): boolean {
  return tally.breaking > 0 || (strict && tally.depends > 0)
}

async function changesBetween(
  old: Side,
  after: Side,
  options: CompareOptions,
): Promise<readonly ContractChange[]> {
  if (old.kind === 'contract' && after.kind === 'contract')
    return contractChanges(old, after, options)
  if (old.kind === 'document' && after.kind === 'document')
    return documentChanges(old, after, options)
  throw new UsageError(
    `${old.name} is ${wordsOf(old)}, and ${after.name} is ${wordsOf(after)}: ` +
      'compare two contracts, or two OpenAPI documents.',
  )
}

function documentChanges(
  old: DocumentSide,
  after: DocumentSide,
  { on }: CompareOptions,
): readonly ContractChange[] {
  try {
    return compareDocuments(old.document, after.document, { on })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}

/** Compares two contracts, and lets the validators of the new one confirm what breaks. */
export async function contractChanges(
  old: ContractSide,
  after: ContractSide,
  options: CompareOptions,
): Promise<readonly ContractChange[]> {
  const changes = compareSnapshots(old.snapshot, after.snapshot, options)
  return after.api === undefined ? changes.map(withoutProbe) : confirmChanges(changes, after.api)
}

function wordsOf({ kind }: Side): string {
  return kind === 'contract' ? 'a contract' : 'an OpenAPI document'
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

/** Writes a report in a form. */
export function formatReportAs(report: GateReport, format: GateFormat): string {
  switch (format) {
    case 'text':
      return formatGate(report)
    case 'json':
      return formatData({ ...report, findings: enteredFindings(report.findings) })
    case 'github':
      return escapeLines(formatGithub(report, fileIn(report.new)))
    case 'markdown':
      return escapeLines(formatMarkdown(report))
  }
}

// `registry.ts#name` → `registry.ts`.
function fileIn(side: string): string | undefined {
  return side.startsWith('git:') ? undefined : side.replace(/#[^#]*$/, '')
}

/**
 * Reads the form of a report.
 *
 * @throws {UsageError} For another form.
 */
export function formatOf({ json, format }: DiffFlags): GateFormat {
  if (json) return 'json'
  const gateFormat = gateFormats.find((candidate) => candidate === format)
  if (gateFormat !== undefined) return gateFormat
  throw new UsageError(`--format cannot be "${format}". Allowed: ${gateFormats.join(', ')}.`)
}

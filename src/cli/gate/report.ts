import { escapeControls, escapeLines } from '../../convention/escape.ts'
import {
  countFindings,
  type Finding,
  formatTally,
  type GateReport,
  isAccepted,
} from '../../diff/fingerprint.ts'
import { type Entry, enteredFindings, groupFindings } from '../../diff/report/entries.ts'
import { formatGithub } from '../../diff/report/github.ts'
import { formatMarkdown } from '../../diff/report/markdown.ts'
import { formatExchange, wordsOfWitness } from '../../diff/report/short.ts'
import { formatData, paint } from '../../trial/check/print.ts'
import { UsageError } from '../../trial/check/usage-error.ts'

/** Writes findings for people: an entry for each edit of the contract, by place. */
export function formatGate({ old, tally, findings }: GateReport): string {
  const entries = groupFindings(findings)
  const width = Math.max(0, ...entries.map(({ lead }) => lead.rule.length))
  const places = new Map<string, string[]>()
  for (const entry of entries)
    places.set(entry.at, [...(places.get(entry.at) ?? []), ...linesOf(entry, width)])
  const blocks = [...places].flatMap(([at, lines]) => [paint('bold', escapeControls(at)), ...lines])
  return [...blocks, `${formatTally(tally)}; compared with ${escapeControls(old)}`].join('\n')
}

const indent = ' '.repeat(11)

function linesOf(entry: Entry, width: number): readonly string[] {
  const { lead, fingerprint } = entry
  const { rule, message, because, verdict, witness, accepted, way, see } = lead
  const isOpen = !isAccepted(lead)
  const isBreak = isOpen && verdict === 'breaking'
  const about = [
    ...(because === undefined ? [] : [`because ${because}`]),
    ...touched(entry),
    ...(witness === undefined || verdict === 'fine'
      ? []
      : [`${wordsOfWitness(lead)}  ${formatExchange(witness)}`]),
    ...(isBreak && way !== null ? [`way out:  ${way}: ${see}`] : []),
    ...(isOpen && verdict !== 'fine' ? [`accept it by:  ${fingerprint}`] : []),
    ...(isOpen ? [] : [`on ${accepted?.on}: ${accepted?.reason}`]),
  ]
  return [
    `  ${labelOf(lead)} ${rule.padEnd(width)}  ${escapeControls(message)}`,
    ...about.map((line) => indent + escapeControls(line)),
  ]
}

// Says what else the edit causes, each rule and sentence once.
function touched({ lead, followers, operations }: Entry): readonly string[] {
  if (followers.length === 0) return []
  const count = operations.length === 1 ? '1 operation' : `${operations.length} operations`
  const isLead = (text: string): boolean => text === sentenceOf(lead)
  const more = new Set(followers.map(sentenceOf).filter((text) => !isLead(text)))
  return [
    ...(operations.length === 0 ? [] : [`touches ${count}: ${operations.join(', ')}`]),
    ...[...more].map((text) => `with it:  ${text}`),
  ]
}

function sentenceOf({ rule, verdict, message }: Finding): string {
  return `${rule} (${verdict}): ${message}`
}

function labelOf(finding: Finding): string {
  if (isAccepted(finding)) return 'accepted'
  const { verdict } = finding
  if (verdict === 'breaking') return paint('red', 'BREAKING')
  return verdict === 'depends' ? paint('yellow', 'depends '.padEnd(8)) : 'fine    '
}

/** The sides of a comparison as the user names them, and the version of this package. */
export interface NamedSides {
  readonly old: string
  readonly new: string
  readonly nounful: string
}

/** Makes the report of some findings. */
export function reportOf(
  { old, new: after }: Pick<NamedSides, 'old' | 'new'>,
  findings: readonly Finding[],
): GateReport {
  return { old, new: after, tally: countFindings(findings), findings }
}

/** The forms of a report. */
const gateFormats = ['text', 'json', 'github', 'markdown'] as const

/** The form of a report. */
export type GateFormat = (typeof gateFormats)[number]

/** The options that choose a form. */
export interface FormatFlags {
  readonly json?: boolean
  readonly format: string
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
export function formatOf({ json, format }: FormatFlags): GateFormat {
  if (json) return 'json'
  const gateFormat = gateFormats.find((candidate) => candidate === format)
  if (gateFormat !== undefined) return gateFormat
  throw new UsageError(`--format cannot be "${format}". Allowed: ${gateFormats.join(', ')}.`)
}

import { escapeControls } from '../convention/escape.ts'
import { type Finding, isAccepted } from '../diff/fingerprint.ts'
import { type Entry, groupFindings } from '../diff/report/entries.ts'
import { formatTally, type GateReport } from '../diff/report/report.ts'
import { formatExchange, wordsOfWitness } from '../diff/report/short.ts'
import { paint } from '../trial/check/print.ts'

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
function touched({ lead, others, operations }: Entry): readonly string[] {
  if (others.length === 0) return []
  const count = operations.length === 1 ? '1 operation' : `${operations.length} operations`
  const isLead = (text: string): boolean => text === sentenceOf(lead)
  const more = new Set(others.map(sentenceOf).filter((text) => !isLead(text)))
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

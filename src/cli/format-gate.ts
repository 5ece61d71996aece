import { escapeControls, paint } from '../check/print.ts'
import { type Finding, isAccepted } from '../evolution/fingerprint.ts'
import { formatTally, type GateReport } from '../evolution/report/report.ts'
import { formatExchange, wordsOfWitness } from '../evolution/report/short.ts'

/** Writes findings for people, by place. */
export function formatGate({ old, tally, findings }: GateReport): string {
  const places = new Map<string, Finding[]>()
  for (const finding of findings)
    places.set(finding.at, [...(places.get(finding.at) ?? []), finding])
  const width = Math.max(0, ...findings.map(({ rule }) => rule.length))
  const groups = [...places].flatMap(([at, some]) => [
    paint('bold', escapeControls(at)),
    ...some.flatMap((finding) => linesOf(finding, width)),
  ])
  return [...groups, `${formatTally(tally)}; compared with ${escapeControls(old)}`].join('\n')
}

const indent = ' '.repeat(11)

function linesOf(finding: Finding, width: number): readonly string[] {
  const { rule, message, because, verdict, witness, fingerprint, accepted, way, see } = finding
  const isOpen = !isAccepted(finding)
  const isBreak = isOpen && verdict === 'breaking'
  const about = [
    ...(because === undefined ? [] : [`because ${because}`]),
    ...(witness === undefined || verdict === 'fine'
      ? []
      : [`${wordsOfWitness(finding)}  ${formatExchange(witness)}`]),
    ...(isBreak && way !== null ? [`way out:  ${way}: ${see}`] : []),
    ...(isOpen && verdict !== 'fine' ? [`accept it by:  ${fingerprint}`] : []),
    ...(isOpen ? [] : [`on ${accepted?.on}: ${accepted?.reason}`]),
  ]
  return [
    `  ${labelOf(finding)} ${rule.padEnd(width)}  ${escapeControls(message)}`,
    ...about.map((line) => indent + escapeControls(line)),
  ]
}

function labelOf(finding: Finding): string {
  if (isAccepted(finding)) return 'accepted'
  const { verdict } = finding
  if (verdict === 'breaking') return paint('red', 'BREAKING')
  return verdict === 'depends' ? paint('yellow', 'depends '.padEnd(8)) : 'fine    '
}

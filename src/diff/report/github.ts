import { type Finding, formatTally, type GateReport, isAccepted } from '../fingerprint.ts'
import { sentencesOf } from './short.ts'

/**
 * Writes findings as commands of GitHub Actions, which shows them beside the code.
 *
 * @param file The file that they are shown at; `undefined` for none.
 */
export function formatGithub(report: GateReport, file?: string): string {
  const lines = report.findings
    .filter(({ verdict }) => verdict !== 'fine')
    .map((finding) => annotationOf(finding, file))
  const summary = `${formatTally(report.tally)}; compared with ${report.old}`
  return [...lines, command('notice', { title: 'The contract' }, summary)].join('\n')
}

function annotationOf(finding: Finding, file: string | undefined): string {
  const { rule, at, verdict, fingerprint, accepted } = finding
  const isOpen = !isAccepted(finding)
  const level = isOpen ? (verdict === 'breaking' ? 'error' : 'warning') : 'notice'
  const [first, ...more] = sentencesOf(finding)
  const text = [
    `${at}: ${first}`,
    ...more,
    isOpen ? `accept it by ${fingerprint}` : `accepted: ${accepted?.reason}`,
  ].join('\n')
  const title = `${isOpen ? verdict : 'accepted'} ${rule}`
  return command(level, { ...(file !== undefined && { file }), title }, text)
}

function command(name: string, properties: Readonly<Record<string, string>>, text: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`)
  return `::${name} ${list.join(',')}::${escapeMessage(text)}`
}

// The runner reads `%`, line breaks and, in properties, `:` and `,` itself.
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

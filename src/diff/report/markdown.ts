import { type Finding, formatTally, type GateReport, isAccepted } from '../fingerprint.ts'
import { formatExchange, wordsOfWitness } from './short.ts'

/** Writes findings as Markdown, for a comment on a pull request. */
export function formatMarkdown({ old, tally, findings }: GateReport): string {
  const open = findings.filter(({ verdict }) => verdict !== 'fine')
  const fine = findings.filter(({ verdict }) => verdict === 'fine')
  return [
    `### The contract: ${formatTally(tally)}`,
    '',
    `Compared with ${codeSpan(old)}.`,
    ...(open.length === 0 ? [] : ['', ...tableOf(open)]),
    ...(fine.length === 0
      ? []
      : [
          '',
          `<details><summary>${fine.length} fine</summary>`,
          '',
          ...tableOf(fine),
          '',
          '</details>',
        ]),
  ].join('\n')
}

function tableOf(findings: readonly Finding[]): readonly string[] {
  return ['| | rule | place | change |', '|---|---|---|---|', ...findings.map(rowOf)]
}

function rowOf(finding: Finding): string {
  const { rule, at, message, because, verdict, witness, fingerprint, accepted, way } = finding
  const isOpen = !isAccepted(finding)
  const isBreak = isOpen && verdict === 'breaking'
  const facts = [
    codeSpan(message),
    ...(because === undefined ? [] : [`because ${codeSpan(because)}`]),
    ...(witness === undefined
      ? []
      : [`${wordsOfWitness(finding)} ${codeSpan(formatExchange(witness))}`]),
    ...(isBreak && way !== null ? [`way out: ${way}`] : []),
    ...(isOpen ? (verdict === 'fine' ? [] : [`accept: \`${fingerprint}\``]) : []),
    ...(isOpen ? [] : [`accepted: ${codeSpan(accepted?.reason ?? '')}`]),
  ]
  const word = isOpen ? (verdict === 'breaking' ? '**BREAKING**' : verdict) : 'accepted'
  return `| ${word} | \`${rule}\` | ${codeSpan(at)} | ${facts.join('<br>')} |`
}

/**
 * Writes a foreign text as code, so that Markdown neither formats it nor mentions a user: in a
 * fence that the text does not have, in one line, and with the bars of a table escaped.
 */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return line === '' ? '` `' : `${fence}${space}${line}${space}${fence}`
}

import { type Finding, formatTally, type GateReport, isAccepted } from '../fingerprint.ts'
import { codeSpan, sentencesOf } from './short.ts'

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
  const { rule, at, verdict, fingerprint, accepted, way } = finding
  const isOpen = !isAccepted(finding)
  const isBreak = isOpen && verdict === 'breaking'
  const facts = [
    ...sentencesOf(finding, codeSpan),
    ...(isBreak && way !== null ? [`way out: ${way}`] : []),
    ...(isOpen ? (verdict === 'fine' ? [] : [`accept: \`${fingerprint}\``]) : []),
    ...(isOpen ? [] : [`accepted: ${codeSpan(accepted?.reason ?? '')}`]),
  ]
  const word = isOpen ? (verdict === 'breaking' ? '**BREAKING**' : verdict) : 'accepted'
  return `| ${word} | \`${rule}\` | ${codeSpan(at)} | ${facts.join('<br>')} |`
}

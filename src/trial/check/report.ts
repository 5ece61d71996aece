import { escapeControls } from '../../convention/escape.ts'
import { formatColumns, paint } from './print.ts'
import { type CheckReport, leftHeading, type RuleVerdict, rulesBySubject } from './run.ts'

/** Counts the rules of each verdict. */
export function tallyOf(
  verdicts: readonly RuleVerdict[],
): Readonly<Record<RuleVerdict['verdict'], number>> {
  const tally = { kept: 0, broken: 0, 'not applicable': 0 }
  for (const { verdict } of verdicts) tally[verdict]++
  return tally
}

/** The rows of a report: every rule, or one row for each group of rules. */
type ReportDetail = 'all' | 'groups'

/** Writes a report: its rows, then the broken rules with the requests that show it. */
export function formatReport(report: CheckReport, detail: ReportDetail = 'all'): string {
  const {
    url,
    collections,
    requests,
    mode,
    verdicts,
    left: remaining,
    stopped,
    unfinished,
  } = report
  const { kept: keptCount, broken, 'not applicable': skipped } = tallyOf(verdicts)
  const lines = [
    escapeControls(`${url}: ${collections.join(', ')}`),
    '',
    formatColumns(rowsOf(verdicts, detail)),
    ...verdicts.filter(({ verdict }) => verdict === 'broken').map(formatBroken),
    ...(stopped === undefined ? [] : ['', paint('red', escapeControls(stopped))]),
    ...(unfinished.length === 0
      ? []
      : [`The rules of these are not all judged: ${unfinished.map(escapeControls).join(', ')}`]),
    ...(remaining.length === 0
      ? []
      : ['', paint('red', leftHeading), ...remaining.map(escapeControls)]),
    '',
    `${keptCount} kept, ${broken} broken, ${skipped} not applicable; ${requests} requests, ${mode}`,
    ...(detail === 'groups' ? ['--all lists every rule.'] : []),
  ]
  return lines.join('\n')
}

type Rows = readonly (readonly string[])[]

function rowsOf(verdicts: readonly RuleVerdict[], detail: ReportDetail): Rows {
  const groups = detail === 'groups' ? rulesBySubject : []
  const grouped = new Set(groups.flatMap(([, rules]) => rules.map(({ id }) => id)))
  const single = verdicts.filter(({ id }) => !grouped.has(id))
  return [
    ...groups.flatMap(([name, rules]) => groupRow(name, rules, verdicts)),
    ...single.map((verdict) => [signs[verdict.verdict], verdict.id, ruleWithReason(verdict)]),
  ]
}

function groupRow(
  name: string,
  rules: readonly { readonly id: string }[],
  verdicts: readonly RuleVerdict[],
): Rows {
  const ids = new Set(rules.map(({ id }) => id))
  const tally = tallyOf(verdicts.filter(({ id }) => ids.has(id)))
  const counts = Object.entries(tally).flatMap(([verdict, count]) =>
    count === 0 ? [] : [`${count} ${verdict}`],
  )
  if (counts.length === 0) return []
  const sign = tally.broken > 0 ? signs.broken : tally.kept > 0 ? signs.kept : '-'
  return [[sign, name, counts.join(', ')]]
}

const signs = { kept: 'kept', broken: 'BROKEN', 'not applicable': '-' } as const

function ruleWithReason({ rule, reason }: RuleVerdict): string {
  return reason === undefined ? rule : `${rule} ${paint('dim', `(${escapeControls(reason)})`)}`
}

function formatBroken({ id, rule, faults }: RuleVerdict): string {
  const lines = faults.flatMap(({ collection, message, curl }) => [
    `  ${escapeControls(`${collection}: ${message}`)}`,
    `    ${paint('dim', escapeControls(curl))}`,
  ])
  return ['', `${paint('red', `BROKEN ${id}`)}  ${rule}`, ...lines].join('\n')
}

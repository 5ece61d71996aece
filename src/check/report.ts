import { escapeControls, formatColumns, paint } from './print.ts'
import { type CheckOutcome, leftHeading, type RuleVerdict } from './run.ts'

/** The report of a check. Its members are public: `--json` prints them. */
export interface CheckReport extends CheckOutcome {
  readonly url: string
  readonly collections: readonly string[]
  /** The number of requests. */
  readonly requests: number
  readonly mode:
    | 'reads only'
    | 'reads and writes'
    | 'reads, writes and empties'
    | 'writes as two callers'
}

/** Counts the rules of each verdict. */
export function tallyOf(
  verdicts: readonly RuleVerdict[],
): Readonly<Record<RuleVerdict['verdict'], number>> {
  const tally = { kept: 0, broken: 0, 'not applicable': 0 }
  for (const { verdict } of verdicts) tally[verdict]++
  return tally
}

/** Writes a report: every rule, then the broken rules with the requests that show it. */
export function formatReport(report: CheckReport): string {
  const { url, collections, requests, mode, verdicts, left, stopped, unfinished } = report
  const { kept, broken, 'not applicable': rest } = tallyOf(verdicts)
  const rows = verdicts.map((verdict) => [
    signs[verdict.verdict],
    verdict.id,
    ruleWithReason(verdict),
  ])
  const lines = [
    escapeControls(`${url}: ${collections.join(', ')}`),
    '',
    formatColumns(rows),
    ...verdicts.filter(({ verdict }) => verdict === 'broken').map(formatBroken),
    ...(stopped === undefined ? [] : ['', paint('red', escapeControls(stopped))]),
    ...(unfinished.length === 0
      ? []
      : [`The rules of these are not all judged: ${unfinished.map(escapeControls).join(', ')}`]),
    ...(left.length === 0 ? [] : ['', paint('red', leftHeading), ...left.map(escapeControls)]),
    '',
    `${kept} kept, ${broken} broken, ${rest} not applicable; ${requests} requests, ${mode}`,
  ]
  return lines.join('\n')
}

const signs = { kept: 'kept', broken: 'BROKEN', 'not applicable': '-' } as const

function ruleWithReason({ rule, reason }: RuleVerdict): string {
  return reason === undefined ? rule : `${rule} ${paint('dim', `(${escapeControls(reason)})`)}`
}

function formatBroken({ id, rule, faults }: RuleVerdict): string {
  const shown = faults.flatMap(({ collection, message, curl }) => [
    `  ${escapeControls(`${collection}: ${message}`)}`,
    `    ${paint('dim', escapeControls(curl))}`,
  ])
  return ['', `${paint('red', `BROKEN ${id}`)}  ${rule}`, ...shown].join('\n')
}

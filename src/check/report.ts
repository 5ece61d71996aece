import { formatColumns, inert, paint } from './print.ts'
import { leftTold, type Outcome, type Verdict } from './run.ts'

/** What a check was about. */
export interface Checked extends Outcome {
  readonly url: string
  readonly collections: readonly string[]
  /** How many were sent. */
  readonly requests: number
  readonly mode: 'reads only' | 'reads and writes' | 'reads, writes and empties'
}

/** How many rules there are of each verdict. */
export function tallyOf(
  verdicts: readonly Verdict[],
): Readonly<Record<Verdict['verdict'], number>> {
  const tally = { kept: 0, broken: 0, 'not applicable': 0 }
  for (const { verdict } of verdicts) tally[verdict]++
  return tally
}

/** Writes what came of a check, rule by rule; the broken ones last, each with the request that shows it. */
export function formatReport({
  url,
  collections,
  requests,
  mode,
  verdicts,
  left,
  stopped,
}: Checked): string {
  const { kept, broken, 'not applicable': rest } = tallyOf(verdicts)
  const lines = [
    inert(`${url}: ${collections.join(', ')}`),
    '',
    formatColumns(verdicts.map((verdict) => [signOf(verdict), verdict.id, noted(verdict)])),
    ...verdicts.filter(({ verdict }) => verdict === 'broken').map(formatFaults),
    ...(stopped === undefined ? [] : ['', paint('red', inert(stopped))]),
    ...(left.length === 0 ? [] : ['', paint('red', leftTold), ...left.map(inert)]),
    '',
    `${kept} kept, ${broken} broken, ${rest} not applicable; ${requests} requests, ${mode}`,
  ]
  return lines.join('\n')
}

const signs = { kept: 'kept', broken: 'BROKEN', 'not applicable': '-' } as const

function signOf({ verdict }: Verdict): string {
  return signs[verdict]
}

function noted({ rule, reason }: Verdict): string {
  return reason === undefined ? rule : `${rule} ${paint('dim', `(${inert(reason)})`)}`
}

function formatFaults({ id, rule, faults }: Verdict): string {
  const shown = faults.flatMap(({ collection, message, curl }) => [
    `  ${inert(`${collection}: ${message}`)}`,
    `    ${paint('dim', inert(curl))}`,
  ])
  return ['', `${paint('red', `BROKEN ${id}`)}  ${rule}`, ...shown].join('\n')
}

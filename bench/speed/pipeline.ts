import { pipelineBounds } from './bounds.ts'
import { behind } from './contenders.ts'
import { contest, restSeconds } from './contest.ts'
import type { Effort } from './effort.ts'
import type { Table } from './figures.ts'
import { absoluteTable, ratioTable } from './tables.ts'

const notes = [
  'The bench feeds a request from memory to Node’s own parser, request and response, and ' +
    'drops the response. Figures are CPU of the whole process, all threads together.',
]
const restNotes = [
  `The same servers, after ${restSeconds} seconds without a request: V8 collects garbage then ` +
    `by itself.`,
]
const afterRest = ['read', 'create']

/** Measures the CPU of a request in Node's pipeline without a socket, and its ratio to bare's. */
export async function pipeline(effort: Effort): Promise<readonly Table[]> {
  const contenders = behind('pipeline', effort.contenders)
  const rested = effort.form === 'short' ? [] : afterRest
  const runs = await contest({ file: 'pipeline', contenders, rested }, effort)
  const about = { level: 'pipeline', contenders, cases: effort.cases, notes } as const
  const cpu = { ...about, quantity: 'cpu', title: 'beside bare', unit: '× bare' }
  const ratios = ratioTable(runs, cpu)
  const rest = {
    ...cpu,
    quantity: 'rested',
    title: 'after a rest',
    cases: rested,
    notes: restNotes,
  }
  return [
    { ...ratios, bounds: pipelineBounds(ratios, runs, { ...cpu, form: effort.form }) },
    absoluteTable(runs, { ...about, quantity: 'cpu', title: 'a request', unit: 'ns' }),
    ...(rested.length === 0 ? [] : [ratioTable(runs, rest)]),
  ]
}

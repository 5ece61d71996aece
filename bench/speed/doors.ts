import { fetchBounds, pipelineBounds } from './bounds.ts'
import { behind } from './contenders.ts'
import { contest, restSeconds } from './contest.ts'
import type { Effort } from './effort.ts'
import type { Table } from './figures.ts'
import { absoluteTable, ratioTable } from './tables.ts'

const notes = {
  pipeline: [
    'The bench feeds a request from memory to Node’s own parser, request and response, and ' +
      'drops the response. Figures are CPU of the whole process, all threads together.',
  ],
  rest: [
    `The same servers, after ${restSeconds} seconds without a request: V8 collects garbage then ` +
      `by itself.`,
  ],
  fetch: [
    'The bench makes a `Request`, calls the handler in the same process, and reads the body of ' +
      'the `Response` as text. Figures are CPU of the whole process.',
  ],
}
const restedCases = ['read', 'create']

/** Measures the CPU of a request in Node's pipeline without a socket, and its ratio to bare's. */
export async function pipeline(effort: Effort): Promise<readonly Table[]> {
  const contenders = behind('pipeline', effort.contenders)
  const rested = effort.form === 'short' ? [] : restedCases
  const runs = await contest({ file: 'pipeline', contenders, rested }, effort)
  const about = { level: 'pipeline', contenders, cases: effort.cases } as const
  const cpu = { ...about, quantity: 'cpu', notes: notes.pipeline }
  const beside = { ...cpu, title: 'beside bare', unit: '× bare' }
  const rest = { ...beside, quantity: 'rested', cases: rested, notes: notes.rest }
  const ratios = ratioTable(runs, beside)
  return [
    { ...ratios, bounds: pipelineBounds(ratios, runs, { ...beside, form: effort.form }) },
    absoluteTable(runs, { ...cpu, title: 'a request', unit: 'ns' }),
    ...(rested.length === 0 ? [] : [ratioTable(runs, { ...rest, title: 'after a rest' })]),
  ]
}

/** Measures the CPU of a request behind the fetch door, and its ratio to bare's. */
export async function fetch(effort: Effort): Promise<readonly Table[]> {
  const contenders = behind('fetch', effort.contenders)
  const runs = await contest({ file: 'fetch', contenders }, effort)
  const about = { level: 'fetch', quantity: 'cpu', contenders, cases: effort.cases } as const
  const beside = { ...about, title: 'beside bare', unit: '× bare', notes: notes.fetch }
  const ratios = ratioTable(runs, beside)
  return [
    { ...ratios, bounds: fetchBounds(ratios, runs, beside) },
    absoluteTable(runs, { ...beside, title: 'a request', unit: 'ns' }),
  ]
}

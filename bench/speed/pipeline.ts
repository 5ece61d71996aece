import { pipelineBounds } from './bounds.ts'
import { behind } from './contenders.ts'
import { contest } from './contest.ts'
import type { Effort } from './effort.ts'
import type { Table } from './figures.ts'
import { absoluteTable, ratioTable } from './tables.ts'

const notes = [
  'A request goes through Node’s own parser, request and response, but through no socket: it is fed from memory, and the answer is dropped. CPU of the whole process, whichever thread spent it.',
]

/** Measures what a request costs in Node's pipeline without a socket: in nanoseconds, and in times of what it costs by hand. */
export async function pipeline(effort: Effort): Promise<readonly Table[]> {
  const contenders = behind('node', effort.contenders)
  const rounds = await contest({ file: 'pipeline', contenders }, effort)
  const about = {
    level: 'pipeline',
    quantity: 'cpu',
    contenders,
    cases: effort.cases,
    notes,
  } as const
  const ratios = ratioTable(rounds, { ...about, title: 'beside by hand', unit: '× bare' })
  return [
    absoluteTable(rounds, { ...about, title: 'a request', unit: 'ns' }),
    { ...ratios, bounds: pipelineBounds(ratios, effort) },
  ]
}

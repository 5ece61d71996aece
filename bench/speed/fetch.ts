import { fetchBounds } from './bounds.ts'
import { behind } from './contenders.ts'
import { contest } from './contest.ts'
import type { Effort } from './effort.ts'
import type { Table } from './figures.ts'
import { absoluteTable, ratioTable } from './tables.ts'

const notes = [
  'The bench makes a `Request`, calls the handler in the same process, and reads the body of ' +
    'the `Response` as text. Figures are CPU of the whole process.',
]

/** Measures the CPU of a request behind the fetch door, and its ratio to bare's. */
export async function fetch(effort: Effort): Promise<readonly Table[]> {
  const contenders = behind('fetch', effort.contenders)
  const runs = await contest({ file: 'fetch', contenders }, effort)
  const about = { level: 'fetch', quantity: 'cpu', contenders, cases: effort.cases, notes } as const
  const beside = { ...about, title: 'beside bare', unit: '× bare' }
  const ratios = ratioTable(runs, beside)
  return [
    { ...ratios, bounds: fetchBounds(ratios, runs, beside) },
    absoluteTable(runs, { ...about, title: 'a request', unit: 'ns' }),
  ]
}

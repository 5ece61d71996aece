import { fetchBounds } from './bounds.ts'
import { behind } from './contenders.ts'
import { contest } from './contest.ts'
import type { Effort } from './effort.ts'
import type { Table } from './figures.ts'
import { absoluteTable, ratioTable } from './tables.ts'

const notes = [
  'A `Request` is made, answered in the same process, and the body of its `Response` read as text. CPU of the whole process.',
]

/** Measures what a request costs where it comes in as a `Request`: in nanoseconds, and in times of what it costs by hand. */
export async function fetch(effort: Effort): Promise<readonly Table[]> {
  const contenders = behind('fetch', effort.contenders)
  const rounds = await contest({ file: 'fetch', contenders }, effort)
  const about = { level: 'fetch', quantity: 'cpu', contenders, cases: effort.cases, notes } as const
  const ratios = ratioTable(rounds, { ...about, title: 'beside by hand', unit: '× bare' })
  return [
    absoluteTable(rounds, { ...about, title: 'a request', unit: 'ns' }),
    { ...ratios, bounds: fetchBounds(ratios) },
  ]
}

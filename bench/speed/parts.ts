import { cases } from './cases.ts'
import { type Child, start } from './child.ts'
import { bare, bareKept, type Contender, ours } from './contenders.ts'
import type { Effort } from './effort.ts'
import type { Row, Table } from './figures.ts'
import { figureOf } from './times.ts'

const notes = [
  'Nanoseconds of CPU, by whose code they were spent in: a profiler that looks every 100 µs tells the shares. What V8 does for who calls it, `JSON.stringify` above all, counts for the caller: for `src/wire` of ours, for its own code by hand. The work is what all contenders share: the store, the validation, the problems. Nobody has rested here, so that what is compared is their work.',
]

/** Measures what the time of a request goes into, in the pipeline: by hand, and with ours. */
export async function parts(effort: Effort): Promise<readonly Table[]> {
  const names = [bare.name, bareKept.name, ...ours]
  const chosen = effort.contenders.filter(({ name }) => names.includes(name))
  const tables: Table[] = []
  for (const contender of chosen) tables.push(await partsOf(contender, effort))
  return tables
}

async function partsOf(contender: Contender, effort: Effort): Promise<Table> {
  const found = new Map<string, Map<string, number[]>>()
  for (let turn = 0; turn < effort.starts; turn++) {
    const file = 'inside/pipeline.mjs'
    const child = start({ ...effort, file, about: [contender.file] })
    try {
      await warmUp(child)
      for (const request of cases) {
        if (!effort.cases.includes(request.name)) continue
        const times = await child.ask<Record<string, number>>('parts', { request, times: asked })
        for (const [part, time] of Object.entries(times)) {
          valuesOf(found, part, request.name, effort.starts)[turn] = time
        }
      }
    } finally {
      await child.end()
    }
  }
  const rows = [...found].map(([part, figures]): Row => {
    const entries = [...figures].map(([name, values]) => [name, figureOf(values)] as const)
    return { contender: part, figures: Object.fromEntries(entries) }
  })
  return {
    level: 'parts',
    title: contender.name,
    unit: 'ns',
    cases: effort.cases,
    rows: rows.toSorted((one, other) => sumOf(other) - sumOf(one)),
    notes,
  }
}

const warmUpTurns = 15
const warmUpTimes = 1500
const asked = 40_000

// Watched, so that what is compiled tells what has been put into it.
async function warmUp(child: Child): Promise<void> {
  await child.ask('watch')
  for (let turn = 0; turn < warmUpTurns; turn++) {
    for (const request of cases) await child.ask('batch', { request, times: warmUpTimes })
  }
  await child.ask('unwatch')
}

// A part that the profiler has not come upon has taken no time.
function valuesOf(
  found: Map<string, Map<string, number[]>>,
  part: string,
  name: string,
  starts: number,
): number[] {
  const figures = found.get(part) ?? new Map<string, number[]>()
  const values = figures.get(name) ?? Array.from({ length: starts }, () => 0)
  found.set(part, figures.set(name, values))
  return values
}

function sumOf({ figures }: Row): number {
  return Object.values(figures).reduce((sum, { median }) => sum + median, 0)
}

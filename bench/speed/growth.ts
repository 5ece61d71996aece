import { boundOf } from './bounds.ts'
import { start } from './child.ts'
import type { Effort } from './effort.ts'
import type { Figure, Row, Table } from './figures.ts'
import { figureOf, median, type Times } from './times.ts'

const sizes = [1, 10, 100, 1000, 10_000]
const [smallest = 1] = sizes
const largest = 10_000

const most = { growth: 2.5, runs: 3 }

/** Measures the cost of more resources. */
export async function growth(effort: Effort): Promise<readonly Table[]> {
  return [await lookups(effort)]
}

async function lookups(effort: Effort): Promise<Table> {
  const figures = new Map<string, Record<string, Figure>>()
  for (const size of sizes) {
    const runs: Times[] = []
    for (let run = 0; run < most.runs; run++) runs.push(await lookUp(size, effort))
    for (const name of Object.keys(runs[0] ?? {})) {
      const figure = figureOf(runs.map((times) => median(times[name] ?? [])))
      figures.set(name, { ...figures.get(name), [caseOf(size)]: figure })
    }
  }
  const rows = [...figures].map(
    ([name, found]): Row => ({ contender: nameOf(name), figures: found }),
  )
  return {
    level: 'growth',
    title: 'to find what a path names',
    unit: 'ns',
    cases: sizes.map(caseOf),
    rows,
    notes: [
      'The paths of items in all of 1 to 10,000 collections. Other routers find one of two ' +
        'paths a collection; `parse` also reads the operation, `handle` also carries it out.',
    ],
    bounds: ['parse', 'handle'].map((name) => {
      const [one, all] = [smallest, largest].map(
        (size) => figures.get(name)?.[caseOf(size)]?.median,
      )
      const found = figureOf([(all ?? Number.NaN) / (one ?? Number.NaN)])
      return boundOf(`${name}, 10,000 over 1`, found, { sense: 'at most', limit: most.growth })
    }),
  }
}

function lookUp(size: number, effort: Effort): Promise<Times> {
  const child = start({ ...effort, file: 'inside/growth.mjs', about: [] })
  const asked = { size, effort: { rounds: 7, milliseconds: 20 } }
  return child.ask<Times>('growth', asked).finally(() => child.end())
}

function nameOf(name: string): string {
  return name === 'parse' || name === 'handle' ? `nounful, ${name}` : name
}

function caseOf(size: number): string {
  return size.toLocaleString('en')
}

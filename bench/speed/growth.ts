import { boundOf } from './bounds.ts'
import { start } from './child.ts'
import type { Effort } from './effort.ts'
import type { Figure, Row, Table } from './figures.ts'
import { figureOf, median, type Times } from './times.ts'

const sizes = [1, 10, 100, 1000, 10_000]
const [smallest = 1] = sizes
const largest = 10_000

/** The frameworks whose time to define resources, and whose heap, are measured. */
const defined = ['nounful', 'find-my-way', 'hono', 'h3', 'express', 'fastify']

const most = { growth: 2.5, bytes: 600, milliseconds: 50, runs: 3 }

/** Measures the cost of more resources. */
export async function growth(effort: Effort): Promise<readonly Table[]> {
  return [await lookups(effort), ...(await idle(effort))]
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

async function idle(effort: Effort): Promise<readonly Table[]> {
  const heaps = new Map<string, number[]>()
  const times = new Map<string, number[]>()
  for (const name of defined) {
    add(heaps, name, await ask('bytes', { name, size: 10_000, effort }))
    for (let run = 0; run < most.runs; run++) {
      add(times, name, await ask('milliseconds', { name, size: 1000, effort }))
    }
  }
  const bytes = figureOf(heaps.get('nounful') ?? [])
  const milliseconds = figureOf(times.get('nounful') ?? [])
  return [
    {
      ...tableOf('heap a resource', 'bytes', heaps),
      notes: [
        'With 10,000 resources and one request, after V8 has collected garbage by itself. ' +
          'Other frameworks have two paths a resource and one handler; nounful has an adapter ' +
          'with `list` and `read`.',
      ],
      bounds: [boundOf('heap a resource, bytes', bytes, { sense: 'at most', limit: most.bytes })],
    },
    {
      ...tableOf('to define 1,000 resources', 'ms', times),
      notes: ['In a fresh process that has not run the code before; its import does not count.'],
      bounds: [
        boundOf('to define 1,000, ms', milliseconds, {
          sense: 'at most',
          limit: most.milliseconds,
        }),
      ],
    },
  ]
}

interface Asked {
  readonly name: string
  readonly size: number
  readonly effort: Effort
}

async function ask(question: string, { name, size, effort }: Asked): Promise<number> {
  const flags = [...effort.flags, '--no-incremental-marking']
  const child = start({ ...effort, flags, file: 'inside/idle.mjs', about: [name] })
  return child.ask<number>(question, { size }).finally(() => child.end())
}

function add(values: Map<string, number[]>, name: string, value: number): void {
  values.set(name, [...(values.get(name) ?? []), value])
}

function tableOf(
  title: string,
  unit: string,
  values: ReadonlyMap<string, readonly number[]>,
): Table {
  const rows = [...values].map(([contender, found]) => ({
    contender,
    figures: { [title]: figureOf(found) },
  }))
  return { level: 'growth', title, unit, cases: [title], rows, notes: [] }
}

import { figureOf, median } from '../support/figures.ts'
import { start } from '../support/process.ts'
import { atMost, type Effort, rowOf, type Table } from './tables.ts'

const sizes = [1, 10, 100, 1000, 10_000]
const names = sizes.map((size) => size.toLocaleString('en'))
const ours: Readonly<Record<string, string>> = {
  parseRequest: 'nounful, parse',
  handle: 'nounful, handle',
}
const defined = ['nounful', 'find-my-way', 'hono', 'h3', 'express', 'fastify']
const runs = 3

/** Measures the cost of more resources. */
export async function growth(effort: Effort): Promise<readonly Table[]> {
  return [await lookups(effort), await definitions(effort)]
}

async function ask<Answer>(question: string, about: object, { core }: Effort): Promise<Answer> {
  const child = start({ file: new URL('inside/growth.mjs', import.meta.url), core })
  return child.ask<Answer>(question, about).finally(() => child.kill())
}

type Times = Readonly<Record<string, readonly number[]>>

async function lookups(effort: Effort): Promise<Table> {
  const times: Record<string, Times[]> = {}
  for (const [place, size] of sizes.entries()) {
    const all: Times[] = []
    const asked = { size, rounds: 7, milliseconds: 20 }
    for (let run = 0; run < runs; run++) all.push(await ask('growth', asked, effort))
    times[names[place] ?? ''] = all
  }
  const valuesOf = (router: string, name: string) =>
    (times[name] ?? []).map((run) => median(run[router] ?? []))
  return {
    ...{ level: 'growth', title: 'to find what a path names', unit: 'ns', cases: names },
    rows: Object.keys(times['1']?.[0] ?? {}).map((router) =>
      rowOf(ours[router] ?? router, names, (name) => valuesOf(router, name)),
    ),
    notes: [
      'The paths of items in all of 1 to 10,000 collections. Other routers find one of two ' +
        'paths a collection; `parse` also reads the operation, `handle` also carries it out.',
    ],
    bounds: Object.entries(ours).map(([router, name]) => {
      const [one, all] = ['1', '10,000'].map((size) => median(valuesOf(router, size)))
      const figure = figureOf([(all ?? Number.NaN) / (one ?? Number.NaN)])
      return atMost(`${name.replace('nounful, ', '')}, 10,000 over 1`, 2.5, figure)
    }),
  }
}

async function definitions(effort: Effort): Promise<Table> {
  const times: Record<string, number[]> = {}
  for (let run = 0; run < runs; run++) {
    for (const name of defined) {
      const time = await ask<number>('milliseconds', { name, size: 1000 }, effort)
      times[name] = [...(times[name] ?? []), time]
    }
  }
  return {
    ...{ level: 'growth', title: 'to define 1,000 resources', unit: 'ms', cases: ['ms'] },
    rows: defined.map((name) => rowOf(name, ['ms'], () => times[name] ?? [])),
    notes: [
      'In a fresh process that has not run the code before; its import does not count. Other ' +
        'frameworks have two paths a resource and one handler; nounful has an adapter.',
    ],
    bounds: [atMost('to define 1,000 resources, ms', 50, figureOf(times.nounful ?? []))],
  }
}

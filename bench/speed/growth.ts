import { figureOf, ratioOf } from '../support/figures.ts'
import { askOnce } from '../support/process.ts'
import { atMost, type Effort, Runs, type Table } from './tables.ts'

const sizes = [1, 10, 100, 1000, 10_000]
const names = sizes.map((size) => size.toLocaleString('en'))
const ours = ['nounful, parse', 'nounful, handle']
const defined = ['nounful', 'find-my-way', 'hono', 'h3', 'express', 'fastify']
const rounds = { rounds: 7, milliseconds: 20 }
const file = new URL('inside/growth.mjs', import.meta.url)

/** Measures the cost of more resources: to find one, and to define them. */
export async function growth({ core }: Effort): Promise<readonly Table[]> {
  const runs = new Runs()
  const routers = new Set<string>()
  for (let run = 0; run < 3; run++) {
    runs.begin()
    for (const [place, size] of sizes.entries()) {
      const asked = { size, ...rounds }
      const times = await askOnce<Record<string, number[]>>({ file, core }, 'growth', asked)
      for (const [router, values] of Object.entries(times)) {
        routers.add(router)
        for (const find of values) runs.add(router, names[place] ?? '', { find })
      }
    }
    for (const name of defined) {
      const define = await askOnce<number>({ file, core }, 'milliseconds', { name, size: 1000 })
      runs.add(name, 'ms', { define })
    }
  }
  return [lookups(runs, [...routers]), definitions(runs)]
}

function lookups(runs: Runs, contenders: readonly string[]): Table {
  const notes = [
    'The paths of items in all of 1 to 10,000 collections. Other routers find one of two paths a ' +
      'collection; `parse` also reads the operation, `handle` also carries it out.',
  ]
  const about = { level: 'growth', title: 'to find what a path names', quantity: 'find' } as const
  const bounds = ours.map((router) => {
    const [all, one] = ['10,000', '1'].map((size) => runs.medians('find', router, size))
    return atMost(`${router}, 10,000 over 1`, 2.5, figureOf([ratioOf(all, one)]))
  })
  return { ...runs.table({ ...about, cases: names, contenders, notes }, 'ns'), bounds }
}

function definitions(runs: Runs): Table {
  const notes = [
    'In a fresh process that has not run the code before; its import does not count. Other ' +
      'frameworks have two paths a resource and one handler; nounful has an adapter.',
  ]
  const about = { level: 'growth', title: 'to define 1,000 resources', quantity: 'define' } as const
  const figure = figureOf(runs.medians('define', 'nounful', 'ms'))
  const bounds = [atMost('to define 1,000 resources, ms', 50, figure)]
  return { ...runs.table({ ...about, cases: ['ms'], contenders: defined, notes }, 'ms'), bounds }
}

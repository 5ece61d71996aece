import { Agent, get } from 'node:http'
import { parseArgs } from 'node:util'
import { defineApi, defineRegistry, defineResource, handle, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { z } from 'zod'
import { median } from '../support/figures.ts'
import { openStore, requestOf, type Store, type StoreName, storeNames } from './stores.ts'

// Measures on each store whether the time of a 404 tells an item of another tenant from none, in
// `handle` and over HTTP.
//   node --conditions=nounful:source bench/handle/owners.ts --store sqlite --pairs 4000
// Ends with 1 where the test tells the two apart over HTTP. The keys are those of docs/owners.md;
// --keys "primary key (id)" shows a table without them.

const { values: options } = parseArgs({
  options: {
    store: { type: 'string', multiple: true },
    keys: { type: 'string' },
    pairs: { type: 'string', default: '4000' },
  },
})
const pairs = Number(options.pairs)

const text = z.string()
const Project = z.object({ id: text, tenant_id: text, name: text, created_at: text })
const projects = defineResource('projects', {
  schema: Project,
  create: Project.omit({ id: true }),
  sortable: ['name'],
  ownedBy: ['tenant_id'],
})
const api = defineApi({ v1: { '/projects': projects } })

/** The number of items of each of the two tenants. */
const count = 10_000
const idAt = (place: number) => `${place.toString(16).padStart(8, '0')}-project`
const idsFrom = (start: number) => Array.from({ length: count }, (_, at) => idAt(at * 3 + start))

/** Ids of one tenant, of the other, and of no item: alike in form, mixed in order. */
const [own, hidden, absent] = [idsFrom(0), idsFrom(1), idsFrom(2)]

const items = own.flatMap((id, place) =>
  [id, hidden[place] ?? ''].map((id, at) => ({
    id,
    tenant_id: at === 0 ? 'acme' : 'globex',
    name: `Project ${place}`,
    created_at: '2026-11-23T12:00:00.000Z',
  })),
)

// With both, each database looks up another tenant's id and an id of none in the same index.
function keysOf(store: StoreName): string {
  return store === 'mariadb'
    ? 'primary key (tenant_id, id), unique (id)'
    : 'primary key (id), unique (tenant_id, id)'
}

for (const name of storeNames.filter((name) => options.store?.includes(name) ?? true)) {
  const store = await openStore(name, items, [options.keys ?? keysOf(name)])
  if (store === undefined) {
    console.log(`${name}: not installed`)
    continue
  }
  console.log(`\n${name} (${store.version})`)
  const registry = registryOf(store)
  const ask = async (id: string) => (await handle(requestOf(`/v1/projects/${id}`), registry)).status
  await compare('handle', ask)
  await overHttp(registry)
  await store.close()
}

/** A registry whose caller is of one tenant. */
function registryOf({ db }: Store): Registry {
  return defineRegistry(api)
    .context(() => ({ tenant_id: 'acme' }))
    .scope(({ tenant_id }) => ({ tenant_id }))
    .adapters({
      projects: db ? kyselyAdapter(db, { table: 'projects' }) : memoryAdapter({ items }),
    })
}

/** Sends a request for an item; returns its status. */
type Ask = (id: string) => Promise<number>

// A pair is an item of another tenant and none, in an order by chance.
async function compare(door: string, ask: Ask): Promise<void> {
  const times: Readonly<Record<'hidden' | 'absent', number[]>> = { hidden: [], absent: [] }
  for (let turn = -1000; turn < pairs; turn++) {
    const at = Math.floor(Math.random() * count)
    const both = [
      [hidden[at] ?? '', times.hidden],
      [absent[at] ?? '', times.absent],
    ] as const
    for (const [id, list] of Math.random() < 0.5 ? both : both.toReversed()) {
      const start = process.hrtime.bigint()
      const status = await ask(id)
      const time = Number(process.hrtime.bigint() - start)
      if (status !== 404) throw new Error(`${id}: ${status}`)
      // The first ones compile.
      if (turn >= 0) list.push(time)
    }
  }
  const [hiddenTime, absentTime] = [median(times.hidden), median(times.absent)]
  const ratio = hiddenTime / absentTime
  const p = chanceOf(times.hidden, times.absent)
  const isAlike = Math.abs(ratio - 1) <= 0.02 && p > 0.01
  if (!isAlike && door === 'HTTP') process.exitCode = 1
  const texts = [hiddenTime, absentTime].map((time) => `${(time / 1000).toFixed(2)} µs`)
  console.log(
    `  404 by ${door}, ${pairs} pairs: hidden ${texts[0]}, absent ${texts[1]}, ` +
      `× ${ratio.toFixed(3)}, p = ${p.toFixed(3)}`,
  )
}

async function overHttp(registry: Registry): Promise<void> {
  const server = await serve(registry, { port: 0 })
  const { port } = server
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (id: string) =>
    new Promise<number>((resolve, reject) => {
      const request = get({ agent, port, host: '127.0.0.1', path: `/v1/projects/${id}` })
      request.on('error', reject)
      request.on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
    })
  await compare('HTTP', ask)
  agent.destroy()
  await server.close()
}

/**
 * Returns how likely two lists of times are to differ this much by chance, by the test of Mann and
 * Whitney: two-sided, with the normal distribution, and with a correction for ties.
 */
function chanceOf(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((time) => ({ time, isFirst: true })),
    ...second.map((time) => ({ time, isFirst: false })),
  ].toSorted((a, b) => a.time - b.time)
  let [ranks, ties] = [0, 0]
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end < all.length && all[end]?.time === all[start]?.time) end++
    const firsts = all.slice(start, end).filter(({ isFirst }) => isFirst).length
    ranks += (firsts * (start + 1 + end)) / 2
    ties += (end - start) ** 3 - (end - start)
    start = end
  }
  const [m, n, total] = [first.length, second.length, all.length]
  const u = ranks - (m * (m + 1)) / 2
  const deviation = Math.sqrt(((m * n) / 12) * (total + 1 - ties / (total * (total - 1))))
  const distance = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / deviation
  return 2 * (1 - normal(distance))
}

// Abramowitz and Stegun 26.2.17: wrong by at most 7.5e-8.
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * x)
  const powers = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = powers.reduceRight((rest, factor) => (rest + factor) * t, 0)
  return 1 - (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum
}

import { Agent, get } from 'node:http'
import { parseArgs } from 'node:util'
import { handle } from 'nounful'
import { serve } from 'nounful/node'
import { median } from '../speed/times.ts'
import { samePlaceTest } from './rank.ts'
import { type Calling, ids, openWorld, requestOf, type Store, stores, type World } from './world.ts'

// Measures two things on each store:
// - how much longer a read takes in `handle` for a caller of one tenant than for one of none;
// - whether the time of a 404 tells an item of another tenant from none, in `handle` and over HTTP.
//   node --conditions=nounful:source bench/owners/run.ts --store sqlite --pairs 4000
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
const chosen = stores.filter((store) => options.store?.includes(store) ?? true)

// With both, each database looks up another tenant's id and an id of none in the same index.
function keysOf(store: Store): string {
  return store === 'mariadb'
    ? 'primary key (tenant_id, id), unique (id)'
    : 'primary key (id), unique (tenant_id, id)'
}

/** Asks for an item; resolves with its status. */
type Ask = (id: string) => Promise<number> | number

let failures = 0

for (const store of chosen) {
  const world = await openWorld(store, options.keys ?? keysOf(store))
  if (world === undefined) {
    console.log(`${store}: not installed`)
    continue
  }
  console.log(`\n${store} (${world.version})`)
  await costs(world, store === 'memory' ? 4000 : 400)
  await compare(
    'handle',
    async (id) => (await handle(requestOf(id), world.registries.owner)).status,
  )
  await overHttp(world)
  await world.close()
}
process.exitCode = failures > 0 ? 1 : 0

// The three in turn, in every order: other work of the machine delays all alike.
async function costs({ registries }: World, size: number): Promise<void> {
  const requests = ids.own.map(requestOf)
  const times: Record<Calling, number[]> = { context: [], everything: [], owner: [] }
  const callings = Object.keys(times) as Calling[]
  for (let round = 0; round < 120; round++) {
    for (let place = 0; place < callings.length; place++) {
      const calling = callings[(place + round) % callings.length] as Calling
      const registry = registries[calling]
      const start = process.hrtime.bigint()
      for (let turn = 0; turn < size; turn++) {
        const request = requests[(turn * 7 + round) % requests.length] as (typeof requests)[0]
        const given = handle(request, registry)
        if (given instanceof Promise) await given
      }
      times[calling].push(Number(process.hrtime.bigint() - start) / size)
    }
  }
  // The first rounds compile.
  const [plain, all, own] = callings.map((calling) => times[calling].slice(30)) as [
    number[],
    number[],
    number[],
  ]
  const ratio = (some: number[]) => median(some.map((time, at) => time / (plain[at] ?? 0)))
  console.log(
    `  read in handle: ${median(plain).toFixed(0)} ns without owners; × ${ratio(all).toFixed(3)} ` +
      `for a caller of all, × ${ratio(own).toFixed(3)} for a caller of one`,
  )
}

// A pair is an item of another tenant and none, in an order by chance.
async function compare(place: string, ask: Ask): Promise<void> {
  const hidden: number[] = []
  const absent: number[] = []
  const timed = async (id: string, times: number[]) => {
    const start = process.hrtime.bigint()
    const status = await ask(id)
    times.push(Number(process.hrtime.bigint() - start))
    if (status !== 404) throw new Error(`${id} was answered ${status}`)
  }
  for (let turn = -1000; turn < pairs; turn++) {
    const at = Math.floor(Math.random() * ids.hidden.length)
    const both = [
      [ids.hidden[at] ?? '', turn < 0 ? [] : hidden],
      [ids.absent[at] ?? '', turn < 0 ? [] : absent],
    ] as const
    for (const [id, times] of Math.random() < 0.5 ? both : both.toReversed()) await timed(id, times)
  }
  const ratio = median(hidden) / median(absent)
  const p = samePlaceTest(hidden, absent)
  const isAlike = Math.abs(ratio - 1) <= 0.02 && p > 0.01
  if (!isAlike && place === 'HTTP') failures++
  console.log(
    `  404 by ${place}, ${pairs} pairs: hidden ${(median(hidden) / 1000).toFixed(2)} µs, ` +
      `absent ${(median(absent) / 1000).toFixed(2)} µs, × ${ratio.toFixed(3)}, p = ${p.toFixed(3)}`,
  )
}

async function overHttp({ registries }: World): Promise<void> {
  const server = await serve(registries.owner, { port: 0 })
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

import { type HttpRequest, handle } from 'nounful'
import type { Store } from '../owners/world.ts'
import { median } from '../speed/times.ts'
import { openWorld, pagesOf, readsOf, type Shown, type World } from './world.ts'

/** What is measured. */
export const cases = ['read', 'page'] as const

/** One of them. */
export type Case = (typeof cases)[number]

/** What one process found in one case. */
export interface Found {
  /** Nanoseconds of the hub. */
  readonly hub: number
  /** How many times as long as the hub. */
  readonly view: number
  readonly alone: number
  /** Bytes of a body. */
  readonly bytes: Readonly<Record<Shown, number>>
}

/** What one process found. */
export interface Run {
  readonly version: string
  readonly found: Readonly<Record<Case, Found>>
}

const rounds = 60
/** The first ones compile. */
const unmeasured = 20
/** A turn takes about so many nanoseconds. */
const turn = 6e6

/** Measures a store in this process; `undefined` for one that is not installed. */
export async function measure(store: Store): Promise<Run | undefined> {
  const world = await openWorld(store)
  if (world === undefined) return undefined
  const found = { read: await costs(world, readsOf), page: await costs(world, pagesOf) }
  await world.close()
  return { version: world.version, found }
}

// The three in turn, in every order: other work of the machine delays all alike.
async function costs(
  { registries }: World,
  requestsOf: (shown: Shown) => readonly HttpRequest[],
): Promise<Found> {
  const times: Record<Shown, number[]> = { hub: [], alone: [], view: [] }
  const all = Object.keys(times) as Shown[]
  const asked = { hub: requestsOf('hub'), alone: requestsOf('alone'), view: requestsOf('view') }
  let size = 20
  for (let round = 0; round < rounds; round++) {
    for (let place = 0; place < all.length; place++) {
      const shown = all[(place + round) % all.length] as Shown
      const begin = process.hrtime.bigint()
      await ask(asked[shown], registries[shown], { size, round })
      times[shown].push(Number(process.hrtime.bigint() - begin) / size)
    }
    if (round < unmeasured) size = Math.max(20, Math.round(turn / (times.hub.at(-1) ?? turn)))
  }
  const ratio = (some: Shown) =>
    median(times[some].map((time, at) => time / (times.hub[at] ?? 0)).slice(unmeasured))
  const bytes = { hub: 0, alone: 0, view: 0 }
  for (const shown of all) bytes[shown] = await bytesOf(asked[shown][0], registries[shown])
  const hub = median(times.hub.slice(unmeasured))
  return { hub, view: ratio('view'), alone: ratio('alone'), bytes }
}

async function ask(
  requests: readonly HttpRequest[],
  registry: World['registries'][Shown],
  { size, round }: { readonly size: number; readonly round: number },
): Promise<void> {
  for (let at = 0; at < size; at++) {
    const request = requests[(at * 7 + round) % requests.length] as HttpRequest
    const given = handle(request, registry)
    if (given instanceof Promise) await given
  }
}

async function bytesOf(request: HttpRequest | undefined, registry: World['registries'][Shown]) {
  const { status, body } = await handle(request as HttpRequest, registry)
  if (status !== 200) throw new Error(`${request?.url} was answered ${status}`)
  return JSON.stringify(body).length
}

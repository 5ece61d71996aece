import { median, slope } from '../support/figures.ts'
import { type Child, start } from '../support/process.ts'
import type { Times, Traffic } from './clients.ts'
import type { Gauge } from './gauge.ts'
import { Findings, type Form } from './report.ts'
import { during, type Server, startContender } from './server.ts'

/** Seconds of a window, windows of a round, rounds of ours, and windows of bare before them. */
const efforts = {
  short: { seconds: 3, windows: 2, rounds: 3, bareWindows: 2 },
  long: { seconds: 30, windows: 4, rounds: 5, bareWindows: 4 },
} as const satisfies Record<Form, object>

const connections = 200
const load = 0.8

/** Keeps a server at 80 % of its capacity, with slow clients, and looks at its memory. */
export async function sustained(form: Form): Promise<Findings> {
  const { seconds, windows, rounds, bareWindows } = efforts[form]
  const findings = new Findings()
  const [ours, bare] = [await startPair('nounful, serve'), await startPair('bare')]
  return during([...Object.values(ours), ...Object.values(bare)], async () => {
    const trafficOf = async (pair: Pair): Promise<Traffic> => {
      const perSecond = Math.round((await capacityOf(pair, form === 'short' ? 3 : 15)) * load)
      return { connections, seconds, perSecond }
    }
    const [traffic, bareTraffic] = [await trafficOf(ours), await trafficOf(bare)]
    const besides = await measure(bare, bareTraffic, bareWindows)
    const sameRate = await measure(bare, traffic, bareWindows)
    const results: Round[] = []
    while (results.length < rounds) {
      results.push({
        windows: await measure(ours, traffic, windows),
        gauge: await ours.server.ask<Gauge>('gauge'),
      })
    }
    findings.note('requests a second', traffic.perSecond ?? 0)
    findings.note('bare', bareTraffic.perSecond ?? 0)
    noteTimes(
      findings,
      results.flatMap(({ windows }) => windows),
      { besides, sameRate },
    )
    noteMemory(
      findings,
      results.map(({ gauge }) => gauge),
    )
    return findings
  })
}

interface Pair {
  readonly server: Server
  readonly clients: Child
}

async function startPair(name: string): Promise<Pair> {
  const server = await startContender(name)
  const clients = start({ file: new URL('clients.ts', import.meta.url), about: server.url })
  return { server, clients }
}

/** Requests a second, one after another on each connection, after as many that warm it up. */
async function capacityOf({ clients }: Pair, seconds: number): Promise<number> {
  const traffic: Traffic = { connections, seconds }
  await clients.ask('traffic', traffic)
  const { count } = await clients.ask<Times>('traffic', traffic)
  return count / seconds
}

/** Microseconds of a server's processor, and by the clock. */
interface Spent {
  readonly cpu: number
  readonly time: number
}

type Window = Times & { readonly busy: number }

/** Windows without a pause, and the gauge after them. */
interface Round {
  readonly windows: readonly Window[]
  readonly gauge: Gauge
}

// The first traffic is not measured. The gauge before it has forced a garbage collection while no
// request waited: then V8 drops all optimized code that names the shape of an object.
async function measure(
  { server, clients }: Pair,
  traffic: Traffic,
  count: number,
): Promise<Window[]> {
  await clients.ask('traffic', { ...traffic, seconds: Math.min(5, traffic.seconds) })
  const windows: Window[] = []
  while (windows.length < count) {
    const before = await server.ask<Spent>('spent')
    const times = await clients.ask<Times>('traffic', traffic)
    const after = await server.ask<Spent>('spent')
    windows.push({ ...times, busy: (after.cpu - before.cpu) / (after.time - before.time) })
  }
  return windows
}

interface Besides {
  /** Bare at 80 % of its own capacity. */
  readonly besides: readonly Window[]
  readonly sameRate: readonly Window[]
}

function noteTimes(
  findings: Findings,
  ours: readonly Window[],
  { besides, sameRate }: Besides,
): void {
  const of = (windows: readonly Window[], name: keyof Window) =>
    median(windows.map((window) => window[name]))
  findings.check('errors', Math.max(...ours.map(({ errors }) => errors)), 1)
  findings.note('busy', of(ours, 'busy') * 100, ' %')
  findings.note('median', of(ours, 'median'), ' ms')
  findings.note('p99', of(ours, 'p99'), ' ms')
  findings.note('bare busy', of(besides, 'busy') * 100, ' %')
  findings.note('bare p99', of(besides, 'p99'), ' ms')
  findings.note('bare p99.9', of(besides, 'p999'), ' ms')
  findings.note('bare p99.9 at our rate', of(sameRate, 'p999'), ' ms')
  findings.check('p99.9', of(ours, 'p999'), of(besides, 'p999') * 3, ' ms')
}

function noteMemory(findings: Findings, gauges: readonly Gauge[]): void {
  // Code and caches of the first round are no leak.
  const later = gauges.slice(1)
  const growth = slope(later.map(({ held }, place) => [place / gauges.length, held]))
  findings.check('memory more', growth / 2 ** 20, 2, ' MB')
  const half = Math.ceil(later.length / 2)
  // The least of each half: handles that open or close come and go, a leak stays.
  const leastOf = (gauges: readonly Gauge[]) => Math.min(...gauges.map(({ handles }) => handles))
  const [first, last] = [later.slice(0, half), later.slice(half)].map(leastOf)
  // Each slow client may keep a write and a timer at the one moment, and not at the other.
  const most = 1 + (2 * connections) / 100
  findings.check('handles more', (last ?? Number.NaN) - (first ?? Number.NaN), most)
}

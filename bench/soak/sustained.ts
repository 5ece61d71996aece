import { median, slope } from '../support/figures.ts'
import { type Child, start } from '../support/process.ts'
import type { Times, Traffic } from './clients.ts'
import type { Gauge } from './gauge.ts'
import { Findings, type Form } from './report.ts'
import { during, type Server, startContender } from './server.ts'

/** Seconds of a window, windows of ours in a row, and of bare before them. */
const efforts = {
  short: { seconds: 4, windows: 5, bareWindows: 2 },
  long: { seconds: 30, windows: 20, bareWindows: 4 },
} as const satisfies Record<Form, object>

const connections = 200
const load = 0.8

/** Keeps a server at 80 % of its capacity, with slow clients, and looks at its memory. */
export async function sustained(form: Form): Promise<Findings> {
  const { seconds, windows, bareWindows } = efforts[form]
  const findings = new Findings()
  const [ours, bare] = [await startPair('nounful, serve'), await startPair('bare')]
  return during([...Object.values(ours), ...Object.values(bare)], async () => {
    const capacity = await capacityOf(ours, form === 'short' ? 3 : 15)
    await capacityOf(bare, 3)
    const traffic = { connections, seconds, perSecond: Math.round(capacity * load) }
    const besides = await measure(bare, traffic, bareWindows)
    const results = await measure(ours, traffic, windows)
    findings.note('requests a second', traffic.perSecond)
    noteTimes(findings, results, besides)
    noteMemory(findings, results)
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

type Window = Times & Gauge & { readonly busy: number }

// The gauge collects garbage between windows, when no request waits.
async function measure(
  { server, clients }: Pair,
  traffic: Traffic,
  count: number,
): Promise<Window[]> {
  const windows: Window[] = []
  while (windows.length < count) {
    const before = await server.ask<Spent>('spent')
    const times = await clients.ask<Times>('traffic', traffic)
    const after = await server.ask<Spent>('spent')
    const busy = (after.cpu - before.cpu) / (after.time - before.time)
    windows.push({ ...times, busy, ...(await server.ask<Gauge>('gauge')) })
  }
  return windows
}

function noteTimes(findings: Findings, ours: readonly Window[], bare: readonly Window[]): void {
  const of = (windows: readonly Window[], name: keyof Window) =>
    median(windows.map((window) => window[name]))
  findings.check('errors', Math.max(...ours.map(({ errors }) => errors)), 1)
  findings.note('busy', of(ours, 'busy') * 100, ' %')
  findings.note('median', of(ours, 'median'), ' ms')
  findings.note('p99', of(ours, 'p99'), ' ms')
  findings.note('bare p99', of(bare, 'p99'), ' ms')
  findings.note('bare p99.9', of(bare, 'p999'), ' ms')
  findings.check('p99.9', of(ours, 'p999'), of(bare, 'p999') * 3, ' ms')
}

function noteMemory(findings: Findings, windows: readonly Window[]): void {
  // Code and caches of the first windows are no leak.
  const later = windows.slice(Math.floor(windows.length / 4))
  const growth = slope(later.map(({ held }, place) => [place / windows.length, held]))
  findings.check('memory more', growth / 2 ** 20, 2, ' MB')
  const half = Math.ceil(later.length / 2)
  // The least of each half: handles that open or close come and go, a leak stays.
  const leastOf = (windows: readonly Window[]) => Math.min(...windows.map(({ handles }) => handles))
  const [first, last] = [later.slice(0, half), later.slice(half)].map(leastOf)
  findings.check('handles more', (last ?? Number.NaN) - (first ?? Number.NaN), 1)
}

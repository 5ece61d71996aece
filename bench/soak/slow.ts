import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from '../support/figures.ts'
import { type Child, start } from '../support/process.ts'
import type { Times, Traffic } from './clients.ts'
import type { Drip } from './drip.ts'
import type { Gauge } from './gauge.ts'
import { Findings, type Form } from './report.ts'
import { during, type Server, startServer } from './server.ts'

/** The slow clients; and the seconds of normal traffic at a time, and how often. */
const efforts = {
  short: { drip: { heads: 1000, bodies: 200, readers: 100 }, seconds: 1, windows: 5 },
  long: { drip: { heads: 5000, bodies: 1000, readers: 200 }, seconds: 3, windows: 8 },
} as const satisfies Record<Form, { drip: Drip; seconds: number; windows: number }>

/** Lets clients that send and read a byte at a time crowd a server that has normal ones too. */
export async function slow(form: Form): Promise<Findings> {
  const { drip, seconds, windows } = efforts[form]
  // Long enough for the slow ones to be there all the while.
  const timeout = (2 * windows * seconds + 20) * 1000
  const server = await startServer({
    options: { headersTimeout: timeout, requestTimeout: timeout, writeTimeout: timeout },
  })
  const bare = await startServer({ isBare: true })
  const [ours, control] = [server, bare].map(({ url }) => clientsOf('clients.ts', url)) as [
    ...[Child, Child],
  ]
  const dripping = clientsOf('drip.ts', server.url)
  const findings = new Findings()
  return during([server, bare, ours, control, dripping], async () => {
    const measureBoth = () => measure({ ours, control, seconds, windows })
    await measureBoth()
    const before = await measureBoth()
    const empty = await server.ask<Gauge>('gauge')
    await dripping.ask('open', drip)
    await quiet(server)
    const beside = await measureBoth()
    const crowded = await server.ask<Gauge>('gauge')
    findings.note('slow heads', drip.heads)
    findings.note('bodies', drip.bodies)
    findings.note('readers', await server.ask<number>('openStreams'), ` of ${drip.readers}`)
    noteTimes(findings, before, beside)
    findings.note('held beside them', (crowded.held - empty.held) / 2 ** 20, ' MB')
    const rest = await emptied(server, timeout)
    findings.check('connections after the deadlines', rest.sockets, { is: 0 })
    findings.check('lists left open', await server.ask<number>('openStreams'), { is: 0 })
    findings.note('responses', await dripping.ask<number>('responses'))
    const held = (rest.held - empty.held) / 2 ** 20
    findings.check('held afterwards', held, { unit: ' MB', below: 10 })
    findings.note('RSS', rest.rss / 2 ** 20, ' MB')
    return findings
  })
}

function clientsOf(file: string, url: string): Child {
  return start({ file: new URL(file, import.meta.url), about: url })
}

// The system buffers some megabytes for a reader at once: this wait leaves them out.
async function quiet(server: Server): Promise<void> {
  const step = 500
  for (let at = 0; at < 40; at++) {
    const before = await server.ask<number>('spent')
    await pause(step)
    if ((await server.ask<number>('spent')) - before < (step * 1000) / 3) return
  }
}

interface Both {
  readonly ours: Child
  readonly control: Child
  readonly seconds: number
  readonly windows: number
}

interface P99 {
  readonly ours: number
  readonly control: number
  readonly errors: number
}

// In turn, so that other work of the machine delays both alike.
async function measure({ ours, control, seconds, windows }: Both): Promise<P99> {
  const traffic: Traffic = { connections: 50, perSecond: 500, seconds }
  const times: Record<'ours' | 'control', number[]> = { ours: [], control: [] }
  let errors = 0
  for (let window = 0; window < windows; window++) {
    const beside = await control.ask<Times>('traffic', traffic)
    const normal = await ours.ask<Times>('traffic', traffic)
    times.control.push(quantile(beside.times, 0.99))
    times.ours.push(quantile(normal.times, 0.99))
    errors += normal.errors
  }
  // The best window counts: other work of the machine comes and goes, slow clients stay.
  return { ours: Math.min(...times.ours), control: Math.min(...times.control), errors }
}

// Less than this is the noise of timers and processes that take turns.
const least = 5

function noteTimes(findings: Findings, before: P99, beside: P99): void {
  // How much slower the machine has become by itself, and under this load.
  const control = Math.max(1, Math.max(least, beside.control) / Math.max(least, before.control))
  const times = Math.max(least, beside.ours) / Math.max(least, before.ours)
  findings.note('normal p99', before.ours, ' ms')
  findings.note('beside them', beside.ours, ' ms')
  findings.note('bare node:http', before.control, ' ms')
  findings.note('beside them', beside.control, ' ms')
  findings.check('times as long', times / control, { below: 2 })
  findings.check('normal errors', before.errors + beside.errors, { is: 0 })
}

// The deadlines are the server's: the slow ones would go on for ever.
async function emptied(server: Server, timeout: number): Promise<Gauge> {
  const deadline = performance.now() + timeout + 10_000
  for (;;) {
    const gauge = await server.ask<Gauge>('gauge')
    if (gauge.sockets === 0 || performance.now() >= deadline) return gauge
    await pause(500)
  }
}

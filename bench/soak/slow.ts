import { setTimeout as pause } from 'node:timers/promises'
import type { Drip, Dripping } from './drip.ts'
import type { Gauge } from './gauge.ts'
import { type Child, start } from './processes.ts'
import { Findings, type Form, quantile, type Report } from './report.ts'
import { gauged, type Serving } from './serving.ts'
import type { Served, Traffic } from './traffic.ts'

interface Effort {
  readonly slow: Omit<Drip, 'url'>
  /** Seconds of normal traffic at a time, and how often. */
  readonly window: number
  readonly windows: number
}

const efforts: Readonly<Record<Form, Effort>> = {
  short: { slow: { heads: 1000, bodies: 200, readers: 100 }, window: 1, windows: 5 },
  long: { slow: { heads: 5000, bodies: 1000, readers: 200 }, window: 3, windows: 8 },
}

/** Lets clients that send and read a byte at a time crowd a server that has normal ones too. */
export async function slow(form: Form): Promise<Report> {
  const { slow, window, windows } = efforts[form]
  // Long enough for the slow ones to be there all the while.
  const timeout = (2 * windows * window + 20) * 1000
  const server = await gauged({
    options: { headersTimeout: timeout, requestTimeout: timeout, writeTimeout: timeout },
  })
  const bare = await gauged({ isBare: true })
  const both: Both = { server: trafficTo(server), bare: trafficTo(bare), window, windows }
  const drip = start({
    file: new URL('drip.ts', import.meta.url),
    about: { url: server.url, ...slow } satisfies Drip,
  })
  const findings = new Findings()
  try {
    await measure(both)
    const before = await measure(both)
    const empty = await server.ask<Gauge>('gauge')
    await drip.ask('open')
    await quiet(server)
    const beside = await measure(both)
    const crowded = await server.ask<Gauge>('gauge')
    const streams = await server.ask<number>('openStreams')
    findings.note('slow heads', slow.heads)
    findings.note('bodies', slow.bodies)
    findings.note('readers', streams, ` of ${slow.readers}`)
    noteTimes(findings, before, beside)
    findings.note('held beside them', (crowded.held - empty.held) / 2 ** 20, ' MB')
    await noteEnd(findings, { server, drip, empty, timeout })
  } finally {
    const all = [server, bare, both.server, both.bare, drip]
    await Promise.all(all.map((child) => child.kill()))
  }
  return findings
}

// The system buffers some megabytes for a reader at once: this wait leaves them out.
async function quiet(server: Serving): Promise<void> {
  const step = 500
  for (let at = 0; at < 40; at++) {
    const before = await server.ask<number>('spent')
    await pause(step)
    if ((await server.ask<number>('spent')) - before < (step * 1000) / 3) return
  }
}

interface Both {
  readonly server: Child
  readonly bare: Child
  readonly window: number
  readonly windows: number
}

interface Times {
  readonly server: number
  readonly bare: number
  readonly errors: number
}

function trafficTo({ url }: Serving): Child {
  return start({
    file: new URL('traffic.ts', import.meta.url),
    about: { url, connections: 50, perSecond: 500 } satisfies Traffic,
  })
}

// In turn, so that other work of the machine delays both alike.
async function measure({ server, bare, window, windows }: Both): Promise<Times> {
  const found: Served[] = []
  const control: Served[] = []
  for (let at = 0; at < windows; at++) {
    control.push(await bare.ask<Served>('run', window))
    found.push(await server.ask<Served>('run', window))
  }
  const errors = found.reduce((sum, served) => sum + served.errors, 0)
  return { server: p99Of(found), bare: p99Of(control), errors }
}

// The best window counts: other work of the machine comes and goes, slow clients stay.
function p99Of(all: readonly Served[]): number {
  return Math.min(...all.map(({ times }) => quantile(times, 0.99)))
}

// Less than this is the noise of timers and processes that take turns.
const least = 5

function noteTimes(findings: Findings, before: Times, beside: Times): void {
  // How much slower the machine has become by itself, and under this load.
  const control = Math.max(1, Math.max(least, beside.bare) / Math.max(least, before.bare))
  const times = Math.max(least, beside.server) / Math.max(least, before.server)
  findings.note('normal p99', before.server, ' ms')
  findings.note('beside them', beside.server, ' ms')
  findings.note('bare node:http', before.bare, ' ms')
  findings.note('beside them', beside.bare, ' ms')
  findings.check('times as long', times / control, { below: 2 })
  findings.check('normal errors', before.errors + beside.errors, { is: 0 })
}

interface End {
  readonly server: Serving
  readonly drip: Child
  readonly empty: Gauge
  readonly timeout: number
}

// The deadlines are the server's: the slow ones would go on for ever.
async function noteEnd(findings: Findings, { server, drip, empty, timeout }: End): Promise<void> {
  const deadline = performance.now() + timeout + 10_000
  let left = await server.ask<Gauge>('gauge')
  while (left.sockets > 0 && performance.now() < deadline) {
    await pause(500)
    left = await server.ask<Gauge>('gauge')
  }
  const { told } = await drip.ask<Dripping>('dripping')
  findings.check('connections after the deadlines', left.sockets, { is: 0 })
  findings.check('lists left open', await server.ask<number>('openStreams'), { is: 0 })
  findings.note('told why', told)
  findings.check('held afterwards', (left.held - empty.held) / 2 ** 20, { unit: ' MB', below: 10 })
  findings.note('RSS', left.rss / 2 ** 20, ' MB')
}

import type { Crowd, Waited } from './crowd.ts'
import { start } from './processes.ts'
import { Findings, type Form, type Report } from './report.ts'
import { gauged, type Serving } from './serving.ts'

const rounds = 5

/** Keeps thousands of connections, and lets all of them ask at once. */
export async function connections(form: Form): Promise<Report> {
  const count = form === 'short' ? 2000 : 10_000
  const findings = new Findings()
  // The speed of the machine just now.
  let control = await ask({ isBare: true }, count)
  let found = await ask(patient, count)
  let errors = found.errors
  for (let again = 0; again < 2 && found.p99 >= bound(control); again++) {
    control = await ask({ isBare: true }, count)
    found = await ask(patient, count)
    errors += found.errors
  }
  findings.note('connections', count, ` × ${rounds}`)
  findings.check('errors', errors, { is: 0 })
  findings.check('RSS', found.memory, { unit: ' MB', below: 300 })
  findings.check('p99', found.p99, { unit: ' ms', below: bound(control) })
  findings.note('median', found.median, ' ms')
  findings.note('server', found.spent, ' µs a request')
  findings.note('bare node:http RSS', control.memory, ' MB')
  findings.note('p99', control.p99, ' ms')
  findings.note('server', control.spent, ' µs')
  return findings
}

// As `npm start` does. By default V8 lets the young generation grow to 64 MB a half, and keeps it.
const flags = ['--max-semi-space-size=16']

const patient = { options: { headersTimeout: 60_000 } }

// Milliseconds. On a slow or busy machine an idle server is the measure.
function bound(control: Found): number {
  return Math.max(500, control.p99 * 2)
}

interface Found extends Waited {
  /** Megabytes, with all connections still there. */
  readonly memory: number
  /** Microseconds of the processor for a request, connections included. */
  readonly spent: number
}

async function ask(served: Parameters<typeof gauged>[0], count: number): Promise<Found> {
  const server: Serving = await gauged(served, flags)
  const about: Crowd = { url: server.url, count, rounds }
  const crowd = start({ file: new URL('crowd.ts', import.meta.url), about })
  try {
    const before = await server.ask<number>('spent')
    const waited = await crowd.ask<Waited>('run')
    const spent = ((await server.ask<number>('spent')) - before) / (count * rounds)
    return { ...waited, spent, memory: (await server.ask<number>('memory')) / 2 ** 20 }
  } finally {
    await Promise.all([crowd.kill(), server.kill()])
  }
}

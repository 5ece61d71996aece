import { quantile } from '../support/figures.ts'
import { start } from '../support/process.ts'
import type { Crowd, Times } from './clients.ts'
import { Findings, type Form } from './report.ts'
import { during, startServer } from './server.ts'

const rounds = 5
// As `npm start` does. By default V8 lets the young generation grow to 64 MB a half, and keeps it.
const flags = ['--max-semi-space-size=16']
const bare = { isBare: true }
const ours = { options: { headersTimeout: 60_000 } }

/** Keeps thousands of connections, and lets all of them ask at once. */
export async function connections(form: Form): Promise<Findings> {
  const count = form === 'short' ? 2000 : 10_000
  const findings = new Findings()
  // The speed of the machine just now.
  let control = await measure(bare, count)
  let crowd = await measure(ours, count)
  let errors = crowd.errors
  for (let again = 0; again < 2 && crowd.p99 >= boundOf(control); again++) {
    control = await measure(bare, count)
    crowd = await measure(ours, count)
    errors += crowd.errors
  }
  findings.note('connections', count, ` × ${rounds}`)
  findings.check('errors', errors, { is: 0 })
  findings.check('RSS', crowd.memory, { unit: ' MB', below: 300 })
  findings.check('p99', crowd.p99, { unit: ' ms', below: boundOf(control) })
  findings.note('median', crowd.median, ' ms')
  findings.note('server', crowd.spent, ' µs a request')
  findings.note('bare node:http RSS', control.memory, ' MB')
  findings.note('p99', control.p99, ' ms')
  findings.note('server', control.spent, ' µs')
  return findings
}

// Milliseconds. On a slow or busy machine an idle server is the measure.
function boundOf(control: { readonly p99: number }): number {
  return Math.max(500, control.p99 * 2)
}

async function measure(input: Parameters<typeof startServer>[0], count: number) {
  const server = await startServer(input, flags)
  const clients = start({ file: new URL('clients.ts', import.meta.url), about: server.url })
  return during([clients, server], async () => {
    const before = await server.ask<number>('spent')
    const { times, errors } = await clients.ask<Times>('crowd', { count, rounds } satisfies Crowd)
    // Microseconds of the processor for a request, connections included.
    const spent = ((await server.ask<number>('spent')) - before) / (count * rounds)
    const [median, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
    // Megabytes, with all connections still there.
    return { errors, median, p99, spent, memory: (await server.ask<number>('memory')) / 2 ** 20 }
  })
}

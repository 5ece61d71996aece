import { start } from '../support/process.ts'
import type { Crowd, Times } from './clients.ts'
import { Findings, type Form } from './report.ts'
import { during, startContender } from './server.ts'

const rounds = 5
const semiSpace = '--max-semi-space-size=16'
/** The flags of Node that docs/node.md compares, with the most megabytes of a server of ours. */
const worlds: Readonly<Record<Form, readonly (readonly [flags: string[], most: number])[]>> = {
  short: [[[semiSpace], 300]],
  long: [
    [[semiSpace], 300],
    [[], 400],
  ],
}

/** Keeps thousands of connections, and lets all of them ask at once. */
export async function connections(form: Form): Promise<Findings> {
  const count = form === 'short' ? 2000 : 10_000
  const findings = new Findings()
  findings.note('connections', count, ` × ${rounds}`)
  for (const [flags, most] of worlds[form]) {
    // On a slow or busy machine an idle server is the measure.
    let bare = await measure('bare', flags, count)
    let ours = await measure('nounful, serve', flags, count)
    for (let again = 0; again < 2 && ours.p99 >= boundOf(bare); again++) {
      bare = await measure('bare', flags, count)
      ours = await measure('nounful, serve', flags, count)
    }
    findings.check('errors', ours.errors, 1)
    findings.check(['RSS', ...flags].join(' '), ours.memory, most, ' MB')
    findings.check('p99', ours.p99, boundOf(bare), ' ms')
    findings.note('bare RSS', bare.memory, ' MB')
    findings.note('p99', bare.p99, ' ms')
  }
  return findings
}

function boundOf({ p99 }: Times): number {
  return Math.max(500, p99 * 2)
}

async function measure(name: string, flags: readonly string[], count: number) {
  const server = await startContender(name, { headersTimeout: 60_000 }, flags)
  const clients = start({ file: new URL('clients.ts', import.meta.url), about: server.url })
  return during([clients, server], async () => {
    const times = await clients.ask<Times>('crowd', { count, rounds } satisfies Crowd)
    // With all connections still there.
    return { ...times, memory: await server.ask<number>('memory') }
  })
}

import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Delay } from './gauge.ts'
import { Findings, type Form, quantile, type Report } from './report.ts'
import { gauged, type Serving } from './serving.ts'
import { sortMark, sortsOf, worstRequests } from './worst.ts'

const bound = 20

/** Sends the worst requests within the limits one by one, and times other requests. */
export async function loop(form: Form): Promise<Report> {
  const times = form === 'short' ? 5 : 40
  const findings = new Findings()
  const profile = process.env.SOAK_PROFILE
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  // Small sheets would not show what sorting and searching cost.
  const server = await gauged({ items: 10_000 }, flags)
  try {
    const lines: string[] = []
    const longest: number[] = []
    const only = process.env.SOAK_ONLY ?? ''
    for (const [name, request] of worstRequests()) {
      if (!name.includes(only)) continue
      const { status, delays } = await measure(server, request, times)
      // Other work of the machine may outlast all of these. A blocking request blocks later too.
      for (let again = 0; again < 2 && typicalOf(delays, form) >= bound; again++) {
        await pause(5000)
        delays.push(...(await measure(server, request, times)).delays)
      }
      const typical = typicalOf(delays, form)
      longest.push(typical)
      const cells = [typical, Math.min(...delays), Math.max(...delays)].map((ms) => ms.toFixed(1))
      lines.push(
        `  ${name.padEnd(36)} ${status} ${cells.map((cell) => cell.padStart(7)).join(' ')}`,
      )
      if (typical >= bound) findings.broken.push(`${name}: ${typical.toFixed(1)} ms (< ${bound})`)
    }
    console.log(`  event loop kept waiting, ms${' '.repeat(17)}median   least    most`)
    console.log(lines.join('\n'))
    findings.note('requests', lines.length, ` × ${times}`)
    findings.figures.push(`longest ${Math.max(...longest).toFixed(1)} ms (< ${bound})`)
    if (profile) server.process.kill('SIGTERM')
    if (profile) await new Promise((resolve) => server.process.once('exit', resolve))
  } finally {
    await server.kill()
  }
  return findings
}

// A blocking request blocks each time. Other work of the machine, frequent in the gate, does not.
function typicalOf(delays: readonly number[], form: Form): number {
  return form === 'short' ? Math.min(...delays) : quantile(delays, 0.5)
}

interface Measured {
  readonly status: number
  readonly delays: number[]
}

const warmUps = 3

async function measure(server: Serving, request: string, times: number): Promise<Measured> {
  const delays: number[] = []
  let status = 0
  for (let turn = 0; turn < warmUps + times; turn++) {
    await server.ask('listen')
    status = await ask(server.url, request.replace(sortMark, sortsOf(turn)))
    const { longest } = await server.ask<Delay>('delay')
    if (turn >= warmUps) delays.push(longest)
  }
  return { status, delays }
}

// Everything at once, as a client near by can; how long it waits itself is not the question.
function ask(url: string, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('data', (chunk) => {
      status ||= Number(chunk.toString('latin1', 9, 12))
    })
    socket.on('error', reject).on('close', () => resolve(status))
    socket.write(request)
  })
}

import { setTimeout as pause } from 'node:timers/promises'
import { open } from '../support/connection.ts'
import { quantile } from '../support/figures.ts'
import { Findings, type Form } from './report.ts'
import { during, type Server, startService } from './server.ts'
import { sortMark, sortsOf, worstRequests } from './worst.ts'

const bound = 20
const warmUps = 3

/** Sends the worst requests within the limits one by one, and times the event loop. */
export async function loop(form: Form): Promise<Findings> {
  const times = form === 'short' ? 5 : 40
  const findings = new Findings()
  const longest: number[] = []
  const server = await startService()
  await during([server], async () => {
    console.log(`  event loop kept waiting, ms${' '.repeat(17)}median   least    most`)
    for (const [name, request] of worstRequests()) {
      const { status, delays } = await measure(server, request, times)
      // Other work of the machine may outlast these. A blocking request blocks later too.
      for (let again = 0; again < 2 && typicalOf(delays, form) >= bound; again++) {
        await pause(5000)
        delays.push(...(await measure(server, request, times)).delays)
      }
      const typical = typicalOf(delays, form)
      longest.push(typical)
      const cells = [typical, Math.min(...delays), Math.max(...delays)]
      const text = cells.map((cell) => cell.toFixed(1).padStart(7)).join(' ')
      console.log(`  ${name.padEnd(36)} ${status} ${text}`)
      if (typical >= bound) findings.broken.push(`${name}: ${typical.toFixed(1)} ms (< ${bound})`)
    }
  })
  findings.note('requests', longest.length, ` × ${times}`)
  findings.figures.push(`longest ${Math.max(...longest).toFixed(1)} ms (< ${bound})`)
  return findings
}

// A blocking request blocks each time. Other work of the machine, frequent in the gate, does not.
function typicalOf(delays: readonly number[], form: Form): number {
  return form === 'short' ? Math.min(...delays) : quantile(delays, 0.5)
}

async function measure(server: Server, request: string, times: number) {
  const delays: number[] = []
  let status = 0
  for (let turn = 0; turn < warmUps + times; turn++) {
    await server.ask('listen')
    status = await statusOf(server.url, request.replace(sortMark, sortsOf(turn)))
    const delay = await server.ask<number>('delay')
    if (turn >= warmUps) delays.push(delay)
  }
  return { status, delays }
}

// Sends everything at once, as a client near by can, and keeps nothing of 50 MB.
function statusOf(url: string, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let status: number | undefined
    open(url)
      .once('data', (chunk: Buffer) => {
        status = Number(chunk.toString('latin1', 9, 12))
      })
      .on('close', () => (status ? resolve(status) : reject(new Error('No response'))))
      .resume()
      .write(request)
  })
}

import { slope } from '../support/figures.ts'
import { type Child, start } from '../support/process.ts'
import type { Attack, AttackResult } from './attacker.ts'
import type { Gauge } from './gauge.ts'
import { Findings, type Form } from './report.ts'
import { during, type Server, startExample, startServer } from './server.ts'

interface Effort {
  readonly count: number
  /** Bytes that each request may leave on the heap: the precision of the measurement. */
  readonly bytes: number
  readonly companies: readonly string[]
}

const million = 1_000_000
const samples = 20
const warmUp = 10_000

/** Sends hostile requests, all different, to a server in memory and to the example on SQLite. */
export async function hostile(form: Form): Promise<Findings> {
  const [count, bytes] = form === 'short' ? [30_000, 32] : [million, 2 ** 20 / million]
  const companies = Array.from({ length: 10 }, (_, at) => `c-${at + 1}`)
  const findings = await attack(await startServer({}), { count, bytes, companies })
  findings.note('the example:', '')
  const sample = { count: count / 3, bytes: bytes * 3, companies: ['001', '002', '003'] }
  findings.add(await attack(await startExample(), sample))
  return findings
}

/** Sends hostile requests, looks into the server in between, and ends it. */
export async function attack(server: Server, effort: Effort): Promise<Findings> {
  const { count, bytes, companies } = effort
  const about: Attack = { url: server.url, seed: 1, companies }
  const attacker = start({ file: new URL('attacker.ts', import.meta.url), about })
  const findings = new Findings()
  return during([attacker, server], async () => {
    const before = await textsOf(attacker)
    await attacker.ask('attack', warmUp)
    const gauges: Gauge[] = []
    let seconds = 0
    for (let sample = 0; sample <= samples; sample++) {
      await attacker.ask('clean')
      gauges.push(await server.ask<Gauge>('gauge'))
      if (sample === samples) break
      const begin = performance.now()
      await attacker.ask('attack', Math.round(count / samples))
      seconds += (performance.now() - begin) / 1000
    }
    noteAnswers(findings, await attacker.ask<AttackResult>('result'))
    findings.check('items harmed', (await textsOf(attacker)) === before ? 0 : 1, { is: 0 })
    noteMemory(findings, gauges, { step: count / samples, bytes })
    findings.note('requests a second', Math.round(count / seconds))
    return findings
  })
}

async function textsOf(attacker: Child): Promise<string> {
  const employees = await attacker.ask<string>('text', '/v1/employees')
  return employees + (await attacker.ask<string>('text', '/v1/companies'))
}

function noteAnswers(findings: Findings, { counts, unanswered, faults }: AttackResult): void {
  const sum = (isStatus: boolean): number =>
    Object.entries(counts)
      .filter(([name]) => /^\d+$/.test(name) === isStatus)
      .reduce((total, [, count]) => total + count, 0)
  findings.note('answers', sum(true))
  findings.check('wrong', sum(false), { is: 0 })
  findings.check('missing', unanswered, { is: 0 })
  findings.note('by status', JSON.stringify(counts))
  for (const fault of faults) console.error(fault)
}

interface Steps {
  /** Requests from one sample to the next. */
  readonly step: number
  readonly bytes: number
}

function noteMemory(findings: Findings, gauges: readonly Gauge[], { step, bytes }: Steps): void {
  // Code and caches of the first requests are no leak.
  const later = gauges.slice(Math.floor(gauges.length / 4))
  const growth = slope(later.map(({ held }, at) => [at * step, held]))
  findings.check('growth', (growth * million) / 2 ** 20, {
    unit: ' MB in a million',
    below: (bytes * million) / 2 ** 20,
  })
  const half = Math.ceil(later.length / 2)
  // The least of each half: handles that open or close come and go, a leak stays.
  const [first, last] = [later.slice(0, half), later.slice(half)].map((gauges) =>
    Math.min(...gauges.map(({ handles }) => handles)),
  )
  findings.check('handles more', (last ?? Number.NaN) - (first ?? Number.NaN), { below: 1 })
  findings.note('heap', (later.at(-1)?.heap ?? 0) / 2 ** 20, ' MB')
  findings.note('RSS', (later.at(-1)?.rss ?? 0) / 2 ** 20, ' MB')
}

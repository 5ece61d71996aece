import type { Asked, Asker } from './asker.ts'
import type { Gauge } from './gauge.ts'
import { start } from './processes.ts'
import { Findings, type Form, type Report, slope } from './report.ts'
import type { Known } from './requests.ts'
import { example, gauged, type Serving } from './serving.ts'

interface Soaked {
  readonly count: number
  readonly known: Known
  /** Bytes that each request may leave on the heap: the precision of the measurement. */
  readonly bytes: number
}

const million = 1_000_000
const inMemory = Array.from({ length: 10 }, (_, at) => `c-${at + 1}`)
const inSample = ['001', '002', '003']

/** Sends hostile requests, all different, to a server in memory and to the example on SQLite. */
export async function hostile(form: Form): Promise<Report> {
  const [count, bytes] = form === 'short' ? [30_000, 32] : [million, 2 ** 20 / million]
  const findings = new Findings()
  const server = await gauged({})
  try {
    findings.add(await soak(server, { count, bytes, known: inMemory }))
  } finally {
    await server.kill()
  }
  const service = await example()
  try {
    findings.note('the example:', '')
    findings.add(await soak(service, { count: count / 3, bytes: bytes * 3, known: inSample }))
  } finally {
    await service.kill()
  }
  return findings
}

const samples = 20
const warmUp = 10_000

/** Sends them, and looks into the server in between. */
export async function soak(server: Serving, { count, bytes, known }: Soaked): Promise<Report> {
  const about: Asker = { url: server.url, seed: 1, known }
  const asker = start({ file: new URL('asker.ts', import.meta.url), about })
  const findings = new Findings()
  try {
    const before = await totals(asker)
    await asker.ask('ask', warmUp)
    const gauges: Gauge[] = []
    let seconds = 0
    for (let sample = 0; sample <= samples; sample++) {
      await asker.ask('tidy')
      gauges.push(await server.ask<Gauge>('gauge'))
      if (sample === samples) break
      const begin = performance.now()
      await asker.ask('ask', Math.round(count / samples))
      seconds += (performance.now() - begin) / 1000
    }
    noteAnswers(findings, await asker.ask<Asked>('asked'))
    findings.check('items harmed', (await totals(asker)) === before ? 0 : 1, { is: 0 })
    noteMemory(findings, gauges, { step: count / samples, bytes })
    findings.note('requests a second', Math.round(count / seconds))
  } finally {
    await asker.kill()
  }
  return findings
}

async function totals(asker: ReturnType<typeof start>): Promise<string> {
  const employees = await asker.ask<string>('total', '/v1/employees')
  return employees + (await asker.ask<string>('total', '/v1/companies'))
}

function noteAnswers(findings: Findings, { counts, unanswered, wrong }: Asked): void {
  const isStatus = ([name]: [string, number]) => /^\d+$/.test(name)
  const all = Object.entries(counts)
  const answered = all.filter(isStatus).reduce((sum, [, count]) => sum + count, 0)
  const faulty = all.filter((entry) => !isStatus(entry)).reduce((sum, [, count]) => sum + count, 0)
  findings.note('answers', answered)
  findings.check('wrong', faulty, { is: 0 })
  findings.check('missing', unanswered, { is: 0 })
  findings.note('by status', JSON.stringify(counts))
  for (const one of wrong) console.error(one)
}

interface Steps {
  /** Requests from one sample to the next. */
  readonly step: number
  readonly bytes: number
}

function noteMemory(findings: Findings, gauges: readonly Gauge[], { step, bytes }: Steps): void {
  // Code and caches of the first requests are no leak.
  const later = gauges.slice(Math.floor(gauges.length / 4))
  const grown = slope(later.map(({ held }, at) => [at * step, held]))
  findings.check('growth', (grown * million) / 2 ** 20, {
    unit: ' MB in a million',
    below: (bytes * million) / 2 ** 20,
  })
  const last = later.at(-1)
  const half = Math.ceil(later.length / 2)
  // The least of each half: handles that open or close come and go, a leak stays.
  const more = leastHandles(later.slice(half)) - leastHandles(later.slice(0, half))
  findings.check('handles more', more, { below: 1 })
  findings.note('heap', (last?.heap ?? 0) / 2 ** 20, ' MB')
  findings.note('RSS', (last?.rss ?? 0) / 2 ** 20, ' MB')
}

function leastHandles(gauges: readonly Gauge[]): number {
  return Math.min(...gauges.map(({ handles }) => handles))
}

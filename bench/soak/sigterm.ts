import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Busy } from './busy.ts'
import { Findings, type Form, type Report } from './report.ts'
import { example, gauged, type Serving } from './serving.ts'

/** Ends servers that are at work, and those that cannot end by themselves. */
export async function sigterm(form: Form): Promise<Report> {
  const rounds = form === 'short' ? 4 : 20
  const findings = new Findings()
  note(findings, 'server', await many(rounds, () => gauged({}), { hasSlow: true }))
  note(findings, 'example', await many(rounds, () => example(), { hasSlow: false }))
  const impatient = { hasSlow: false, isImpatient: true }
  note(findings, 'impatient', await many(rounds, () => example(), impatient))
  findings.add(await endHung())
  return findings
}

interface End {
  readonly code: number | string
  readonly lost: readonly string[]
  readonly answered: number
  /** Milliseconds from the last answer to the end. */
  readonly late: number
}

interface Load {
  readonly hasSlow: boolean
  /** Whether the signal is sent again and again until the end. */
  readonly isImpatient?: boolean
}

async function many(rounds: number, start: () => Promise<Serving>, load: Load): Promise<End[]> {
  const ends: End[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await start()
    try {
      ends.push(await end(server, new Busy(server.url, 32, load), load.isImpatient))
    } finally {
      await server.kill()
    }
  }
  return ends
}

async function end(
  { process: child }: Serving,
  busy: Busy,
  isImpatient: boolean | undefined,
): Promise<End> {
  const exit = once(child, 'exit')
  // In the middle of something else each time.
  await pause(300 + Math.random() * 400)
  child.kill('SIGTERM')
  const again = isImpatient ? setInterval(() => child.kill('SIGTERM'), 2) : undefined
  const [code, signal] = await Promise.race([exit, pause(12_000, [Number.NaN, 'never'] as const)])
  const ended = performance.now()
  clearInterval(again)
  // Clients would send to a server that never ends for ever.
  await Promise.race([busy.done, pause(2000)])
  busy.stop()
  await busy.done
  const { lost, answered, last } = busy
  return { code: code ?? signal, lost, answered, late: ended - last }
}

function note(findings: Findings, name: string, ends: readonly End[]): void {
  const lost = ends.flatMap((end) => end.lost)
  const codes = [...new Set(ends.map(({ code }) => code))]
  findings.note(`${name}:`, ends.length, ' times')
  findings.note(
    'answered',
    ends.reduce((sum, { answered }) => sum + answered, 0),
  )
  findings.check('not answered', lost.length, { is: 0 })
  findings.check('ends after', Math.max(...ends.map(({ late }) => late)), {
    unit: ' ms',
    below: 1000,
  })
  const faulty = ends.filter(({ code }) => code !== 0).length
  findings.check(`other codes than 0${faulty > 0 ? ` [${codes}]` : ''}`, faulty, { is: 0 })
  for (const one of new Set(lost)) console.error(`${name}: ${one.slice(0, 100)}`)
}

// An adapter that never answers must not keep the process.
async function endHung(): Promise<Report> {
  const closeTimeout = 1000
  const findings = new Findings()
  const server = await gauged({ options: { closeTimeout } })
  try {
    const asked = fetch(`${server.url}/v1/stalls`).catch(() => undefined)
    await pause(300)
    const exit = once(server.process, 'exit')
    const begin = performance.now()
    server.process.kill('SIGTERM')
    const [code] = await exit
    await asked
    findings.check('hung adapter: ends after', performance.now() - begin, {
      unit: ' ms',
      below: closeTimeout + 1000,
    })
    findings.check('with code', code ?? Number.NaN, { is: 0 })
  } finally {
    await server.kill()
  }
  return findings
}

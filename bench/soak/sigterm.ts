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
  note(findings, 'twice', await many(rounds / 4, () => example(), { hasSlow: false, times: 2 }))
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
  /** How often the signal is sent. */
  readonly times?: number
}

async function many(rounds: number, start: () => Promise<Serving>, load: Load): Promise<End[]> {
  const ends: End[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await start()
    try {
      ends.push(await end(server, new Busy(server.url, 32, load), load.times))
    } finally {
      await server.kill()
    }
  }
  return ends
}

async function end({ process: child }: Serving, busy: Busy, times = 1): Promise<End> {
  const exit = once(child, 'exit')
  // In the middle of something else each time.
  await pause(300 + Math.random() * 400)
  for (let time = 0; time < times; time++) {
    child.kill('SIGTERM')
    await pause(50)
  }
  const [code, signal] = await Promise.race([exit, pause(12_000, [Number.NaN, 'never'] as const)])
  const ended = performance.now()
  // A server that somebody has left behind is asked for ever.
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

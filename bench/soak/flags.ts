import { once } from 'node:events'
import { soak } from './hostile.ts'
import { type Child, command } from './processes.ts'
import { Findings, type Form, type Report } from './report.ts'
import { gauged } from './serving.ts'

interface World {
  readonly name: string
  /** Options of Node's. */
  readonly flags?: string
  readonly env?: NodeJS.ProcessEnv
}

const strict = '--unhandled-rejections=strict --disable-proto=throw'

const worlds: Readonly<Record<Form, readonly World[]>> = {
  short: [{ name: 'strict, in Chatham', flags: strict, env: { TZ: 'Pacific/Chatham' } }],
  long: [
    { name: 'plain' },
    { name: '--unhandled-rejections=strict', flags: '--unhandled-rejections=strict' },
    { name: '--disable-proto=throw', flags: '--disable-proto=throw' },
    { name: 'in Chatham', env: { TZ: 'Pacific/Chatham' } },
    { name: 'in New York', env: { TZ: 'America/New_York' } },
  ],
}

/** Runs the core's tests under rare flags and places, and a server with a heap of 64 MB. */
export async function flags(form: Form): Promise<Report> {
  const findings = new Findings()
  for (const world of worlds[form]) {
    const { passed, failed, said } = await runTests(world, form === 'short' ? core : [])
    findings.note(`${world.name}:`, passed, ' passed')
    findings.check('failed', failed, { is: 0 })
    if (failed !== 0) console.error(said)
  }
  const server = await gauged({}, ['--max-old-space-size=64', ...strict.split(' ')])
  try {
    findings.note('a heap of 64 MB:', '')
    const [count, bytes] = form === 'short' ? [10_000, 96] : [300_000, 4]
    findings.add(await soak(server, { count, bytes, known: ['c-1', 'c-2', 'c-3'] }))
  } finally {
    await server.kill()
  }
  return findings
}

interface Result {
  readonly passed: number
  /** Not a number where nothing was run. */
  readonly failed: number
  readonly said: string
}

// By night everything that needs no database.
const core = ['test/convention', 'test/contract', 'test/wire', 'test/server']

async function runTests({ flags = '', env = {} }: World, only: readonly string[]): Promise<Result> {
  const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname
  const config = new URL('suite/vitest.config.ts', import.meta.url).pathname
  const child: Child = command(process.execPath, [vitest, 'run', `--config=${config}`, ...only], {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, ...env, SOAK_FLAGS: flags, NO_COLOR: '1' },
  })
  await once(child.process, 'exit')
  const said = child.said()
  await child.kill()
  const [, tests = ''] = /\n +Tests +(.*)/.exec(said) ?? []
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(tests)?.[1] ?? 0)
  const faults = count('failed') + Number(/\n +Errors +(\d+)/.exec(said)?.[1] ?? 0)
  const suites = Number(/\n *Test Files +(\d+) failed/.exec(said)?.[1] ?? 0)
  return { passed: count('passed'), failed: tests === '' ? Number.NaN : faults || suites, said }
}

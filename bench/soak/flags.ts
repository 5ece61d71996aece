import { once } from 'node:events'
import { command } from '../support/process.ts'
import { attack } from './hostile.ts'
import { Findings, type Form } from './report.ts'
import { startServer } from './server.ts'

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
    ...strict.split(' ').map((flags) => ({ name: flags, flags })),
    { name: 'in Chatham', env: { TZ: 'Pacific/Chatham' } },
    { name: 'in New York', env: { TZ: 'America/New_York' } },
  ],
}

/** Runs the core's tests under rare flags and places, and a server with a heap of 64 MB. */
export async function flags(form: Form): Promise<Findings> {
  const findings = new Findings()
  for (const world of worlds[form]) {
    const { passed, failed, output } = await runTests(world, form === 'short' ? core : [])
    findings.note(`${world.name}:`, passed, ' passed')
    findings.check('failed', failed, { is: 0 })
    if (failed !== 0) console.error(output)
  }
  findings.note('a heap of 64 MB:', '')
  const [count, bytes] = form === 'short' ? [10_000, 96] : [300_000, 4]
  const server = await startServer({}, ['--max-old-space-size=64', ...strict.split(' ')])
  findings.add(await attack(server, { count, bytes, companies: ['c-1', 'c-2', 'c-3'] }))
  return findings
}

// By night every test that needs no database.
const core = ['test/convention', 'test/contract', 'test/wire', 'test/server']

async function runTests({ flags = '', env = {} }: World, files: readonly string[]) {
  const pathOf = (name: string) => new URL(name, import.meta.url).pathname
  const config = `--config=${pathOf('suite/vitest.config.ts')}`
  const vitest = pathOf('../../node_modules/vitest/vitest.mjs')
  const child = command(process.execPath, [vitest, 'run', config, ...files], {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, ...env, SOAK_FLAGS: flags, NO_COLOR: '1' },
  })
  await once(child.process, 'exit')
  const output = child.output()
  await child.kill()
  const countOf = (pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? 0)
  const hasRun = /\n +Tests +\d/.test(output)
  const failed =
    countOf(/\n +Tests .*?(\d+) failed/) +
    countOf(/\n +Errors +(\d+)/) +
    countOf(/\n *Test Files +(\d+) failed/)
  const passed = countOf(/\n +Tests .*?(\d+) passed/)
  // Not a number where nothing was run: that breaks the bound.
  return { passed, failed: hasRun ? failed : Number.NaN, output }
}

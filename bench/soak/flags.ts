import { execFile } from 'node:child_process'
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
    const { code, output } = await runTests(world, form === 'short' ? core : [])
    findings.note(`${world.name}:`, /\n +Tests +(.*)/.exec(output)?.[1] ?? 'no tests')
    findings.check('exit code', code, { is: 0 })
    if (code !== 0) console.error(output.slice(-4000))
  }
  findings.note('a heap of 64 MB:', '')
  const [count, bytes] = form === 'short' ? [10_000, 96] : [300_000, 4]
  const server = await startServer({}, ['--max-old-space-size=64', ...strict.split(' ')])
  findings.add(await attack(server, { count, bytes, companies: ['c-1', 'c-2', 'c-3'] }))
  return findings
}

// By night every test that needs no database.
const core = ['test/convention', 'test/contract', 'test/wire', 'test/server']

function runTests({ flags = '', env = {} }: World, files: readonly string[]) {
  const pathOf = (name: string) => new URL(name, import.meta.url).pathname
  const config = `--config=${pathOf('suite/vitest.config.ts')}`
  const command = [pathOf('../../node_modules/vitest/vitest.mjs'), 'run', config, ...files]
  const variables = { ...process.env, ...env, SOAK_FLAGS: flags, NO_COLOR: '1' }
  const options = { cwd: pathOf('../..'), env: variables, maxBuffer: 2 ** 26 }
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      // A test, a file or an unhandled error that fails, and that no test was run.
      const code = error === null ? 0 : Number(error.code)
      resolve({ code, output: stdout + stderr })
    })
  })
}

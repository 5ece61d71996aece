import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { tenantFiles } from '../../src/project/files.ts'
import { tenantProject } from '../../src/project/starter.ts'
import { writeProject } from './exported.ts'

const folder = writeProject('tenants', tenantFiles(tenantProject('tenants'), 'postgres'))
const cwd = fileURLToPath(folder)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const flags = ['--disable-warning=ExperimentalWarning', '--conditions=nounful:source']

function run(words: readonly string[], env: Readonly<Record<string, string>>) {
  const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8' } as const
  return spawnSync(process.execPath, [...flags, ...words], options)
}

test('its own tests pass, with the proof of isolation', () => {
  // One of them runs the packed command line.
  const words = ['--test', '--test-reporter=tap', '--test-skip-pattern=convention', 'api.test.ts']
  const { status, stdout } = run(words, {})
  expect([status, stdout.match(/^ok .*/gm)?.length, stdout.match(/^not ok .*/gm)]).toEqual([
    ...[0, 12, null],
  ])
  expect(stdout).toContain('ok 12 - /v1/projects/:project_id/tasks is isolated')
}, 120_000)

test('it does not start in production without an identity provider', () => {
  const { status, stderr } = run(['server.ts'], {
    NODE_ENV: 'production',
    DATABASE_URL: ':memory:',
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining('Set JWKS_URL to the key set')])
})

test('the server logs, counts, tells its health, and stops', async () => {
  const env = { ...process.env, DATABASE_URL: ':memory:', PORT: '0' }
  const server = spawn(process.execPath, [...flags, 'server.ts'], { cwd, env })
  const lines = linesOf(server)
  const url = await lines.find(/^Listening on (\S+)/)
  const token = await lines.find(/^ann=(\S+)/)
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'request-7' }
  const get = async (path: string, more: Record<string, string> = headers) => {
    const response = await fetch(`${url}${path}`, { headers: more })
    return [response.status, await response.text()] as const
  }
  expect(await get('/v1/projects')).toEqual([200, '[]'])
  expect(await lines.find(/^(\{.*"request-7".*\})$/)).toContain('"status":200')
  expect(await get('/v1/projects', {})).toEqual([401, expect.stringContaining('unauthenticated')])
  expect(await get('/health', {})).toEqual([200, '{"status":"ok"}'])
  const [, metrics] = await get('/metrics', {})
  expect(metrics).toContain(
    '\nhttp_requests_total{method="GET",path="/v1/projects",status="200"} 1\n',
  )
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
}, 30_000)

/** Returns a function that waits for a line, and returns the first group of its pattern. */
function linesOf({ stdout }: ChildProcess) {
  if (stdout === null) throw new Error('The server has no output')
  const seen: string[] = []
  const reader = createInterface({ input: stdout })
  reader.on('line', (line) => seen.push(line))
  const find = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [, group] = seen.map((line) => pattern.exec(line)).find((match) => match !== null) ?? []
      if (group !== undefined) return group
      await once(reader, 'line')
    }
  }
  return { find }
}

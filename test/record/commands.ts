import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { digestOf } from './canonical.ts'

const root = new URL('../..', import.meta.url)
const modules = [
  'examples/companies/registry.ts',
  'examples/companies/contract.ts',
  'examples/tenants/contract.ts',
  'examples/tracker/tracker.ts',
  'test/record/contract.ts',
]
const requests = [
  'DELETE /v1/employees?q=ann',
  'GET /v1/companies?sort=-name&limit=2',
  'POST /v2/companies',
  'GET /nounful_no',
]
const page = 'docs/api.md'
/** Stands for the URL of the service of service.ts. */
const service = '<url>'
const amy = ['--header', 'authorization: Bearer amy']
const callers = ['ann', 'bob'].flatMap((name) => ['--as', `authorization: Bearer ${name}`])
const isolation = ['--write', ...callers, '--as-everything', 'authorization: Bearer ops']
const names = ['routes', 'openapi', 'explain', 'check', 'doctor', 'snapshot', 'diff', 'changes']

/** The lines of the command line, and the page of the public types, one for each digest. */
export const lines: readonly (readonly string[])[] = [
  ['--help'],
  ['nounful_no'],
  ...names.map((name) => [name, '--help']),
  ['check', 'http://127.0.0.1:1'],
  ...modules.flatMap((module) => [
    ['routes', module],
    ['routes', module, '--wide'],
    ['routes', module, '--json'],
    ['openapi', module],
    ['snapshot', module, '--on', '2026-11-20'],
    ['diff', 'examples/companies/contract.json', module, '--on', '2026-11-20'],
    ['diff', 'examples/companies/contract.json', module, '--json', '--on', '2026-11-20'],
    ['changes', module, 'v1', 'v2'],
    ['doctor', module],
    ...requests.map((request) => ['explain', request, module]),
  ]),
  [page],
  ['doctor', 'test/record/mismatched.ts'],
  ['doctor', 'test/record/mismatched.ts', '--json'],
  ['check', service],
  ['check', `${service}/v2/specimens`, ...amy, '--all'],
  ['check', `${service}/v1/players`, ...amy, '--all'],
  ['check', `${service}/v2/nounful_no`, ...amy],
  ['check', service, ...amy, '--json'],
  ['check', `${service}/v2/specimens`, ...amy, '--write', '--all'],
  ['check', `${service}/v2/teams/t1/players`, ...amy, '--write', '--all'],
  ['check', `${service}/v2/specimens`, ...amy, '--write', '--empty', '--json'],
  ['check', `${service}/v2/players`, ...isolation],
  ['check', `${service}/v2/players`, ...isolation, '--json'],
]

/** Runs one line, and returns what it prints, with its exit code. */
export async function outputOf(line: readonly string[]): Promise<string> {
  if (line[0] === page) return readFileSync(new URL(page, root), 'utf8')
  if (!line.some((word) => word.startsWith(service))) return run(['src/cli.ts', ...line])
  const args = [...flags, 'test/record/service.ts']
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [url] = await once(child.stdout.setEncoding('utf8'), 'data')
    const origin = String(url).trim()
    const words = line.map((word) => word.replace(service, origin))
    return (await run(['src/cli.ts', ...words])).replaceAll(origin, service)
  } finally {
    child.kill()
  }
}

const flags = ['--disable-warning=ExperimentalWarning', '--conditions=nounful:source']

async function run(args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', COLUMNS: '100', TZ: 'UTC' }
  const options = { cwd: root, env, maxBuffer: 2 ** 26 }
  const { code, stdout, stderr } = await new Promise<Result>((resolve) => {
    execFile(process.execPath, [...flags, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr })
    })
  })
  // A checkout may stand in any folder.
  return `exit ${code}\n${stdout}\n${stderr}`.replaceAll(fileURLToPath(root), '<root>/')
}

interface Result {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

/** Returns the digest of every line, in order. */
export async function digestsOfCommands(): Promise<string[]> {
  const digests: string[] = []
  for (const line of lines) digests.push(digestOf(await outputOf(line)))
  return digests
}

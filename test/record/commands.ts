import { spawnSync } from 'node:child_process'
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
const names = ['routes', 'openapi', 'explain', 'check', 'doctor', 'snapshot', 'diff', 'changes']

/** The lines of the command line, one for each digest. */
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
]

/** Runs one line, and returns what it prints, with its exit code. */
export function outputOf(line: readonly string[]): string {
  const flags = ['--disable-warning=ExperimentalWarning', '--conditions=nounful:source']
  const result = spawnSync(process.execPath, [...flags, 'src/cli.ts', ...line], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NO_COLOR: '1', COLUMNS: '100', TZ: 'UTC' },
  })
  const output = `exit ${result.status}\n${result.stdout}\n${result.stderr}`
  // A checkout may stand in any folder.
  return output.replaceAll(fileURLToPath(root), '<root>/')
}

/** The digest of every line, in order, and last of the page of the public types. */
export function digestsOfCommands(): string[] {
  const page = digestOf(readFileSync(new URL('docs/api.md', root), 'utf8'))
  return [...lines.map((line) => digestOf(outputOf(line))), page]
}

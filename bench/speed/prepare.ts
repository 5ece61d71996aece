import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const here = import.meta.dirname
const root = join(here, '../..')

/** Installs the peers where they are not there, or not those that the lock file names. */
export function install(): void {
  const installed = join(here, 'node_modules/.package-lock.json')
  if (existsSync(installed) && changedAt(installed) >= changedAt(join(here, 'package-lock.json')))
    return
  console.error('Installing the peers …')
  npm(here, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
}

/** Builds the library, unless what is built is newer than its sources. */
export function build(): void {
  const built = join(root, 'dist/index.js')
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const latest = Math.max(...sources.map((name) => changedAt(join(root, 'src', name))))
  if (existsSync(built) && changedAt(built) >= latest) return
  console.error('Building the library …')
  npm(root, ['run', 'build'])
}

function changedAt(path: string): number {
  return statSync(path).mtimeMs
}

// With the Node that npm came with: under the repository's own it would read another global npmrc.
function npm(cwd: string, words: readonly string[]): void {
  const paths = (process.env.PATH ?? '').split(delimiter)
  const PATH = paths.filter((path) => !path.endsWith('node_modules/.bin')).join(delimiter)
  execFileSync('npm', words, { cwd, env: { ...process.env, PATH }, stdio: ['ignore', 2, 2] })
}

/** The versions of the packages that are compared, as they are installed. */
export function versionsOf(packages: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(packages.map((name) => [name, versionOf(name)]))
}

function versionOf(name: string): string {
  const text = readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}

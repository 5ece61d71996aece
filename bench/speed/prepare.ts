import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from '../../tools/npm.mjs'

const here = import.meta.dirname
const root = join(here, '../..')

/** Builds the library, unless its build is newer than its sources. */
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

/** Gives the versions of the peers, as they are installed. */
export function versionsOf(packages: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(packages.map((name) => [name, versionOf(name)]))
}

function versionOf(name: string): string {
  const text = readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
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

const parts = ['src', 'package.json', 'tsconfig.json', 'tsup.config.js']

/** Builds the working tree in another folder, without types. Gives the folder of the build. */
export function buildTree(folder: string): string {
  mkdirSync(folder)
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true })
  return buildIn(folder)
}

/**
 * Builds a commit in another folder, without types and with the packages of the working tree.
 *
 * @throws {Error} For a commit that git does not know.
 */
export function buildCommit(folder: string, commit: string): string {
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', commit, ...parts], { cwd: root, maxBuffer: 1e9 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  return buildIn(folder)
}

function buildIn(folder: string): string {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const tsup = join(root, 'node_modules/tsup/dist/cli-default.js')
  execFileSync(process.execPath, [tsup, '--no-dts', '--silent'], { cwd: folder })
  return join(folder, 'dist')
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

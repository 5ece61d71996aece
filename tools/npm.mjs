// npm for scripts: `node tools/npm.mjs <folder>` installs the lock file of a folder, once.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Runs npm in a folder, and returns its output. npm runs under the Node that it came with: under
 * the repository's own Node, the first in the path, it would read another global npmrc.
 *
 * @param {string} folder
 * @param {readonly string[]} words
 * @returns {string}
 */
export function npm(folder, words) {
  const paths = (process.env.PATH ?? '').split(delimiter)
  const PATH = paths.filter((path) => !path.endsWith('node_modules/.bin')).join(delimiter)
  return execFileSync('npm', words, {
    cwd: folder,
    env: { ...process.env, PATH },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/**
 * Installs a folder's packages where they are not there, or not those that its lock file names.
 *
 * @param {string} folder
 */
export function install(folder) {
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (existsSync(installed) && changedAt(installed) >= changedAt(join(folder, 'package-lock.json')))
    return
  console.error(`Installing the packages of ${folder} …`)
  npm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
}

/**
 * Packs the build into a folder, unless TARBALL names the packed library. Returns its path.
 *
 * @param {string} folder
 * @returns {string}
 */
export function pack(folder) {
  const { TARBALL } = process.env
  if (TARBALL) return TARBALL
  const root = fileURLToPath(new URL('..', import.meta.url))
  const [{ filename }] = JSON.parse(
    npm(root, ['pack', '--json', '--silent', '--pack-destination', folder]),
  )
  return join(folder, filename)
}

/** @param {string} path */
function changedAt(path) {
  return statSync(path).mtimeMs
}

if (import.meta.main && process.argv[2] !== undefined) install(process.argv[2])

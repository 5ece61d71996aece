import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm, pack } from '../../tools/npm.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const leftBehind = new Set(['node_modules', 'dist', 'build', '.next', '.svelte-kit'])
// Each folder is complete, so that it can be copied; all keep their common part the same.
const shared = ['notes.ts', 'src/notes.ts']

/** Copies the examples, installs their lock file, and the packed library beside it. */
export function install(temp, tarball) {
  cpSync(here, temp, { recursive: true, filter: (path) => !leftBehind.has(path.split('/').at(-1)) })
  checkSame(temp)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  npm(temp, ['ci', ...quiet])
  npm(temp, ['install', '--no-save', ...quiet, tarball ?? pack(temp)])
}

/** The version of a package that was installed. */
export function versionOf(temp, name) {
  return manifest(join(temp, 'node_modules', name)).version
}

function checkSame(temp) {
  const locked = { ...manifest(temp).dependencies, ...manifest(temp).devDependencies }
  locked.nounful = manifest(root).version
  const notes = new Set()
  for (const folder of readdirSync(temp, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )) {
    const place = join(temp, folder.name)
    for (const [name, version] of Object.entries({
      ...manifest(place).dependencies,
      ...manifest(place).devDependencies,
    })) {
      if (locked[name] !== version) {
        throw new Error(`${folder.name} names ${name} ${version}, the lock file ${locked[name]}.`)
      }
    }
    notes.add(readFileSync(join(place, shared[folder.name === 'sveltekit' ? 1 : 0]), 'utf8'))
  }
  if (notes.size > 1) throw new Error('The notes.ts of the examples are not all the same.')
}

function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

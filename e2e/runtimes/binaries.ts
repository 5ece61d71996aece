import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch } from 'node:process'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
// Each maker of binaries calls processors by names of its own.
const isArm = arch === 'arm64'

/** The paths of the runtimes: packages of their own, which need no install script. */
export const binaries = {
  node20: `${modules}node20-linux-${arch}/bin/node`,
  node22: `${modules}node22-linux-${arch}/bin/node`,
  node24: `${modules}node24-linux-${arch}/bin/node`,
  node26: `${modules}node26-linux-${arch}/bin/node`,
  bun: `${modules}@oven/bun-linux-${isArm ? 'aarch64' : 'x64'}/bin/bun`,
  deno: `${modules}@deno/linux-${arch}-glibc/deno`,
} as const

/** A runtime. */
export type Runtime = keyof typeof binaries | 'workerd'

/** The runtime by its name and exact version: `Node 24.21.0`. */
export function nameOf(runtime: Runtime): string {
  if (runtime === 'workerd') return `workerd ${versionOfWorkerd()}`
  const told = execFileSync(binaries[runtime], ['--version'], { encoding: 'utf8' })
  const version = /\d+\.\d+\.\d+/.exec(told)?.[0] ?? told
  if (runtime === 'bun') return `Bun ${version}`
  return `${runtime === 'deno' ? 'Deno' : 'Node'} ${version}`
}

function versionOfWorkerd(): string {
  const manifest = createRequire(import.meta.url).resolve('workerd/package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  return version
}

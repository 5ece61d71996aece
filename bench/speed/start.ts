import { execFileSync } from 'node:child_process'
import { figureOf, inTurn } from '../support/figures.ts'
import { start as startProcess } from '../support/process.ts'
import { atMost, type Effort, rowOf, type Table } from './tables.ts'

const library = (door: string): string => new URL(`../../dist/${door}.js`, import.meta.url).pathname
const empty = 'an empty process'
const withMemory = 'nounful and nounful/memory'

/** The imported modules, by their name in the table. */
const imports: Readonly<Record<string, readonly string[]>> = {
  [empty]: [],
  [`${empty} again`]: [],
  nounful: [library('index')],
  'nounful and nounful/node': [library('index'), library('node')],
  [withMemory]: [library('index'), library('memory')],
  'nounful and nounful/kysely': [library('index'), library('kysely')],
  kysely: ['kysely'],
  'nounful/client': [library('client')],
  hono: ['hono', '@hono/node-server'],
  ...Object.fromEntries(['h3', 'polka', 'express', 'fastify'].map((name) => [name, [name]])),
}

const doors = (...names: readonly string[]): string =>
  names.map((door) => `export * as ${door} from '${library(door)}'`).join('\n')
const memory = 'nounful: main, fetch and memory doors'
const client = 'nounful/client'

/** The code of each bundle, by its name in the table. */
const bundles: Readonly<Record<string, string>> = {
  'nounful: main, node and fetch doors': doors('index', 'node', 'fetch'),
  [memory]: doors('index', 'fetch', 'memory'),
  [client]: `export { createClient } from '${library('client')}'`,
  polka: "export { default } from 'polka'",
  'hono, the core': "export { Hono } from 'hono'",
  hono: "export { Hono } from 'hono'\nexport { serve } from '@hono/node-server'",
  h3: "export { H3, serve } from 'h3'",
  elysia: "export { Elysia } from 'elysia'",
  fastify: "export { default } from 'fastify'",
  express: "export { default } from 'express'",
}
const goals = { milliseconds: 15, kilobytes: { [memory]: 34, [client]: 4 } }

/** Measures the times of imports and the sizes of bundles. */
export async function start(effort: Effort): Promise<readonly Table[]> {
  return [importTable(effort), await sizeTable(effort)]
}

function importTable({ isShort, core }: Effort): Table {
  const names = Object.keys(imports)
  const times = names.map((name) => ({ name, wall: [] as number[], cpu: [] as number[] }))
  for (let round = 0; round < (isShort ? 7 : 25); round++) {
    for (const { name, wall, cpu } of inTurn(times, round)) {
      const begin = performance.now()
      cpu.push(cpuOf(imports[name] ?? [], core))
      wall.push(performance.now() - begin)
    }
  }
  const cases = ['wall clock', 'CPU']
  // Less the empty process of the same round.
  const rows = times.slice(1).map(({ name, wall, cpu }) =>
    rowOf(name, cases, (clock) => {
      const [values, empties] = clock === 'CPU' ? [cpu, times[0]?.cpu] : [wall, times[0]?.wall]
      return values.map((value, round) => value - (empties?.[round] ?? Number.NaN))
    }),
  )
  const figures = rows.find(({ contender }) => contender === withMemory)?.figures
  const figure = figures?.['wall clock'] ?? figureOf([])
  return {
    ...{ level: 'start', title: 'to import', unit: 'ms', cases, rows },
    notes: [
      'From start to end of a fresh process, less a process that imports nothing. nounful is ' +
        'built.',
    ],
    bounds: [atMost(`import of ${withMemory}, ms`, goals.milliseconds, figure)],
  }
}

/** Returns the milliseconds of CPU of a process that imports modules and ends. */
function cpuOf(modules: readonly string[], core: number): number {
  const script = `import { writeSync } from 'node:fs'
${modules.map((name) => `import '${name}'`).join('\n')}
const { user, system } = process.cpuUsage()
writeSync(1, String(user + system))`
  const words = ['-c', `${core}`, process.execPath, '--input-type=module', '-e', script]
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const
  return Number(execFileSync('taskset', words, options)) / 1000
}

async function sizeTable({ core }: Effort): Promise<Table> {
  const child = startProcess({ file: new URL('inside/sizes.mjs', import.meta.url), core })
  const sizes = new Map<string, number>()
  for (const [name, code] of Object.entries(bundles)) {
    sizes.set(name, await child.ask<number>('kilobytes', code))
  }
  await child.kill()
  const sizeOf = (name: string) => [sizes.get(name) ?? Number.NaN]
  return {
    ...{ level: 'start', title: 'to send, of a bundle', unit: 'kB', cases: ['gzipped'] },
    rows: Object.keys(bundles).map((name) => rowOf(name, ['gzipped'], () => sizeOf(name))),
    notes: [
      'Minified by esbuild with all imports but Node’s own, and gzipped; 1 kB is 1,000 bytes.',
    ],
    bounds: Object.entries(goals.kilobytes).map(([name, limit]) =>
      atMost(`${name}, gzipped, kB`, limit, figureOf(sizeOf(name))),
    ),
  }
}

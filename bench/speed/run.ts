import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install, npm } from '../../tools/npm.mjs'
import { machine, machineNow } from '../support/figures.ts'
import { drawCharts } from './charts.ts'
import { bare, bareAgain, cases, contenders } from './contenders.ts'
import { functions } from './functions.ts'
import { growth } from './growth.ts'
import { boundText, pageOf, textOf } from './page.ts'
import { fetch, lists, loopback, pipeline, young } from './servers.ts'
import { start } from './start.ts'
import { steps } from './steps.ts'
import type { Bound, Effort, Run, Table } from './tables.ts'

/** Measures one level. */
type Measure = (effort: Effort) => Promise<readonly Table[]>

const levels: Readonly<Record<string, Measure>> = {
  ...{ pipeline, young, steps, loopback, fetch, functions, growth, lists, start },
}

const usage = `npm run bench -- [--short | --redraw] [level…]
  level        of ${Object.keys(levels).join(', ')};
               default: all, in half an hour
  --short      a minute, with generous bounds, for the gate; default: pipeline and functions
  --redraw     measures nothing, but writes RESULTS.md and the charts from results/

The bench stores every complete level in results/,
and writes RESULTS.md and the charts from there.
\`node --conditions=nounful:source bench/speed/run.ts --short\` measures the sources, not the build.
`

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean' }, redraw: { type: 'boolean' }, help: { type: 'boolean' } },
})
const isShort = options.short ?? false
const here = import.meta.dirname
const root = join(here, '../..')
const results = join(here, 'results')

function effortFor(level: string): Effort {
  const core = availableParallelism() - 1
  const few = [bare, bareAgain, 'nounful', 'nounful, serve', 'fastify']
  const subjects = { contenders, requests: cases, connections: 16 }
  const long = { isShort, core, runs: 7, slices: 7, batch: 20, ...subjects }
  const short = {
    ...{ ...long, runs: 1, slices: 9, batch: 15 },
    requests: cases.filter(({ name }) => ['read', 'list', 'create', '404'].includes(name)),
    contenders: contenders.filter(({ name }) => few.includes(name)),
  }
  const effort = isShort ? short : long
  return ['loopback', 'lists'].includes(level) ? { ...effort, slices: 1, batch: 1000 } : effort
}

async function main(): Promise<void> {
  if (options.help) return console.log(usage)
  const unknown = names.filter((name) => !Object.hasOwn(levels, name))
  if (unknown.length > 0) {
    console.error(`Unknown level "${unknown.join('", "')}".\n\n${usage}`)
    process.exitCode = 2
    return
  }
  install(here)
  build()
  if (!options.redraw) await measureAll()
  if (isShort) return
  const runs = readResults()
  const page = join(here, 'RESULTS.md')
  writeFileSync(page, pageOf(readFileSync(page, 'utf8'), runs))
  drawCharts(runs)
}

// Builds the library, unless its build is newer than its sources.
function build(): void {
  const changedAt = (path: string) => statSync(path).mtimeMs
  const built = join(root, 'dist/index.js')
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const latest = Math.max(...sources.map((name) => changedAt(join(root, 'src', name))))
  if (existsSync(built) && changedAt(built) >= latest) return
  console.error('Building the library …')
  npm(root, ['run', 'build'])
}

async function measureAll(): Promise<void> {
  console.log(`${machineNow()}\n`)
  const chosen = isShort ? ['pipeline', 'functions'] : Object.keys(levels)
  for (const name of names.length > 0 ? names : chosen) {
    const measure = levels[name]
    if (measure === undefined) continue
    const begin = performance.now()
    const { tables, missed } = await attempt(measure, effortFor(name), isShort ? 3 : 1)
    for (const table of tables) console.log(`${textOf(table)}\n`)
    for (const bound of missed) console.log(boundText(bound))
    console.log(`${name}: ${Math.round((performance.now() - begin) / 1000)} s\n`)
    // The long form has goals, the short form bounds that guard the gate.
    if (!isShort) store(tables)
    else if (missed.length > 0) process.exitCode = 1
  }
}

interface Attempt {
  readonly tables: readonly Table[]
  /** The bounds that are not met, in every attempt. */
  readonly missed: readonly Bound[]
}

// Measures a level again, so often at most, where it misses a bound: a busy machine misses some.
async function attempt(measure: Measure, effort: Effort, times: number): Promise<Attempt> {
  const tables = await measure(effort)
  const bounds = tables.flatMap((table) => table.bounds ?? [])
  const missed = bounds.filter(({ verdict }) => verdict === 'not met')
  if (missed.length === 0 || times === 1) return { tables, missed }
  console.error(`Once more: ${missed.map(boundText).join('; ')}`)
  const again = await attempt(measure, effort, times - 1)
  const still = new Set(again.missed.map(({ says }) => says))
  return { tables: again.tables, missed: missed.filter(({ says }) => still.has(says)) }
}

// Stores tables in the file of this Node. A level that they lack stays as it was measured.
function store(tables: readonly Table[]): void {
  const path = join(results, `${process.version.split('.')[0]}.json`)
  const earlier: readonly Table[] = existsSync(path) ? parseRun(path).tables : []
  const run: Run = {
    ...{ machine: machine(), node: process.version, date: new Date().toISOString().slice(0, 10) },
    versions: Object.fromEntries(
      contenders.flatMap(({ packages }) => packages).map((name) => [name, versionOf(name)]),
    ),
    tables: [...earlier.filter(({ level }) => level !== tables[0]?.level), ...tables],
  }
  writeFileSync(path, `${JSON.stringify(run, null, 2)}\n`)
}

function versionOf(name: string): string {
  const path = join(here, 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(path, 'utf8')).version
}

/** Reads the stored runs, one for each Node; the newest Node first. */
function readResults(): readonly Run[] {
  const runs = readdirSync(results).map((name) => parseRun(join(results, name)))
  return runs.toSorted((a, b) => b.node.localeCompare(a.node, 'en', { numeric: true }))
}

function parseRun(path: string): Run {
  return JSON.parse(readFileSync(path, 'utf8'))
}

await main()

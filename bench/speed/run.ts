import { cpus, loadavg } from 'node:os'
import { install } from '../../tools/npm.mjs'
import { drawCharts } from './charts.ts'
import { contenders } from './contenders.ts'
import { fetch, pipeline } from './doors.ts'
import type { Effort } from './effort.ts'
import type { Bound, Run, Table } from './figures.ts'
import { functions } from './functions.ts'
import { growth } from './growth.ts'
import { loopback } from './loopback.ts'
import { effortFor, isWhole, named, options, usage } from './options.ts'
import { boundText, textOf } from './page.ts'
import { build, versionsOf } from './prepare.ts'
import { readResults, store, writePage } from './results.ts'
import { start } from './start.ts'

/** Measures one level. */
type Measure = (effort: Effort) => Promise<readonly Table[]>

const levels: Readonly<Record<string, Measure>> = {
  pipeline,
  loopback,
  fetch,
  functions,
  growth,
  start,
}
const shortLevels = ['pipeline', 'functions']

async function main(): Promise<void> {
  if (options.help) return console.log(usage)
  const unknown = named.filter((name) => !Object.hasOwn(levels, name))
  if (unknown.length > 0) {
    console.error(`Unknown level "${unknown.join('", "')}".\n\n${usage}`)
    process.exitCode = 2
    return
  }
  install(import.meta.dirname)
  if (!options.source) build()
  if (!options.redraw) await measureAll()
  if (!isWhole || readResults().length === 0) return
  writePage()
  await drawCharts()
}

async function measureAll(): Promise<void> {
  const about = aboutRun()
  console.log(`${about.machine}, Node ${about.node}, load ${loadavg()[0]?.toFixed(1)}\n`)
  const isShort = options.short
  for (const [name, measure] of Object.entries(levels)) {
    if (!chosenLevels().includes(name)) continue
    const begin = performance.now()
    const { tables, missed } = await attempt(measure, effortFor(name), isShort ? 3 : 1)
    for (const table of tables) console.log(`${textOf(table)}\n`)
    for (const bound of missed) console.log(boundText(bound))
    console.log(`${name}: ${Math.round((performance.now() - begin) / 1000)} s\n`)
    // The long form has goals, the short form bounds that guard the gate.
    if (isShort && missed.length > 0) process.exitCode = 1
    if (isWhole) store({ ...about, tables })
  }
}

interface Attempt {
  readonly tables: readonly Table[]
  /** The bounds that are not met, in every attempt. */
  readonly missed: readonly Bound[]
}

/**
 * Measures a level again, so often at most, where it misses a bound: a busy machine misses some.
 */
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

function chosenLevels(): readonly string[] {
  if (named.length > 0) return named
  return options.short ? shortLevels : Object.keys(levels)
}

function aboutRun(): Omit<Run, 'tables'> {
  const [cpu] = cpus()
  return {
    machine: `${cpus().length} × ${cpu?.model.trim()}`,
    node: effortFor('pipeline').version,
    date: new Date().toISOString().slice(0, 10),
    versions: versionsOf(contenders.flatMap(({ packages }) => packages)),
  }
}

// The processes it started end with this one, however it ends.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))
await main()

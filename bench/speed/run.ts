import { cpus, loadavg } from 'node:os'
import { install } from '../../tools/npm.mjs'
import { attempt, type Measure } from './attempts.ts'
import { charts } from './charts.ts'
import { contenders } from './contenders.ts'
import { fetch } from './fetch.ts'
import type { Run } from './figures.ts'
import { functions } from './functions.ts'
import { growth } from './growth.ts'
import { isAnythingKept, keep } from './kept.ts'
import { lists } from './lists.ts'
import { loopback } from './loopback.ts'
import { effortFor, isWhole, named, options, usage } from './options.ts'
import { parts } from './parts.ts'
import { pipeline } from './pipeline.ts'
import { build, versionsOf } from './prepare.ts'
import { profile } from './profile.ts'
import { writePage } from './results.ts'
import { start } from './start.ts'
import { textOf } from './text.ts'

const levels: Readonly<Record<string, Measure>> = {
  functions,
  pipeline,
  parts,
  loopback,
  fetch,
  growth,
  start,
  lists,
}
const shortLevels = ['functions', 'pipeline']

async function main(): Promise<void> {
  if (options.help) return console.log(usage)
  const unknown = named.filter((name) => !Object.hasOwn(levels, name))
  if (unknown.length > 0) {
    console.error(`There is no level "${unknown.join('", "')}".\n\n${usage}`)
    process.exitCode = 2
    return
  }
  install(import.meta.dirname)
  if (!options.source) build()
  if (options.profile !== undefined) return profile(effortFor('pipeline'), options.profile)
  if (!options.redraw) await measureAll()
  if (!isWhole || !isAnythingKept()) return
  writePage()
  await charts()
}

async function measureAll(): Promise<void> {
  const about = aboutRun()
  console.log(`${about.machine}, Node ${about.node}, load ${loadavg()[0]?.toFixed(1)}\n`)
  for (const level of chosenLevels()) {
    const begin = performance.now()
    const { tables, broken, counts } = await attempt(level.measure, effortFor(level.name))
    for (const table of tables) console.log(`${textOf(table)}\n`)
    for (const { says, found } of broken) console.log(`NOT MET: ${says}, but ${found.toFixed(3)}`)
    console.log(`${level.name}: ${Math.round((performance.now() - begin) / 1000)} s\n`)
    // The goals of the long form are told; what the short form lets pass is a guard.
    if (options.short ? broken.length > 0 : !counts) process.exitCode = 1
    if (isWhole && counts) keep({ ...about, tables })
  }
}

function chosenLevels(): readonly { readonly name: string; readonly measure: Measure }[] {
  const names = named.length > 0 ? named : options.short ? shortLevels : Object.keys(levels)
  return Object.entries(levels).flatMap(([name, measure]) =>
    names.includes(name) ? [{ name, measure }] : [],
  )
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

// What was started ends with this process, however it ends.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))
await main()

import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cases } from './cases.ts'
import { type Contender, contenders } from './contenders.ts'
import type { Effort } from './effort.ts'

/** How the command is used. */
export const usage = `npm run bench -- [--short] [option…] [level…]
  level                of functions, pipeline, parts, loopback, fetch, growth, start, lists; all of them unless some are named
  --short              functions and pipeline alone, in less than a minute, with generous bounds: for the gate
  --node <path>        the Node that is measured; default: the one that runs this
  --contenders a,b     only these, by their files' names, beside the server by hand
  --cases a,b          only these: ${cases.map(({ name }) => name).join(', ')}
  --starts, --rounds   how often everything is started anew, and rounds of each start
  --source             our own source as it is, not what is built of it; under Node 22 or later
  --profile <folder>   measures nothing, but leaves profiles of the contenders that are named, in the pipeline
  --fresh              servers that have just started, and have not rested yet
  --redraw             measures nothing, but writes RESULTS.md and the charts of what was found last

What is measured in whole is kept in results/, and RESULTS.md and the charts are written from it.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    node: { type: 'string', default: process.execPath },
    contenders: { type: 'string' },
    cases: { type: 'string' },
    starts: { type: 'string' },
    rounds: { type: 'string' },
    source: { type: 'boolean', default: false },
    profile: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    redraw: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** What the command was given. */
export const options = values

/** The levels that were named. */
export const named: readonly string[] = positionals

/** Whether everything is measured that results are written of. */
export const isWhole: boolean = ![
  values.short,
  values.contenders,
  values.cases,
  values.starts,
  values.rounds,
  values.source,
  values.fresh,
].some(Boolean)

const thorough = { starts: 3, rounds: 7, batch: 20 }
/** Of each level; every level that is not here is thorough. */
const efforts: Readonly<Record<string, typeof thorough>> = {
  functions: { starts: 9, rounds: 31, batch: 4 },
  loopback: { starts: 2, rounds: 3, batch: 1000 },
}
const short = { starts: 1, rounds: 9, batch: 15 }
const shortCases = ['read', 'list', 'create', '404']
const shortContenders = ['nounful', 'nounful-serve', 'fastify']

/** How a level is measured. */
export function effortFor(level: string): Effort {
  const { starts, rounds, batch } = values.short ? short : (efforts[level] ?? thorough)
  const node = resolve(values.node)
  return {
    form: values.short ? 'short' : 'long',
    node,
    version: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
    flags: values.source ? ['--conditions=nounful:source'] : [],
    isFresh: values.fresh,
    core: availableParallelism() - 1,
    otherCore: 0,
    starts: Number(values.starts ?? starts),
    rounds: Number(values.rounds ?? rounds),
    batch,
    contenders: chosenContenders(),
    cases: chosenCases(),
  }
}

function chosenContenders(): readonly Contender[] {
  const files = values.contenders?.split(',') ?? (values.short ? shortContenders : undefined)
  refuseUnknown(
    files,
    contenders.map(({ file }) => file),
  )
  return contenders.filter(({ file }) => file === 'bare' || (files?.includes(file) ?? true))
}

function chosenCases(): readonly string[] {
  const names = values.cases?.split(',') ?? (values.short ? shortCases : undefined)
  const all = cases.map(({ name }) => name)
  refuseUnknown(names, all)
  return all.filter((name) => names?.includes(name) ?? true)
}

function refuseUnknown(words: readonly string[] = [], known: readonly string[]): void {
  const unknown = words.find((word) => !known.includes(word))
  if (unknown !== undefined) throw new TypeError(`There is no "${unknown}": ${known.join(', ')}`)
}

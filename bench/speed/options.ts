import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cases } from './cases.ts'
import { type Contender, contenders } from './contenders.ts'
import type { Effort } from './effort.ts'

/** How to call the command. */
export const usage = `npm run bench -- [option…] [level…]
  level                pipeline, loopback, fetch, functions, growth or start;
                       default: all, in about 20 minutes
  --short              pipeline and functions alone, in a minute, with generous bounds: for the gate
  --node <path>        the Node that is measured; default: the one that runs this
  --contenders a,b     only these, by their files' names, beside bare
  --cases a,b          only these: ${cases.map(({ name }) => name).join(', ')}
  --runs, --slices     how often everything starts anew, and turns of each contender in a run
  --source             nounful's source instead of its build; under Node 22 or later
  --redraw             measures nothing, but writes RESULTS.md and the charts from results/

The bench stores every complete level in results/,
and writes RESULTS.md and the charts from there.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    node: { type: 'string', default: process.execPath },
    contenders: { type: 'string' },
    cases: { type: 'string' },
    runs: { type: 'string' },
    slices: { type: 'string' },
    source: { type: 'boolean', default: false },
    redraw: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** The options of the command. */
export const options = values

/** The levels that the command names. */
export const named: readonly string[] = positionals

/** Whether the results are worth keeping: nothing is left out. */
export const isWhole: boolean = ![
  values.short,
  values.contenders,
  values.cases,
  values.runs,
  values.slices,
  values.source,
].some(Boolean)

type Thoroughness = Pick<Effort, 'runs' | 'slices' | 'batch'>

const thorough: Thoroughness = { runs: 7, slices: 7, batch: 20 }
/** The effort of each quick level; all other levels are thorough. */
const efforts: Readonly<Record<string, Thoroughness>> = {
  loopback: { runs: 7, slices: 1, batch: 1000 },
}
const short: Thoroughness = { runs: 1, slices: 9, batch: 15 }
const shortCases = ['read', 'list', 'create', '404']
const shortContenders = ['nounful', 'nounful-serve', 'fastify']

/** Gives how a level is measured. */
export function effortFor(level: string): Effort {
  const { runs, slices, batch } = values.short ? short : (efforts[level] ?? thorough)
  const node = resolve(values.node)
  return {
    form: values.short ? 'short' : 'long',
    node,
    version: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
    flags: values.source ? ['--conditions=nounful:source'] : [],
    core: availableParallelism() - 1,
    otherCore: 0,
    runs: Number(values.runs ?? runs),
    slices: Number(values.slices ?? slices),
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
  if (unknown !== undefined) {
    throw new TypeError(`Unknown "${unknown}". Allowed: ${known.join(', ')}`)
  }
}

import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Store, stores } from '../owners/world.ts'
import type { Figure, Verdict } from '../speed/figures.ts'
import { figureOf, median } from '../speed/times.ts'
import { type Case, cases, type Found, measure, type Run } from './measure.ts'

// Measures on each store how much longer `handle` takes for a view than for its hub: a read, and a
// page of 20 items. Beside it, the hub of a registry that has no view: nothing may be paid there.
//   node --conditions=nounful:source bench/views/run.ts --store sqlite --runs 7
// Each run is a process of its own. Ends with 1 where a bound is not met.

const { values: options } = parseArgs({
  options: {
    store: { type: 'string', multiple: true },
    runs: { type: 'string', default: '7' },
    /** For its own processes: measures one store, and prints what it found. */
    measure: { type: 'string' },
  },
})

/** At most so many times as long as the hub. */
const limits: Readonly<Record<Case, number>> = { read: 1.15, page: 1.25 }

if (options.measure === undefined) report()
else console.log(JSON.stringify((await measure(options.measure as Store)) ?? null))

function report(): void {
  const chosen = stores.filter((store) => options.store?.includes(store) ?? true)
  for (const store of chosen) {
    const runs: Run[] = []
    for (let run = 0; run < Number(options.runs); run++) {
      const found = measured(store)
      if (found !== null) runs.push(found)
    }
    const [first] = runs
    if (first === undefined) {
      console.log(`${store}: not installed`)
      continue
    }
    console.log(`\n${store} (${first.version}), median of ${runs.length} runs`)
    for (const name of cases) {
      const found = runs.map((run) => run.found[name])
      console.log(lineOf(name, found))
    }
  }
}

// Each process compiles anew, and another way.
function measured(store: Store): Run | null {
  const [, file = ''] = process.argv
  const text = execFileSync(process.execPath, [...process.execArgv, file, '--measure', store], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(text)
}

function lineOf(name: Case, found: readonly Found[]): string {
  const view = figureOf(found.map((one) => one.view))
  const verdict = verdictOf(view, limits[name])
  if (verdict === 'not met') process.exitCode = 1
  const { bytes } = found[0] as Found
  const time = (median(found.map((one) => one.hub)) / 1000).toFixed(2)
  return (
    `  ${name}: hub ${time.padStart(7)} µs, view × ${shown(view)}: ` +
    `${verdict}, at most ${limits[name]}; ` +
    `without a view × ${shown(figureOf(found.map(({ alone }) => alone)))}; ` +
    `bodies ${bytes.hub} and ${bytes.view} bytes`
  )
}

// It decides only where the whole interval lies on one side.
function verdictOf({ low, high }: Figure, limit: number): Verdict {
  if (high <= limit) return 'met'
  return low > limit ? 'not met' : 'undecided'
}

function shown({ median, low, high }: Figure): string {
  return `${median.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`
}

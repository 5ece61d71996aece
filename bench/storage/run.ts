import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chosenFrom } from '../support/choice.ts'
import { machine, median, ratioOf } from '../support/figures.ts'
import { fold, tableOf } from '../support/markdown.ts'
import { clockInTurn } from '../support/turns.ts'
import { compareResults, type Task } from './call.ts'
import { foldedTasks } from './folded.ts'
import { relatedTasks } from './related.ts'
import { engines, load, openers, type Store } from './stores.ts'
import { tasksFor } from './tasks.ts'

// Measures the adapter beside the same statements by hand, and writes RESULTS.md.
//   npm run bench:storage -- --engine sqlite --rows 1000 --task read
// --engine and --rows may repeat; --task names a part of a name. Each leaves RESULTS.md alone.

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    rows: { type: 'string', multiple: true },
    task: { type: 'string', default: '' },
  },
})

const effort = { seconds: 4, milliseconds: 20, fewest: 7, most: 60 }

async function main(): Promise<void> {
  const isComplete = !options.engine && !options.rows && options.task === ''
  const sections = [introduction()]
  for (const engine of chosenFrom(engines, options.engine)) {
    for (const rows of options.rows?.map(Number) ?? [1000, 1_000_000]) {
      const store = await openers[engine]()
      if (store === undefined) {
        console.error(`${engine} is not installed.`)
        continue
      }
      sections.push(await sectionOf(store, rows).finally(() => store.close()))
      console.log(`\n${sections.at(-1)}`)
      const page = fold(`${sections.join('\n\n')}\n`)
      if (isComplete) writeFileSync(join(import.meta.dirname, 'RESULTS.md'), page)
    }
  }
}

const head = ['', 'nounful', 'Kysely', 'ratio', 'again', 'rounds']

async function sectionOf(store: Store, rows: number): Promise<string> {
  const start = performance.now()
  await load(store, rows)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const lines: (string | number)[][] = []
  const notes: string[] = []
  const tasks = [
    ...(await tasksFor(store, rows)),
    ...(await relatedTasks(store)),
    ...(await foldedTasks(store, rows)),
  ]
  for (const task of tasks.filter(({ name }) => name.includes(options.task))) {
    const { name } = task
    console.error(`${name} …`)
    await compareResults(task)
    const { nounful = [], byHand = [], again, firstPage } = await timesOf(task)
    const ratios = [nounful, again].map((times) => ratioOf(times, byHand).toFixed(2))
    lines.push([name, spread(nounful), spread(byHand), ...ratios, nounful.length])
    if (firstPage === undefined) continue
    const ratio = ratioOf(nounful, firstPage).toFixed(2)
    notes.push(`The ${name} takes ${ratio} times as long as the first page (at most 1.5).`)
  }
  const title = `## ${store.engine}, ${rows.toLocaleString('en')} rows`
  const about = `${store.version}. Loaded in ${seconds} s.`
  return [title, about, tableOf(head, lines), ...notes].join('\n\n')
}

function spread(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return `**${duration(median(values))}** (${duration(least)}–${duration(most)})`
}

function duration(nanoseconds: number): string {
  if (nanoseconds < 1e6) return `${(nanoseconds / 1000).toPrecision(3)} µs`
  if (nanoseconds < 1e9) return `${(nanoseconds / 1e6).toPrecision(3)} ms`
  return `${(nanoseconds / 1e9).toPrecision(3)} s`
}

function timesOf({ nounful, byHand, firstPage, prepare, cleanup }: Task) {
  const calls = { nounful, byHand, again: byHand, ...(firstPage && { firstPage }) }
  const begin = async (start: number, count: number) => {
    await prepare?.(start, count)
    await breathe()
  }
  return clockInTurn(calls, { ...effort, prepare: begin, cleanup })
}

function introduction(): string {
  const date = new Date().toISOString().slice(0, 10)
  return `# The kysely adapter beside the same by hand

${machine()}, Node ${process.version}, ${date}.

- **nounful**: the adapter, called as the core calls it.
- **Kysely**: its query builder. A search is a plain \`like\`, with the database's own case rules.

One call at a time, on one connection. Both take turns in rounds. A time is the median of the
rounds, followed by the least and the most. A ratio, nounful to Kysely, is the median of those of
the rounds. "again" is Kysely to the same code: its distance from 1 is noise.`
}

await main()

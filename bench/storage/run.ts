import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fold } from '../fold.ts'
import { median, ratioOf, type Times } from '../speed/times.ts'
import { engines, load, openers, type Store } from './stores.ts'
import { compareResults, type Task, tasksFor } from './tasks.ts'

const usage = `node --conditions=nounful:source bench/storage/run.ts
  --engine sqlite    one engine: ${engines.join(', ')}; you may repeat it
  --rows 1000        one size of the table; you may repeat it
  --task read        only tasks whose name contains this
  --quick            less exact, and leaves RESULTS.md alone, as --engine, --rows and --task do
`

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    rows: { type: 'string', multiple: true },
    task: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const effort = options.quick
  ? { secondsPerTask: 1, batchMilliseconds: 10, fewest: 3, most: 20 }
  : { secondsPerTask: 4, batchMilliseconds: 20, fewest: 7, most: 60 }

async function main(): Promise<void> {
  if (options.help) return console.log(usage)
  const sizes = options.rows?.map(Number) ?? [1000, 1_000_000]
  const isComplete = !options.quick && !options.engine && !options.rows && options.task === ''
  const sections: string[] = [introduction()]
  for (const engine of engines.filter((name) => options.engine?.includes(name) ?? true)) {
    for (const rows of sizes) {
      const store = await openers[engine]()
      if (store === undefined) {
        console.error(`${engine} is not installed.`)
        continue
      }
      try {
        sections.push(await sectionOf(store, rows))
        console.log(`\n${sections.at(-1)}`)
      } finally {
        await store.close()
      }
      const page = fold(`${sections.join('\n\n')}\n`)
      if (isComplete) writeFileSync(join(import.meta.dirname, 'RESULTS.md'), page)
    }
  }
}

async function sectionOf(store: Store, rows: number): Promise<string> {
  const start = performance.now()
  await load(store, rows)
  const loaded = ((performance.now() - start) / 1000).toFixed(1)
  const lines: string[] = []
  let note = ''
  for (const task of await tasksFor(store, rows)) {
    if (!task.name.includes(options.task)) continue
    console.error(`${task.name} …`)
    await compareResults(task)
    const times = await measure(task)
    lines.push(lineOf(task, times))
    if (task.firstPage === undefined) continue
    const ratio = ratioOf(times, 'nounful', 'firstPage').toFixed(2)
    note = `\n\nThe ${task.name} takes ${ratio} times as long as the first page (at most 1.5).`
  }
  const title = `## ${store.engine}, ${rows.toLocaleString('en')} rows`
  const about = `${store.version}. Loaded in ${loaded} s.`
  return [title, about, `${[...head, ...lines].join('\n')}${note}`].join('\n\n')
}

const head = [
  '|  | nounful | Kysely | nounful / Kysely | Kysely again / Kysely | rounds |',
  '| --- | --: | --: | --: | --: | --: |',
]

function lineOf({ name }: Task, times: Times): string {
  const cells = [
    name,
    spread(times.nounful ?? []),
    spread(times.kysely ?? []),
    ratioOf(times, 'nounful', 'kysely').toFixed(2),
    ratioOf(times, 'again', 'kysely').toFixed(2),
    times.nounful?.length ?? 0,
  ]
  return `| ${cells.join(' | ')} |`
}

function spread(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return `**${duration(median(values))}** (${duration(least)}–${duration(most)})`
}

function duration(microseconds: number): string {
  if (microseconds < 1000) return `${microseconds.toPrecision(3)} µs`
  if (microseconds < 1e6) return `${(microseconds / 1000).toPrecision(3)} ms`
  return `${(microseconds / 1e6).toPrecision(3)} s`
}

type Ask = (turn: number) => unknown

let turn = 0

// In turn (A B C, B C A, …), so that other work of the machine delays all alike.
async function measure(task: Task): Promise<Times> {
  const calls: [string, Ask][] = [
    ['nounful', task.nounful],
    ['kysely', task.kysely],
    ['again', task.kysely],
  ]
  if (task.firstPage) calls.push(['firstPage', task.firstPage])
  const times: Record<string, number[]> = Object.fromEntries(calls.map(([name]) => [name, []]))
  const size = await batchSize(task, calls)
  const start = performance.now()
  for (let round = 0; round < effort.most; round++) {
    const seconds = (performance.now() - start) / 1000
    if (round >= effort.fewest && seconds > effort.secondsPerTask) break
    for (let at = 0; at < calls.length; at++) {
      const call = calls[(at + round) % calls.length]
      if (call) times[call[0]]?.push(await batch(task, call[1], size))
    }
    await task.tidy?.()
  }
  return times
}

// Calls everything often enough for V8 to compile it, too.
async function batchSize(task: Task, calls: readonly [string, Ask][]): Promise<number> {
  let slowest = 0
  for (const [, ask] of calls) {
    let size = 1
    let time = await batch(task, ask, size)
    while ((time * size) / 1000 < effort.batchMilliseconds && size < 4096) {
      size *= 4
      time = await batch(task, ask, size)
    }
    slowest = Math.max(slowest, time)
  }
  await task.tidy?.()
  return Math.max(1, Math.min(1000, Math.round((effort.batchMilliseconds * 1000) / slowest)))
}

/** Returns microseconds a call. */
async function batch(task: Task, ask: Ask, size: number): Promise<number> {
  const first = turn
  turn += size
  await task.prepare?.(first, size)
  await breathe()
  const start = performance.now()
  for (let at = first; at < first + size; at++) await ask(at)
  return ((performance.now() - start) * 1000) / size
}

function introduction(): string {
  const [cpu] = cpus()
  const date = new Date().toISOString().slice(0, 10)
  return `# The kysely adapter beside the same by hand

${cpus().length} × ${cpu?.model.trim()}, Node ${process.version}, ${date}.

- **nounful**: the adapter, called as the core calls it.
- **Kysely**: its query builder. A search is a plain \`like\`, with the database's own case rules.

One call at a time, on one connection. Both take turns in rounds. A time is the median of the
rounds, followed by the least and the most; a ratio is the median of the ratios within each round.
"Kysely again" is the same code twice: its distance from 1 is noise.`
}

await main()

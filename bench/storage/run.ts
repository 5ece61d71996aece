import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fold } from '../fold.ts'
import { compareAnswers } from './compare.ts'
import { load } from './load.ts'
import { engines, type Place, placeholders } from './place.ts'
import { openers } from './places.ts'
import { type Measured, names, pageNoteOf, tableOf } from './report.ts'
import { type Contender, type Effort, measure, median } from './rounds.ts'
import { takeDown, withSame } from './same.ts'
import { pageStart, sampleOf, type Task, tasksFor } from './tasks.ts'
import { pageSize, type Way } from './way.ts'
import { withDriver } from './with-driver.ts'
import { withKysely } from './with-kysely.ts'
import { withNounful, withRequests } from './with-nounful.ts'

const usage = `node --conditions=nounful:source bench/storage/run.ts
  --engine sqlite    one engine: ${engines.join(', ')}; may be given more than once
  --rows 1000        one size of the table; may be given more than once
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

const thorough = { secondsPerTask: 4, batchMilliseconds: 20, fewest: 7, most: 60 }
const quick = { secondsPerTask: 1, batchMilliseconds: 10, fewest: 3, most: 20 }
const effort: Effort = options.quick ? quick : thorough

const results = join(import.meta.dirname, 'RESULTS.md')

async function main(): Promise<void> {
  if (options.help) return console.log(usage)
  const chosen = engines.filter((engine) => options.engine?.includes(engine) ?? true)
  const sizes = options.rows?.map(Number) ?? [1000, 1_000_000]
  const isWhole = !options.quick && !options.engine && !options.rows && options.task === ''
  const sections: string[] = [introduction()]
  for (const engine of chosen) {
    for (const rows of sizes) {
      const place = await openers[engine]()
      if (place === undefined) {
        console.error(`${engine} is not installed.`)
        continue
      }
      try {
        const section = await measureAll(place, rows)
        console.log(`\n${section}`)
        sections.push(section)
        if (isWhole) writeFileSync(results, fold(`${sections.join('\n\n')}\n`))
      } finally {
        await place.close()
      }
    }
  }
}

async function measureAll(place: Place, rows: number): Promise<string> {
  const start = performance.now()
  await load(place, rows)
  const loaded = ((performance.now() - start) / 1000).toFixed(1)
  const sample = await sampleOf(place, rows)
  const said = await takeDown(place, sample)
  const ways = [
    [names.nounful, withNounful(place.db)],
    [names.same, withSame(place, said, sample)],
    [names.builder, withKysely(place)],
    [names.again, withKysely(place)],
    [names.driver, withDriver(place, said)],
    [names.requests, withRequests(place.db)],
  ] as const
  const offset = await offsetTime(place, rows)
  const measured: Measured[] = []
  for (const task of tasksFor(place, rows, sample)) {
    if (task.name.includes(options.task)) measured.push(await measureOne(task, ways))
  }
  const title = `## ${place.engine}, ${rows.toLocaleString('en')} rows`
  const about = `${place.version}. Loaded in ${loaded} s.`
  return [title, about, tableOf(measured), pageNoteOf(measured, offset)].join('\n\n')
}

async function measureOne(
  task: Task,
  ways: readonly (readonly [string, Partial<Way>])[],
): Promise<Measured> {
  const contenders = ways.flatMap(([name, way]): Contender[] => {
    const ask = task.askerOf(way)
    return ask === undefined ? [] : [{ name, ask }]
  })
  await compareAnswers(contenders, task)
  const [[, nounful] = []] = ways
  const { beside } = task
  if (beside && nounful) {
    contenders.push({ name: beside.name, ask: beside.askerOf(nounful as Way) })
  }
  console.error(`${task.name} …`)
  return { task: task.name, times: await measure(contenders, task, effort), beside: beside?.name }
}

async function offsetTime({ ask, engine }: Place, rows: number): Promise<number> {
  const text = 'select * from employees order by name, id limit ? offset ?'
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const start = performance.now()
    await ask(placeholders(engine, text), [pageSize, pageStart(rows)])
    times.push((performance.now() - start) * 1000)
  }
  return median(times)
}

function introduction(): string {
  const [cpu] = cpus()
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} × ${cpu?.model.trim()}, Node ${process.version}, ${date}.`
  return `# The kysely adapter beside the same by hand

${machine}

- **nounful**: the adapter, called as the core calls it.
- **same SQL**: the adapter's statements, ready made, through Kysely, and the items from the rows.
- **Kysely**: its query builder. A search is a plain \`like\`, with the database's own case rules.
- **driver**: SQL by hand, without Kysely; searches are the adapter's statements.
- **handle**: a request, from its URL to the value of the response body, without HTTP.

One call at a time, on one connection. Contenders take turns in rounds. A time is the median of the
rounds, followed by the least and the most; a ratio is the median of the ratios within each round.
"Kysely again" is the same contender twice: its distance from 1 is noise.`
}

await main()

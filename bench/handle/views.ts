import { parseArgs } from 'node:util'
import {
  type AdapterFor,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
  type Registry,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
import { type Figure, figureOf, median, ratioOf } from '../support/figures.ts'
import { answers, askOnce, startInput } from '../support/process.ts'
import { clockInTurn } from '../support/turns.ts'
import { openStore, requestOf, type Store, type StoreName, storeNames } from './stores.ts'

// Measures on each store how much longer `handle` takes for a view than for its base resource: a
// read, and a page of 20 items. Beside it, the resource of a registry that has no view: nothing may
// be paid there.
//   node --conditions=nounful:source bench/handle/views.ts --store sqlite --runs 7
// Each run is a process of its own. Ends with 1 where a bound is not met.

/** At most so many times as long as the base resource. */
const limits = { read: 1.15, page: 1.25 }
type Case = keyof typeof limits

const text = z.string()
const Project = z.object({
  ...{ id: text, name: text, summary: text, state: z.enum(['running', 'stopped']) },
  ...{ rank: z.int(), owner: text, place: text, created_at: text },
})
const projects = defineResource('projects', {
  schema: Project,
  create: Project.omit({ id: true }),
  sortable: ['name'],
})

// Two other names, a table from words to booleans, and nothing of the rank.
const ProjectV1 = z.object({
  ...{ id: text, title: text, description: text, is_running: z.boolean() },
  ...{ owner: text, place: text, created_at: text },
})
const projects_v1 = defineView('projects_v1', projects, {
  schema: ProjectV1,
  create: ProjectV1.omit({ id: true }),
  sortable: ['title'],
  fields: {
    title: 'name',
    description: 'summary',
    is_running: { of: 'state', values: { running: true, stopped: false } },
  },
  hidden: { rank: 0 },
})
const both = defineApi({ v1: { '/projects': projects_v1 }, v2: { '/projects': projects } })
const alone = defineApi({ v2: { '/projects': projects } })

const ids = Array.from({ length: 10_000 }, (_, place) => `${place.toString(16)}-project`)
const items = ids.map((id, place) => ({
  ...{ id, name: `Project ${place}`, summary: `What project ${place} is for` },
  state: place % 3 === 0 ? ('stopped' as const) : ('running' as const),
  ...{ rank: place % 10, owner: `Person ${place % 100}`, place: `City ${place % 37}` },
  created_at: '2026-11-23T12:00:00.000Z',
}))
/** The result of one process. */
interface Run {
  readonly version: string
  readonly results: Readonly<Record<Case, Result>>
}

interface Result {
  /** Nanoseconds of the base resource. */
  readonly base: number
  /** How many times as long as the base resource. */
  readonly view: number
  /** The same of a resource without a view. */
  readonly alone: number
}

if (process.send) answers({ run: () => measure(startInput<StoreName>()) })
else await report()

// Each process compiles anew, and another way.
async function report(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      store: { type: 'string', multiple: true },
      runs: { type: 'string', default: '7' },
    },
  })
  for (const name of storeNames.filter((name) => options.store?.includes(name) ?? true)) {
    const runs: Run[] = []
    for (let run = 0; run < Number(options.runs); run++) {
      const result = await askOnce<Run | null>(
        { file: new URL(import.meta.url), about: name },
        'run',
      )
      if (result !== null) runs.push(result)
    }
    const { version = 'not installed' } = runs[0] ?? {}
    console.log(`\n${name} (${version}), median of ${runs.length} runs`)
    for (const [asked, limit] of Object.entries(limits)) {
      const results = runs.map(({ results }) => results[asked as Case])
      if (results.length > 0) console.log(lineOf(asked, results, limit))
    }
  }
}

function lineOf(name: string, results: readonly Result[], limit: number): string {
  const view = figureOf(results.map(({ view }) => view))
  // The bound decides only where the whole interval lies on one side.
  const isMissed = view.low > limit
  const verdict = view.high <= limit ? 'met' : isMissed ? 'not met' : 'undecided'
  if (isMissed) process.exitCode = 1
  const time = (median(results.map(({ base }) => base)) / 1000).toFixed(2)
  const without = figureOf(results.map(({ alone }) => alone))
  return (
    `  ${name}: base ${time.padStart(7)} µs, view × ${textOf(view)}: ${verdict}, ` +
    `at most ${limit}; without a view × ${textOf(without)}`
  )
}

function textOf({ median, low, high }: Figure): string {
  return `${median.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`
}

async function measure(name: StoreName): Promise<Run | null> {
  const store = await openStore(name, items, ['primary key (id)', 'unique (name, id)'])
  if (store === undefined) return null
  const { both, alone } = registriesOf(store)
  const costsOf = async (targetsOf: (path: string, sort: string) => readonly string[]) => {
    const calls = {
      base: await callOf(both, targetsOf('/v2/projects', 'name')),
      view: await callOf(both, targetsOf('/v1/projects', 'title')),
      alone: await callOf(alone, targetsOf('/v2/projects', 'name')),
    }
    const { base, view, alone: without } = await clockInTurn(calls, rounds)
    return { base: median(base ?? []), view: ratioOf(view, base), alone: ratioOf(without, base) }
  }
  const read = await costsOf((path) => ids.map((id) => `${path}/${id}`))
  const page = await costsOf((path, sort) => [`${path}?limit=20&sort=${sort}`])
  await store.close()
  return { version: store.version, results: { read, page } }
}

const rounds = { milliseconds: 6, unmeasured: 30, fewest: 70, most: 70 }

async function callOf(registry: Registry, targets: readonly string[]) {
  const requests = targets.map(requestOf)
  const call = (turn: number) => handle(requests[(turn * 7) % requests.length] as never, registry)
  const { status } = await call(0)
  if (status !== 200) throw new Error(`${targets[0]}: ${status}`)
  return call
}

function registriesOf({ db }: Store) {
  const adapter = (): AdapterFor<typeof alone, 'projects'> =>
    db ? kyselyAdapter(db, { table: 'projects' }) : memoryAdapter({ items })
  return {
    both: defineRegistry(both, { defaultVersion: false }).adapters({ projects: adapter() }),
    alone: defineRegistry(alone).adapters({ projects: adapter() }),
  }
}

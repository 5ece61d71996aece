import { bare, ours } from './contenders.ts'
import type { Effort } from './effort.ts'
import type { Bound, Figure, Table, Verdict } from './figures.ts'
import type { Runs } from './rounds.ts'
import { type About, mean, ratioIn } from './tables.ts'

/** The goal of a figure. */
export interface Limit {
  readonly sense: 'at most' | 'at least'
  readonly limit: number
}

/** So far beyond a limit still counts as the limit. */
const slack = 1.03

/** Holds a figure against a limit. It decides only where the whole interval lies on one side. */
export function boundOf(what: string, found: Figure, { sense, limit }: Limit): Bound {
  return { says: `${what}: ${sense} ${limit}`, found, verdict: verdictOf(found, { sense, limit }) }
}

/** Takes a bound's verdict back, since its control strays. */
export function withoutVerdict(bound: Bound): Bound {
  return { ...bound, verdict: 'undecided' }
}

function verdictOf({ low, high }: Figure, { sense, limit }: Limit): Verdict {
  const most = sense === 'at most' ? limit * slack : -limit / slack
  const [best, worst] = sense === 'at most' ? [low, high] : [-high, -low]
  if (worst <= most) return 'met'
  return best > most ? 'not met' : 'undecided'
}

/** Limits for one of ours beside another contender, by case. */
interface Goal {
  readonly other: string
  readonly sense: Limit['sense']
  readonly limits: Readonly<Record<string, number>>
}

const inPipeline: Readonly<Record<Effort['form'], readonly Goal[]>> = {
  long: [
    {
      other: bare.name,
      sense: 'at most',
      limits: { read: 1.1, 'nested read': 1.2, list: 1.15, create: 1.35, [mean]: 1.15 },
    },
    { other: 'fastify', sense: 'at most', limits: { [mean]: 1 } },
  ],
  // For a busy machine and few rounds: beyond the limit by more than noise.
  short: [
    {
      other: bare.name,
      sense: 'at most',
      limits: { read: 1.9, list: 2.2, create: 3, 404: 1.9, [mean]: 2 },
    },
    { other: 'fastify', sense: 'at most', limits: { [mean]: 1.8 } },
  ],
}

/** Holds the pipeline's CPU a request against its goals. */
export function pipelineBounds(table: Table, runs: Runs, about: About & Pick<Effort, 'form'>) {
  return goalBounds(inPipeline[about.form], { table, runs, about })
}

/** Holds the fetch door's CPU a request against its goals. */
export function fetchBounds(table: Table, runs: Runs, about: About): readonly Bound[] {
  const goals: readonly Goal[] = [{ other: 'hono', sense: 'at most', limits: { [mean]: 1 } }]
  return goalBounds(goals, { table, runs, about })
}

/** Holds requests a second over sockets against their goals. */
export function speedBounds(table: Table, runs: Runs, about: About): readonly Bound[] {
  const [read, nested, list, create] = ['read', 'nested read', 'list', 'create']
  const goals: readonly Goal[] = [
    {
      other: bare.name,
      sense: 'at least',
      limits: { [read]: 0.9, [nested]: 0.9, [list]: 0.85, [create]: 0.75 },
    },
    {
      other: 'fastify',
      sense: 'at least',
      limits: { [read]: 1, [nested]: 1, [list]: 1, [create]: 1 },
    },
  ]
  return goalBounds(goals, { table, runs, about })
}

interface Findings {
  readonly table: Table
  readonly runs: Runs
  readonly about: About
}

function goalBounds(goals: readonly Goal[], { table, runs, about }: Findings): readonly Bound[] {
  const names = new Set(table.rows.map(({ contender }) => contender))
  const known = [...about.cases, mean]
  return ours.flatMap((contender) =>
    goals.flatMap(({ other, sense, limits }) => {
      if (!names.has(contender) || !names.has(other)) return []
      return known.flatMap((name): readonly Bound[] => {
        const limit = limits[name]
        if (limit === undefined) return []
        const found = ratioIn(runs, about, { contender, other, name })
        const bound = boundOf(`${contender}, ${name}, × ${other}`, found, { sense, limit })
        return [table.undecided?.includes(name) ? withoutVerdict(bound) : bound]
      })
    }),
  )
}

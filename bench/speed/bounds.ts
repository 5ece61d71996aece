import { bare, ours } from './contenders.ts'
import type { Effort } from './effort.ts'
import type { Bound, Table } from './figures.ts'
import { meanOf } from './rounds.ts'

/** Costs in times of a server by hand, and of Fastify: at most this. */
const costs = {
  // As we would have it.
  long: { each: 1.1, mean: 1.06, fastify: 1 },
  // On a shared machine, in few rounds: beyond what was found by more than noise.
  short: { each: 1.8, mean: 1.15, fastify: 1.6 },
} as const

/** What the pipeline may cost. */
export function pipelineBounds(table: Table, { form }: Effort): readonly Bound[] {
  const { each, mean, fastify } = costs[form]
  return ours.flatMap((name) => [
    ...atMost(table, { name, other: bare.name, each, mean }),
    ...atMost(table, { name, other: 'fastify', each: fastify }),
  ])
}

/** What the door of fetch may cost. */
export function fetchBounds(table: Table): readonly Bound[] {
  return [
    ...atMost(table, { name: 'nounful', other: bare.name, mean: 1.08 }),
    ...atMost(table, { name: 'nounful', other: 'hono', mean: 0.95 }),
  ]
}

/** How many requests a second there must be, in times of those of others. Node 20 punishes what some of these do. */
export function speedBounds(table: Table, { version }: Effort): readonly Bound[] {
  const peers = version.startsWith('v20.')
    ? { fastify: 1.15, express: 5 }
    : { hono: 1.05, express: 1.3, fastify: 1 }
  return ours.flatMap((name) => [
    ...atLeast(table, { name, other: bare.name, each: 0.95, mean: 0.97 }),
    ...Object.entries(peers).flatMap(([other, mean]) => atLeast(table, { name, other, mean })),
  ])
}

/**
 * What makes a table worth reading: that a second copy of the yardstick costs what the first does, and that servers had no
 * time to rest, since where they had it was not they who were measured.
 */
export function conditionsOf({ level, title, control, busy }: Table): readonly Bound[] {
  const conditions: Bound[] = []
  if (control !== undefined) {
    const holds = control >= 0.97 && control <= 1.03
    conditions.push({ says: `${level}, ${title}, control: 0.97 to 1.03`, found: control, holds })
  }
  if (busy !== undefined) {
    const says = `${level}, every server at work: at least 0.95 of the time`
    conditions.push({ says, found: busy, holds: busy >= 0.95 })
  }
  return conditions
}

interface Limits {
  readonly name: string
  readonly other: string
  /** Of every case. */
  readonly each?: number
  /** Of the geometric mean of all cases that both can do. */
  readonly mean?: number
}

function atMost(table: Table, limits: Limits): readonly Bound[] {
  return bounded(table, limits, { words: 'at most', holds: (found, limit) => found <= limit })
}

function atLeast(table: Table, limits: Limits): readonly Bound[] {
  return bounded(table, limits, { words: 'at least', holds: (found, limit) => found >= limit })
}

interface Sense {
  readonly words: string
  readonly holds: (found: number, limit: number) => boolean
}

function bounded(
  { rows, cases }: Table,
  { name, other, each, mean }: Limits,
  { words, holds }: Sense,
): readonly Bound[] {
  const [one, two] = [name, other].map(
    (wanted) => rows.find(({ contender }) => contender === wanted)?.figures ?? {},
  )
  const ratios = cases.flatMap((asked): [string, number][] => {
    const ratio = (one?.[asked]?.median ?? Number.NaN) / (two?.[asked]?.median ?? Number.NaN)
    return Number.isNaN(ratio) ? [] : [[asked, ratio]]
  })
  if (ratios.length === 0) return []
  const bound = (what: string, found: number, limit: number): Bound => ({
    says: `${name}, ${what}: ${words} ${limit} × ${other}`,
    found,
    holds: holds(found, limit),
  })
  return [
    ...(each === undefined ? [] : ratios.map(([asked, ratio]) => bound(asked, ratio, each))),
    ...(mean === undefined ? [] : [bound('mean', meanOf(ratios.map(([, ratio]) => ratio)), mean)]),
  ]
}

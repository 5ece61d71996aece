import { inTurn, median } from '../support/figures.ts'
import { type Child, start } from '../support/process.ts'
import {
  bare,
  bulk,
  type Case,
  type Contender,
  compareResponses,
  type Door,
  longList,
  longLists,
  ours,
  type Responder,
} from './contenders.ts'
import {
  atLeast,
  atMost,
  type Effort,
  type Goal,
  mean,
  Runs,
  type Table,
  type Values,
} from './tables.ts'
import { findWrk, wrk } from './wrk.ts'

const notes = {
  pipeline:
    'The bench feeds a request from memory to Node’s own parser, request and response, and ' +
    'drops the response. Figures are CPU of the whole process, all threads together.',
  fetch:
    'The bench makes a `Request`, calls the handler in the same process, and reads the body of ' +
    'the `Response` as text. Figures are CPU of the whole process.',
  young:
    'As pipeline, but of the first 10,000 requests of a process, one process a case: most ' +
    'functions are not compiled yet.',
  loopback:
    'wrk sends requests over 16 connections from the other processor. CPU is that of the ' +
    'server’s process, with its share of the kernel’s work.',
  lists: 'As loopback, of items of seven fields, one response after another.',
}

const goals: readonly Goal[] = [
  {
    ...{ other: bare, hold: atMost },
    limits: { read: 1.1, 'nested read': 1.2, list: 1.15, create: 1.35, [mean]: 1.15 },
  },
  { other: 'fastify', hold: atMost, limits: { [mean]: 1 } },
]
// For a busy machine and few rounds: beyond the limit by more than noise.
const bounds: readonly Goal[] = [
  { other: bare, hold: atMost, limits: { read: 1.9, list: 2.2, create: 3, 404: 1.9, [mean]: 2 } },
  { other: 'fastify', hold: atMost, limits: { [mean]: 1.8 } },
]
const goalsOfYoung: readonly Goal[] = [{ other: bare, hold: atMost, limits: { create: 1.6 } }]
const goalsOfFetch: readonly Goal[] = [{ other: 'hono', hold: atMost, limits: { [mean]: 1 } }]
const goalsOfSpeed: readonly Goal[] = [
  {
    ...{ other: bare, hold: atLeast },
    limits: { read: 0.9, 'nested read': 0.9, list: 0.85, create: 0.75 },
  },
  {
    ...{ other: 'fastify', hold: atLeast },
    limits: { read: 1, 'nested read': 1, list: 1, create: 1 },
  },
]

/** Measures the CPU of a request in Node's pipeline without a socket, and its ratio to bare's. */
export async function pipeline(effort: Effort): Promise<readonly Table[]> {
  const contest = await compete('pipeline', effort)
  return tablesOf(contest, ['cpu', ''], effort.isShort ? bounds : goals)
}

/** Measures the CPU of a request behind the fetch door, and its ratio to bare's. */
export async function fetch(effort: Effort): Promise<readonly Table[]> {
  return tablesOf(await compete('fetch', effort), ['cpu', ''], goalsOfFetch)
}

/** So many requests are the youth of a process. */
const youth = 10_000

/**
 * Measures the CPU of the first requests of a process, and its ratio to bare's. Each case has a
 * process of its own, which V8 has compiled nothing for.
 */
export async function young(effort: Effort): Promise<readonly Table[]> {
  const requests = effort.requests.filter(({ name }) => name !== bulk)
  const contenders = effort.contenders.filter(({ doors }) => doors.includes('pipeline'))
  const runs = new Runs()
  for (let run = 0; run < effort.runs; run++) {
    runs.begin()
    for (const request of requests) {
      for (const contender of inTurn(contenders, run)) {
        const { name, child } = await startRival('pipeline', contender, effort)
        const cpu = await child.ask<number>('batch', { request, times: youth })
        runs.add(name, request.name, { cpu })
        await child.kill()
      }
    }
  }
  const contest = { level: 'young', runs, contenders, requests } as const
  return tablesOf(contest, ['cpu', ''], goalsOfYoung)
}

/** Measures the functions of a contender in the pipeline: nanoseconds a request, by case. */
export async function profile(contender: Contender, effort: Effort) {
  // Only the sources stand in files that are named after their step.
  const flags = ['--conditions=nounful:source']
  const { child, warmUp } = await startRival('pipeline', contender, effort, flags)
  await child.ask('startProfiler')
  await warmUp()
  const profiles: [string, Readonly<Record<string, number>>][] = []
  for (const request of effort.requests) {
    const times = request.name === bulk ? 2000 : 40_000
    profiles.push([request.name, await child.ask('profile', { request, times })])
  }
  await child.kill()
  return profiles
}

/** A server that works less than this share of the time waits for its client. */
const busy = 0.95
const casesOfLoopback = ['read', 'nested read', 'list', 'create', bulk]

/** Measures servers over loopback: requests a second, CPU a request, and their ratios to bare. */
export async function loopback(effort: Effort): Promise<readonly Table[]> {
  findWrk()
  const requests = effort.requests.filter(({ name }) => casesOfLoopback.includes(name))
  const contest = await compete('loopback', { ...effort, requests })
  const { runs, contenders } = contest
  const idle = requests
    .map(({ name }) => name)
    .filter((name) =>
      contenders.some((contender) => median(runs.medians('busy', contender.name, name)) < busy),
    )
  const [besides, speeds] = tablesOf(contest, ['speed', 'requests a second'], goalsOfSpeed, idle)
  const [besidesOfCpu, cpus] = tablesOf(contest, ['cpu', 'CPU a request'], [])
  return [besides, besidesOfCpu, speeds, cpus].filter((table) => table !== undefined)
}

/** Measures what a list of 10,000 items costs over loopback. */
export async function lists(effort: Effort): Promise<readonly Table[]> {
  findWrk()
  const subjects = { contenders: longLists, requests: [longList], connections: 1 }
  const contest = await compete('loopback', { ...effort, ...subjects })
  return tablesOf({ ...contest, level: 'lists' }, ['cpu', ''], [])
}

/** The values of contenders that took turns. */
interface Contest {
  readonly level: keyof typeof notes
  readonly runs: Runs
  readonly contenders: readonly Contender[]
  readonly requests: readonly Case[]
}

/** Makes two tables of a quantity: beside bare, with the goals, and by itself. */
function tablesOf(
  { level, runs, contenders, requests }: Contest,
  [quantity, title]: readonly [quantity: string, title: string],
  goals: readonly Goal[],
  idle: readonly string[] = [],
): readonly Table[] {
  const cases = requests.map(({ name }) => name)
  const names = contenders.map(({ name }) => name)
  const about = { level, quantity, contenders: names, notes: [notes[level]] }
  const beside = {
    ...{ ...about, title: [title, 'beside bare'].filter(Boolean).join(', ') },
    cases: level === 'lists' ? cases : [...cases, mean],
  }
  return [
    runs.beside(beside, { ours, goals, idle }),
    runs.table(
      { ...about, title: title || 'a request', cases },
      quantity === 'speed' ? '1/s' : 'ns',
    ),
  ]
}

/**
 * Measures contenders, each in a process of its own that is fresh in every run; one of them works
 * at a time, in turn.
 */
async function compete(level: Door, effort: Effort): Promise<Contest> {
  const contenders = effort.contenders.filter(({ doors }) => doors.includes(level))
  const runs = new Runs()
  for (let run = 0; run < effort.runs; run++) {
    const rivals: Rival[] = []
    try {
      for (const contender of contenders) rivals.push(await startRival(level, contender, effort))
      await compareResponses(rivals, effort.requests)
      for (const rival of rivals) await rival.warmUp()
      runs.begin()
      for (let round = 0; round < effort.slices; round++) {
        for (const request of effort.requests) {
          for (const rival of inTurn(rivals, round)) {
            runs.add(rival.name, request.name, await rival.measure(request))
          }
        }
      }
    } finally {
      await Promise.all(rivals.map((rival) => rival.child.kill()))
    }
  }
  return { level, runs, contenders, requests: effort.requests }
}

/** A contender in a process of its own, on a processor of its own. */
interface Rival extends Responder {
  readonly child: Child
  /** Sends all cases in turn, so that V8 compiles nothing for one of them alone. */
  warmUp(): Promise<void>
  /** Measures a case once. */
  measure(request: Case): Promise<Values>
}

async function startRival(
  door: Door,
  contender: Contender,
  effort: Effort,
  flags: readonly string[] = [],
): Promise<Rival> {
  const child = start({
    file: new URL('inside/server.mjs', import.meta.url),
    about: { door, ...contender },
    flags,
    // Some frameworks are slow and verbose without it.
    env: { NODE_ENV: 'production' },
    core: effort.core,
  })
  const port = await child.ask<number | null>('ready')
  const measures = port === null ? measuresInside(child, effort) : measuresOver(port, child, effort)
  return { name: contender.name, child, ask: (request) => child.ask('ask', request), ...measures }
}

type Measures = Pick<Rival, 'warmUp' | 'measure'>

// Enough for times to stay as they are; slow contenders get fewer requests in a turn.
const warmUp = { turns: 15, times: 1500, milliseconds: 40, least: 1500 }
const fewest = 5

function measuresInside(child: Child, { batch, requests }: Effort): Measures {
  const counts = new Map<Case, number>()
  const run = (request: Case, count: number): Promise<number> =>
    child.ask('batch', { request, times: Math.ceil(Math.max(fewest, count)) })
  return {
    warmUp: async () => {
      const end = performance.now() + warmUp.least
      for (let turn = 0; turn < warmUp.turns || performance.now() < end; turn++) {
        for (const request of requests) {
          const most = (counts.get(request) ?? fewest) * (warmUp.milliseconds / batch)
          const time = await run(request, Math.min(warmUp.times, most))
          counts.set(request, (batch * 1e6) / time)
        }
      }
    },
    measure: async (request) => ({ cpu: await run(request, counts.get(request) ?? fewest) }),
  }
}

/**
 * How much longer servers are warmed up than measured. With equal times V8 had not compiled all of
 * a framework: its first case came out slower than a later one with more to do.
 */
const warmUps = 5

interface Spent {
  readonly cpu: number
  readonly time: number
}

function measuresOver(port: number, child: Child, effort: Effort): Measures {
  const { batch, requests, connections } = effort
  const load = { port, connections, seconds: Math.ceil(batch / 1000) }
  return {
    warmUp: async () => {
      await wrk({ ...load, requests, seconds: warmUps * load.seconds })
    },
    measure: async (request) => {
      const before = await child.ask<Spent>('spent')
      const count = await wrk({ ...load, requests: [request] })
      const after = await child.ask<Spent>('spent')
      const [cpu, time] = [after.cpu - before.cpu, after.time - before.time]
      return { cpu: (cpu * 1000) / count, speed: (count * 1e6) / time, busy: cpu / time }
    },
  }
}

import { inTurn, median } from '../support/figures.ts'
import { type Child, start } from '../support/process.ts'
import {
  bare,
  bulk,
  type Case,
  type Contender,
  cases,
  compareResponses,
  type Door,
  type Responder,
} from './contenders.ts'
import {
  atLeast,
  atMost,
  type Effort,
  type Goal,
  mean,
  Runs,
  rowOf,
  type Subject,
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
  const { runs, subject } = await contest('pipeline', effort)
  return [
    runs.besideBare(subject('cpu', 'beside bare'), effort.isShort ? bounds : goals),
    tableOf(runs, subject('cpu', 'a request'), 'ns'),
  ]
}

/** Measures the CPU of a request behind the fetch door, and its ratio to bare's. */
export async function fetch(effort: Effort): Promise<readonly Table[]> {
  const { runs, subject } = await contest('fetch', effort)
  return [
    runs.besideBare(subject('cpu', 'beside bare'), goalsOfFetch),
    tableOf(runs, subject('cpu', 'a request'), 'ns'),
  ]
}

/** So many requests are the youth of a process. */
const youth = 10_000

/**
 * Measures the CPU of the first requests of a process, and its ratio to bare's. Each case has a
 * process of its own, which V8 has compiled nothing for.
 */
export async function young(effort: Effort): Promise<readonly Table[]> {
  const names = effort.cases.filter((name) => name !== bulk)
  const contenders = effort.contenders.filter(({ doors }) => doors.includes('pipeline'))
  const runs = new Runs()
  for (let run = 0; run < effort.runs; run++) {
    runs.begin()
    for (const request of casesOf(names)) {
      for (const contender of inTurn(contenders, run)) {
        const { name, child } = await startRival('pipeline', contender, effort)
        const cpu = await child.ask<number>('batch', { request, times: youth })
        runs.add(name, request.name, { cpu })
        await child.kill()
      }
    }
  }
  const subject = { level: 'young', contenders, quantity: 'cpu', cases: names } as const
  const about = { ...subject, notes: [notes.young] }
  return [
    runs.besideBare({ ...about, title: 'beside bare' }, goalsOfYoung),
    tableOf(runs, { ...about, title: 'a request' }, 'ns'),
  ]
}

/** A server that works less than this share of the time waits for its client. */
const busy = 0.95
const casesOfLoopback = ['read', 'nested read', 'list', 'create', bulk]

/** Measures servers over loopback: requests a second, CPU a request, and their ratios to bare. */
export async function loopback(effort: Effort): Promise<readonly Table[]> {
  findWrk()
  const cases = casesOfLoopback.filter((name) => effort.cases.includes(name))
  const { runs, subject } = await contest('loopback', { ...effort, cases })
  const speed = subject('speed', 'requests a second')
  const cpu = subject('cpu', 'CPU a request')
  const idle = cases.filter((name) =>
    speed.contenders.some((contender) => {
      const shares = runs.values('busy', contender.name, name).map(median)
      return median(shares) < busy
    }),
  )
  const [beside, besideOfCpu] = [speed, cpu].map((one) => ({
    ...one,
    title: `${one.title}, beside bare`,
  })) as [Subject, Subject]
  return [
    runs.besideBare(beside, goalsOfSpeed, idle),
    runs.besideBare(besideOfCpu, []),
    tableOf(runs, speed, '1/s'),
    tableOf(runs, cpu, 'ns'),
  ]
}

function tableOf(runs: Runs, { quantity, contenders, ...about }: Subject, unit: string): Table {
  const rows = contenders.map(({ name: contender }) =>
    rowOf(contender, about.cases, (name) => runs.values(quantity, contender, name).map(median)),
  )
  return { ...about, unit, rows }
}

/**
 * Measures contenders, each in a process of its own that is fresh in every run; one of them works
 * at a time, in turn.
 */
async function contest(level: Door, effort: Effort) {
  const contenders = effort.contenders.filter(({ doors }) => doors.includes(level))
  const runs = new Runs()
  for (let run = 0; run < effort.runs; run++) {
    const rivals: Rival[] = []
    try {
      for (const contender of contenders) rivals.push(await startRival(level, contender, effort))
      await compareResponses(rivals)
      for (const rival of rivals) await rival.warmUp()
      runs.begin()
      for (let round = 0; round < effort.slices; round++) {
        for (const name of effort.cases) {
          for (const rival of inTurn(rivals, round)) {
            runs.add(rival.name, name, await rival.measure(name))
          }
        }
      }
    } finally {
      await Promise.all(rivals.map((rival) => rival.child.kill()))
    }
  }
  const subject = (quantity: string, title: string): Subject => ({
    ...{ level, contenders, quantity, title, cases: effort.cases, notes: [notes[level]] },
  })
  return { runs, subject }
}

/** A contender in a process of its own, on a processor of its own. */
interface Rival extends Responder {
  readonly child: Child
  /** Sends all cases in turn, so that V8 compiles nothing for one of them alone. */
  warmUp(): Promise<void>
  /** Measures a case once. */
  measure(name: string): Promise<Values>
}

async function startRival(door: Door, contender: Contender, effort: Effort): Promise<Rival> {
  const child = start({
    file: new URL('inside/server.mjs', import.meta.url),
    about: { door, ...contender },
    // Some frameworks are slow and verbose without it.
    env: { NODE_ENV: 'production' },
    core: effort.core,
  })
  const port = await child.ask<number | null>('ready')
  const measures = port === null ? measuresInside(child, effort) : measuresOver(port, child, effort)
  return { name: contender.name, child, ask: (request) => child.ask('ask', request), ...measures }
}

type Measures = Pick<Rival, 'warmUp' | 'measure'>

// Enough for times to stay as they are; slow contenders get fewer requests.
const warmUp = { turns: 15, times: 1500, milliseconds: 40 }
const fewest = 5

function measuresInside(child: Child, { batch, cases: names }: Effort): Measures {
  const counts = new Map<string, number>()
  const run = (name: string, count: number): Promise<number> => {
    const [request] = casesOf([name])
    return child.ask('batch', { request, times: Math.ceil(Math.max(fewest, count)) })
  }
  return {
    warmUp: async () => {
      for (let turn = 0; turn < warmUp.turns; turn++) {
        for (const name of names) {
          const most = (counts.get(name) ?? fewest) * (warmUp.milliseconds / batch)
          const time = await run(name, Math.min(warmUp.times, most))
          counts.set(name, (batch * 1e6) / time)
        }
      }
    },
    measure: async (name) => ({ cpu: await run(name, counts.get(name) ?? fewest) }),
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

function measuresOver(port: number, child: Child, { batch, cases: names }: Effort): Measures {
  const seconds = Math.ceil(batch / 1000)
  return {
    warmUp: async () => {
      await wrk({ port, requests: casesOf(names), seconds: warmUps * seconds })
    },
    measure: async (name) => {
      const before = await child.ask<Spent>('spent')
      const count = await wrk({ port, requests: casesOf([name]), seconds })
      const after = await child.ask<Spent>('spent')
      const [cpu, time] = [after.cpu - before.cpu, after.time - before.time]
      return { cpu: (cpu * 1000) / count, speed: (count * 1e6) / time, busy: cpu / time }
    },
  }
}

function casesOf(names: readonly string[]): readonly Case[] {
  return cases.filter(({ name }) => names.includes(name))
}

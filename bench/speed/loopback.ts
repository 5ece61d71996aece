import { type Answerer, compareAnswers, parseAnswer } from './agree.ts'
import { speedBounds } from './bounds.ts'
import { cases as allCases, bulk, type Case } from './cases.ts'
import { type Child, start } from './child.ts'
import { behind, type Contender } from './contenders.ts'
import type { Effort } from './effort.ts'
import type { Table } from './figures.ts'
import { type Found, type Measured, Runs } from './rounds.ts'
import { absoluteTable, ratioTable } from './tables.ts'
import { findWrk, wrk } from './wrk.ts'

const notes = [
  'wrk sends requests over 16 connections from the other processor. CPU is that of the ' +
    'server’s process, with its share of the kernel’s work.',
]
const over = ['read', 'nested read', 'list', 'create', bulk]
/** A server that works less than this share of the time waits for its client. */
const busy = 0.95
/**
 * How much longer servers are warmed up than measured. With equal times V8 had not compiled all of
 * a framework: its first case came out slower than a later one with more to do.
 */
const warmUps = 5

/** Measures servers over loopback: requests a second, CPU a request, and their ratios to bare. */
export async function loopback(effort: Effort): Promise<readonly Table[]> {
  findWrk()
  const contenders = behind('loopback', effort.contenders)
  const cases = over.filter((name) => effort.cases.includes(name))
  const runs = new Runs()
  for (let run = 0; run < effort.runs; run++) await runOnce(runs, contenders, { ...effort, cases })
  const about = { level: 'loopback', contenders, cases, notes } as const
  const [cpu, speed] = [
    { ...about, quantity: 'cpu', title: 'CPU a request', unit: 'ns' },
    { ...about, quantity: 'speed', title: 'requests a second', unit: '1/s' },
  ]
  const beside = { ...speed, title: 'requests a second, beside bare', unit: '× bare' }
  const ratios = ratioTable(runs, beside)
  const idle = cases.filter((name) => leastBusy(runs, contenders, name) < busy)
  const speeds = { ...ratios, undecided: [...new Set([...(ratios.undecided ?? []), ...idle])] }
  return [
    { ...speeds, bounds: speedBounds(speeds, runs, beside) },
    ratioTable(runs, { ...cpu, title: 'CPU a request, beside bare', unit: '× bare' }),
    absoluteTable(runs, speed),
    absoluteTable(runs, cpu),
  ]
}

async function runOnce(
  runs: Runs,
  contenders: readonly Contender[],
  effort: Effort,
): Promise<void> {
  const servers: Server[] = []
  try {
    for (const contender of contenders) servers.push(await Server.start(contender, effort))
    await compareAnswers(servers)
    for (const server of servers) await server.warmUp()
    await runs.begin().run(servers, effort.cases, effort.slices)
  } finally {
    await Promise.all(servers.map((server) => server.end()))
  }
}

function leastBusy(runs: Runs, contenders: readonly Contender[], name: string): number {
  const shares = contenders.map(
    ({ name: contender }) => runs.figure({ quantity: 'busy', contender, name }).median,
  )
  return Math.min(...shares)
}

interface Spent {
  readonly cpu: number
  readonly time: number
}

/** A server in a process of its own, on a processor of its own. */
class Server implements Measured, Answerer {
  readonly name: string
  readonly #child: Child
  readonly #port: number
  readonly #effort: Effort

  static async start(contender: Contender, effort: Effort): Promise<Server> {
    const { name, file } = contender
    const child = start({ ...effort, file: 'inside/loopback.mjs', about: [file] })
    return new Server(name, { child, port: await child.ask('ready'), effort })
  }

  constructor(
    name: string,
    { child, port, effort }: { child: Child; port: number; effort: Effort },
  ) {
    this.name = name
    this.#port = port
    this.#child = child
    this.#effort = effort
  }

  async ask(asked: Case): Promise<ReturnType<typeof parseAnswer>> {
    return parseAnswer(await this.#child.ask('ask', asked))
  }

  /** Sends all cases in turn, so that V8 compiles nothing for one of them alone. */
  async warmUp(): Promise<void> {
    const { cases } = this.#effort
    await this.#send(
      allCases.filter(({ name }) => cases.includes(name)),
      warmUps,
    )
  }

  async measure(name: string): Promise<Found> {
    const before = await this.#child.ask<Spent>('spent')
    const count = await this.#send(allCases.filter((one) => one.name === name))
    const after = await this.#child.ask<Spent>('spent')
    const cpu = after.cpu - before.cpu
    const time = after.time - before.time
    return { cpu: (cpu * 1000) / count, speed: (count * 1e6) / time, busy: cpu / time }
  }

  end(): Promise<void> {
    return this.#child.end()
  }

  #send(asked: readonly Case[], times = 1): Promise<number> {
    const { otherCore: core, batch } = this.#effort
    return wrk({ port: this.#port, asked, seconds: times * Math.ceil(batch / 1000), core })
  }
}

import { type Answerer, compareAnswers, parseAnswer } from './agree.ts'
import { speedBounds } from './bounds.ts'
import { type Case, cases } from './cases.ts'
import { type Child, start } from './child.ts'
import { behind, type Contender } from './contenders.ts'
import type { Effort } from './effort.ts'
import type { Table } from './figures.ts'
import { type Found, type Measured, Rounds } from './rounds.ts'
import { absoluteTable, ratioTable } from './tables.ts'
import { findWrk, wrk } from './wrk.ts'

const notes = [
  'wrk asks over 16 connections from the other processor. CPU is that of the server’s process, its share of the kernel’s work included. json-server holds every answer back for some milliseconds.',
]

/** Measures servers over loopback: CPU a request, and requests a second, both beside a server by hand. */
export async function loopback(effort: Effort): Promise<readonly Table[]> {
  findWrk()
  const contenders = behind('node', effort.contenders)
  const rounds = new Rounds()
  for (let turn = 0; turn < effort.starts; turn++) await runOnce(rounds, contenders, effort)
  const about = { level: 'loopback', contenders, cases: effort.cases, notes } as const
  const cpu = { ...about, quantity: 'cpu' }
  const speed = { ...about, quantity: 'speed' }
  const speeds = ratioTable(rounds, {
    ...speed,
    title: 'requests a second beside by hand',
    unit: '× bare',
  })
  return [
    absoluteTable(rounds, { ...cpu, title: 'CPU a request', unit: 'ns' }),
    ratioTable(rounds, { ...cpu, title: 'CPU a request beside by hand', unit: '× bare' }),
    absoluteTable(rounds, { ...speed, title: 'requests a second', unit: '1/s' }),
    { ...speeds, busy: leastBusy(rounds, about), bounds: speedBounds(speeds, effort) },
  ]
}

async function runOnce(
  rounds: Rounds,
  contenders: readonly Contender[],
  effort: Effort,
): Promise<void> {
  const servers: Server[] = []
  try {
    for (const contender of contenders) servers.push(await Server.start(contender, effort))
    const [first, ...others] = servers
    if (first) await compareAnswers(first, others)
    if (!effort.isFresh) for (const server of servers) await server.rest()
    // The first round warms up.
    await new Rounds().run(servers, effort.cases, 1)
    await rounds.run(servers, effort.cases, effort.rounds)
  } finally {
    await Promise.all(servers.map((server) => server.end()))
  }
}

function leastBusy(
  rounds: Rounds,
  { contenders, cases }: Pick<Effort, 'contenders' | 'cases'>,
): number {
  const busy = contenders.filter(({ dawdles }) => !dawdles)
  const shares = busy.flatMap(({ name: contender }) =>
    cases.flatMap((name) => rounds.figure({ quantity: 'busy', contender, name })?.median ?? []),
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
  readonly lacks: readonly string[]
  readonly #child: Child
  readonly #port: number
  readonly #effort: Effort

  static async start({ name, file }: Contender, effort: Effort): Promise<Server> {
    const child = start({ ...effort, file: 'inside/loopback.mjs', about: [file] })
    return new Server(
      { name, lacks: await child.ask('lacks'), port: await child.ask('port') },
      child,
      effort,
    )
  }

  constructor(
    { name, lacks, port }: { name: string; lacks: readonly string[]; port: number },
    child: Child,
    effort: Effort,
  ) {
    this.name = name
    this.lacks = lacks
    this.#port = port
    this.#child = child
    this.#effort = effort
  }

  async ask(asked: Case): Promise<ReturnType<typeof parseAnswer>> {
    return parseAnswer(await this.#child.ask('ask', asked))
  }

  async measure(name: string): Promise<Found | undefined> {
    const asked = cases.find((one) => one.name === name)
    if (asked === undefined || this.lacks.includes(name)) return undefined
    const { otherCore, batch } = this.#effort
    const before = await this.#child.ask<Spent>('spent')
    const count = await wrk({
      port: this.#port,
      asked,
      seconds: Math.ceil(batch / 1000),
      core: otherCore,
    })
    const after = await this.#child.ask<Spent>('spent')
    const cpu = after.cpu - before.cpu
    const time = after.time - before.time
    return { cpu: (cpu * 1000) / count, speed: (count * 1e6) / time, busy: cpu / time }
  }

  rest(): Promise<void> {
    return this.#child.ask('rest')
  }

  end(): Promise<void> {
    return this.#child.end()
  }
}

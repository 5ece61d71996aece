import { Agent, get } from 'node:http'
import { type Child, start } from './child.ts'
import type { Effort } from './effort.ts'
import type { Figure, Table } from './figures.ts'
import { figureOf } from './times.ts'

/** By the name of each in `inside/lists.mjs`. */
const contenders = {
  bare: 'bare, JSON.stringify at once',
  nounful: 'nounful, an array',
  'nounful-iterable': 'nounful, an async iterable',
  fastify: 'fastify',
  express: 'express',
} as const

type Contender = keyof typeof contenders

const cases = ['longest stall, ms', 'CPU an answer, ms', 'answers a second'] as const

type Values = Record<(typeof cases)[number], number[]>

const effortOf = { short: { rounds: 3, answers: 5 }, long: { rounds: 15, answers: 20 } } as const

/** Measures how long a list of 10,000 items delays other requests. */
export async function lists(effort: Effort): Promise<readonly Table[]> {
  const { rounds, answers } = effortOf[effort.form]
  const servers: Server[] = []
  try {
    for (const name of Object.keys(contenders)) servers.push(await Server.start(name, effort))
    for (const server of servers) await server.measure(answers)
    const found = new Map(servers.map((server) => [server.name, noValues()]))
    for (let round = 0; round < rounds; round++) {
      for (const server of servers) {
        const figures = await server.measure(answers)
        for (const name of cases) found.get(server.name)?.[name].push(figures[name])
      }
    }
    return [tableOf(found)]
  } finally {
    await Promise.all(servers.map((server) => server.end()))
  }
}

function noValues(): Values {
  return { 'longest stall, ms': [], 'CPU an answer, ms': [], 'answers a second': [] }
}

function tableOf(found: ReadonlyMap<string, Values>): Table {
  const rows = [...found].map(([name, values]) => ({
    contender: contenders[name as Contender],
    figures: Object.fromEntries(
      cases.map((asked): [string, Figure] => [asked, figureOf(values[asked])]),
    ),
  }))
  return {
    level: 'lists',
    title: '10,000 items of seven fields',
    unit: 'as said',
    cases,
    rows,
    notes: [
      'Over loopback, one response after another. The stall is the longest delay of a timer ' +
        'of 1 ms while the server wrote responses: other requests wait that long.',
    ],
  }
}

class Server {
  readonly name: string
  readonly #child: Child
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  static async start(name: string, effort: Effort): Promise<Server> {
    const child = start({ ...effort, file: 'inside/lists.mjs', about: [name] })
    return new Server(name, child, await child.ask<number>('listen'))
  }

  constructor(name: string, child: Child, port: number) {
    this.name = name
    this.#child = child
    this.#url = `http://127.0.0.1:${port}/v1/employees`
  }

  async measure(answers: number): Promise<Record<(typeof cases)[number], number>> {
    await this.#child.ask('begin')
    const begun = performance.now()
    for (let left = answers; left > 0; left--) await this.#ask()
    const milliseconds = performance.now() - begun
    const { stall, cpu } = await this.#child.ask<{ stall: number; cpu: number }>('end')
    return {
      'longest stall, ms': stall,
      'CPU an answer, ms': cpu / answers,
      'answers a second': (answers * 1000) / milliseconds,
    }
  }

  async end(): Promise<void> {
    this.#agent.destroy()
    await this.#child.end()
  }

  #ask(): Promise<void> {
    return new Promise((resolve, reject) => {
      get(this.#url, { agent: this.#agent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${this.name}: ${response.statusCode}`))
        response.on('error', reject).on('end', resolve).resume()
      }).on('error', reject)
    })
  }
}

import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { bytesOf, Connection } from '../support/connection.ts'
import { Findings, type Form } from './report.ts'
import { during, type Server, startExample, startServer } from './server.ts'

interface Load {
  readonly start: () => Promise<Server>
  readonly requests: readonly string[]
  /** Whether the signal is sent again and again until the end. */
  readonly isImpatient?: boolean
}

const requests = [
  bytesOf('GET', '/v1/employees?sort=-name&limit=20'),
  bytesOf('POST', '/v1/employees', { body: '{"name":"Ida","birthdate":"1991-04-09"}' }),
  bytesOf('GET', '/v1/employees/count'),
  bytesOf('GET', '/v1/companies'),
]
// Only the server of this folder has these: a slow resource, and a streamed list.
const slow = [bytesOf('GET', '/v1/stalls/1'), bytesOf('GET', '/v1/events?limit=900')]

const loads: Readonly<Record<string, Load>> = {
  server: { start: () => startServer({}), requests: [...requests, ...slow] },
  example: { start: startExample, requests },
  impatient: { start: startExample, requests, isImpatient: true },
}

/** Ends servers that are at work, and those that cannot end by themselves. */
export async function sigterm(form: Form): Promise<Findings> {
  const rounds = form === 'short' ? 4 : 20
  const findings = new Findings()
  for (const [name, load] of Object.entries(loads)) {
    const ends: End[] = []
    for (let round = 0; round < rounds; round++) {
      const server = await load.start()
      ends.push(await during([server], () => endBusy(server, load)))
    }
    noteEnds(findings, name, ends)
  }
  findings.add(await endHung())
  return findings
}

interface End extends Clients {
  readonly code: number | string
  /** Milliseconds from the last answer to the end. */
  readonly late: number
}

async function endBusy({ process: child, url }: Server, load: Load): Promise<End> {
  const clients = new Clients(url, load.requests)
  const done = clients.run(32)
  const exit = once(child, 'exit')
  // In the middle of something else each time.
  await pause(300 + Math.random() * 400)
  child.kill('SIGTERM')
  const again = load.isImpatient ? setInterval(() => child.kill('SIGTERM'), 2) : undefined
  const never: readonly [number, string] = [Number.NaN, 'never']
  const [code, signal] = await Promise.race([exit, pause(12_000, never)])
  const late = performance.now() - clients.last
  clearInterval(again)
  // Clients would send to a server that never ends for ever.
  await Promise.race([done, pause(2000)])
  clients.isStopped = true
  for (const connection of clients.open) connection.close()
  await done
  return Object.assign(clients, { code: code ?? signal, late })
}

/** Clients that keep their connections and send the next request after each response. */
class Clients {
  answers = 0
  /** Requests that were sent and not answered whole, or with a fault. */
  readonly lost: string[] = []
  /** The time of the last answer. */
  last = 0
  isStopped = false
  readonly open = new Set<Connection>()
  readonly #url: string
  readonly #requests: readonly string[]
  #next = 0

  constructor(url: string, requests: readonly string[]) {
    this.#url = url
    this.#requests = requests
  }

  /** Ends when the server stops listening, or when the clients are stopped. */
  async run(count: number): Promise<void> {
    const client = async () => {
      while (!this.isStopped && (await this.#keep()));
    }
    await Promise.all(Array.from({ length: count }, client))
  }

  /** Asks over one connection until it ends; returns whether it got an answer. */
  async #keep(): Promise<boolean> {
    const connection = new Connection(this.#url)
    this.open.add(connection)
    let count = 0
    while (!connection.isOver) {
      const bytes = this.#requests[this.#next++ % this.#requests.length] ?? ''
      const answer = await connection.ask({ bytes })
      if (answer === undefined) {
        // The system may accept a connection that the server never sees, and then refuse it.
        const isLost = count > 0 || connection.socket.bytesRead > 0
        if (isLost && !this.isStopped) this.lost.push(`no answer to ${bytes}`)
        break
      }
      if (answer.status >= 500) this.lost.push(`${answer.status} to ${bytes}`)
      this.answers++
      count++
      this.last = performance.now()
      // After `Connection: close` the client sends nothing more on this connection.
      if (/\r\nconnection: *close/i.test(answer.head)) connection.close()
    }
    this.open.delete(connection)
    return count > 0
  }
}

function noteEnds(findings: Findings, name: string, ends: readonly End[]): void {
  const lost = ends.flatMap((end) => end.lost)
  const codes = ends.map(({ code }) => code).filter((code) => code !== 0)
  const late = Math.max(...ends.map((end) => end.late))
  findings.note(`${name}:`, ends.length, ' times')
  findings.note(
    'answered',
    ends.reduce((sum, { answers }) => sum + answers, 0),
  )
  findings.check('not answered', lost.length, { is: 0 })
  findings.check('ends after', late, { unit: ' ms', below: 1000 })
  findings.check(`other codes than 0 ${[...new Set(codes)]}`.trim(), codes.length, { is: 0 })
  for (const request of new Set(lost)) console.error(`${name}: ${request.slice(0, 100)}`)
}

// An adapter that never answers must not keep the process.
async function endHung(): Promise<Findings> {
  const closeTimeout = 1000
  const findings = new Findings()
  const server = await startServer({ options: { closeTimeout } })
  return during([server], async () => {
    const answer = fetch(`${server.url}/v1/stalls`).catch(() => undefined)
    await pause(300)
    const exit = once(server.process, 'exit')
    const begin = performance.now()
    server.process.kill('SIGTERM')
    const [code] = await exit
    await answer
    const time = performance.now() - begin
    findings.check('hung adapter: ends after', time, { unit: ' ms', below: closeTimeout + 1000 })
    findings.check('with code', code ?? Number.NaN, { is: 0 })
    return findings
  })
}

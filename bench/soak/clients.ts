import { setTimeout as pause } from 'node:timers/promises'
import { bytesOf, Connection, localAddress, opened } from '../support/connection.ts'
import { answers, startInput } from '../support/process.ts'

/** Times of requests in milliseconds, and how many requests or connections failed. */
export interface Times {
  readonly times: readonly number[]
  readonly errors: number
}

/** So many connections, which all send at once, so often. */
export interface Crowd {
  readonly count: number
  readonly rounds: number
}

/** Normal clients: so many requests a second, over a number of connections. */
export interface Traffic {
  readonly connections: number
  readonly perSecond: number
  readonly seconds: number
}

const url = startInput<string>()
const perTurn = 200
const read = bytesOf('GET', '/v1/employees/e-1')
const normal = [
  read,
  bytesOf('GET', '/v1/employees/?sort=-name&limit=10'),
  bytesOf('GET', '/v1/companies/c-3/employees/count'),
  bytesOf('PUT', '/v1/companies/c-1', { body: '{"name":"Acme 1"}' }),
]
let results: { times: number[]; errors: number }

answers({
  async crowd({ count, rounds }: Crowd): Promise<Times> {
    results = { times: [], errors: 0 }
    // A server that has just started is slow for every client.
    const [first] = await openMany(1)
    for (let time = 0; time < 3000; time++) await first?.ask({ bytes: read })
    first?.close()
    const connections: Connection[] = []
    while (connections.length < count) {
      const few = Math.min(perTurn, count - connections.length)
      connections.push(...(await openMany(few, connections.length)))
    }
    for (let round = 0; round < rounds; round++) {
      await Promise.all(connections.map((connection) => timed(connection, read, performance.now())))
    }
    return results
  },
  // Requests that are due are sent also when those before them are late.
  async traffic({ connections, perSecond, seconds }: Traffic): Promise<Times> {
    results = { times: [], errors: 0 }
    const begin = performance.now()
    const pending: Promise<void>[] = []
    for (let sent = 0; sent < perSecond * seconds; sent++) {
      const due = begin + (sent * 1000) / perSecond
      while (performance.now() < due) await pause(1)
      const place = sent % connections
      const last = lines[place]
      const line = last === undefined || last.isOver ? new Connection(url) : last
      lines[place] = line
      pending.push(timed(line, normal[sent % normal.length] ?? read, due))
    }
    await Promise.all(pending)
    return results
  },
})

const lines: Connection[] = []

async function openMany(count: number, first = 0): Promise<Connection[]> {
  const connections = Array.from({ length: count }, (_, place) => {
    return new Connection(url, { localAddress: localAddress(0, first + place) })
  })
  await Promise.all(connections.map(({ socket }) => opened(socket)))
  return connections
}

async function timed(connection: Connection, bytes: string, due: number): Promise<void> {
  const answer = await connection.ask({ bytes })
  if (answer?.status !== 200) results.errors++
  results.times.push(performance.now() - due)
}

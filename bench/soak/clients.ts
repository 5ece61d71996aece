import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { bulk, cases } from '../speed/contenders.ts'
import { bytesOf, Connection, open } from '../support/connection.ts'
import { quantile } from '../support/figures.ts'
import { answers, startInput } from '../support/process.ts'

/** Milliseconds from when requests were due to their responses. */
export interface Times {
  readonly median: number
  readonly p99: number
  readonly p999: number
  /** The number of requests with a response, and without one or with a fault of the server. */
  readonly count: number
  readonly errors: number
}

/** So many connections, which all send at once, so often. */
export interface Crowd {
  readonly count: number
  readonly rounds: number
}

/** Clients that keep their connections; one in a hundred more is slow. */
export interface Traffic {
  readonly connections: number
  readonly seconds: number
  /** Requests a second, whether or not earlier ones have responses. Default: one after another. */
  readonly perSecond?: number
}

const url = startInput<string>()
const perTurn = 200
// Finding a free port of an address takes the longer, the more of them are taken.
const perAddress = 500
const requests = Object.fromEntries(
  cases.map(({ name, method, path, body }) => [name, bytesOf(method, path, body ? { body } : {})]),
)
/** How many of twenty requests are of a case. */
const shares = { read: 6, 'nested read': 2, list: 5, count: 1, create: 4, 404: 1, [bulk]: 1 }
const mix = Object.entries(shares).flatMap(([name, share]) => Array(share).fill(requests[name]))
const lines: Connection[] = []
const slow: Socket[] = []
let times: number[] = []
let errors = 0

answers({
  async crowd({ count, rounds }: Crowd): Promise<Times> {
    // A server that has just started is slow for every client.
    const first = new Connection(url)
    for (let time = 0; time < 3000; time++) await first.send(readOne)
    while (lines.length < count) await openSome(Math.min(perTurn, count - lines.length))
    for (let round = 0; round < rounds; round++) {
      await Promise.all(lines.map((line) => timed(line, readOne, performance.now())))
    }
    return timesNow()
  },
  async traffic({ connections, seconds, perSecond }: Traffic): Promise<Times> {
    while (slow.length < connections / 100) slow.push(openSlow())
    const end = performance.now() + seconds * 1000
    if (perSecond === undefined) await sendInTurn(connections, end)
    else await sendAtRate(connections, { count: perSecond * seconds, perSecond })
    return timesNow()
  },
})

const readOne = requests.read ?? ''

async function openSome(count: number): Promise<void> {
  const some = Array.from({ length: count }, () => {
    return new Connection(url, `127.0.0.${2 + Math.floor(lines.length / perAddress)}`)
  })
  lines.push(...some)
  await Promise.all(some.map(({ socket }) => new Promise((done) => socket.once('connect', done))))
}

async function sendInTurn(connections: number, end: number): Promise<void> {
  const client = async (place: number) => {
    for (let sent = place; performance.now() < end; sent += connections) {
      await timed(lineAt(place), requestAt(sent), performance.now())
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, place) => client(place)))
}

// Sends requests that are due also when those before them are late.
async function sendAtRate(
  connections: number,
  { count, perSecond }: { readonly count: number; readonly perSecond: number },
): Promise<void> {
  const begin = performance.now()
  const pending: Promise<void>[] = []
  for (let sent = 0; sent < count; sent++) {
    const due = begin + (sent * 1000) / perSecond
    while (performance.now() < due) await pause(1)
    pending.push(timed(lineAt(sent % connections), requestAt(sent), due))
  }
  await Promise.all(pending)
}

function requestAt(sent: number): string {
  // In another order than that of the shares.
  return mix[(sent * 7) % mix.length] ?? readOne
}

function lineAt(place: number): Connection {
  const last = lines[place]
  const line = last === undefined || last.isOver ? new Connection(url) : last
  lines[place] = line
  return line
}

async function timed(line: Connection, bytes: string, due: number): Promise<void> {
  const status = await line.send(bytes)
  if (status === 0 || status >= 500) errors++
  times.push(performance.now() - due)
}

function timesNow(): Times {
  const [median = Number.NaN, p99 = Number.NaN, p999 = Number.NaN] = [0.5, 0.99, 0.999].map(
    (share) => quantile(times, share),
  )
  const result = { median, p99, p999, count: times.length, errors }
  times = []
  errors = 0
  return result
}

/** Asks for more long lists than it reads. */
function openSlow(): Socket {
  const socket = open(url).on('readable', () => undefined)
  const turn = setInterval(() => {
    if (!socket.writableNeedDrain) socket.write(bytesOf('GET', '/v1/employees'))
    socket.read(Math.min(socket.readableLength, 16_384))
  }, 100)
  return socket.once('close', () => {
    clearInterval(turn)
    slow[slow.indexOf(socket)] = openSlow()
  })
}

import { once } from 'node:events'
import { connect } from 'node:net'
import { bytesOf, reader } from './answers.ts'
import { answers, given } from './processes.ts'
import { quantile } from './report.ts'

/** The work: so many connections, all sending at once, so often. */
export interface Crowd {
  readonly url: string
  readonly count: number
  readonly rounds: number
}

/** How it went; times in milliseconds. */
export interface Waited {
  /** Answers other than 200, and connections that were not made or did not stay. */
  readonly errors: number
  readonly median: number
  readonly p99: number
}

const { url, count, rounds } = given<Crowd>()
const port = Number(new URL(url).port)
// Finding a free port of an address takes the longer, the more of them are taken.
const perAddress = 500
const atOnce = 200
const request = bytesOf('GET', '/v1/employees/e-1')
let errors = 0

answers({ run })

async function run(): Promise<Waited> {
  await warmUp()
  const guests: Guest[] = []
  for (let at = 0; at < count; at += atOnce) {
    const few = Array.from({ length: Math.min(atOnce, count - at) }, (_, place) => open(at + place))
    guests.push(...(await Promise.all(few)))
  }
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    times.push(...(await Promise.all(guests.map((guest) => guest.ask()))))
  }
  return { errors, median: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

// A server that has just started is slow for every client.
async function warmUp(): Promise<void> {
  const guest = await open(0)
  for (let at = 0; at < 3000; at++) await guest.ask()
  guest.leave()
}

interface Guest {
  /** Milliseconds until the answer. */
  ask(): Promise<number>
  leave(): void
}

async function open(at: number): Promise<Guest> {
  const localAddress = `127.0.0.${2 + Math.floor(at / perAddress)}`
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
  let finish: () => void = () => undefined
  const fail = (): void => {
    errors++
    finish()
  }
  const take = reader(({ status }) => {
    if (status !== 200) errors++
    finish()
  })
  socket.on('error', fail).on('end', fail).on('data', take)
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return {
    leave: () => socket.off('end', fail).destroy(),
    ask: () =>
      new Promise((resolve) => {
        const begin = performance.now()
        finish = () => resolve(performance.now() - begin)
        if (socket.destroyed) finish()
        else socket.write(request)
      }),
  }
}

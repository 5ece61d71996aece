import { connect, type Socket } from 'node:net'
import { bytesOf, reader } from './answers.ts'

/** The result of the requests of busy clients. */
export interface Fate {
  readonly answered: number
  /** Requests that were sent and not answered whole, or with a fault. */
  readonly lost: readonly string[]
  /** When the last answer came, of `performance.now()`. */
  readonly last: number
}

const requests = [
  bytesOf('GET', '/v1/employees?sort=-name&limit=20'),
  bytesOf('POST', '/v1/employees', { body: '{"name":"Ida","birthdate":"1991-04-09"}' }),
  bytesOf('GET', '/v1/employees/count'),
  bytesOf('GET', '/v1/companies'),
]
// Only the server of this folder has these: a slow resource, and a streamed list.
const slowRequests = [bytesOf('GET', '/v1/stalls/1'), bytesOf('GET', '/v1/events?limit=900')]

/** Clients that keep their connections and send the next request after each response. */
export class Busy implements Fate {
  answered = 0
  readonly lost: string[] = []
  last = 0
  /** Settles when the server stops listening, or after `stop`. */
  readonly done: Promise<unknown>
  readonly #port: number
  readonly #requests: readonly string[]
  readonly #open = new Set<Socket>()
  #next = 0
  #isStopped = false

  constructor(url: string, clients: number, { hasSlow }: { readonly hasSlow: boolean }) {
    this.#port = Number(new URL(url).port)
    this.#requests = hasSlow ? [...requests, ...slowRequests] : requests
    this.done = Promise.all(Array.from({ length: clients }, () => this.#goOn()))
  }

  stop(): void {
    this.#isStopped = true
    for (const socket of this.#open) socket.destroy()
  }

  async #goOn(): Promise<void> {
    while (!this.#isStopped && (await this.#keep()));
  }

  /** Asks over one connection until it ends; tells whether there was one. */
  #keep(): Promise<boolean> {
    return new Promise((resolve) => {
      let isTaken = false
      let waiting: string | undefined
      const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
      const ask = (): void => {
        waiting = this.#requests[this.#next++ % this.#requests.length]
        socket.write(waiting ?? '')
      }
      const take = reader(({ status, head }) => {
        if (status >= 500) this.lost.push(`${status} to ${waiting}`)
        this.answered++
        this.last = performance.now()
        isTaken = true
        waiting = undefined
        // After `Connection: close` the client sends nothing more on this connection.
        if (/\r\nconnection: *close/i.test(head)) socket.end()
        else ask()
      })
      this.#open.add(socket)
      socket
        .on('connect', ask)
        .on('data', take)
        .on('error', () => undefined)
      socket.on('close', () => {
        this.#open.delete(socket)
        // The system may accept a connection that the server never sees, and then refuse it.
        const isLost = waiting !== undefined && (isTaken || socket.bytesRead > 0)
        if (isLost && !this.#isStopped) this.lost.push(`no answer to ${waiting}`)
        resolve(isTaken)
      })
    })
  }
}

import type { Socket } from 'node:net'
import { localAddress, open, opened } from '../support/connection.ts'
import { answers, startInput } from '../support/process.ts'

/** Numbers of slow clients, of each kind. */
export interface Drip {
  /** Connections that send their head a byte at a time. */
  readonly heads: number
  /** Connections that send their body a byte at a time. */
  readonly bodies: number
  /** Connections that read their response slowly, or not at all. */
  readonly readers: number
}

const url = startInput<string>()
const perTurn = 100
let responses = 0

answers({
  async open({ heads, bodies, readers }: Drip): Promise<void> {
    const kinds = [
      ...Array.from({ length: heads }, () => dripHead),
      ...Array.from({ length: bodies }, () => dripBody),
      ...Array.from({ length: readers }, (_, at) => (at % 2 === 0 ? sipList : leaveList)),
    ]
    for (let at = 0; at < kinds.length; at += perTurn) {
      await Promise.all(kinds.slice(at, at + perTurn).map((kind, place) => begin(at + place, kind)))
    }
  },
  /** Connections that received a response before they ended. */
  responses: () => responses,
})

async function begin(number: number, kind: (socket: Socket) => void): Promise<void> {
  const socket = open(url, { localAddress: localAddress(1, number), highWaterMark: 1 })
  await opened(socket)
  kind(socket)
}

const host = 'HTTP/1.1\r\nHost: soak.localhost\r\n'

function dripHead(socket: Socket): void {
  drip(socket, `GET /v1/employees/e-1 ${host}X-Slow: ${'x'.repeat(10_000)}`, 10)
}

function dripBody(socket: Socket): void {
  const fields = 'Content-Type: application/json\r\nContent-Length: 10000\r\n'
  socket.write(`POST /v1/companies ${host}${fields}\r\n{"name":"`)
  drip(socket, 'x'.repeat(9000), 1)
}

// Such a client does not look for the end either. The server must not depend on it.
function drip(socket: Socket, text: string, bytes: number): void {
  socket.once('data', () => responses++).resume()
  let at = 0
  everySecond(socket, () => {
    socket.write(text.slice(at, at + bytes))
    at += bytes
  })
}

function sipList(socket: Socket): void {
  socket.on('readable', () => undefined).write(`GET /v1/events ${host}\r\n`)
  everySecond(socket, () => socket.read(1))
}

// An unread connection does not report its end: writing to it does.
function leaveList(socket: Socket): void {
  socket.pause().write(`GET /v1/events ${host}\r\n`)
}

// At the same pace, but not at the same moment.
function everySecond(socket: Socket, task: () => void): void {
  const turn = (): void => {
    if (socket.destroyed) return
    task()
    setTimeout(turn, 1000)
  }
  setTimeout(turn, Math.random() * 1000)
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answers, given } from './processes.ts'

/** Clients that take their time, of every kind. */
export interface Drip {
  readonly url: string
  /** Connections that send their head a byte at a time. */
  readonly heads: number
  /** Connections that send their body a byte at a time. */
  readonly bodies: number
  /** Connections that read their response slowly, or not at all. */
  readonly readers: number
}

/** The result of the slow connections. */
export interface Dripping {
  readonly open: number
  /** Connections that received a problem before they ended. */
  readonly told: number
}

const { url, heads, bodies, readers } = given<Drip>()
const port = Number(new URL(url).port)
const perAddress = 500
const atOnce = 100
const sockets = new Set<Socket>()
let told = 0
let stopped = false

answers({
  async open(): Promise<void> {
    const kinds = [
      ...Array.from({ length: heads }, () => dripHead),
      ...Array.from({ length: bodies }, () => dripBody),
      ...Array.from({ length: readers }, (_, at) => (at % 2 === 0 ? sipList : leaveList)),
    ]
    for (let at = 0; at < kinds.length; at += atOnce) {
      const few = kinds.slice(at, at + atOnce)
      await Promise.all(few.map((kind, place) => open(at + place, kind)))
    }
  },
  dripping: (): Dripping => ({ open: sockets.size, told }),
  stop() {
    stopped = true
    for (const socket of sockets) socket.destroy()
  },
})

async function open(at: number, kind: (socket: Socket) => void): Promise<void> {
  const localAddress = `127.0.1.${1 + Math.floor(at / perAddress)}`
  const little = { highWaterMark: 1 }
  const socket = connect({ port, host: '127.0.0.1', localAddress, ...little })
  socket.on('error', () => undefined)
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  kind(socket)
}

function dripHead(socket: Socket): void {
  listen(socket)
  const start = 'GET /v1/employees/e-1 HTTP/1.1\r\nHost: soak.localhost\r\n'
  const head = `${start}X-Slow: ${'x'.repeat(10_000)}`
  drip(socket, head, 10)
}

function dripBody(socket: Socket): void {
  listen(socket)
  const head =
    'POST /v1/companies HTTP/1.1\r\nHost: soak.localhost\r\nContent-Type: application/json\r\n'
  socket.write(`${head}Content-Length: 10000\r\n\r\n{"name":"`)
  drip(socket, 'x'.repeat(9000), 1)
}

// At the same pace, but not at the same moment.
function drip(socket: Socket, text: string, bytes: number): void {
  let at = 0
  const send = (): void => {
    if (socket.destroyed || stopped) return
    socket.write(text.slice(at, at + bytes))
    at += bytes
    setTimeout(send, 1000)
  }
  setTimeout(send, Math.random() * 1000)
}

function listen(socket: Socket): void {
  let isTold = false
  socket.on('data', () => {
    if (!isTold) told++
    isTold = true
  })
  // A slow client does not look for the end either. The server must not depend on it.
}

const listRequest = 'GET /v1/events HTTP/1.1\r\nHost: soak.localhost\r\n\r\n'

function sipList(socket: Socket): void {
  socket.on('readable', () => undefined).write(listRequest)
  const sip = (): void => {
    if (socket.destroyed || stopped) return
    socket.read(1)
    setTimeout(sip, 1000)
  }
  setTimeout(sip, Math.random() * 1000)
}

// An unread connection does not report its end: writing to it does.
function leaveList(socket: Socket): void {
  socket.pause().write(listRequest)
}

import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { isLingering } from './linger.ts'
import { isUnderWay, latestOf } from './turns.ts'

/** A server, and what is open on it. */
export interface Open {
  readonly server: Server
  readonly sockets: ReadonlySet<Duplex>
  /** Those that speak another protocol by now: a host's own WebSockets. */
  readonly upgraded: WeakSet<Duplex>
}

// Milliseconds that a client which keeps its connection busy has to send its next request, and learn that it was the last.
const farewell = 250

/**
 * Takes no new connections, lets answers under way be finished and tells their clients that they were the last. Connections on
 * which nothing is under way end within half a second; after `timeout` milliseconds all do.
 */
export function stop(open: Open, timeout: number): Promise<void> {
  const { server, sockets } = open
  for (const socket of sockets) announceEnd(socket)
  return new Promise((resolve) => {
    let quiet: ReadonlySet<Duplex> = new Set()
    const endIdle = (): void => {
      server.closeIdleConnections()
      quiet = endQuiet(open, quiet)
    }
    // After what has come in meanwhile has been read: timers are first when there has been no time for either.
    const sweep = setInterval(() => setImmediate(endIdle), farewell)
    const finish = (): void => {
      clearTimeout(deadline)
      clearInterval(sweep)
      resolve()
    }
    const deadline = setTimeout(() => {
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      finish()
    }, timeout)
    close(server, finish)
  })
}

// http.Server.close also cuts off connections on which a request is just arriving. Servers of Bun have no other.
function close(server: Server, done: () => void): void {
  const { Server: NetServer } = process.getBuiltinModule('node:net')
  const any: object = server
  if (any instanceof NetServer) NetServer.prototype.close.call(any, done)
  else server.close(done)
}

function announceEnd(socket: Duplex): void {
  const newest = latestOf(socket)
  if (newest && isUnderWay(newest) && !newest.headersSent) newest.setHeader('connection', 'close')
}

// Those on which nothing is under way the second time: half a head, or an answer that is not fetched.
function endQuiet({ sockets, upgraded }: Open, before: ReadonlySet<Duplex>): ReadonlySet<Duplex> {
  const quiet = new Set<Duplex>()
  for (const socket of sockets) {
    if (upgraded.has(socket)) continue
    const newest = latestOf(socket)
    if (newest && isUnderWay(newest) && !isLingering(socket)) continue
    if (before.has(socket)) socket.destroy()
    else quiet.add(socket)
  }
  return quiet
}

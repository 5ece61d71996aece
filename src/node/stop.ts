import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { isLingering } from './linger.ts'
import { isUnfinished, latestOf } from './pipeline.ts'

/** A server and its open connections. */
export interface OpenServer {
  readonly server: Server
  readonly sockets: ReadonlySet<Duplex>
  /** Connections that changed protocol: a host's own WebSockets. */
  readonly upgraded: WeakSet<Duplex>
}

// Milliseconds for a busy client to send its next request and learn that it was the last.
const lastRequestTime = 250

/**
 * Takes no new connections, and finishes the open responses as the last of their connections.
 * Closes idle connections within half a second, and all after `timeout` milliseconds.
 */
export function stopServer(open: OpenServer, timeout: number): Promise<void> {
  const { server, sockets } = open
  for (const socket of sockets) announceEnd(socket)
  return new Promise((resolve) => {
    let quiet: ReadonlySet<Duplex> = new Set()
    const endIdle = (): void => {
      server.closeIdleConnections()
      quiet = endQuiet(open, quiet)
    }
    // Reads arrived requests first: in a busy process, timers run before them.
    const sweep = setInterval(() => setImmediate(endIdle), lastRequestTime)
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

// `http.Server.close` also cuts off arriving requests, `net.Server.close` does not. Bun's servers
// have only the first.
function close(server: Server, done: () => void): void {
  const { Server: NetServer } = process.getBuiltinModule('node:net')
  const any: object = server
  if (any instanceof NetServer) NetServer.prototype.close.call(any, done)
  else server.close(done)
}

function announceEnd(socket: Duplex): void {
  const newest = latestOf(socket)
  if (newest && isUnfinished(newest) && !newest.headersSent) newest.setHeader('connection', 'close')
}

// Destroys the connections that are idle for the second time: they sent half a head, or never read
// their response.
function endQuiet(
  { sockets, upgraded }: OpenServer,
  before: ReadonlySet<Duplex>,
): ReadonlySet<Duplex> {
  const quiet = new Set<Duplex>()
  for (const socket of sockets) {
    if (upgraded.has(socket)) continue
    const newest = latestOf(socket)
    if (newest && isUnfinished(newest) && !isLingering(socket)) continue
    if (before.has(socket)) socket.destroy()
    else quiet.add(socket)
  }
  return quiet
}

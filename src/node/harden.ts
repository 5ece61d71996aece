import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AnyRegistry, Registry } from '../contract/resource/registry.ts'
import { RequestFilter } from './filter.ts'
import type { HostNames } from './hosts.ts'
import { isLingering } from './linger.ts'
import { checkNodeOptions, defaults } from './options.ts'
import { isUnfinished, latestOf, previousOf } from './pipeline.ts'

/** The options of {@link harden}. */
export interface HardenOptions {
  /** Milliseconds that `close` waits for open responses, then cuts them off. Default 10,000. */
  readonly closeTimeout?: number
  /**
   * Allowed host names, without ports: `['api.example.com']`; `'*'` allows all. Other names are
   * 400 `bad_host`. Addresses, `localhost` and `*.localhost` always pass. Default: none on a
   * loopback address, all on any other. Behind a proxy on the same machine, list the name that the
   * proxy forwards.
   */
  readonly hosts?: HostNames | undefined
}

/** A hardened server. */
export interface HardenedServer {
  /**
   * Takes no new connections, finishes the open responses, and closes their connections. A second
   * call waits for the same end.
   */
  close(): Promise<void>
}

/**
 * Makes your own server respond with problems to bad requests:
 * `harden(http.createServer(app), registry)`.
 * By itself, Node responds with other statuses: 400 without a body, 408, 413, 417, 431. It does not
 * respond to CONNECT, and accepts some requests that are not HTTP/1.1. Good requests go to the
 * server's current `request` listeners. Without one, they go to {@link toNodeListener}.
 *
 * A refused request is the last of its connection (RFC 9112 §9.6). The server ignores an upgrade
 * unless it has a listener for it. It also enforces its `maxHeadersCount` (default 1,000) and
 * `maxRequestsPerSocket`: Node would drop fields, and respond with an empty 503. Timeouts and
 * `maxHeaderSize` stay. Create the server with `connectionsCheckingInterval: 2000`: by default
 * Node checks for slow clients only every 30 seconds.
 *
 * @throws {TypeError} For an invalid option, or a server that is not of `node:http` or `node:https`
 *   or has its own listener for parser errors.
 */
export function harden(
  server: Server,
  registry: AnyRegistry,
  options: HardenOptions = {},
): HardenedServer {
  checkServer(server)
  checkNodeOptions('harden()', options)
  const { close } = hardenChecked(server, registry, options)
  return { close }
}

/** A hardened server that counts its requests. */
interface CountingServer extends HardenedServer {
  /** Returns the number of requests whose response is not yet sent. */
  countOpen(): number
}

/** As {@link harden}, of a server and with options that are checked. */
export function hardenChecked(
  server: Server,
  registry: AnyRegistry,
  { closeTimeout = defaults.closeTimeout, hosts }: HardenOptions,
): CountingServer {
  // The registry's context runs only when the server has no listener.
  const filter = new RequestFilter(server, registry as Registry, hosts)
  let closed: Promise<void> | undefined
  return {
    close: () => {
      filter.isStopping = true
      closed ??= stopServer(filter, closeTimeout)
      return closed
    },
    countOpen: () => countOpen(filter),
  }
}

function countOpen({ sockets }: RequestFilter): number {
  let count = 0
  for (const socket of sockets) {
    let response = isLingering(socket) ? undefined : latestOf(socket)
    for (; response !== undefined && isUnfinished(response); response = previousOf(response)) {
      count++
    }
  }
  return count
}

const owned = ['clientError', 'checkContinue', 'checkExpectation'] as const

function checkServer(server: unknown): void {
  const has = (name: string): boolean => typeof Reflect.get(Object(server), name) === 'function'
  if (!has('closeIdleConnections') || has('updateSettings')) {
    throw new TypeError(
      'harden() takes a server of node:http or node:https: ' +
        'write harden(http.createServer(…), registry). ' +
        'A server of node:http2 needs no harden(): give it toNodeListener(registry).',
    )
  }
  const { listenerCount } = server as Server
  const usedEvent = owned.find((event) => listenerCount.call(server, event) > 0)
  if (usedEvent === undefined) return
  throw new TypeError(
    `The server has a listener for "${usedEvent}" already: remove it. Call harden() once.`,
  )
}

// Milliseconds for a busy client to send its next request and learn that it was the last.
const lastRequestTime = 250

// Takes no new connections, and finishes the open responses as the last of their connections.
// Closes idle connections within half a second, and all after `timeout` milliseconds.
function stopServer(open: RequestFilter, timeout: number): Promise<void> {
  const { server, sockets } = open
  for (const socket of sockets) announceEnd(socket)
  return new Promise((resolve) => {
    let quiet: ReadonlySet<Duplex> = new Set()
    const endIdle = (): void => {
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

// Destroys the connections that are idle for the second time. The first time, the client may have
// sent its next request already.
function endQuiet(
  { sockets, upgraded }: RequestFilter,
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

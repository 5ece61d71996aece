import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AnyRegistry, Registry } from '../contract/resource/registry.ts'
import { problem } from '../convention/problem.ts'
import { fieldIn } from './field.ts'
import { type HostNames, hostTestFor } from './hosts.ts'
import { deferContinue } from './leftover.ts'
import { isLingering } from './linger.ts'
import { isNodeListener, toNodeListener } from './listener.ts'
import { checkNodeOptions, defaults } from './options.ts'
import { addResponse, isUnfinished, latestOf, previousOf, removeResponse } from './pipeline.ts'
import {
  type HeadLimits,
  type ParserError,
  problemOfHead,
  type Refusal,
  refusalOf,
  writeRefusal,
} from './refusal.ts'
import { NodeRequest } from './request.ts'

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
  let closing: Promise<void> | undefined
  return {
    close: () => {
      filter.isStopping = true
      closing ??= stopServer(filter, closeTimeout)
      return closing
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

const ownEvents = ['clientError', 'checkContinue', 'checkExpectation'] as const

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
  const usedEvent = ownEvents.find((event) => listenerCount.call(server, event) > 0)
  if (usedEvent === undefined) return
  throw new TypeError(
    `The server has a listener for "${usedEvent}" already: remove it. Call harden() once.`,
  )
}

// Milliseconds for a busy client to send its next request and learn that it was the last.
const lastRequestTime = 250

// Takes no new connections, and finishes the open responses as the last of their connections.
// Closes idle connections within half a second, and all after `timeout` milliseconds.
function stopServer(filter: RequestFilter, timeout: number): Promise<void> {
  const { server, sockets } = filter
  for (const socket of sockets) announceEnd(socket)
  return new Promise((resolve) => {
    let idleSockets: ReadonlySet<Duplex> = new Set()
    const endIdle = (): void => {
      idleSockets = endIdleSockets(filter, idleSockets)
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
  const value: object = server
  if (value instanceof NetServer) NetServer.prototype.close.call(value, done)
  else server.close(done)
}

function announceEnd(socket: Duplex): void {
  const newest = latestOf(socket)
  if (newest && isUnfinished(newest) && !newest.headersSent) newest.setHeader('connection', 'close')
}

// Destroys the connections that are idle for the second time. The first time, the client may have
// sent its next request already.
function endIdleSockets(
  { sockets, upgraded }: RequestFilter,
  earlierIdle: ReadonlySet<Duplex>,
): ReadonlySet<Duplex> {
  const idleSockets = new Set<Duplex>()
  for (const socket of sockets) {
    if (upgraded.has(socket)) continue
    const newest = latestOf(socket)
    if (newest && isUnfinished(newest) && !isLingering(socket)) continue
    if (earlierIdle.has(socket)) socket.destroy()
    else idleSockets.add(socket)
  }
  return idleSockets
}

// Node's own limit. Node drops further fields silently.
const defaultMaxFields = 1000

/** Refuses bad requests before the listeners of a server see them. */
class RequestFilter {
  readonly server: Server
  readonly sockets: Set<Duplex> = new Set()
  /** Connections that changed protocol: a host's own WebSockets. */
  readonly upgraded: WeakSet<Duplex> = new WeakSet()
  /** While true, every response is the last of its connection. */
  isStopping = false
  readonly #registry: Registry
  readonly #refused = new WeakSet<Duplex>()
  readonly #counts = new WeakMap<Duplex, number>()
  readonly #limits: HeadLimits
  readonly #maxRequests: number

  constructor(server: Server, registry: Registry, hosts: HostNames | undefined) {
    this.server = server
    this.#registry = registry
    const { maxHeadersCount } = server
    this.#limits = {
      maxFields: maxHeadersCount === null ? defaultMaxFields : maxHeadersCount || Infinity,
      isHost: hostTestFor(server, hosts),
    }
    this.#maxRequests = server.maxRequestsPerSocket || Infinity
    // Node would respond by itself, and would not respond to a client that has closed its side.
    Object.assign(server, {
      maxHeadersCount: 0,
      maxRequestsPerSocket: 0,
      requireHostHeader: false,
      httpAllowHalfOpen: true,
      insecureHTTPParser: false,
    })
    this.#watchSockets()
    this.#listenToRequests()
    this.#listenToErrors()
  }

  // Requests over TLS come from the decrypted socket.
  #watchSockets(): void {
    const { server, sockets } = this
    const event = 'setSecureContext' in server ? 'secureConnection' : 'connection'
    server.on(event, (socket: Duplex) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  }

  #listenToRequests(): void {
    const { server } = this
    const hostListeners = server.listeners('request')
    server.removeAllListeners('request')
    const listeners = hostListeners.length > 0 ? hostListeners : [toNodeListener(this.#registry)]
    const areNodeListeners = listeners.every(isNodeListener)
    server.on('request', (request, response) => {
      if (!this.#admits(request, response)) return
      // Our listeners track their responses themselves.
      if (!areNodeListeners) addResponse(request, response)
      if (this.isStopping || this.#isLast(request.socket) || losesNext(request)) {
        response.setHeader('connection', 'close')
      }
      for (const listener of listeners) listener.call(server, request, response)
      if (!areNodeListeners) removeResponse(request, response)
    })
    server.on('checkContinue', (request, response) => {
      if (!this.#admits(request, response)) return
      if (areNodeListeners) deferContinue(response)
      else response.writeContinue()
      server.emit('request', request, response)
    })
    server.on('checkExpectation', (request, response) => this.#admits(request, response))
  }

  #listenToErrors(): void {
    const { server } = this
    for (const event of ['upgrade', 'connect'] as const) {
      if (server.listenerCount(event) === 0) continue
      server.prependListener(event, (_, socket) => this.upgraded.add(socket))
    }
    if (server.listenerCount('connect') === 0) {
      server.on('connect', ({ url = '' }, socket) => {
        const error = problem('bad_path', 'This server is no proxy: start the path with "/".')
        this.#refuse({ problem: error, request: { method: 'CONNECT', url } }, socket)
      })
    }
    server.on('clientError', (error: ParserError, socket) => {
      const { code } = error
      // A client that sent nothing expects no response.
      if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && Reflect.get(socket, 'bytesRead') === 0) {
        socket.destroy()
        return
      }
      this.#refuse(refusalOf(error, socket, this.#registry), socket)
    })
  }

  #admits(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    if (!this.#refused.has(socket)) {
      const error = problemOfHead(request, this.#limits)
      if (!error) return true
      this.#refuse({ problem: error, request: new NodeRequest(request, response) }, socket)
    }
    // An unread body would keep the client from reading the response.
    request.on('error', () => undefined).resume()
    return false
  }

  #refuse(refusal: Refusal, socket: Duplex): void {
    if (this.#refused.has(socket) || isLingering(socket)) return
    this.#refused.add(socket)
    writeRefusal(refusal, socket, this.#registry)
  }

  #isLast(socket: Duplex): boolean {
    if (this.#maxRequests === Infinity) return false
    const count = (this.#counts.get(socket) ?? 0) + 1
    this.#counts.set(socket, count)
    return count >= this.#maxRequests
  }
}

// Node drops the bytes behind a request whose upgrade it ignores. A client with `h2c` asks for an
// upgrade in every request, and sends nothing behind it.
function losesNext({ rawHeaders }: IncomingMessage): boolean {
  const upgrade = fieldIn(rawHeaders, 'upgrade')
  return upgrade !== undefined && upgrade.toLowerCase() !== 'h2c'
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Registry } from '../contract/resource/registry.ts'
import { type ProblemError, problem } from '../convention/problem.ts'
import { requestIdFor } from '../server/lifetime/refuse.ts'
import { respondWith } from '../server/respond.ts'
import { fieldIn } from './field.ts'
import { type HeadLimits, problemOfHead } from './head.ts'
import { type HostNames, hostTestFor } from './hosts.ts'
import { writeLastResponse } from './last.ts'
import { deferContinue } from './leftover.ts'
import { isLingering } from './linger.ts'
import { isNodeListener, toNodeListener } from './listener.ts'
import { addResponse, removeResponse } from './pipeline.ts'
import { NodeRequest } from './request.ts'
import { type ParserError, type Refusal, refusalOf } from './unparsed.ts'

// Node's own limit. Node drops further fields silently.
const defaultMaxFields = 1000

/** Refuses bad requests before the listeners of a server see them. */
export class RequestFilter {
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
    const areOurs = listeners.every(isNodeListener)
    server.on('request', (request, response) => {
      if (!this.#admits(request, response)) return
      // Our listeners track their responses themselves.
      if (!areOurs) addResponse(request, response)
      if (this.isStopping || this.#isLast(request.socket) || losesNext(request)) {
        response.setHeader('connection', 'close')
      }
      for (const listener of listeners) listener.call(server, request, response)
      if (!areOurs) removeResponse(request, response)
    })
    server.on('checkContinue', (request, response) => {
      if (!this.#admits(request, response)) return
      if (areOurs) deferContinue(response)
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
    const registry = this.#registry
    const { request } = refusal
    const respond = () => respondWith(problemOf(refusal, registry), request, registry)
    writeLastResponse(respond, request, socket)
  }

  #isLast(socket: Duplex): boolean {
    if (this.#maxRequests === Infinity) return false
    const count = (this.#counts.get(socket) ?? 0) + 1
    this.#counts.set(socket, count)
    return count >= this.#maxRequests
  }
}

// The log may have no path of such a request, by which a client could find it.
function problemOf(
  { problem: error, request, isAddressed = false }: Refusal,
  registry: Registry,
): ProblemError {
  if (isAddressed) return error
  const { code, message, members } = error
  return problem(code, message, { ...members, requestId: requestIdFor(request, registry) })
}

// Node drops the bytes behind a request whose upgrade it ignores. A client with `h2c` asks for an
// upgrade in every request, and sends nothing behind it.
function losesNext({ rawHeaders }: IncomingMessage): boolean {
  const upgrade = fieldIn(rawHeaders, 'upgrade')
  return upgrade !== undefined && upgrade.toLowerCase() !== 'h2c'
}

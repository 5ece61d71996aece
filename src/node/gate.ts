import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpRequest } from '../model/http.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { respondWith } from '../server/respond.ts'
import { fieldIn } from './field.ts'
import { type HostNames, hostTestFor } from './hosts.ts'
import { answerLast } from './last.ts'
import { expectContinue } from './leftover.ts'
import { isLingering } from './linger.ts'
import { isNodeListener, toNodeListener } from './listener.ts'
import { type Accepted, refusalOf } from './refusal.ts'
import { NodeRequest } from './request.ts'
import type { Open } from './stop.ts'
import { arrive, leave } from './turns.ts'
import { judge, type ParserError } from './unparsed.ts'

// As many as Node keeps by itself, which leaves out the rest without a word.
const defaultMaxFields = 1000

/** Stands before the listeners of a server: what is no request that they should see is answered here. */
export class Gate implements Open {
  readonly server: Server
  readonly sockets: Set<Duplex> = new Set()
  readonly upgraded: WeakSet<Duplex> = new WeakSet()
  /** Whether every answer is the last of its connection. */
  isStopping = false
  readonly #registry: Registry
  readonly #refused = new WeakSet<Duplex>()
  readonly #counts = new WeakMap<Duplex, number>()
  readonly #accepted: Accepted
  readonly #maxRequests: number

  constructor(server: Server, registry: Registry, hosts: HostNames | undefined) {
    this.server = server
    this.#registry = registry
    const { maxHeadersCount } = server
    this.#accepted = {
      maxFields: maxHeadersCount === null ? defaultMaxFields : maxHeadersCount || Infinity,
      isHost: hostTestFor(server, hosts),
    }
    this.#maxRequests = server.maxRequestsPerSocket || Infinity
    // What Node would answer by itself, and a client that ends its side would get no answer at all.
    Object.assign(server, {
      maxHeadersCount: 0,
      maxRequestsPerSocket: 0,
      requireHostHeader: false,
      httpAllowHalfOpen: true,
      insecureHTTPParser: false,
    })
    this.#watchSockets()
    this.#listenToRequests()
    this.#listenToFaults()
  }

  // Of TLS, what is encrypted is what requests come from.
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
    const given = server.listeners('request')
    server.removeAllListeners('request')
    const listeners = given.length > 0 ? given : [toNodeListener(this.#registry)]
    const areOurs = listeners.every(isNodeListener)
    server.on('request', (request, response) => {
      if (!this.#admits(request, response)) return
      // Ours do that themselves.
      if (!areOurs) arrive(request, response)
      if (this.isStopping || this.#isLast(request.socket) || losesNext(request)) {
        response.setHeader('connection', 'close')
      }
      for (const listener of listeners) listener.call(server, request, response)
      if (!areOurs) leave(request, response)
    })
    server.on('checkContinue', (request, response) => {
      if (!this.#admits(request, response)) return
      if (areOurs) expectContinue(response)
      else response.writeContinue()
      server.emit('request', request, response)
    })
    server.on('checkExpectation', (request, response) => this.#admits(request, response))
  }

  #listenToFaults(): void {
    const { server } = this
    for (const event of ['upgrade', 'connect'] as const) {
      if (server.listenerCount(event) === 0) continue
      server.prependListener(event, (_, socket) => this.upgraded.add(socket))
    }
    if (server.listenerCount('connect') === 0) {
      server.on('connect', ({ url = '' }, socket) => {
        const fault = problem('bad_path', 'This is no proxy: a path starts with "/"')
        this.#refuse(fault, { method: 'CONNECT', url }, socket)
      })
    }
    server.on('clientError', (error: ParserError, socket) => {
      const { code } = error
      // Nobody waits for an answer who has asked nothing.
      if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && Reflect.get(socket, 'bytesRead') === 0) {
        socket.destroy()
        return
      }
      const { fault, request } = judge(error, socket, this.#registry)
      this.#refuse(fault, request, socket)
    })
  }

  #admits(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    if (!this.#refused.has(socket)) {
      const fault = refusalOf(request, this.#accepted)
      if (!fault) return true
      this.#refuse(fault, new NodeRequest(request, response), socket)
    }
    // A body that nobody reads would keep the client from reading the answer.
    request.on('error', () => undefined).resume()
    return false
  }

  #refuse(fault: ProblemError, request: HttpRequest, socket: Duplex): void {
    if (this.#refused.has(socket) || isLingering(socket)) return
    this.#refused.add(socket)
    answerLast((asked) => respondWith(fault, asked, this.#registry), request, socket)
  }

  #isLast(socket: Duplex): boolean {
    if (this.#maxRequests === Infinity) return false
    const count = (this.#counts.get(socket) ?? 0) + 1
    this.#counts.set(socket, count)
    return count >= this.#maxRequests
  }
}

// Node forgets what has come along behind a request that asks for an upgrade and gets none. Those of HTTP/2 in the clear ask
// with every request, and send nothing behind it.
function losesNext({ rawHeaders }: IncomingMessage): boolean {
  const upgrade = fieldIn(rawHeaders, 'upgrade')
  return upgrade !== undefined && upgrade.toLowerCase() !== 'h2c'
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { announcesBody } from './field.ts'
import { linger } from './linger.ts'

interface Connection {
  /** The response to its newest request, until it is sent. */
  latest: ServerResponse | undefined
}

const connections = new WeakMap<Duplex, Connection>()
const previous = new WeakMap<ServerResponse, ServerResponse>()

/** Returns the response to the newest request of a connection. */
export function latestOf(socket: Duplex): ServerResponse | undefined {
  return connections.get(socket)?.latest
}

/** Returns the response that a response still waits for. */
export function previousOf(response: ServerResponse): ServerResponse | undefined {
  return previous.get(response)
}

/** Tells whether a response is destroyed. In HTTP/2 only its stream tells. */
export function isDestroyed(
  response: ServerResponse & { readonly stream?: { readonly destroyed: boolean } },
): boolean {
  return response.destroyed || response.stream?.destroyed === true
}

/** Tells whether a response is not yet wholly sent. */
export function isUnfinished(response: ServerResponse): boolean {
  return !response.writableFinished && !response.destroyed
}

/**
 * Records a response as the newest of its connection, and returns the response that it must wait
 * for. Several listeners of a host may record the same response.
 */
export function addResponse(
  { socket, httpVersionMajor }: IncomingMessage,
  response: ServerResponse,
): ServerResponse | undefined {
  // Requests of HTTP/2 share a socket without an order. A request that a test made may have none.
  if (httpVersionMajor !== 1 || !socket) return undefined
  const connection = connections.get(socket)
  const earlier = connection?.latest
  if (earlier === response) return previous.get(response)
  if (connection) connection.latest = response
  else connections.set(socket, { latest: response })
  if (!earlier || !isUnfinished(earlier)) return undefined
  previous.set(response, earlier)
  // A client that always has two open requests would otherwise keep all its responses in memory.
  earlier.once('close', () => previous.delete(response))
  return earlier
}

/**
 * Forgets a response once it is sent, so that an idle connection does not keep its last request.
 * Call it after the listener.
 */
export function removeResponse(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  const connection = socket ? connections.get(socket) : undefined
  if (connection?.latest !== response) return
  if (isSent(request, response)) {
    connection.latest = undefined
    return
  }
  // `once` would cost more, and the event comes only once.
  response.on('close', () => {
    // A request whose body broke off is still needed.
    if (request.complete && connection.latest === response) connection.latest = undefined
  })
}

// Saves most requests an event. The last response of a connection must stay known.
function isSent(request: IncomingMessage, response: ServerResponse): boolean {
  return (
    response.writableEnded &&
    response.writableLength === 0 &&
    response.shouldKeepAlive &&
    !response.hasHeader('connection') &&
    !announcesBody(request)
  )
}

/** A request, its response and its longest wait. */
interface QueuedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Milliseconds that the request may wait for earlier ones. */
  readonly maxWait: number
}

/**
 * Starts a request after the responses to earlier requests of its connection. Never starts it when
 * one of them was the last. Ends the connection when a request has waited too long. Otherwise one
 * packet of pipelined requests could keep a slow adapter busy for many time limits.
 *
 * @see RFC 9112 §9.3.2: only safe methods may overtake one another.
 */
export function startInOrder<Queued extends QueuedRequest>(
  queued: Queued,
  start: (queued: Queued) => void,
): void {
  const { request, response } = queued
  const earlier = addResponse(request, response)
  const { socket } = request
  if (!earlier) {
    if (request.httpVersionMajor !== 1 || !socket || !isEnding(socket)) start(queued)
    removeResponse(request, response)
    return
  }
  removeResponse(request, response)
  const queue = queues.get(socket) ?? new Queue(socket)
  queues.set(socket, queue)
  const deadline = performance.now() + queued.maxWait
  queue.join()
  earlier.once('close', () => {
    queue.leave()
    // Serves other connections first: this client sent many requests at once.
    if (!mayFollow(earlier, socket)) return
    if (performance.now() < deadline) setImmediate(start, queued)
    else linger(socket)
  })
}

function mayFollow(earlier: ServerResponse, socket: Duplex): boolean {
  return !isEnding(socket) && earlier.getHeader('connection') !== 'close'
}

function isEnding(socket: Duplex): boolean {
  return socket.destroyed || socket.writableEnded
}

const queues = new WeakMap<Duplex, Queue>()

// Waiting requests of one connection. With more, the server pauses the socket.
const maxWaiting = 16

/** The waiting requests of a connection. */
class Queue {
  readonly #socket: Duplex
  #length = 0
  #isPausing = false
  #isPaused = false

  constructor(socket: Duplex) {
    this.#socket = socket
  }

  join(): void {
    this.#length++
    if (this.#length <= maxWaiting || this.#isPausing) return
    this.#isPausing = true
    // Node resumes the socket one tick after each request. Two ticks later is before the next read.
    process.nextTick(() => process.nextTick(() => this.#pause()))
  }

  leave(): void {
    this.#length--
    if (!this.#isPaused || this.#length > maxWaiting) return
    this.#isPaused = false
    this.#socket.resume()
  }

  #pause(): void {
    this.#isPausing = false
    if (this.#length <= maxWaiting) return
    this.#isPaused = true
    this.#socket.pause()
  }
}

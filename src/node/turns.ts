import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { announcesBody } from './field.ts'
import { linger } from './linger.ts'

/** What is known of a connection. Kept as long as it is: to forget it after each request would cost more. */
interface Connection {
  /** The response to its newest request, until it has left. */
  latest: ServerResponse | undefined
}

const connections = new WeakMap<Duplex, Connection>()
const before = new WeakMap<ServerResponse, ServerResponse>()

/** Gives the response to the newest request of a connection. */
export function latestOf(socket: Duplex): ServerResponse | undefined {
  return connections.get(socket)?.latest
}

/** Gives the response that a response has to wait for, while it has to. */
export function beforeOf(response: ServerResponse): ServerResponse | undefined {
  return before.get(response)
}

/** Tells whether nothing can be sent any more. A response of HTTP/2 does not say so itself. */
export function isDestroyed(
  response: ServerResponse & { readonly stream?: { readonly destroyed: boolean } },
): boolean {
  return response.destroyed || response.stream?.destroyed === true
}

/** Tells whether a response is still to be sent, in whole or in part. */
export function isUnderWay(response: ServerResponse): boolean {
  return !response.writableFinished && !response.destroyed
}

/**
 * Notes a request as the newest of its connection, and gives the response that it has to wait for. A host with several listeners
 * shows them the same one.
 */
export function arrive(
  { socket, httpVersionMajor }: IncomingMessage,
  response: ServerResponse,
): ServerResponse | undefined {
  // The requests of HTTP/2 share a socket without an order, and what a test makes up may have none.
  if (httpVersionMajor !== 1 || !socket) return undefined
  const connection = connections.get(socket)
  const earlier = connection?.latest
  if (earlier === response) return before.get(response)
  if (connection) connection.latest = response
  else connections.set(socket, { latest: response })
  if (!earlier || !isUnderWay(earlier)) return undefined
  before.set(response, earlier)
  // Otherwise a client that always has two requests under way would keep all its responses.
  earlier.once('close', () => before.delete(response))
  return earlier
}

/**
 * Lets go of a response once it has left, so that idle connections do not keep their last request: at once where that has happened
 * already. To be called when whoever answers has been called.
 */
export function leave(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  const connection = socket ? connections.get(socket) : undefined
  if (connection?.latest !== response) return
  if (hasLeft(request, response)) {
    connection.latest = undefined
    return
  }
  // It closes only once: `once` would wrap this and take it out again for nothing.
  response.on('close', () => {
    // One whose body broke is still needed.
    if (request.complete && connection.latest === response) connection.latest = undefined
  })
}

// An event less for most requests. What comes after the last answer of a connection still has to find it.
function hasLeft(request: IncomingMessage, response: ServerResponse): boolean {
  return (
    response.writableEnded &&
    response.writableLength === 0 &&
    response.shouldKeepAlive &&
    !response.hasHeader('connection') &&
    !announcesBody(request)
  )
}

/** A request and what it is answered with. */
interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Milliseconds that the request may wait for those before it. */
  readonly maxWait: number
}

/**
 * Starts on a request when those before it on its connection have been answered: at once where there are none, never where one
 * of them was the last. Ends the connection where a request has waited too long: else one packet of pipelined requests
 * would keep a slow adapter busy for as many time limits as it holds requests.
 *
 * @see RFC 9112 §9.3.2: only safe methods may overtake one another.
 */
export function inTurn<Arrived extends Arrival>(
  arrived: Arrived,
  start: (arrived: Arrived) => void,
): void {
  const { request, response } = arrived
  const earlier = arrive(request, response)
  const { socket } = request
  if (!earlier) {
    if (request.httpVersionMajor !== 1 || !socket || !isEnding(socket)) start(arrived)
    leave(request, response)
    return
  }
  leave(request, response)
  const queue = queueOf(socket)
  const latest = performance.now() + arrived.maxWait
  queue.join()
  earlier.once('close', () => {
    queue.leave()
    // Others have their turn before the next of a client that has asked for many things at once.
    if (!mayFollow(earlier, socket)) return
    if (performance.now() < latest) setImmediate(start, arrived)
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

function queueOf(socket: Duplex): Queue {
  const known = queues.get(socket)
  if (known) return known
  const queue = new Queue(socket)
  queues.set(socket, queue)
  return queue
}

// Requests of one connection that may wait before no more are read. What has been read by then is at most one chunk.
const maxWaiting = 16

/** The requests of a connection that wait for their turn. */
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
    // Node resumes the connection after each request, in the tick after it: this is later, and before anything more is read.
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

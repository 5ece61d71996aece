import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const latest = new WeakMap<Duplex, ServerResponse>()
const before = new WeakMap<ServerResponse, ServerResponse>()

/** Gives the response to the newest request of a connection. */
export function latestOf(socket: Duplex): ServerResponse | undefined {
  return latest.get(socket)
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

/** Notes a request as the newest of its connection. A host with several listeners shows them the same one. */
export function arrive(
  { socket, httpVersionMajor }: IncomingMessage,
  response: ServerResponse,
): void {
  // The requests of HTTP/2 share a socket without an order, and what a test makes up may have none.
  if (httpVersionMajor !== 1 || !socket) return
  const earlier = latest.get(socket)
  if (earlier === response) return
  latest.set(socket, response)
  response.once('close', () => {
    // Otherwise every idle connection would keep its last request. One whose body broke is still needed.
    if (response.req.complete && latest.get(socket) === response) latest.delete(socket)
  })
  if (!earlier || !isUnderWay(earlier)) return
  before.set(response, earlier)
  // Otherwise a client that always has two requests under way would keep all its responses.
  earlier.once('close', () => before.delete(response))
}

/**
 * Starts on a request when those before it on its connection have been answered: at once where there are none, never where one
 * of them was the last.
 *
 * @see RFC 9112 §9.3.2: only safe methods may overtake one another.
 */
export function inTurn(
  request: IncomingMessage,
  response: ServerResponse,
  start: () => void,
): void {
  arrive(request, response)
  const { socket } = request
  const earlier = before.get(response)
  if (!earlier) {
    if (request.httpVersionMajor !== 1 || !socket || !isEnding(socket)) start()
    return
  }
  const queue = queueOf(socket)
  queue.join()
  earlier.once('close', () => {
    queue.leave()
    // Others have their turn before the next of a client that has asked for many things at once.
    if (mayFollow(earlier, socket)) setImmediate(start)
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

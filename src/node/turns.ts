import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const latest = new WeakMap<Duplex, ServerResponse>()
const before = new WeakMap<ServerResponse, ServerResponse>()

/** Gives the response to the newest request of a connection. */
export function latestOf(socket: Duplex): ServerResponse | undefined {
  return latest.get(socket)
}

/** Gives the response that a response had to wait for, if it had to. */
export function beforeOf(response: ServerResponse): ServerResponse | undefined {
  return before.get(response)
}

/** Tells whether a response is still to be sent, in whole or in part. */
export function isUnderWay(response: ServerResponse): boolean {
  return !response.writableFinished && !response.destroyed
}

/**
 * Tells when a request may start: `now` where those before it on its connection have been answered, `never` where one of
 * them was the last, or when the response that is given has closed and {@link mayFollow} says so.
 *
 * @see RFC 9112 §9.3.2: only safe methods may overtake one another.
 */
export function turnOf(
  { socket, httpVersionMajor }: IncomingMessage,
  response: ServerResponse,
): 'now' | 'never' | ServerResponse {
  // The requests of HTTP/2 share a socket without an order, and what a test makes up may have none.
  if (httpVersionMajor !== 1 || !socket) return 'now'
  const earlier = latest.get(socket)
  // A host with several listeners shows them the same request.
  if (earlier === response) return 'now'
  latest.set(socket, response)
  if (!earlier || !isUnderWay(earlier)) return isEnding(socket) ? 'never' : 'now'
  before.set(response, earlier)
  // Otherwise a client that always has two requests under way would keep all its responses.
  earlier.once('close', () => before.delete(response))
  if (!earlier.writableEnded) return earlier
  return mayFollow(earlier, socket) ? 'now' : 'never'
}

/** Tells whether a connection takes another request after an answer. */
export function mayFollow(earlier: ServerResponse, socket: Duplex): boolean {
  return !isEnding(socket) && earlier.getHeader('connection') !== 'close'
}

function isEnding(socket: Duplex): boolean {
  return socket.destroyed || socket.writableEnded
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { announcesBody } from './field.ts'
import { linger } from './linger.ts'

/**
 * The unread part of a body when its response is ready. The server reads a `small` one, so that the
 * connection stays usable. It ends the connection after a `large` one. It decides about an
 * `unknown` one while it reads.
 */
export type Leftover = 'none' | 'small' | 'large' | 'unknown'

const maxSmall = 65_536

const continueResponses = new WeakSet<ServerResponse>()
const completeResponses = new WeakSet<ServerResponse>()

/** Delays `100 Continue` until {@link sendContinue}. */
export function deferContinue(response: ServerResponse): void {
  continueResponses.add(response)
}

/** Sends `100 Continue` to a client that waits for it. */
export function sendContinue(response: ServerResponse): void {
  if (continueResponses.delete(response)) response.writeContinue()
}

/** Tells whether a response is whole, by Node's state or by {@link endWithConnection}. */
export function isComplete(response: ServerResponse): boolean {
  return response.writableFinished || completeResponses.has(response)
}

/** Returns how much of a request's body is unread. */
export function leftoverOf(request: IncomingMessage, response: ServerResponse): Leftover {
  // HTTP/2 gives every body its own stream.
  if (request.complete || request.httpVersionMajor !== 1) return 'none'
  if (!announcesBody(request)) return 'none'
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (length === '0' && coding === undefined) return 'none'
  // The client may send its body or the next request: the server cannot tell them apart.
  if (continueResponses.has(response)) return 'large'
  if (length !== undefined) return Number(length) > maxSmall ? 'large' : 'small'
  return request.readableDidRead ? 'large' : 'unknown'
}

/** Drops a body of unknown length, and ends the connection when the body is large. */
export function limitLeftover(request: IncomingMessage): void {
  let bytes = 0
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length
    if (bytes <= maxSmall) return
    request.off('data', count)
    linger(request.socket)
  }
  request.on('error', () => undefined).on('data', count)
}

/** Ends a written response and its connection. Node would reset it while the client still sends. */
export function endWithConnection(request: IncomingMessage, response: ServerResponse): void {
  completeResponses.add(response)
  request.on('error', () => undefined)
  linger(request.socket)
}

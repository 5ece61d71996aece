import type { IncomingMessage, ServerResponse } from 'node:http'
import { announcesBody } from './field.ts'
import { linger } from './linger.ts'

/**
 * What is still to come of a body when its request is answered. `small`: it is read, so that the connection can be used on.
 * `large`: the connection ends with the answer. `unknown`: one or the other.
 */
export type Leftover = 'none' | 'small' | 'large' | 'unknown'

const maxSmall = 65_536

const expecting = new WeakSet<ServerResponse>()
const answered = new WeakSet<ServerResponse>()

/** Leaves it to whoever reads the body to tell the client that it is wanted. */
export function expectContinue(response: ServerResponse): void {
  expecting.add(response)
}

/** Tells a client that waits for it that its body is wanted. */
export function letContinue(response: ServerResponse): void {
  if (expecting.delete(response)) response.writeContinue()
}

/** Tells whether a response is whole, though Node was not told so. */
export function isAnswered(response: ServerResponse): boolean {
  return response.writableFinished || answered.has(response)
}

/** Tells what is still to come of the body of a request. */
export function leftoverOf(request: IncomingMessage, response: ServerResponse): Leftover {
  // HTTP/2 has streams for that.
  if (request.complete || request.httpVersionMajor !== 1) return 'none'
  if (!announcesBody(request)) return 'none'
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (length === '0' && coding === undefined) return 'none'
  // It may send its body or not: what follows cannot be told from it.
  if (expecting.has(response)) return 'large'
  if (length !== undefined) return Number(length) > maxSmall ? 'large' : 'small'
  return request.readableDidRead ? 'large' : 'unknown'
}

/** Reads a body of unknown length that nobody wants, and ends the connection when it turns out to be large. */
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

/** Ends an answer that has been written, and with it its connection. Node's own way would reset it while the client still sends. */
export function endWithConnection(request: IncomingMessage, response: ServerResponse): void {
  answered.add(response)
  request.on('error', () => undefined)
  linger(request.socket)
}

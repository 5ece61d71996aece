import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPromise } from '../model/awaitable.ts'
import type { Registry } from '../model/registry.ts'
import { respond, type WrittenResponse } from '../server/respond.ts'
import { NodeRequest } from './request.ts'
import { mayFollow, turnOf } from './turns.ts'

/** What Express and Connect hand over besides request and response. */
export type NextFunction = (error?: unknown) => void

/** A listener for `http.createServer`, Express and Connect. */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: NextFunction,
) => void

/**
 * Serves a registry inside your own Node server: `http.createServer(toNodeListener(registry))`, `app.use('/api', toNodeListener(registry))`.
 *
 * Where the host gives a `next`, a path that is none of the registry's (an unknown version or resource) goes to it.
 * A body that a host's parser has left in `request.body` is taken as it is. `Location` and `Link` start with the prefix
 * at which the host has mounted the listener. Requests of one connection are handled one after another.
 */
export function toNodeListener(registry: Registry): NodeListener {
  const start: NodeListener = (request, response, next) => {
    const written = respond(new NodeRequest(request, response), registry)
    if (isPromise(written)) written.then((answer) => send(answer, request, response, next))
    else send(written, request, response, next)
  }
  return (request, response, next) => {
    const turn = turnOf(request, response)
    if (turn === 'now') start(request, response, next)
    else if (turn !== 'never') {
      turn.once('close', () => {
        if (mayFollow(turn, request.socket)) start(request, response, next)
      })
    }
  }
}

function send(
  { status, headers, text, isUnknownPath }: WrittenResponse,
  request: IncomingMessage,
  response: ServerResponse,
  next: NextFunction | undefined,
): void {
  if (isUnknownPath && next !== undefined) {
    next()
    return
  }
  // Nobody is there any more, or a host has answered in our place.
  if (response.headersSent || response.writableEnded || response.destroyed) return
  const fields = Object.entries(headers).flat()
  fields.push('content-length', `${Buffer.byteLength(text)}`)
  response.writeHead(status, fields)
  response.end(request.method === 'HEAD' ? undefined : text)
}

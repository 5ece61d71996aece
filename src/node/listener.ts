import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPromise } from '../model/awaitable.ts'
import type { Layer } from '../model/layer.ts'
import type { Registry } from '../model/registry.ts'
import { responder, type WrittenResponse } from '../server/respond.ts'
import { NodeRequest } from './request.ts'
import { send } from './send.ts'
import { mayFollow, turnOf } from './turns.ts'

/** What Express and Connect hand over besides request and response. */
export type NextFunction = (error?: unknown) => void

/** A listener for `http.createServer`, Express and Connect. */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: NextFunction,
) => void

/** What {@link toNodeListener} takes; every part is optional. */
export interface NodeOptions {
  /** What answers before the api does: documents, the explorer. The first is the outermost. Default: none. */
  readonly layers?: readonly Layer[]
}

/**
 * Serves a registry inside your own Node server: `http.createServer(toNodeListener(registry))`, `app.use('/api', toNodeListener(registry))`.
 *
 * Where the host gives a `next`, a path that is none of the registry's (an unknown version or resource) goes to it.
 * A body that a host's parser has left in `request.body` is taken as it is. `Location` and `Link` start with the prefix
 * at which the host has mounted the listener. Requests of one connection are handled one after another.
 */
export function toNodeListener(registry: Registry, { layers }: NodeOptions = {}): NodeListener {
  const respond = responder(registry, layers)
  const start: NodeListener = (request, response, next) => {
    const written = respond(new NodeRequest(request, response))
    const finish = (answer: WrittenResponse): void => {
      if (answer.isUnknownPath && next !== undefined) next()
      else send(answer, request, response)
    }
    if (isPromise(written)) written.then(finish)
    else finish(written)
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

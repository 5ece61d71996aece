import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '../model/api.ts'
import { isPending } from '../model/awaitable.ts'
import type { HostRequest } from '../model/http.ts'
import type { Layer } from '../model/layer.ts'
import type { Registry } from '../model/registry.ts'
import { checkBase } from '../server/base.ts'
import { responder, respondWith, type WrittenResponse } from '../server/respond.ts'
import { checkListenerOptions, defaults } from './options.ts'
import { NodeRequest } from './request.ts'
import { cutOff, type Destination, send } from './send.ts'
import { inTurn } from './turns.ts'

/** What Express and Connect hand over besides request and response. */
export type NextFunction = (error?: unknown) => void

/** A listener for `http.createServer`, Express and Connect, whose requests have what the registry's context needs: `request.user`. */
export type NodeListener<Source = IncomingMessage> = (
  request: Source,
  response: ServerResponse,
  next?: NextFunction,
) => void

/** What {@link toNodeListener} takes; every part is optional. */
export interface NodeOptions {
  /**
   * The prefix of the paths it is mounted at, where the host does not cut it off as Express does: `/api`. Cut off where a request has
   * it, put before the paths in `Location` and `Link`. Default: none.
   */
  readonly base?: string
  /** What answers before the api does: documents, the explorer. The first is the outermost. Default: none. */
  readonly layers?: readonly Layer[]
  /**
   * Milliseconds in which a client has to take the next 64 KiB of an answer, or what is left of it. Then the connection is cut
   * and a list that comes item by item is closed. Default 30,000: a client has to read 2 KiB a second.
   */
  readonly writeTimeout?: number
}

const made = new WeakSet<object>()

/** Tells a listener that {@link toNodeListener} has made. */
export function isNodeListener(listener: object): boolean {
  return made.has(listener)
}

/**
 * Serves a registry inside your own Node server: `http.createServer(toNodeListener(registry))`, `app.use('/api', toNodeListener(registry))`.
 *
 * Where the host gives a `next`, a path that is none of the registry's (an unknown version or resource) goes to it.
 * A body that a host's parser has left in `request.body` is taken as it is. `Location` and `Link` start with the prefix
 * at which the host has mounted the listener. Requests of one connection are handled one after another.
 *
 * @throws {TypeError} For an option that cannot be.
 */
export function toNodeListener<Source extends IncomingMessage = IncomingMessage>(
  registry: Registry<Api, HostRequest<Source>>,
  options: NodeOptions = {},
): NodeListener<Source> {
  checkListenerOptions(options)
  const { base = '', layers, writeTimeout = defaults.writeTimeout } = options
  checkBase(base)
  // What its context asks for, the requests of this listener have.
  const served = registry as Registry
  const respond = responder(served, layers)
  const start = (visit: Visit): void => {
    const asked = new NodeRequest(visit.request, visit.response, base)
    const failed = (error: unknown): void => sendFault(respondWith(error, asked, served), visit)
    try {
      const answer = respond(asked)
      if (isPending(answer)) answer.then((given) => finish(given, visit, failed), failed)
      else finish(answer, visit, failed)
    } catch (error) {
      failed(error)
    }
  }
  const maxWait = registry.limits.time
  const listener: NodeListener<Source> = (request, response, next) => {
    inTurn({ request, response, writeTimeout, next, maxWait }, start)
  }
  made.add(listener)
  return listener
}

/** A request, and where its answer goes. */
interface Visit extends Destination {
  readonly next: NextFunction | undefined
  readonly maxWait: number
}

function finish(answer: WrittenResponse, visit: Visit, failed: (error: unknown) => void): void {
  try {
    if (answer.isUnknownPath && visit.next !== undefined) visit.next()
    else sendWhole(answer, visit)
  } catch (error) {
    failed(error)
  }
}

// Layers may answer with what no head can hold.
function sendWhole(answer: WrittenResponse, to: Destination): void {
  try {
    send(answer, to)
  } catch (error) {
    answer.rest?.close()
    // Some of them may be there already.
    for (const name of Object.keys(answer.headers)) to.response.removeHeader(name)
    throw error
  }
}

function sendFault(answer: WrittenResponse, to: Destination): void {
  try {
    send(answer, to)
  } catch {
    cutOff(to.response)
  }
}

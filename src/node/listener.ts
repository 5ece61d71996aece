import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '../contract/resource/api.ts'
import type { HostRequest, Layer } from '../contract/resource/http.ts'
import type { Registry } from '../contract/resource/registry.ts'
import { isPending } from '../convention/awaitable.ts'
import { checkBase } from '../server/base.ts'
import { responder, respondWith, type WrittenResponse } from '../server/respond.ts'
import { checkNodeOptions, defaults } from './options.ts'
import { startInOrder } from './pipeline.ts'
import { NodeRequest } from './request.ts'
import { type Destination, destroyResponse, sendResponse } from './send.ts'

/** The third argument of a listener in Express and Connect. */
export type NextFunction = (error?: unknown) => void

/**
 * A listener for `http.createServer`, Express and Connect. `Source` is the request type that the
 * registry's context needs: one with `request.user`.
 */
export type NodeListener<Source = IncomingMessage> = (
  request: Source,
  response: ServerResponse,
  next?: NextFunction,
) => void

/** The options of {@link toNodeListener}. */
export interface NodeOptions {
  /**
   * The path prefix, if the host does not cut it off as Express does: `/api`. The listener removes
   * it from request paths, and adds it to `Location` and `Link`. Default: none.
   */
  readonly base?: string
  /** Layers around the api: documents, the explorer. The first is outermost. Default: none. */
  readonly layers?: readonly Layer[]
  /**
   * Milliseconds for a client to read the next 64 KiB of a response. Then the listener cuts the
   * connection off and closes a streamed list. Default 30,000: a client must read 2 KiB a second.
   */
  readonly writeTimeout?: number
}

const nodeListeners = new WeakSet<object>()

/** Tells whether {@link toNodeListener} made a listener. */
export function isNodeListener(listener: object): boolean {
  return nodeListeners.has(listener)
}

/**
 * Serves a registry inside your own Node server: `http.createServer(toNodeListener(registry))`,
 * `app.use('/api', toNodeListener(registry))`.
 *
 * The listener passes a path with an unknown version or resource to the host's `next`, if there is
 * one. It takes a parsed body from `request.body`. `Location` and `Link` start with the host's
 * prefix. The listener handles the requests of one connection one after another.
 *
 * @throws {TypeError} For an invalid option.
 */
export function toNodeListener<Source extends IncomingMessage = IncomingMessage>(
  registry: Registry<Api, HostRequest<Source>>,
  options: NodeOptions = {},
): NodeListener<Source> {
  checkNodeOptions('toNodeListener()', options)
  const { base = '', layers, writeTimeout = defaults.writeTimeout } = options
  checkBase(base)
  // The requests of this listener have the `source` that the context needs.
  const served = registry as Registry
  const respond = responder(served, layers)
  const start = (exchange: Exchange): void => {
    const request = new NodeRequest(exchange.request, exchange.response, base)
    const failed = (error: unknown): void =>
      sendProblem(respondWith(error, request, served), exchange)
    try {
      const written = respond(request)
      if (isPending(written)) written.then((late) => finish(late, exchange, failed), failed)
      else finish(written, exchange, failed)
    } catch (error) {
      failed(error)
    }
  }
  const maxWait = registry.limits.time
  const listener: NodeListener<Source> = (request, response, next) => {
    startInOrder({ request, response, writeTimeout, next, maxWait }, start)
  }
  nodeListeners.add(listener)
  return listener
}

/** A request and its response. */
interface Exchange extends Destination {
  readonly next: NextFunction | undefined
  readonly maxWait: number
}

function finish(
  written: WrittenResponse,
  exchange: Exchange,
  failed: (error: unknown) => void,
): void {
  try {
    if (written.isUnknownPath && exchange.next !== undefined) exchange.next()
    else sendWhole(written, exchange)
  } catch (error) {
    failed(error)
  }
}

// A layer may return header fields that Node rejects.
function sendWhole(written: WrittenResponse, to: Destination): void {
  try {
    sendResponse(written, to)
  } catch (error) {
    written.slices?.close()
    // Node may have set some of them already.
    for (const name of Object.keys(written.headers)) to.response.removeHeader(name)
    throw error
  }
}

function sendProblem(written: WrittenResponse, to: Destination): void {
  try {
    sendResponse(written, to)
  } catch {
    destroyResponse(to.response)
  }
}

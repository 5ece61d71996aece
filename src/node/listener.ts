import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '../contract/resource/api.ts'
import type { HostRequest, Layer, Slices } from '../contract/resource/http.ts'
import type { Registry } from '../contract/resource/registry.ts'
import { isPending } from '../convention/awaitable.ts'
import { checkBase } from '../server/base.ts'
import { responder, respondWith, type WrittenResponse } from '../server/respond.ts'
import { endWithConnection, leftoverOf, limitLeftover } from './leftover.ts'
import { checkNodeOptions, defaults } from './options.ts'
import { isDestroyed, startInOrder } from './pipeline.ts'
import { NodeRequest } from './request.ts'

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
   * Takes bodies with one `Content-Encoding` of gzip, deflate and br. `limits.body` counts the
   * plain bytes. Default false: such a body is 400 `unsupported_encoding`.
   */
  readonly decompress?: boolean
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
  const { base = '', layers, writeTimeout = defaults.writeTimeout, decompress } = options
  checkBase(base)
  const hosting = { base, decompress: decompress === true }
  // The requests of this listener have the `source` that the context needs.
  const servedRegistry = registry as Registry
  const respond = responder(servedRegistry, layers)
  const start = (exchange: Exchange): void => {
    const request = new NodeRequest(exchange.request, exchange.response, hosting)
    const fail = (error: unknown): void =>
      sendProblem(respondWith(error, request, servedRegistry), exchange)
    try {
      const written = respond(request)
      if (isPending(written)) written.then((response) => finish(response, exchange, fail), fail)
      else finish(written, exchange, fail)
    } catch (error) {
      fail(error)
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
  fail: (error: unknown) => void,
): void {
  try {
    if (written.isUnknownPath && exchange.next !== undefined) exchange.next()
    else sendWhole(written, exchange)
  } catch (error) {
    fail(error)
  }
}

// A layer may return header fields that Node rejects.
function sendWhole(written: WrittenResponse, destination: Destination): void {
  try {
    sendResponse(written, destination)
  } catch (error) {
    written.slices?.close()
    // Node may have set some of them already.
    for (const name of Object.keys(written.headers)) destination.response.removeHeader(name)
    throw error
  }
}

function sendProblem(written: WrittenResponse, destination: Destination): void {
  try {
    sendResponse(written, destination)
  } catch {
    destroyResponse(destination.response)
  }
}

/** The messages to respond on. */
interface Destination {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Milliseconds that a client has to read each {@link pieceSize} bytes. */
  readonly writeTimeout: number
}

/** Bytes that are written at a time. */
const pieceSize = 65_536

/**
 * Sends a response, a long one piece by piece, as fast as the client reads. Destroys the response
 * when its rest fails.
 *
 * @throws Node's error for an invalid head, before anything is sent.
 */
function sendResponse(written: WrittenResponse, destination: Destination): void {
  const { status, headers, content, slices } = written
  const { request, response } = destination
  const isHead = request.method === 'HEAD'
  // The client has gone, or a host has responded already.
  const isSuperfluous = response.headersSent || isOver(response)
  if (isSuperfluous || isHead) slices?.close()
  if (isSuperfluous) return
  const isLong = content.length > pieceSize
  const body = isLong && typeof content === 'string' ? Buffer.from(content) : content
  const fields: Record<string, string> = { ...headers }
  if (slices === undefined) fields['content-length'] = `${Buffer.byteLength(body)}`
  const leftover = leftoverOf(request, response)
  if (leftover === 'large') fields.connection = 'close'
  response.writeHead(status, fields)
  if (leftover === 'unknown') limitLeftover(request)
  // Chunked coding must end with its own last chunk.
  const end = leftover === 'large' && (isHead || !slices) ? endConnection : endResponse
  if (isHead) end('', destination)
  else if (slices !== undefined || isLong) sendPieces({ body, slices, end }, destination)
  else end(body, destination)
}

type Piece = string | Uint8Array
type End = (lastPiece: Piece, destination: Destination) => void

function endResponse(lastPiece: Piece, { response, writeTimeout }: Destination): void {
  response.end(lastPiece)
  // The client has not yet read all of it.
  if (response.writableLength > 0) limitWait(response, writeTimeout)
}

function limitWait(response: ServerResponse, writeTimeout: number): void {
  const timer = setTimeout(() => destroyResponse(response), writeTimeout)
  response.once('close', () => clearTimeout(timer))
}

function endConnection(lastPiece: Piece, { request, response }: Destination): void {
  if (lastPiece.length > 0) response.write(lastPiece)
  else response.flushHeaders()
  endWithConnection(request, response)
}

interface Pieces {
  readonly body: Piece
  readonly slices: Slices | undefined
  readonly end: End
}

async function sendPieces({ body, slices, end }: Pieces, destination: Destination): Promise<void> {
  const { response } = destination
  try {
    let piece = await sendAllButLast(body, destination)
    for (let isDone = slices === undefined; slices && !isDone; ) {
      await write(piece, destination)
      const slice = await slices.next()
      if (isOver(response)) return await slices.close()
      piece = await sendAllButLast(slice.value, destination)
      isDone = slice.done === true
    }
    if (!isOver(response)) end(piece, destination)
  } catch {
    slices?.close()
    destroyResponse(response)
  }
}

async function sendAllButLast(body: Piece, destination: Destination): Promise<Piece> {
  if (body.length <= pieceSize) return body
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  let start = 0
  for (; bytes.length - start > pieceSize; start += pieceSize) {
    await write(bytes.subarray(start, start + pieceSize), destination)
  }
  return bytes.subarray(start)
}

// Waits for the client, then lets the process serve other requests: a fast reader would block them.
function write(piece: Piece, { response, writeTimeout }: Destination): Promise<void> {
  return new Promise((resolve) => {
    if (isOver(response)) return resolve()
    if (response.write(piece)) return void setImmediate(resolve)
    const timer = setTimeout(() => destroyResponse(response), writeTimeout)
    const continueSending = (): void => {
      clearTimeout(timer)
      response.off('drain', continueSending).off('close', continueSending)
      setImmediate(resolve)
    }
    response.on('drain', continueSending).on('close', continueSending)
  })
}

/** Destroys a response: an end would make it look whole. HTTP/2 needs an error for this. */
function destroyResponse(response: ServerResponse): void {
  if (response.req.httpVersionMajor === 1) response.destroy()
  else response.destroy(new Error('The response broke off'))
}

function isOver(response: ServerResponse): boolean {
  return response.writableEnded || isDestroyed(response)
}

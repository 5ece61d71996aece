import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostRequest, HttpHeaders, HttpRequest } from '../contract/resource/http.ts'
import { bodyTooLarge, type ProblemError, problem } from '../convention/problem.ts'
import { localTarget } from '../server/base.ts'
import {
  type Decompress,
  decompressorFor,
  type Inflow,
  withoutCoding,
} from '../server/decompress.ts'
import { announcesBody, fieldIn } from './field.ts'
import { isComplete, sendContinue } from './leftover.ts'
import { isDestroyed } from './pipeline.ts'

/** The options of a listener for its requests. */
interface RequestOptions {
  readonly base?: string
  readonly decompress?: boolean
}

/** A message with its target before a host cut off the prefix. */
interface HostedMessage extends IncomingMessage {
  readonly originalUrl?: unknown
}

/** A Node message as plain values. It makes headers and signal at their first use. */
export class NodeRequest<Source extends IncomingMessage = IncomingMessage>
  implements HostRequest<Source>
{
  readonly method: string
  readonly url: string
  readonly source: Source
  /** A timer need not keep the process running after the server has closed its connections. */
  readonly isAttended = true
  readonly given: [] = noArguments
  readonly base: string
  readonly body: HttpRequest['body']
  readonly #response: ServerResponse
  #headers: HttpHeaders | undefined
  #signal: AbortSignal | undefined

  constructor(source: Source, response: ServerResponse, options: RequestOptions = {}) {
    const { base = '', decompress = false } = options
    this.method = source.method ?? ''
    this.url = localTarget(source.url ?? '', base)
    this.source = source
    this.base = baseOf(source, this.url) ?? base
    const decoder = decompress ? decompressorFor(source.headers['content-encoding']) : undefined
    this.body = hasBody(source) ? bodyOf(source, response, decoder) : undefined
    if (decoder) this.#headers = withoutCoding(headersOf(source))
    this.#response = response
  }

  get headers(): HttpHeaders {
    this.#headers ??= headersOf(this.source)
    return this.#headers
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.source, this.#response)
    return this.#signal
  }
}

const noArguments: [] = []

function baseOf({ url = '', originalUrl }: HostedMessage, localUrl: string): string | undefined {
  return typeof originalUrl === 'string' && originalUrl !== url
    ? prefixOf(localTarget(originalUrl, ''), localUrl)
    : undefined
}

function prefixOf(originalUrl: string, url: string): string {
  // For `/api`, hosts set the rest to `/`.
  const isTop = !originalUrl.endsWith(url) && /^\/(?:\?|$)/.test(url)
  const suffix = isTop ? url.slice(1) : url
  return originalUrl.endsWith(suffix)
    ? originalUrl.slice(0, originalUrl.length - suffix.length)
    : ''
}

function bodyOf(
  source: IncomingMessage,
  response: ServerResponse,
  decoder: Decompress | undefined,
): HttpRequest['body'] {
  return (limit) => bodyOfMessage(source, response, { decoder, limit })
}

// In HTTP/2 the header fields need not announce a body.
function hasBody(request: ParsedMessage & { readonly stream?: Streamed }): boolean {
  // A host that sets `body` may also have set the fields that announce it.
  if (!request.stream && request.body === undefined && !announcesBody(request)) return false
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (length !== undefined) return length !== '0'
  return request.stream ? !request.stream.endAfterHeaders : coding !== undefined
}

interface Streamed {
  readonly endAfterHeaders: boolean
}

// Milliseconds after the client has closed its side. Then the server takes it for gone: few clients
// close their side and still wait for a response.
const halfCloseTimeout = 100

function signalOf(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const { socket, httpVersionMajor } = request
  let timer: ReturnType<typeof setTimeout> | undefined
  const abort = (): void => {
    if (!isComplete(response)) controller.abort()
  }
  const doubt = (): void => {
    timer = setTimeout(abort, halfCloseTimeout).unref()
  }
  const finish = (): void => {
    clearTimeout(timer)
    socket?.off('end', doubt)
    abort()
  }
  if (isDestroyed(response)) abort()
  response.once('close', finish)
  if (httpVersionMajor === 1 && socket) {
    if (socket.readableEnded) doubt()
    else socket.once('end', doubt)
  }
  return controller.signal
}

// Node silently keeps the first of two content types, and so would accept a second type as JSON.
// A content type that a host has set is kept.
function headersOf({ headers, rawHeaders }: IncomingMessage): HttpHeaders {
  const { 'content-type': first } = headers
  const all = first === undefined ? undefined : fieldIn(rawHeaders, 'content-type')
  return all?.startsWith(`${first}, `) ? { ...headers, 'content-type': all } : headers
}

/** The way to read a body. */
interface BodyReading {
  /** `undefined` for a plain body. */
  readonly decoder: Decompress | undefined
  readonly limit: number
}

/** A message with the body that a host's parser may have read. */
interface ParsedMessage extends IncomingMessage {
  readonly body?: unknown
}

/**
 * Reads the body of a message, or returns the one that a host's parser has read.
 *
 * @throws {ProblemError} `body_too_large` beyond `limit` bytes, `bad_request` when it breaks off.
 * @throws {TypeError} When other code read the body and kept nothing.
 */
function bodyOfMessage(
  request: ParsedMessage,
  response: ServerResponse,
  { decoder, limit }: BodyReading,
): Promise<string | Uint8Array> | object | string {
  const { body } = request
  if (typeof body === 'string' || (typeof body === 'object' && body !== null)) return body
  if (request.readableEnded || request.readableDidRead) {
    // A parser that is not strict sets `7`, `true` or `null`.
    if (isScalar(body)) return JSON.stringify(body)
    throw new TypeError(
      'Other code read the body before the listener. ' +
        'Leave the body unread, or set "request.body" to its value.',
    )
  }
  const length = Number(request.headers['content-length'] ?? 0)
  if (!decoder && length > limit) throw bodyTooLarge(limit)
  sendContinue(response)
  return decoder ? decoder(() => inflowOf(request), limit) : collect(request, limit)
}

// The iterator leaves the rest of a refused body to the server, which still has to respond.
function inflowOf(request: IncomingMessage): Inflow {
  const chunks = request.iterator({ destroyOnReturn: false })
  return {
    async next() {
      try {
        const { done, value } = await chunks.next()
        return done ? undefined : value
      } catch {
        throw brokenOff()
      }
    },
    async drop() {
      await chunks.return?.()
      request.on('error', () => undefined).resume()
    },
  }
}

function isScalar(body: unknown): boolean {
  return typeof body === 'number' || typeof body === 'boolean' || body === null
}

function collect(request: IncomingMessage, limit: number): Promise<string | Uint8Array> {
  return new Promise((resolve, reject) => {
    // The client has gone: no further event will come.
    if (request.destroyed) return reject(brokenOff())
    // Undefined once the promise is settled.
    let chunks: Buffer[] | undefined = []
    let length = 0
    const take = (chunk: Buffer): void => {
      length += chunk.length
      if (length <= limit) chunks?.push(chunk)
      else refuse(bodyTooLarge)
    }
    const end = (): void => {
      if (chunks)
        resolve(textOf(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
      chunks = undefined
    }
    const breakOff = (): void => refuse(brokenOff)
    const refuse = (reason: (limit: number) => ProblemError): void => {
      if (chunks) reject(reason(limit))
      chunks = undefined
    }
    // The listeners stay: they drop the rest of a refused body, and its errors.
    request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
  })
}

// A longer body is no faster as text.
const maxText = 65_536

// A promise resolves faster with a string than with an object. Decoding replaces invalid UTF-8 by
// U+FFFD, which the client may also have sent: then the core decodes the bytes itself.
function textOf(bytes: Buffer): string | Buffer {
  if (bytes.length > maxText) return bytes
  const text = bytes.toString()
  return text.includes('\ufffd') ? bytes : text
}

function brokenOff(): ProblemError {
  return problem('bad_request', 'The body broke off.')
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostRequest, HttpHeaders, HttpRequest } from '../contract/resource/http.ts'
import { localTarget } from '../server/base.ts'
import { bodyOfMessage, type ParsedMessage } from './body.ts'
import { announcesBody, fieldIn } from './field.ts'
import { isComplete } from './leftover.ts'
import { isDestroyed } from './pipeline.ts'

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

  constructor(source: Source, response: ServerResponse, base = '') {
    this.method = source.method ?? ''
    this.url = localTarget(source.url ?? '', base)
    this.source = source
    this.base = baseOf(source, this.url) ?? base
    this.body = hasBody(source) ? bodyOf(source, response) : undefined
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

function bodyOf(source: IncomingMessage, response: ServerResponse): HttpRequest['body'] {
  return (limit) => bodyOfMessage(source, response, limit)
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

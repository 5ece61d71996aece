import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostRequest, HttpHeaders, HttpRequest } from '../model/http.ts'
import { localTarget } from '../server/base.ts'
import { type ParsedMessage, readBody } from './body.ts'
import { announcesBody, fieldIn } from './field.ts'
import { isAnswered } from './leftover.ts'
import { isDestroyed } from './turns.ts'

/** What hosts add to a request: the target before they cut a prefix off. */
interface HostedMessage extends IncomingMessage {
  readonly originalUrl?: unknown
}

/** A message of Node's as plain values; headers and signal are made when they are asked for. */
export class NodeRequest<Source extends IncomingMessage = IncomingMessage>
  implements HostRequest<Source>
{
  readonly method: string
  readonly url: string
  readonly source: Source
  /** A process that is told to end is not to wait for clocks whose clients it has cut off. */
  readonly isAttended = true
  readonly given: [] = nothing
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

const nothing: [] = []

function baseOf({ url = '', originalUrl }: HostedMessage, rest: string): string | undefined {
  return typeof originalUrl === 'string' && originalUrl !== url
    ? cutOff(localTarget(originalUrl, ''), rest)
    : undefined
}

function cutOff(originalUrl: string, url: string): string {
  // Hosts put the slash back that `/api` lacks.
  const isTop = !originalUrl.endsWith(url) && /^\/(?:\?|$)/.test(url)
  const rest = isTop ? url.slice(1) : url
  return originalUrl.endsWith(rest) ? originalUrl.slice(0, originalUrl.length - rest.length) : ''
}

function bodyOf(source: IncomingMessage, response: ServerResponse): HttpRequest['body'] {
  return (limit) => readBody(source, response, limit)
}

// HTTP/2 need not say how long a body is, nor that there is one.
function hasBody(request: ParsedMessage & { readonly stream?: Streamed }): boolean {
  // A host that leaves a body there may have announced it as well.
  if (!request.stream && request.body === undefined && !announcesBody(request)) return false
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (length !== undefined) return length !== '0'
  return request.stream ? !request.stream.endAfterHeaders : coding !== undefined
}

interface Streamed {
  readonly endAfterHeaders: boolean
}

// Milliseconds after which a client that says it will send nothing more is taken for one that has gone: both say the same, and few wait for an answer.
const patience = 100

function signalOf(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const { socket, httpVersionMajor } = request
  let timer: ReturnType<typeof setTimeout> | undefined
  const abort = (): void => {
    if (!isAnswered(response)) controller.abort()
  }
  const doubt = (): void => {
    timer = setTimeout(abort, patience).unref()
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

// Node keeps the first of two content types without a word, and so would take for JSON what is declared as something else too. One that
// a host has put in their place counts as it is.
function headersOf({ headers, rawHeaders }: IncomingMessage): HttpHeaders {
  const { 'content-type': first } = headers
  const all = first === undefined ? undefined : fieldIn(rawHeaders, 'content-type')
  return all?.startsWith(`${first}, `) ? { ...headers, 'content-type': all } : headers
}

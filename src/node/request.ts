import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpHeaders, HttpRequest } from '../model/http.ts'
import { bodyTooLarge, problem } from '../model/problem.ts'

/** What hosts add to a request: the body their parser has read, the target before they cut a prefix off. */
interface HostedMessage extends IncomingMessage {
  readonly body?: unknown
  readonly originalUrl?: string
}

/** A message of Node's as plain values; headers, body and signal are looked at only when somebody asks. */
export class NodeRequest implements HttpRequest {
  readonly method: string
  readonly url: string
  readonly source: IncomingMessage
  readonly #response: ServerResponse
  #headers: HttpHeaders | undefined
  #signal: AbortSignal | undefined

  constructor(source: IncomingMessage, response: ServerResponse) {
    this.method = source.method ?? ''
    this.url = source.url ?? ''
    this.source = source
    this.#response = response
  }

  get headers(): HttpHeaders {
    this.#headers ??= headersOf(this.source)
    return this.#headers
  }

  get base(): string {
    const { originalUrl }: HostedMessage = this.source
    // Hosts put the slash back that `/api` lacks.
    const isTop = originalUrl?.endsWith(this.url) === false && /^\/(?:\?|$)/.test(this.url)
    const rest = isTop ? this.url.slice(1) : this.url
    if (originalUrl === undefined || !originalUrl.endsWith(rest)) return ''
    return originalUrl.slice(0, originalUrl.length - rest.length)
  }

  get body(): HttpRequest['body'] {
    const { headers } = this.source
    const hasBody =
      headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    return hasBody ? (limit) => readBody(this.source, limit) : undefined
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#response)
    return this.#signal
  }
}

function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => {
    if (!response.writableFinished) controller.abort()
  }
  if (response.destroyed) abort()
  response.once('close', abort)
  return controller.signal
}

function readBody(request: HostedMessage, limit: number): Promise<Uint8Array> | object | string {
  const { body } = request
  if (typeof body === 'string' || (typeof body === 'object' && body !== null)) return body
  if (request.readableEnded || request.readableDidRead) {
    // A parser that is not strict leaves `7`, `true` and `null` there too.
    if (isScalar(body)) return JSON.stringify(body)
    throw new TypeError(
      'The body was read before it came to the listener: leave it unread, or its value in "request.body".',
    )
  }
  return collect(request, limit)
}

function isScalar(body: unknown): boolean {
  return typeof body === 'number' || typeof body === 'boolean' || body === null
}

// Node keeps the first of two content types without a word, and so would take for JSON what is declared as something else too.
function headersOf({ headers, rawHeaders }: IncomingMessage): HttpHeaders {
  if (headers['content-type'] === undefined) return headers
  let joined: string | undefined
  let types = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    if (rawHeaders[place]?.length !== 12 || rawHeaders[place]?.toLowerCase() !== 'content-type')
      continue
    const type = rawHeaders[place + 1] ?? ''
    joined = types++ === 0 ? type : `${joined}, ${type}`
  }
  return types > 1 ? { ...headers, 'content-type': joined } : headers
}

function collect(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // The client is gone already: no event would tell it any more.
    if (request.destroyed) return reject(problem('bad_request', 'The body broke off'))
    const chunks: Buffer[] = []
    let length = 0
    const take = (chunk: Buffer): void => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else finish(() => reject(bodyTooLarge(limit)))
    }
    const end = (): void => finish(() => resolve(Buffer.concat(chunks, length)))
    const breakOff = (): void => finish(() => reject(problem('bad_request', 'The body broke off')))
    const finish = (settle: () => void): void => {
      request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff)
      // The rest is read and forgotten, so that the client gets to reading the answer.
      request.on('error', () => undefined).resume()
      settle()
    }
    request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
  })
}

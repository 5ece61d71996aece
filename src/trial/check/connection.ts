import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { formatCurl, quoteForShell } from '../../wire/curl.ts'
import { parseRetryAfter } from '../../wire/retry-after.ts'
import { maxDepth, maxLimitedTries, maxRetrySeconds } from './limits.ts'
import {
  type CheckRequest,
  type CheckResponse,
  NoResponse,
  type SendRequest,
  toCheckRequest,
  writeMethods,
} from './message.ts'
import { type Redact, redacted, redactorFor } from './redact.ts'
import { Exhausted } from './usage-error.ts'

/** Options of {@link openConnection}. */
export interface ConnectionOptions extends Omit<TransportOptions, 'bytes'> {
  /** The most requests. */
  readonly requests: number
  /** Milliseconds for all requests. Default: unlimited. */
  readonly time?: number
  /** The most bytes of a response. Default 16 MiB. */
  readonly bytes?: number
  /** Gets the progress after each response. */
  readonly onProgress?: ProgressListener
}

/** A collection that the check begins with, and the number of requests so far. */
interface CheckProgress {
  readonly collection: string
  /** From 0. */
  readonly index: number
  /** The number of collections. */
  readonly count: number
  readonly requests: number
}

/** Gets the progress of a check. */
export type ProgressListener = (progress: CheckProgress) => void

/** A connection to a server, which sends one request at a time and keeps a log. */
export interface Connection {
  readonly origin: string
  /** The names of the headers of every request. */
  readonly headerNames: readonly string[]
  /** Removes the values of those headers from a text. */
  readonly redact: Redact
  /** Sends a request. Rejects with {@link Exhausted} beyond the limits, and after `stop`. */
  readonly send: SendRequest
  /** Sends a request also beyond the limits: to remove the items that the check created. */
  readonly sendAlways: SendRequest
  readonly log: readonly CheckResponse[]
  /** Names the collection that the next requests are about. */
  begin(collection: Omit<CheckProgress, 'requests'>): void
  /** Allows more requests. */
  allow(requests: number): void
  /** Rejects every further `send` with this reason. */
  stop(reason: string): void
  close(): void
}

const defaultBytes = 16 * 1024 * 1024

/** Opens a connection to a server, over HTTP or another transport. */
export function openConnection(
  options: ConnectionOptions,
  transport: Transport = openTransport({ bytes: defaultBytes, ...options }),
): Connection {
  const { origin, headers, time = Number.POSITIVE_INFINITY, onProgress } = options
  let current: Omit<CheckProgress, 'requests'> | undefined
  let { requests } = options
  const start = performance.now()
  const log: CheckResponse[] = []
  let reason: string | undefined
  const noted = (response: CheckResponse): void => {
    log.push(withoutLongBody(response))
    if (current !== undefined) onProgress?.({ ...current, requests: log.length })
  }
  const sendAlways: SendRequest = (method, path, parts = {}) =>
    sendPatiently(toCheckRequest(method, path, parts), { send: transport.send, noted })
  const send: SendRequest = async (method, path, parts) => {
    if (log.length >= requests) reason ??= leftAfter(`${requests} requests`, '--requests')
    if (performance.now() - start > time) reason ??= leftAfter(`${time} ms`, '--time')
    if (reason !== undefined) throw new Exhausted(reason)
    return sendAlways(method, path, parts)
  }
  return {
    origin,
    headerNames: Object.keys(headers),
    redact: redactorFor(headers),
    ...{ send, sendAlways, log, close: transport.close },
    begin(collection) {
      current = collection
    },
    allow(count) {
      requests = count
    },
    stop(cause) {
      reason = cause
    },
  }
}

interface Sending {
  readonly send: (request: CheckRequest) => Promise<CheckResponse>
  /** Gets each response. */
  readonly noted: (response: CheckResponse) => void
}

async function sendPatiently(
  request: CheckRequest,
  { send, noted }: Sending,
): Promise<CheckResponse> {
  let secondsLeft = maxRetrySeconds
  for (let tries = 1; ; tries++) {
    const response = await send(request)
    noted(response)
    const wait = secondsToWait(response, tries)
    secondsLeft -= wait ?? 0
    if (wait === undefined || secondsLeft < 0) return response
    await new Promise((resolve) => setTimeout(resolve, wait * 1000))
  }
}

function leftAfter(limit: string, option: string): string {
  return `Rules are left after ${limit}: allow more with ${option}.`
}

// A server that answers 429 has done nothing, so the check may send the request again (RFC 6585
// §4).
function secondsToWait({ status, headers }: CheckResponse, tries: number): number | undefined {
  if (status !== 429) return undefined
  const seconds = parseRetryAfter(headers)
  if (seconds !== undefined) return Math.max(1, seconds)
  return tries < maxLimitedTries ? 1 : undefined
}

// Rules that read the log need no long bodies.
function withoutLongBody(response: CheckResponse): CheckResponse {
  if (response.text.length < 10_000) return response
  return { ...response, text: '', json: response.json === undefined ? undefined : null }
}

/** Options of {@link openTransport}. */
interface TransportOptions {
  /** `http://127.0.0.1:3000` */
  readonly origin: string
  /** Sent with every request, and never shown. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds for one response. */
  readonly timeout: number
  /** The most bytes of a response. */
  readonly bytes: number
}

/** Sends the requests of a connection, and receives their responses. */
export interface Transport {
  /** Rejects with {@link NoResponse} when no response comes. Follows no redirect. */
  readonly send: (request: CheckRequest) => Promise<CheckResponse>
  readonly close: () => void
}

/** Opens a transport to one server. */
function openTransport({ origin, headers, timeout, bytes }: TransportOptions): Transport {
  const isSecure = origin.startsWith('https:')
  const { hostname, port } = new URL(origin)
  const host = hostname.replace(/^\[|\]$/g, '')
  const keepAlive = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 })
  const open = ({ method, path, headers: requestHeaders, body }: CheckRequest): ClientRequest => {
    // A write gets a connection of its own, so that the check never has to send it again.
    const agent = writeMethods.has(method) ? false : keepAlive
    const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
    const fields = { accept: 'application/json', ...headers, ...requestHeaders, ...length }
    const options = { agent, host, port, method, path, headers: fields }
    return isSecure ? requestHttps(options) : requestHttp(options)
  }
  const limits = { open, timeout, bytes }
  const send = async (request: CheckRequest): Promise<CheckResponse> => {
    try {
      return await sendOnce(request, limits)
    } catch (error) {
      // The server closed an idle connection just when the check used it again.
      if (error instanceof NoResponse && error.cause === 'reused') return sendOnce(request, limits)
      throw error
    }
  }
  return { send, close: () => keepAlive.destroy() }
}

interface Limits extends Pick<TransportOptions, 'timeout' | 'bytes'> {
  readonly open: (request: CheckRequest) => ClientRequest
}

function sendOnce(request: CheckRequest, { open, timeout, bytes }: Limits): Promise<CheckResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = open(request)
    // Made when needed: it takes a stack, which most requests would pay for in vain.
    let late: Error | undefined
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(deadline)
      const failure = new NoResponse(request, reasonOf(late ?? error))
      if (!late && outgoing.reusedSocket && error.code === 'ECONNRESET') failure.cause = 'reused'
      reject(failure)
    }
    const deadline = setTimeout(() => {
      late = new Error(`The whole response did not come within ${timeout} ms`)
      outgoing.destroy(late)
      // Node emits no error for a request that it gave up, as after a change of protocol.
      fail(late)
    }, timeout)
    outgoing.on('error', fail)
    outgoing.on('response', (message) => {
      readResponse(request, message, bytes).then((response) => {
        clearTimeout(deadline)
        resolve(response)
      }, fail)
    })
    outgoing.end(request.body)
  })
}

const noHost = 'This host does not exist'
const untrusted =
  'Its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of its issuer'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'No server listens there',
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  ECONNRESET: 'The connection was closed without a response',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  EPROTO: 'The server does not speak TLS: if it speaks HTTP, write http://',
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (code.startsWith('HPE_')) return 'The server does not speak HTTP'
  return reasons[code] ?? (message || code)
}

/**
 * Reads a response to its end.
 *
 * @param maxBytes The most bytes of the body, as sent and decompressed.
 * @throws {Error} For a body that is too long, cut, or JSON with more than 1200 levels of nesting.
 */
async function readResponse(
  request: CheckRequest,
  message: IncomingMessage,
  maxBytes: number,
): Promise<CheckResponse> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) throw tooLong(maxBytes)
  }
  const encoding = message.headers['content-encoding']
  const text = decompress(Buffer.concat(chunks), encoding, maxBytes).toString()
  const headers = Object.entries(message.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : `${value}`,
  ])
  return {
    request,
    status: message.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    text,
    json: parse(text),
  }
}

function tooLong(maxBytes: number): Error {
  return new Error(`The response has more than ${maxBytes} bytes: allow more with --bytes`)
}

// A server may compress the body although the check does not accept that.
function decompress(content: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const options = { maxOutputLength: maxBytes }
  if (content.length === 0) return content
  try {
    if (encoding === 'gzip' || encoding === 'deflate') return unzipSync(content, options)
    return encoding === 'br' ? brotliDecompressSync(content, options) : content
  } catch (error) {
    throw Reflect.get(Object(error), 'code') === 'ERR_BUFFER_TOO_LARGE' ? tooLong(maxBytes) : error
  }
}

function parse(text: string): unknown {
  let json: unknown
  // Most often of HEAD or a 204: an error would cost more than the rest of the response.
  if (text === '') return undefined
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  if (isDeep(json)) throw new Error(`The JSON of the response has more than ${maxDepth} levels`)
  return json
}

// Comparing and writing JSON recurses once a level.
function isDeep(json: unknown): boolean {
  let level = [json].filter(isObject)
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap(Object.values).filter(isObject)
  }
  return false
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * Writes a request as a curl command that sends exactly this request again. Names the headers of
 * every request without their values, because people pass reports on.
 */
export function curlOf(
  { method, path, headers, body }: CheckRequest,
  { origin, headerNames, redact }: Pick<Connection, 'origin' | 'headerNames' | 'redact'>,
): string {
  const options = ['-i', '--path-as-is', '--globoff']
  if (method === 'HEAD') options.push('-I')
  else if (method !== 'GET' || body !== undefined) options.push('-X', method)
  // `OPTIONS *` asks about the server, so it has no path.
  const isServer = path === '*'
  if (isServer) options.push('--request-target', quoteForShell('*'))
  const fields = headerNames
    .filter((name) => headers[name] === undefined)
    .map((name) => `${name}: ${redacted}`)
  for (const [name, value] of Object.entries(headers)) fields.push(`${name}: ${redact(value)}`)
  // By default curl would declare a form.
  if (body !== undefined && headers['content-type'] === undefined) fields.push('content-type:')
  const url = isServer ? origin : origin + redact(path)
  const text = body === undefined ? undefined : shortened(redact(body))
  return formatCurl({ url, options, fields, body: text }, ' ')
}

const maxBody = 2000

function shortened(body: string): string {
  return body.length > maxBody ? `${body.slice(0, maxBody)}…` : body
}

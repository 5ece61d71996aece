import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { Complaint } from '../complaint.ts'

/** A request as it is sent: nothing in its path is resolved or encoded on the way. */
export interface Sent {
  readonly method: string
  /** With the query, percent-encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** What came back. */
interface Answer {
  readonly status: number
  /** By lower-case name; several of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** What the text holds as JSON; `undefined` where it is none. */
  readonly json: unknown
}

/** A request and its answer. */
export interface Exchange {
  readonly sent: Sent
  readonly answer: Answer
}

/** What a request may have besides method and path; a body that is no text is written as JSON. */
interface Extras {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends a request; rejects with a {@link Silence} when no answer comes. */
export type Ask = (method: string, path: string, extras?: Extras) => Promise<Exchange>

/** No answer came, or none that is HTTP. */
export class Silence extends Error {
  readonly sent: Sent

  constructor(sent: Sent, reason: string) {
    super(reason)
    this.sent = sent
  }
}

/** What a line to a server is made from. */
export interface LineOptions {
  /** `http://127.0.0.1:3000` */
  readonly origin: string
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds an answer may take. */
  readonly timeout: number
  /** The most requests that are sent. */
  readonly requests: number
}

/** A line to a server: one request at a time, and everything that went over it. */
export interface Line {
  readonly origin: string
  /** Refuses more requests than are allowed. */
  readonly ask: Ask
  /** Sends whatever has to be sent: what was made is removed also when nothing more may be asked. */
  readonly insist: Ask
  readonly log: readonly Exchange[]
  /** Refuses every further request, for a reason. */
  stop(reason: string): void
  close(): void
}

/** Opens a line to a server. */
export function openLine({ origin, headers, timeout, requests }: LineOptions): Line {
  const isSecure = origin.startsWith('https:')
  const agent = isSecure
    ? new SecureAgent({ keepAlive: true, maxSockets: 1 })
    : new Agent({ keepAlive: true, maxSockets: 1 })
  const log: Exchange[] = []
  let reason: string | undefined
  const open = (sent: Sent): ClientRequest => {
    const { hostname, port } = new URL(origin)
    const { method, path } = sent
    const host = hostname.replace(/^\[|\]$/g, '')
    const options = { agent, host, port, method, path, headers: lengthened(sent) }
    return isSecure ? requestHttps(options) : requestHttp(options)
  }
  const insist: Ask = async (method, path, extras = {}) => {
    const sent = sentOf(method, path, { ...extras, headers: { ...headers, ...extras.headers } })
    const answer = await exchange(sent, { open, timeout })
    const both = { sent, answer }
    log.push(both)
    return both
  }
  const ask: Ask = async (method, path, extras) => {
    if (log.length >= requests)
      reason ??= `It took ${requests} requests, and there are rules left: allow more with --requests.`
    if (reason !== undefined) throw new Complaint(reason)
    return insist(method, path, extras)
  }
  const stop = (given: string): void => {
    reason = given
  }
  return { origin, ask, insist, log, stop, close: () => agent.destroy() }
}

function sentOf(method: string, path: string, { headers = {}, body }: Extras): Sent {
  if (body === undefined) return { method, path, headers, body }
  if (typeof body === 'string') return { method, path, headers, body }
  const declared = { 'content-type': 'application/json', ...headers }
  return { method, path, headers: declared, body: JSON.stringify(body) }
}

function lengthened({ headers, body }: Sent): Record<string, string> {
  const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
  return { accept: 'application/json', ...headers, ...length }
}

interface Way {
  readonly open: (sent: Sent) => ClientRequest
  readonly timeout: number
}

async function exchange(sent: Sent, way: Way): Promise<Answer> {
  try {
    return await once(sent, way)
  } catch (error) {
    // The server closed a connection that was idle just when it was used again.
    if (error instanceof Silence && error.cause === 'reused') return once(sent, way)
    throw error
  }
}

function once(sent: Sent, { open, timeout }: Way): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = open(sent)
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(deadline)
      const silence = new Silence(sent, reasonOf(error))
      if (request.reusedSocket && error.code === 'ECONNRESET') silence.cause = 'reused'
      reject(silence)
    }
    const deadline = setTimeout(() => {
      request.destroy(new Error(`No answer came within ${timeout} ms`))
    }, timeout)
    request.on('error', fail)
    request.on('response', (response) => {
      read(response).then((answer) => {
        clearTimeout(deadline)
        resolve(answer)
      }, fail)
    })
    request.end(sent.body)
  })
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nobody listens there',
  ENOTFOUND: 'There is no such host',
  EAI_AGAIN: 'There is no such host',
  ECONNRESET: 'The connection was closed without an answer',
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (code.startsWith('HPE_')) return 'What answered does not speak HTTP'
  return reasons[code] ?? (message || code)
}

const maxLength = 64 * 1024 * 1024

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxLength) throw new Error('The answer is longer than 64 MiB')
  }
  const text = Buffer.concat(chunks).toString()
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : `${value}`,
  ])
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    text,
    json: parsed(text),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

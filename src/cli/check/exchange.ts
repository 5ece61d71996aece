import { Agent, type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { parseRetryAfter } from '../../wire/retry-after.ts'
import { Complaint } from '../complaint.ts'
import { type Answer, readAnswer } from './answer.ts'

/** A request as it is sent: nothing in its path is resolved or encoded on the way. */
export interface Sent {
  readonly method: string
  /** With the query, percent-encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
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
  const kept = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 })
  const log: Exchange[] = []
  let reason: string | undefined
  const open = (sent: Sent): ClientRequest => {
    const { hostname, port } = new URL(origin)
    const { method, path } = sent
    const host = hostname.replace(/^\[|\]$/g, '')
    // What changes something goes over a connection of its own, so that it never has to be sent again to know that it came.
    const agent = isRepeatable(method) ? kept : false
    const options = { agent, host, port, method, path, headers: lengthened(sent) }
    return isSecure ? requestHttps(options) : requestHttp(options)
  }
  const insist: Ask = async (method, path, extras = {}) => {
    const sent = sentOf(method, path, { ...extras, headers: { ...headers, ...extras.headers } })
    for (let patience = maxPatience; ; ) {
      const both = { sent, answer: await exchange(sent, { open, timeout }) }
      log.push(lightened(both))
      const wait = waitOf(both)
      patience -= wait ?? 0
      if (wait === undefined || patience < 0) return both
      await new Promise((resolve) => setTimeout(resolve, wait * 1000))
    }
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
  return { origin, ask, insist, log, stop, close: () => kept.destroy() }
}

// Seconds that are waited, all in all, for a server that answers 429.
const maxPatience = 120

// Who is told to come back later does (RFC 6585 §4), as nothing was done; seconds.
function waitOf({ answer: { status, headers } }: Exchange): number | undefined {
  const seconds = status === 429 ? parseRetryAfter(headers) : undefined
  return seconds === undefined ? undefined : Math.max(1, seconds)
}

// Long lists are not kept: of what went well nobody asks later what it was.
function lightened(both: Exchange): Exchange {
  const { sent, answer } = both
  if (answer.text.length < 10_000) return both
  const json = answer.json === undefined ? undefined : null
  return { sent, answer: { ...answer, text: '', json } }
}

function isRepeatable(method: string): boolean {
  return !['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)
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
    const late = new Error(`No whole answer came within ${timeout} ms`)
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(deadline)
      const silence = new Silence(sent, reasonOf(isLate ? late : error))
      if (!isLate && request.reusedSocket && error.code === 'ECONNRESET') silence.cause = 'reused'
      reject(silence)
    }
    let isLate = false
    const deadline = setTimeout(() => {
      isLate = true
      request.destroy(late)
    }, timeout)
    request.on('error', fail)
    request.on('response', (response) => {
      readAnswer(response).then((answer) => {
        clearTimeout(deadline)
        resolve(answer)
      }, fail)
    })
    request.end(sent.body)
  })
}

const untrusted =
  'Its certificate is not trusted: name the file of who signed it in the environment, as NODE_EXTRA_CA_CERTS'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nobody listens there',
  ENOTFOUND: 'There is no such host',
  EAI_AGAIN: 'There is no such host',
  ECONNRESET: 'The connection was closed without an answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  EPROTO: 'What answered does not speak TLS: write http://, if it is that',
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (code.startsWith('HPE_')) return 'What answered does not speak HTTP'
  return reasons[code] ?? (message || code)
}

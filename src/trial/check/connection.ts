import { parseRetryAfter } from '../../wire/retry-after.ts'
import { maxLimitedTries, maxRetrySeconds } from './limits.ts'
import {
  type CheckRequest,
  type CheckResponse,
  type SendRequest,
  toCheckRequest,
} from './message.ts'
import { type Redact, redactorFor } from './redact.ts'
import { openTransport, type TransportOptions } from './transport.ts'
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

/** Opens a connection to a server. */
export function openConnection(options: ConnectionOptions): Connection {
  const { origin, headers, time = Number.POSITIVE_INFINITY, onProgress } = options
  let current: Omit<CheckProgress, 'requests'> | undefined
  let { requests } = options
  const transport = openTransport({ bytes: defaultBytes, ...options })
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
    send,
    sendAlways,
    log,
    begin(collection) {
      current = collection
    },
    allow(given) {
      requests = given
    },
    stop(given) {
      reason = given
    },
    close: transport.close,
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

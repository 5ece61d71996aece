import { parseRetryAfter } from '../wire/retry-after.ts'
import { maxPatience } from './bounds.ts'
import { type Conceal, concealerFor } from './conceal.ts'
import { openSender } from './send.ts'
import { type Ask, type Exchange, sentOf } from './sent.ts'
import { UsageError } from './usage-error.ts'

/** What a line to a server is made from. */
export interface LineOptions {
  /** `http://127.0.0.1:3000` */
  readonly origin: string
  /** Sent with every request, and never shown. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds an answer may take. */
  readonly timeout: number
  /** The most requests that are sent. */
  readonly requests: number
  /** Milliseconds that all of them may take. Default: no bound. */
  readonly time?: number
  /** The most bytes of an answer. Default 16 MiB. */
  readonly bytes?: number
}

/** A line to a server: one request at a time, and everything that went over it. */
export interface Line {
  readonly origin: string
  /** The names of the headers that are sent with every request. */
  readonly given: readonly string[]
  /** Writes a text without the values of those headers. */
  readonly conceal: Conceal
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
export function openLine({ origin, headers, timeout, requests, ...bounds }: LineOptions): Line {
  const { time = Number.POSITIVE_INFINITY, bytes = defaultBytes } = bounds
  const sender = openSender({ origin, headers, timeout, bytes })
  const since = performance.now()
  const log: Exchange[] = []
  let reason: string | undefined
  const insist: Ask = async (method, path, extras = {}) => {
    const sent = sentOf(method, path, extras)
    for (let patience = maxPatience; ; ) {
      const both = { sent, answer: await sender.send(sent) }
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
    if (performance.now() - since > time)
      reason ??= `It took ${time} ms, and there are rules left: allow more with --time.`
    if (reason !== undefined) throw new UsageError(reason)
    return insist(method, path, extras)
  }
  const stop = (given: string): void => {
    reason = given
  }
  const conceal = concealerFor(headers)
  const given = Object.keys(headers)
  return { origin, given, conceal, ask, insist, log, stop, close: sender.close }
}

const defaultBytes = 16 * 1024 * 1024

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

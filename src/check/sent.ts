import type { Answer } from './answer.ts'

/** A request as it is sent: nothing in its path is resolved or encoded on the way. */
export interface Sent {
  readonly method: string
  /** With the query, percent-encoded. */
  readonly path: string
  /** Without those that are sent with every request, which nobody is shown. */
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

/** No answer came, none that is HTTP, or one beyond the bounds. */
export class Silence extends Error {
  readonly sent: Sent

  constructor(sent: Sent, reason: string) {
    super(reason)
    this.sent = sent
  }
}

/** Writes a request as it is sent. */
export function sentOf(method: string, path: string, { headers = {}, body }: Extras): Sent {
  if (body === undefined) return { method, path, headers, body }
  if (typeof body === 'string') return { method, path, headers, body }
  const declared = { 'content-type': 'application/json', ...headers }
  return { method, path, headers: declared, body: JSON.stringify(body) }
}

/** The methods that change something. */
export const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

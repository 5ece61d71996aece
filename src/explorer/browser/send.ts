import type { Received, Sent } from '../exchange.ts'
import { authorization, isAuthorized } from './authorization.ts'
import { readJson } from './json.ts'

/** A request and its answer. */
export interface Exchange {
  readonly sent: Sent
  readonly received: Received
  /** What the answer's body holds, where that is JSON. */
  readonly value: unknown
}

/** Sends a request to the api. Rejects only where no answer came. */
export async function send(sent: Sent): Promise<Exchange> {
  const { method, url, body } = sent
  const headers = { ...sent.headers, ...authorization() }
  const response = await fetch(url, { method, headers, body: body ?? null, cache: 'no-store' })
  const text = await response.text()
  const value = readJson(text)
  const received = {
    status: response.status,
    reason: response.statusText,
    headers: Object.fromEntries(response.headers),
    body: text,
  }
  // Whoever looks over a shoulder shall not read it.
  const told = isAuthorized() ? { ...sent, headers: { ...sent.headers, authorization: '…' } } : sent
  return { sent: told, received, value }
}

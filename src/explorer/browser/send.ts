import type { ShownRequest, ShownResponse } from '../message.ts'
import { authorization, isAuthorized } from './authorization.ts'
import { tryParseJson } from './json.ts'

/** A request and its response. */
export interface RoundTrip {
  readonly request: ShownRequest
  readonly response: ShownResponse
  /** The JSON of the response; `undefined` for another body. */
  readonly value: unknown
}

/** Sends a request to the API. Rejects only when no response comes. */
export async function sendRequest(request: ShownRequest): Promise<RoundTrip> {
  const { method, url, body = null } = request
  const headers = { ...request.headers, ...authorization() }
  const response = await fetch(url, { method, headers, body, cache: 'no-store' })
  const text = await response.text()
  // The page never shows the authorization.
  const hidden: ShownRequest['headers'] = isAuthorized() ? { authorization: '…' } : {}
  return {
    request: { ...request, headers: { ...request.headers, ...hidden } },
    response: {
      status: response.status,
      reason: response.statusText,
      headers: Object.fromEntries(response.headers),
      body: text,
    },
    value: tryParseJson(text),
  }
}

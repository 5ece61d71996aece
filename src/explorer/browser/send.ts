import { tryParseJson } from '../../convention/value.ts'
import { formatSize, type ShownRequest, type ShownResponse } from '../message.ts'
import { authorization } from './authorization.ts'
import { type HistoryEntry, storeRequest } from './dock/history.ts'

/** A request and its response. */
export interface RoundTrip {
  readonly request: ShownRequest
  readonly response: ShownResponse
  /** The JSON of the response; `undefined` for another body. */
  readonly value: unknown
  /** The time, and the size of the response. */
  readonly cost: Pick<HistoryEntry, 'milliseconds' | 'size'>
}

/** Sends a request to the API. Rejects only when no response comes. */
export async function sendRequest(request: ShownRequest): Promise<RoundTrip> {
  const { method, url, body = null } = request
  const headers = { accept: 'application/json', ...request.headers }
  const secret = authorization()
  const begun = performance.now()
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...secret },
    body,
    cache: 'no-store',
  })
  const text = await response.text()
  const cost = { milliseconds: Math.round(performance.now() - begun), size: formatSize(text) }
  // Reading is what pages do by themselves.
  if (method !== 'GET')
    storeRequest({ request: { ...request, headers }, status: response.status, ...cost })
  // The page never shows the authorization.
  const hidden = 'authorization' in secret ? { authorization: '…' } : {}
  return {
    request: { ...request, headers: { ...headers, ...hidden } },
    response: {
      status: response.status,
      reason: response.statusText,
      headers: Object.fromEntries(response.headers),
      body: text,
    },
    value: tryParseJson(text),
    cost,
  }
}

import { jsonType, problemType } from '../wire/body.ts'
import { formatCall } from '../wire/request.ts'
import {
  parseResponse,
  type ReceivedOutcome,
  type ReceivedResponse,
  UnexpectedResponse,
} from '../wire/response.ts'
import type { ClientCall } from './call.ts'
import type { Settings } from './options.ts'

/**
 * Sends a call and returns its outcome. Rethrows the error of `fetch` and the reason of a signal.
 *
 * @throws {ProblemError} The problem in the response.
 * @throws {UnexpectedResponse} For any other response, redirects included.
 */
export function sendCall(clientCall: ClientCall, settings: Settings): Promise<ReceivedOutcome> {
  const { call, body, options } = clientCall
  return untilAborted(options.signal, async () => {
    const request = await toRequest(clientCall, settings)
    const isMany = Array.isArray(body)
    const isDryRun = call.parameters.dry_run !== undefined
    const response = await fetchResponse(request, settings)
    settings.announce(call.target.collection.version, response.headers)
    return parseResponse(response, call.kind, { isMany, isDryRun })
  })
}

async function toRequest(
  { call, body, options }: ClientCall,
  settings: Settings,
): Promise<Request> {
  const { signal = null } = options
  const formatted = formatCall(call, body)
  const base = typeof settings.headers === 'function' ? await settings.headers() : settings.headers
  // A custom `fetch` may ignore the signal.
  signal?.throwIfAborted()
  const headers = new Headers()
  const accept = `${jsonType}, ${problemType}`
  for (const fields of [base, options.headers, formatted.headers, { accept }]) {
    for (const [name, value] of new Headers(fields)) headers.set(name, value)
  }
  // Not `error`: workerd rejects it.
  const redirect = 'manual'
  return new Request(settings.baseUrl + formatted.url, { ...formatted, headers, signal, redirect })
}

async function fetchResponse(
  request: Request,
  { fetch, baseUrl }: Settings,
): Promise<ReceivedResponse> {
  const response = await fetch(request)
  const { status, headers, redirected, url } = response
  const text = await response.text()
  const receivedResponse = {
    status,
    headers: Object.fromEntries(headers),
    text,
    body: parseJsonOrKeep(text),
  }
  // A browser gives a redirect the status 0. A custom `fetch` may have followed one.
  const isElsewhere = url && !url.startsWith(`${baseUrl}/`)
  if (!redirected && !isElsewhere && !/^[03]/.test(`${status}`)) return receivedResponse
  throw new UnexpectedResponse(receivedResponse, 'A redirect')
}

// Text that is not JSON stays text; `parseResponse` rejects it.
function parseJsonOrKeep(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Runs a task until a signal aborts. An abort rejects at once with the signal's reason, even when
 * the task ignores the signal.
 */
export function untilAborted<Value>(
  signal: AbortSignal | undefined,
  task: () => Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const onAbort = (): void => reject(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    task()
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', onAbort))
  })
}

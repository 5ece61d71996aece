import { jsonType, problemType } from '../wire/body.ts'
import { formatRequest, type WrittenCall } from '../wire/request.ts'
import { parseResponse, type ReceivedOutcome } from '../wire/response.ts'
import { type ReceivedResponse, UnexpectedResponse } from '../wire/unexpected.ts'
import type { CallOptions, Settings } from './options.ts'
import { whileWanted } from './wanted.ts'

/** A call with its body, and what else it was given. */
export interface Errand {
  readonly call: WrittenCall
  readonly body: unknown
  readonly options: CallOptions
}

/**
 * Sends a call and reads what it gave. Throws what `fetch` throws as it is, and the reason of a signal.
 *
 * @throws {ProblemError} The problem that was answered.
 * @throws {UnexpectedResponse} When something else was answered, a redirect among it.
 */
export function send(errand: Errand, settings: Settings): Promise<ReceivedOutcome> {
  return whileWanted(errand.options.signal, async () => {
    const request = await toRequest(errand, settings)
    return parseResponse(await exchange(request, settings), errand.call.kind)
  })
}

async function toRequest({ call, body, options }: Errand, settings: Settings): Promise<Request> {
  const { signal = null } = options
  const written = formatRequest(call, body)
  const base = typeof settings.headers === 'function' ? await settings.headers() : settings.headers
  // Not every fetch looks before it sends.
  signal?.throwIfAborted()
  const headers = new Headers()
  const accept = `${jsonType}, ${problemType}`
  for (const fields of [base, options.headers, written.headers, { accept }]) {
    for (const [name, value] of new Headers(fields)) headers.set(name, value)
  }
  // Not `error`, which workerd refuses.
  const redirect = 'manual'
  return new Request(settings.baseUrl + written.url, { ...written, headers, signal, redirect })
}

async function exchange(request: Request, { fetch, baseUrl }: Settings): Promise<ReceivedResponse> {
  const response = await fetch(request)
  const { status, headers, redirected, url } = response
  const text = await response.text()
  const received = { status, headers: Object.fromEntries(headers), text, body: valueIn(text) }
  // A browser gives a redirect the status 0. A fetch of the caller's own may have followed one all the same.
  const isAway = url && !url.startsWith(`${baseUrl}/`)
  if (!redirected && !isAway && !/^[03]/.test(`${status}`)) return received
  throw new UnexpectedResponse(received, 'A redirect')
}

// What is no JSON is left as it is, for whoever reads it to refuse.
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

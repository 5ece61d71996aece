import { maxTimer } from '../convention/awaitable.ts'
import { operations } from '../convention/operations.ts'
import { parseRetryAfter } from '../wire/retry-after.ts'
import { checkNames, type Fetch, fetchOf } from './options.ts'
import { untilAborted } from './send.ts'

/** The options of {@link retrying}. All numbers are whole. */
export interface RetryOptions {
  /** The most attempts, the first included: from 1. */
  readonly attempts: number
  /**
   * Milliseconds. The second attempt starts at a random time within them; each further attempt
   * doubles them. Default 500.
   */
  readonly wait?: number | undefined
  /**
   * The longest wait in milliseconds. When `Retry-After` asks for more, the response is returned
   * at once. Default 60,000.
   */
  readonly maxWait?: number | undefined
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
}

/**
 * Makes a `fetch` that repeats a request after a temporary failure, where this is safe:
 * `createClient<typeof api>({ baseUrl, fetch: retrying({ attempts: 3 }) })`. It waits as long as
 * `Retry-After` says.
 *
 * @throws {TypeError} For an invalid option.
 */
export function retrying(options: RetryOptions): Fetch {
  checkNames(options, ['attempts', 'wait', 'maxWait', 'fetch'])
  const { attempts, wait = 500, maxWait = 60_000 } = options
  const fetch = fetchOf(options)
  checkNumbers({ attempts, wait, maxWait })
  return async (request) => {
    // Not a clone: some runtimes warn about its unread half.
    const bytes = await request.arrayBuffer()
    const body = bytes.byteLength > 0 ? bytes : null
    for (let attempt = 1; ; attempt++) {
      const result = await attemptOf(new Request(request, { body }), fetch)
      const longestPause = wait * 2 ** (attempt - 1)
      const pause = retryAfterOf(result) ?? Math.random() * Math.min(maxWait, longestPause)
      if (attempt >= attempts || pause > maxWait || !isRepeatable(request, result)) {
        if (result.response) return result.response
        throw result.error
      }
      // Frees the connection. A body that is broken or never ends must not delay the next attempt.
      result.response?.body?.cancel().catch(() => undefined)
      await pauseFor(pause, request.signal)
    }
  }
}

function checkNumbers(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    const least = name === 'attempts' ? 1 : 0
    if (!Number.isInteger(value) || value < least || value > maxTimer) {
      throw new TypeError(`"${name}" must be a whole number from ${least} to ${maxTimer}`)
    }
  }
}

/** The result of one attempt. */
type AttemptResult =
  | { readonly response: Response; readonly error?: never }
  | { readonly response?: never; readonly error: unknown }

async function attemptOf(request: Request, fetch: Fetch): Promise<AttemptResult> {
  try {
    return { response: await fetch(request) }
  } catch (error) {
    return { error }
  }
}

// After 429 the server did nothing, so every request is safe to repeat. After 503 or a broken
// connection only an idempotent one is (RFC 9110 §9.2.2), or a POST with a key. DELETE is not: a
// second one returns 404, or deletes newer items. A conditional write is not: the first may have
// made its condition false.
function isRepeatable({ method, headers, signal }: Request, { response }: AttemptResult): boolean {
  const isConditional = headers.has('if-match') || headers.has('if-none-match')
  const row = Object.values(operations).find((operation) => operation.method === method)
  const isSafe = row?.safe ?? /^(HEAD|OPTIONS)$/.test(method)
  const isIdempotentWrite = row?.idempotent === true && method !== 'DELETE' && !isConditional
  const isKeyed = method === 'POST' && headers.has('idempotency-key')
  const isIdempotent = isSafe || isIdempotentWrite || isKeyed
  const status = response?.status
  return !signal.aborted && (status === 429 || (isIdempotent && (!status || status === 503)))
}

function retryAfterOf({ response }: AttemptResult): number | undefined {
  const seconds = response && parseRetryAfter(Object.fromEntries(response.headers))
  return seconds === undefined ? undefined : seconds * 1000
}

function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      timer = setTimeout(resolve, milliseconds)
    })
  return untilAborted(signal, wait).finally(() => clearTimeout(timer))
}

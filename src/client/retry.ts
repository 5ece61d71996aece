import { operations } from '../model/convention.ts'
import { parseRetryAfter } from '../wire/retry-after.ts'
import { checkNames, type Fetch, fetchOf } from './options.ts'
import { whileWanted } from './wanted.ts'

/** How often, and how patiently, a request is tried again where that is safe. */
export interface RetryOptions {
  /** The most times a request is tried, the first included: a whole number from 1. */
  readonly attempts: number
  /** Milliseconds within which the second attempt is made, at random; twice as many for each further one: a whole number. Default 500. */
  readonly wait?: number | undefined
  /** Milliseconds, the longest wait: when `Retry-After` asks for more, the answer is given at once; a whole number. Default 60,000. */
  readonly maxWait?: number | undefined
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
}

/**
 * Makes a `fetch` for a client that tries again what failed for the moment and is safe to repeat:
 * `createClient<typeof api>({ baseUrl, fetch: retrying({ attempts: 3 }) })`. It waits as long as `Retry-After` says.
 *
 * @throws {TypeError} For an option that cannot be; the message says what to write instead.
 */
export function retrying(options: RetryOptions): Fetch {
  checkNames(options, ['attempts', 'wait', 'maxWait', 'fetch'])
  const { attempts, wait = 500, maxWait = 60_000 } = options
  const fetch = fetchOf(options)
  checkNumbers({ attempts, wait, maxWait })
  return async (request) => {
    // Not a clone, of whose unread half some runtimes complain.
    const bytes = await request.arrayBuffer()
    const body = bytes.byteLength > 0 ? bytes : null
    for (let attempt = 1; ; attempt++) {
      const tried = await attemptOf(new Request(request, { body }), fetch)
      const most = wait * 2 ** (attempt - 1)
      const pause = retryAfterOf(tried) ?? Math.random() * Math.min(maxWait, most)
      if (attempt >= attempts || pause > maxWait || !isRepeatable(request, tried)) {
        if (tried.response) return tried.response
        throw tried.error
      }
      // Nobody reads it: its connection is free for the next. One that is broken, or never ends, holds nobody up.
      tried.response?.body?.cancel().catch(() => undefined)
      await pauseFor(pause, request.signal)
    }
  }
}

// What timers take.
const longest = 2_147_483_647

function checkNumbers(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    const least = name === 'attempts' ? 1 : 0
    if (!Number.isInteger(value) || value < least || value > longest) {
      throw new TypeError(
        `Write "${name}" of "retrying" as a whole number from ${least} to ${longest}`,
      )
    }
  }
}

/** What became of an attempt. */
type Tried =
  | { readonly response: Response; readonly error?: never }
  | { readonly response?: never; readonly error: unknown }

async function attemptOf(request: Request, fetch: Fetch): Promise<Tried> {
  try {
    return { response: await fetch(request) }
  } catch (error) {
    return { error }
  }
}

// 429 says that nothing was done, which makes everything safe. After 503 and a broken connection nobody knows: only what comes to
// the same thing twice is (RFC 9110 §9.2.2). A DELETE does not, since the second is answered 404, or takes what has come meanwhile;
// nor does a condition, which the first may have made untrue.
function isRepeatable({ method, headers, signal }: Request, { response }: Tried): boolean {
  const isConditional = headers.has('if-match') || headers.has('if-none-match')
  const row = Object.values(operations).find((operation) => operation.method === method)
  const isSafe = row?.safe ?? /^(HEAD|OPTIONS)$/.test(method)
  const isIdempotent = isSafe || (row?.idempotent === true && method !== 'DELETE' && !isConditional)
  const status = response?.status
  return !signal.aborted && (status === 429 || (isIdempotent && (!status || status === 503)))
}

function retryAfterOf({ response }: Tried): number | undefined {
  const seconds = response && parseRetryAfter(Object.fromEntries(response.headers))
  return seconds === undefined ? undefined : seconds * 1000
}

function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      timer = setTimeout(resolve, milliseconds)
    })
  return whileWanted(signal, wait).finally(() => clearTimeout(timer))
}
